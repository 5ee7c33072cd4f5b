// The trace: from a site in the base commit to where it is in the tree, through the history.
//
// The line of commits from the base to the target is searched for the one at which the place
// vanishes (in steps that double, then by bisection, since blobs are cheap to look up); in that
// commit alone the old files' places are matched with the new files' ones, as a person reads the
// commit. From the new place the search goes on. Where a step is not certain, base and target are
// compared directly. The matching follows GumTree's idea (Falleri et al., ASE 2014) of equal
// subtrees by hash and ancestors by what they share, with names and scopes as a person uses them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "locate/scan.h"
#include "locate/trace_memory.h"
#include "pack/pack.h"

namespace portpatch {

/// One step on the way of a place.
struct Hop {
  std::optional<CommitInfo>
      commit;  ///< that made it; nothing when base and target were compared directly
  Footprint from, to;
  Evidence evidence;
  int margin = 0;        ///< lead over the second best
  bool is_ours = false;  ///< upstream made the rule's own edit in it: `to` reads as the rule would
                         ///< have it
};

/// What is left that looks like the place.
struct Survivor {
  Footprint place;
  Evidence evidence;
  bool is_anothers = false;  ///< another place that went is more like it
};

struct Trace {
  enum class Verdict { kCertain, kUncertain, kGone };
  Verdict verdict = Verdict::kGone;
  Footprint base;   ///< the place in the base commit
  Footprint place;  ///< where it is, when certain
  std::vector<Hop> hops;
  std::optional<CommitInfo> vanished;  ///< the commit after which it was not found again
  bool is_to_come = false;             ///< the tree is older than that commit, which brought it
  std::vector<Survivor> survivors;     ///< best first
  std::vector<std::string> unknown;    ///< what could not be known, and why
};

/// Follows locked sites through one tree.
class Tracer {
 public:
  Tracer(const WorkTree& tree, FileStore& store, TraceMemory& memory);
  Tracer(Tracer&&) noexcept;
  ~Tracer();

  /// Where the `index`th locked site of `rule` is now.
  [[nodiscard]] Result<Trace> follow(const Rule& rule, std::size_t index);
  /// What became of a module that a locked site's base knew: its name in the tree, by the imports
  /// of all files that imported it at the base; `module` itself while some file still does, or when
  /// that cannot be known.
  [[nodiscard]] std::string module_now(const Rule& rule, std::size_t index,
                                       const std::string& module);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace portpatch
