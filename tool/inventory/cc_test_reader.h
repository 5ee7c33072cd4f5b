// Conditions as CcTest: which comparisons on a cc stand in one, and how they are joined. Reads the
// trees of all languages by their roles.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "inventory/cc_keys.h"
#include "inventory/cc_names.h"
#include "inventory/class_constant.h"
#include "inventory/place.h"

namespace portpatch {

/// Line numbers of one text, for many questions.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  [[nodiscard]] std::size_t line_of(std::size_t offset) const;

 private:
  std::vector<std::size_t> begins_;
};

class CcTestReader {
 public:
  /// `file_speaks`: the file speaks of GPUs, so that `major` may be one's.
  /// `constants`: macros that name a cc; they outlive the reader.
  using Constants = std::map<std::string, long long, std::less<>>;
  CcTestReader(const SourceTree& tree, const CcNames& names, bool file_speaks,
               const Constants& constants);

  /// What `condition` says; the keys of its comparisons are put behind `keys`.
  [[nodiscard]] CcTest read(const Node& condition, std::vector<CcKey>& keys);
  /// Does the node ask for a cc?
  [[nodiscard]] std::optional<AskedCc> asked(const Node& node);
  /// From here on the variable `name` holds a cc, or for nothing none any longer; what it said
  /// before.
  std::optional<AskedCc> set_variable(const std::string& name, std::optional<AskedCc> says);
  /// `#ifdef A` as a test.
  [[nodiscard]] CcTest read_defined(std::string_view macro) const;

  [[nodiscard]] std::size_t line_of(std::size_t offset) const { return lines_.line_of(offset); }
  [[nodiscard]] CodeEvaluator& evaluator() { return evaluator_; }
  [[nodiscard]] const SourceTree& tree() const { return tree_; }
  [[nodiscard]] const CcNames& names() const { return names_; }

 private:
  [[nodiscard]] CcTest read_comparison(const Node& node, std::vector<CcKey>& keys);
  [[nodiscard]] Node inside_wrapper(const Node& node) const;
  [[nodiscard]] CcTest compare(const Node& left, std::string op, const Node& right,
                               std::vector<CcKey>& keys);
  [[nodiscard]] CcTest membership(const AskedCc& says, const Node& left, const Node& list,
                                  std::vector<CcKey>& keys);
  [[nodiscard]] CcTest of_version(const Node& node) const;
  [[nodiscard]] CcTest read_call(const Node& node, std::vector<CcKey>& keys);
  [[nodiscard]] CcTest with_key(std::vector<CcKey>& keys, const Node& asks, std::string op,
                                const Node& key, const KeyMeaning& means) const;
  [[nodiscard]] std::optional<KeyMeaning> key_of(const Node& node, std::optional<KeyUnit> unit);
  [[nodiscard]] bool is_gpus(const Node& node, std::string_view name);
  [[nodiscard]] bool is_gpus_in(std::string_view around, std::string_view name) const;
  [[nodiscard]] std::string_view text(const Node& node) const { return node.text(tree_.text()); }

  const SourceTree& tree_;
  const CcNames& names_;
  CodeEvaluator evaluator_;
  ClassConstants class_constants_;
  LineIndex lines_;
  bool file_speaks_;
  const Constants& constants_;
  std::map<std::string, AskedCc, std::less<>> variables_;
  std::map<std::pair<const void*, std::string>, bool> weak_;  ///< by scope and name: see is_gpus()
};

[[nodiscard]] bool has_keys(const CcTest& test);

}  // namespace portpatch
