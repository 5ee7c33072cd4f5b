// The predicates that a query may hold: one row and one function each.
#pragma once

#include <memory>
#include <string_view>

#include "base/diagnostic.h"
#include "syntax/query.h"

namespace portpatch {

/// What a predicate may look at.
struct PredicateContext {
  const SourceTree& tree;
  std::string_view path;
  const Match& match;
};

/// A predicate made ready: regular expressions compiled, globs kept.
class ReadyPredicate {
 public:
  virtual ~ReadyPredicate() = default;
  [[nodiscard]] virtual bool holds(const PredicateContext& context) const = 0;
};

/// Checks the arguments of `predicate` and makes it ready. Errors carry a place in `text`:
/// "unknown-predicate", "wrong-arguments", "bad-regex". `language` parses the code of #lacks? and
/// #reads?.
[[nodiscard]] Result<std::unique_ptr<ReadyPredicate>> make_ready(const Language& language,
                                                                 const Predicate& predicate,
                                                                 std::string_view path,
                                                                 std::string_view text);

}  // namespace portpatch
