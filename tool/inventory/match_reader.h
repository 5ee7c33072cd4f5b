// The cases of Python's `match` as CcTest: values, alternatives, tuples of major and minor number,
// names that take what they stand for, and guards.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "inventory/cc_test_reader.h"
#include "syntax/roles.h"

namespace portpatch {

class MatchReader {
 public:
  /// `statement`: one with subjects and a body of cases. `reader`, of its tree, outlives this.
  MatchReader(CcTestReader& reader, const Node& statement);

  /// Is it a case of such a statement? Those of a `switch` are none.
  [[nodiscard]] static bool is_case(const Node& clause);
  /// What holds when the case is taken, if none before it is; the keys of its patterns and its
  /// guard are put behind `keys`.
  [[nodiscard]] CcTest read(const Node& clause, std::vector<CcKey>& keys);
  /// Its patterns with its guard, as spelled.
  [[nodiscard]] std::string condition(const Node& clause) const;
  /// What is matched, as spelled.
  [[nodiscard]] std::string subject() const { return spelled(subject_); }

 private:
  /// What a pattern is held against: a value, or several side by side.
  struct Subject {
    ByteRange range;
    std::optional<AskedCc> says;
    std::vector<Subject> parts = {};
  };

  [[nodiscard]] Subject subject_of(const Node& node);
  [[nodiscard]] CcTest pattern(const Node& node, const Subject& subject, std::vector<CcKey>& keys);
  [[nodiscard]] CcTest literal(const Node& node, const Subject& subject, std::vector<CcKey>& keys);
  [[nodiscard]] std::optional<KeyMeaning> number(Node node, KeyUnit unit) const;
  [[nodiscard]] CcTest sequence(std::vector<Node> items, const Subject& subject,
                                std::vector<CcKey>& keys);
  [[nodiscard]] CcTest with_key(std::vector<CcKey>& keys, const Subject& subject, ByteRange key,
                                const KeyMeaning& means) const;
  void bind(const Node& name, const Subject& subject);
  [[nodiscard]] std::string_view text(const Node& node) const {
    return node.text(reader_.tree().text());
  }
  [[nodiscard]] bool is(const Node& node, Role role) const {
    return has_role(reader_.tree(), node, role);
  }
  [[nodiscard]] std::string spelled(const Subject& subject) const {
    return folded(subject.range.of(reader_.tree().text()));
  }

  CcTestReader& reader_;
  Subject subject_;
  /// Names that the case binds, with what they said before it.
  std::vector<std::pair<std::string, std::optional<AskedCc>>> bound_;
};

}  // namespace portpatch
