// Queries: compiled by tree-sitter, their predicates evaluated here (the C library only lists
// them). Names and meaning of the predicates are those of tree-sitter's own hosts.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "syntax/node.h"
#include "syntax/query_text.h"
#include "syntax/source_tree.h"

namespace portpatch {

/// One argument of a predicate or directive.
struct PredicateArgument {
  bool is_capture = false;
  std::string text;  ///< the capture's name without @, or the string
  ByteRange place;   ///< in the query's file
};

/// `(#name arguments...)`.
struct Predicate {
  std::string name;  ///< without the #: "eq?", "ensure-entry!"
  std::vector<PredicateArgument> arguments;
  ByteRange place;       ///< the whole list, in the query's file
  ByteRange name_place;  ///< its name
};

/// The predicate that a list of query notation is.
[[nodiscard]] Predicate to_predicate(const QueryItem& list);

struct Capture {
  std::string_view name;  ///< owned by the query
  Node node;
};

struct Match {
  std::size_t pattern = 0;
  std::vector<Capture> captures;  ///< in source order

  /// The first node captured as `name`; a null node when unbound.
  [[nodiscard]] Node find(std::string_view name) const;
};

/// What names and arguments a predicate takes, for the table in rules/README.md and for errors.
struct PredicateInfo {
  std::string_view name;
  std::string_view arguments;
  std::string_view summary;
};
[[nodiscard]] std::vector<PredicateInfo> predicate_table();

/// When tree-sitter compiles a query.
enum class Compile {
  kNow,
  kOnFirstRun,  ///< for a text for which compile_together() holds
};

class CompiledQuery {
 public:
  /// Compiles the query `text` of the file `path`. All mistakes are reported, one a pattern at
  /// least: syntax, node kinds, fields, captures, impossible patterns, predicates. With kOnFirstRun
  /// only the predicates' own: compile_together() has shown that there are no others.
  [[nodiscard]] static std::expected<CompiledQuery, std::vector<Diagnostic>> compile(
      const Language& language, std::string_view path, std::string_view text,
      Compile when = Compile::kNow);

  CompiledQuery(CompiledQuery&&) noexcept;
  CompiledQuery& operator=(CompiledQuery&&) noexcept;
  ~CompiledQuery();

  [[nodiscard]] std::size_t pattern_count() const;
  [[nodiscard]] const QueryText& text() const;
  /// The directives (names ending in "!") of a pattern, in order.
  [[nodiscard]] const std::vector<Predicate>& directives(std::size_t pattern) const;
  /// Its predicates (names ending in "?").
  [[nodiscard]] const std::vector<Predicate>& predicates(std::size_t pattern) const;

  /// All matches at or below `node` whose predicates hold, sorted by pattern, then by place. `path`
  /// is the file's, for #in-path?. Fails beyond a limit: kMatches, kOpenMatches (beyond which
  /// tree-sitter drops matches), kQuerySeconds (base/limits.h).
  [[nodiscard]] Result<std::vector<Match>> run(const SourceTree& tree, const Node& node,
                                               std::string_view path) const;
  /// Which of predicates(pattern) do not hold for a match that another query made, with captures of
  /// the same names.
  [[nodiscard]] std::vector<std::size_t> failing(std::size_t pattern, const SourceTree& tree,
                                                 const Match& match, std::string_view path) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
  CompiledQuery();
};

/// Does tree-sitter compile each of these texts? It takes some 1.5 ms for a query, however small,
/// so that many are compiled as one. False, too, where they are too long for that.
[[nodiscard]] bool compile_together(const Language& language,
                                    const std::vector<std::string_view>& texts);

}  // namespace portpatch
