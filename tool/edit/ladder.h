// A ladder of branches, whatever the language nests it as: if / elif / else, `else if`, switch,
// match, a run of `if`s that each leave, conditional expressions, the preprocessor's #if / #elif.
#pragma once

#include <optional>
#include <vector>

#include "edit/blocks.h"
#include "syntax/source_tree.h"

namespace portpatch {

struct Rung {
  Node node;  ///< the clause: `elif ...`, the `if` behind an `else`, `case ...`
  Node condition;
  Node body;  ///< null for a case: its statements follow its condition
};

enum class LadderKind {
  kChain,         ///< if / elif / else
  kRun,           ///< `if c: return x`, one below the other: what follows is the default
  kCases,         ///< switch, match
  kChoice,        ///< `a if c else b if d else e`, `c ? a : d ? b : e`
  kConditionals,  ///< #if / #elif / #else
};

struct Ladder {
  LadderKind kind = LadderKind::kChain;
  Node
      head;  ///< the whole statement; of a run its first one; of cases the block that they stand in
  std::vector<Rung> rungs;  ///< with a condition, in order
  Node otherwise;           ///< `else` with its body, `default:`, `case _:`; may be null
  /// Branches of other `if`s that are decided before or behind it, since bodies leave.
  std::vector<Rung> beside = {};
  bool is_cut = false;  ///< a condition of the preprocessor stands at an end of the run, with
                        ///< branches in it

  [[nodiscard]] bool is_cases() const { return kind == LadderKind::kCases; }
};

/// The ladder that `captured` is, begins, or is a branch of; nothing when it is none. An `if` of a
/// run is a chain.
[[nodiscard]] std::optional<Ladder> read_ladder(const SourceTree& tree, const Node& captured);
/// As read_ladder, and a chain that belongs to a run is that run. Alone among its neighbours an
/// `if` that leaves is a run when the branch that is wanted `leaves` as well.
[[nodiscard]] std::optional<Ladder> read_ladder_or_run(const SourceTree& tree, const Node& captured,
                                                       bool leaves);

/// The same ladder, without `beside` and `is_cut`, for many questions about one tree: `blocks`
/// lists each block of it once.
[[nodiscard]] std::optional<Ladder> read_run(const SourceTree& tree, const Node& captured,
                                             bool leaves, BlockIndex& blocks);

/// Is nothing behind the statement reached by way of it?
[[nodiscard]] bool leaves(const SourceTree& tree, const Node& statement);
/// The chain of conditional expressions, or of the preprocessor's conditionals, that `captured` is
/// one of.
[[nodiscard]] std::optional<Ladder> read_choice(const SourceTree& tree, const Node& captured);
[[nodiscard]] std::optional<Ladder> read_conditionals(const SourceTree& tree, const Node& captured);

/// The condition without parentheses that belong to its statement.
[[nodiscard]] Node condition_of(const SourceTree& tree, const Rung& rung);
/// The statements of a branch.
[[nodiscard]] std::vector<Node> body_of(const SourceTree& tree, const Rung& rung);
/// The statements that branch number `index` comes to: of a case without any, those of the one it
/// falls into.
[[nodiscard]] std::vector<Node> reached_body(const SourceTree& tree, const Ladder& ladder,
                                             std::size_t index);
/// The same of all branches, in order.
[[nodiscard]] std::vector<std::vector<Node>> reached_bodies(const SourceTree& tree,
                                                            const Ladder& ladder);

}  // namespace portpatch
