// What the traces of a rule's locked sites mean for the rule: its sites, and its query where that
// has to follow.
#pragma once

#include <optional>

#include "locate/locate.h"

namespace portpatch {

class Follower {
 public:
  Follower(const WorkTree& tree, FileStore& store, TraceMemory& memory)
      : tree_(tree), store_(store), memory_(memory) {}

  /// Follows the locked sites of a rule that is not at its base, and says in `located` what came of
  /// it. A rule without a base, or with expect = "all", stays as it is.
  void follow(LocatedRule& located);

  /// Asks the trace whether a rule that was found at its base's paths is at the locked places:
  /// where these are known to be elsewhere, the rule goes there; where they are gone, it is found
  /// nowhere.
  void confirm(LocatedRule& located);

  /// Where upstream renamed a module that the own imports of a rule name which is found, the rule
  /// is rewritten to follow.
  void carry_renames(LocatedRule& located);

 private:
  [[nodiscard]] Trace trace_of(const Rule& rule, std::size_t index);
  [[nodiscard]] bool trace_absent_sites(LocatedRule& located, std::vector<Footprint>& places);
  void settle(LocatedRule& located, const std::vector<Footprint>& places);

  const WorkTree& tree_;
  FileStore& store_;
  TraceMemory& memory_;
  std::optional<Tracer> tracer_;  // made when the first rule needs it
};

}  // namespace portpatch
