// Query notation matched by ourselves, for the descriptions that portpatch brings along (roles.scm,
// checks.scm). tree-sitter takes some 0.3 ms to compile each pattern, 20 ms for a language's roles,
// which is more than everything else on the hook's way; these patterns are small, each is rooted at
// one node kind, and reading them takes no time.
//
// The notation is the part of tree-sitter's that they need: nodes, fields, `_`, strings,
// alternations, `?`, anchors, captures, predicates. Anything else is refused.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "syntax/query.h"
#include "syntax/source_tree.h"

namespace portpatch {

class PatternSet {
 public:
  /// Reads the patterns of `text`. Fails with "query-syntax" or a predicate's own error.
  [[nodiscard]] static Result<PatternSet> read(const Language& language, std::string_view path,
                                               std::string_view text);

  PatternSet(PatternSet&&) noexcept;
  PatternSet& operator=(PatternSet&&) noexcept;
  ~PatternSet();

  /// Calls `found` for every match whose outermost node is `node`. Comments never stand between the
  /// children of a pattern, also where it has an anchor.
  void match_at(const SourceTree& tree, const Node& node,
                const std::function<void(const Match&)>& found) const;
  /// The directives of a pattern, in order.
  [[nodiscard]] const std::vector<Predicate>& directives(std::size_t pattern) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  PatternSet();
};

}  // namespace portpatch
