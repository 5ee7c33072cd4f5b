// Rules along a line of commits: each is judged again only at commits that concern it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "locate/locate.h"
#include "locate/revision_search.h"
#include "locate/trace_memory.h"
#include "report/timeline.h"

namespace portpatch {

/// The rules of `packs` at one commit after the other, as run() sees them with `rev` set.
class RuleWatch {
 public:
  /// `repository` is any tree of it. The packs stay where they are.
  RuleWatch(WorkTree repository, const std::vector<Pack>& packs);

  /// How rule `i`, counted through the packs, stands at the commit.
  [[nodiscard]] const TimelineState& state(std::size_t i) const { return rules_[i].state; }
  /// Files that could not be searched at some commit, by path.
  [[nodiscard]] std::vector<SkippedFile> skipped() const { return search_.skipped(); }
  /// Could a change of this file concern any rule at any time? For several threads.
  [[nodiscard]] bool is_of_interest(const std::string& path) const;
  /// Is some rule not where its base says, so that any file may bring it?
  [[nodiscard]] bool is_searching() const { return !searching_.empty(); }

  [[nodiscard]] std::optional<Diagnostic> start_at(const std::string& commit);
  /// Goes on to the next commit, whose changes these are; was any rule judged again?
  [[nodiscard]] Result<bool> step_to(const std::string& commit,
                                     const std::vector<ChangedFile>& changes);
  /// Reads in parallel what the next commits bring; worth it while is_searching().
  [[nodiscard]] std::optional<Diagnostic> read_ahead(const std::vector<ChangedFile>& changes) {
    return search_.read_ahead(changes);
  }

 private:
  using Indexes = std::set<std::size_t>;
  using Paths = std::set<std::string>;
  using RulesByPath = std::unordered_map<std::string, Indexes>;
  struct Watched {
    const Pack* pack;
    const Rule* rule;
    Paths paths;  ///< of its base and its sites
    Paths files;  ///< with sites that it could be applied to
    TimelineState state;
  };

  [[nodiscard]] Result<Indexes> concerned_by(const std::vector<ChangedFile>& changes);
  [[nodiscard]] Indexes with_companions(Indexes rules) const;
  [[nodiscard]] std::optional<Diagnostic> judge(const std::string& commit, Indexes rules);
  [[nodiscard]] std::optional<Diagnostic> take_outcomes(const WorkTree& tree,
                                                        const LocateResult& located,
                                                        FileStore& store);
  void watch(const LocatedRule& located);
  static void enter(std::size_t i, Paths paths, Paths& known, RulesByPath& by_path);

  WorkTree repository_;
  const std::vector<Pack>& packs_;
  RevisionSearch search_;
  TraceMemory traces_;
  std::vector<Watched> rules_;
  std::map<const Rule*, std::size_t> index_;
  std::set<const Language*> languages_;
  Paths locked_;
  RulesByPath watchers_, editors_;  ///< the rules whose paths, or files, hold a path
  Indexes searching_;               ///< not where their base says
};

}  // namespace portpatch
