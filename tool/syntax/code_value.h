// Equality as code, not as text: `256 * MiB` equals `268435456` where MiB is defined once; the
// order of a dict's keys and a set's elements, comments, layout and grouping parentheses are not
// looked at. Equality is decided on canonical forms: two pieces of code are equal when their forms
// are the same string.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "syntax/fragment.h"
#include "syntax/source_tree.h"

namespace portpatch {

/// A constant: null, bool, integer, float or string. A string keeps its prefix ("b") in front of a
/// colon, so that bytes and text differ.
struct Constant {
  struct Null {
    auto operator<=>(const Null&) const = default;
  };
  std::variant<Null, bool, std::int64_t, double, std::string> value;
};

/// Evaluates code as it stands in one module, whose names it may use.
class CodeEvaluator {
 public:
  explicit CodeEvaluator(const SourceTree& module) : module_(module) {}

  /// The value of `node` (of `tree`, which may be a fragment to be put into the module), when it is
  /// a constant: literals, arithmetic on them, strings side by side, and names that the module
  /// defines exactly once. Integers beyond 64 bits have none.
  [[nodiscard]] std::optional<Constant> evaluate(const SourceTree& tree, const Node& node);
  /// The canonical form of `node`.
  [[nodiscard]] std::string canonical(const SourceTree& tree, const Node& node);
  /// The canonical form of all nodes of a fragment.
  [[nodiscard]] std::string canonical(const Fragment& fragment);

 private:
  [[nodiscard]] std::optional<Constant> named_constant(std::string_view name);
  [[nodiscard]] std::vector<Node> definitions(std::string_view name);
  [[nodiscard]] std::string canonical_items(const SourceTree& tree, const Node& node);

  const SourceTree& module_;
  std::map<std::string, std::optional<Constant>, std::less<>> names_;
  /// All of the module's, once many were asked for.
  std::map<std::string_view, std::vector<Node>> definitions_;
  int depth_ = 0;
};

/// A node (or the first of several siblings) at or below `container` that is equal as code to the
/// fragment; a null node when there is none.
[[nodiscard]] Node find_equal(const SourceTree& tree, const Node& container,
                              const Fragment& fragment);

/// Every place where `name` stands as a whole word in `tree` and plays `kDefinition`.
[[nodiscard]] std::vector<Node> definitions_of(const SourceTree& tree, std::string_view name);

/// The longest name in `code` that all code with its canonical form has; empty when there is none.
[[nodiscard]] std::string required_name(const Language& language, std::string_view code);

/// `text` as a plain string without prefix, when the constant is one.
[[nodiscard]] std::optional<std::string> plain_string(const Constant& constant);

}  // namespace portpatch
