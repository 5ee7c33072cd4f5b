#include "pipeline.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "apply/transaction.h"
#include "base/files.h"
#include "base/text.h"
#include "edit/base.h"
#include "edit/ownership.h"
#include "edit/plan_tree.h"
#include "edit/restore.h"
#include "edit/rival.h"
#include "locate/locate.h"
#include "pack/pack_files.h"
#include "pack/retire.h"
#include "report/explain.h"
#include "report/judge.h"
#include "report/memory.h"

namespace portpatch {

Result<WorkTree> open_tree(const std::string& folder, const std::string& rev) {
  if (rev.empty()) return open_work_tree(folder);
  auto tree = open_repository_tree(folder);
  if (!tree) return tree;
  const auto history = History::open(*tree);
  if (!history) return std::unexpected(history.error());
  auto commit = history->resolve(rev);
  if (!commit) return std::unexpected(commit.error());
  tree->revision = std::move(*commit);
  return tree;
}

Result<std::optional<std::string>> end_interrupted_run(const WorkTree& tree, bool write) {
  if (!tree.revision.empty()) return std::nullopt;
  if (write) return recover_interrupted_run(tree, real_file_system());
  auto left = interrupted_run(tree);
  if (left && *left) **left += "; `portpatch undo` or the next `portpatch apply` ends it";
  return left;
}

namespace {

using Errors = std::vector<Diagnostic>;
using How = LocatedRule::How;

std::unexpected<Errors> one(Diagnostic diagnostic) {
  return std::unexpected(Errors{std::move(diagnostic)});
}

/// The tree that the request means: a work tree, a plain folder, or a revision of a repository.
Result<WorkTree> open_tree(const Request& request) {
  auto tree = portpatch::open_tree(request.folder, request.rev);
  if (tree) tree->left_out = request.left_out;
  return tree;
}

LocateOptions locate_options(const Request& request) {
  return {.use_base = request.use_base && request.at.empty(),
          .use_trace = request.at.empty(),
          .scan = {.use_prefilter = request.use_prefilter, .progress = request.progress}};
}

/// The upstream of each pack, shared by packs that name the same ref.
class Owners {
 public:
  explicit Owners(const WorkTree& tree) : tree_(tree) {}
  Ownership& of(const Pack& pack) {
    auto& slot = owners_[pack.upstream];
    if (!slot) slot = std::make_unique<Ownership>(tree_, pack.upstream);
    return *slot;
  }

 private:
  const WorkTree& tree_;
  std::map<std::string, std::unique_ptr<Ownership>> owners_;
};

/// What upstream has done since the base stands against edits.
std::function<std::optional<Step>(const LocatedRule&, const Site&)> objections(Owners& owners) {
  return [&](const LocatedRule& located, const Site& site) {
    auto& ownership = owners.of(*located.pack);
    auto step = upstream_rival(*located.rule, site, ownership);
    return step ? step : taken_out_upstream(*located.rule, *located.original, site, ownership);
  };
}

/// The answer of the last run when nothing that it depends on has changed.
std::optional<Report> answer_from_memory(const WorkTree& tree, const Request& request) {
  if (!request.use_memory || !tree.revision.empty() || request.direction == Direction::kRevert)
    return std::nullopt;
  auto memory = recall(tree, request.packs);
  if (!memory || memory->key.packs != request.packs) return std::nullopt;
  for (std::size_t i = 0; i < request.packs.size(); ++i) {
    const auto files = read_pack_files(request.packs[i]);
    if (!files || files->hash != memory->key.hashes[i]) return std::nullopt;
    const auto refs = read_upstream_refs(tree, memory->key.configured[i]);
    if (!refs || refs->head + " " + refs->upstream != memory->key.refs[i]) return std::nullopt;
  }
  if (!files_match(tree, *memory)) return std::nullopt;
  memory->report.command = request.command;
  memory->report.check = request.check;
  memory->report.dry_run = request.dry_run;
  memory->report.from_memory = true;
  return std::move(memory->report);
}

/// Remembers a run in which everything held at the base's places.
void remember_run(const WorkTree& tree, const Request& request, const std::vector<Pack>& packs,
                  Owners& owners, const LocateResult& located, const FileStore& store,
                  const Report& report) {
  const bool all_hold = std::ranges::all_of(report.rules, [](const RuleReport& rule) {
    return rule.outcome == Outcome::kHeld || rule.outcome == Outcome::kUpstreamed;
  });
  const bool at_base = std::ranges::all_of(located.rules, [](const LocatedRule& rule) {
    return rule.how == How::kAtBase || rule.how == How::kFollowed;
  });
  if (!tree.revision.empty() || !all_hold || !at_base || !report.skipped.empty()) return;
  Memory memory{.key = {.packs = request.packs, .hashes = {}, .configured = {}, .refs = {}},
                .files = {},
                .report = report};
  for (const auto& pack : packs) {
    const auto refs = owners.of(pack).refs();
    if (!refs) return;
    memory.key.hashes.push_back(pack.hash);
    memory.key.configured.push_back(pack.upstream);
    memory.key.refs.push_back(refs->head + " " + refs->upstream);
  }
  std::map<std::string, std::string> files;
  for (const auto& rule : located.rules) {
    // The text that was judged, not what the file may read by now.
    for (const auto& path : rule.tried) files[path] = memory_hash(store.find(path));
    for (const auto& site : rule.sites) files[site.path] = memory_hash(store.find(site.path));
  }
  memory.files.assign(files.begin(), files.end());
  remember(tree, real_file_system(), memory);
}

/// Rules whose edit upstream has taken over: unapply does not touch them.
Result<std::set<std::size_t>> upstreamed_rules(const LocateResult& located, Owners& owners) {
  std::set<std::size_t> found;
  for (std::size_t i = 0; i < located.rules.size(); ++i) {
    for (const auto& site : located.rules[i].sites) {
      const auto owner = owners.of(*located.rules[i].pack)
                             .owner_of(*located.rules[i].rule, site.path);
      if (!owner) return std::unexpected(owner.error());
      if (*owner == Owner::kUpstream) found.insert(i);
    }
  }
  return found;
}

/// A rule that the whole tree was searched for may have its place in a file that was not judged:
/// said at the rule as well.
void add_unread(const LocatedRule& located, const std::vector<SkippedFile>& skipped,
                RuleReport& report) {
  if (located.how == LocatedRule::How::kAtBase || located.how == LocatedRule::How::kFailed) return;
  std::vector<std::string> paths;
  for (const auto& file : skipped) {
    if (located.rule->language->owns(file.path)) paths.push_back(file.path);
  }
  if (paths.empty()) return;
  constexpr std::size_t kNamed = 3;
  const auto others = paths.size() > kNamed ? fmt::format(" and {} more", paths.size() - kNamed)
                                            : "";
  paths.resize(std::min(paths.size(), kNamed));
  report.notes.push_back(
      fmt::format("its place may stand in what was not searched: {}{}", join(paths, ", "), others));
}

Result<Report> make_report(const Request& request, const WorkTree& tree,
                           const std::vector<Pack>& packs, const LocateResult& located,
                           const TreePlan& plan, FileStore& store, Owners& owners) {
  Report report{.command = request.command,
                .root = tree.root,
                .revision = tree.revision,
                .revision_name = request.rev,
                .dry_run = request.dry_run,
                .check = request.check};
  auto& ownership = owners.of(packs[0]);
  const auto refs = ownership.refs();
  if (!refs) return std::unexpected(refs.error());
  report.upstream_name = refs->name;
  RuleJudge judge({.direction = request.direction,
                   .write = request.write,
                   .accept_moves = request.accept_moves},
                  store, [&](const Pack& pack) -> Ownership& { return owners.of(pack); });
  for (std::size_t i = 0; i < located.rules.size(); ++i) {
    auto rule = judge.judge(located.rules[i], plan.rules[i], located.files_read);
    if (!rule) return std::unexpected(rule.error());
    add_unread(located.rules[i], located.skipped, *rule);
    report.rules.push_back(std::move(*rule));
  }
  const auto homes = find_homes(tree, located, plan,
                                [&](const Pack& pack) -> Ownership& { return owners.of(pack); });
  if (!homes) return std::unexpected(homes.error());
  for (std::size_t i = 0; i < report.rules.size(); ++i)
    report.rules[i].homes = report_homes((*homes)[i]);
  // Whose an edit is matters only when something holds; until then the repository is not opened.
  if (ownership.was_asked()) {
    report.upstream_commit = *ownership.commit();
    report.upstream_unknown = *ownership.unknown_because();
  }
  for (const auto& pack : packs) {
    for (const auto& name : pack.resting) report.resting.push_back(pack.path + "/" + name);
  }
  for (const auto& file : located.skipped) report.skipped.emplace_back(file.path, file.reason);
  for (const auto& [path, text] : plan.texts) {
    const auto before = store.text(path);
    report.diffs.push_back({path, before, text});
  }
  return report;
}

std::vector<FileChange> changes_of(const Report& report) {
  std::vector<FileChange> changes;
  for (const auto& diff : report.diffs) changes.push_back({diff.path, diff.before, diff.after});
  return changes;
}

/// Writes the changes; the report says as which run.
std::optional<Diagnostic> commit(const WorkTree& tree, const Request& request,
                                 const std::vector<FileChange>& changes, Report& report) {
  const auto written = commit_changes(tree, real_file_system(), changes, request.command);
  if (!written) return written.error();
  report.run_id = written->id;
  report.backup = written->backup;
  report.notes.insert(report.notes.end(), written->notes.begin(), written->notes.end());
  return std::nullopt;
}

/// For `refresh --at FILE[:LINE]`: the sites there are the ones that are meant.
std::optional<Diagnostic> keep_sites_at(const Request& request, const WorkTree& tree,
                                        LocateResult& located, const FileStore& store) {
  const auto digits = request.at.find_last_not_of("0123456789") + 1;
  const bool has_line = digits > 0 && digits < request.at.size() && request.at[digits - 1] == ':';
  const auto file = has_line ? request.at.substr(0, digits - 1) : request.at;
  std::size_t line = 0;  // there is no such line, nor one whose number is too large
  if (has_line) std::from_chars(&request.at[digits], &request.at.back() + 1, line);
  const auto full = absolute_path(file);
  const auto path = full.starts_with(tree.root + "/") ? full.substr(tree.root.size() + 1) : file;
  for (auto& rule : located.rules) {
    std::erase_if(rule.sites, [&](const Site& site) {
      if (site.path != file && site.path != path) return true;
      return has_line && line_column(store.text(site.path), site.target.begin).line != line;
    });
    if (rule.sites.empty()) {
      return failure("no-site",
                     fmt::format("{} matches nothing at {}", rule.rule->name, request.at),
                     fmt::format("`portpatch explain {}` lists the places",
                                 shell_word(rule.pack->path + "/" + rule.rule->name)))
          .error();
    }
    rule.how = rule.rule->settings.expect.allows(rule.sites.size()) ? How::kByScan : How::kMiscount;
  }
  return std::nullopt;
}

/// What a pack's files are to be: its lock, and the rules whose queries were rewritten.
class PackChanges {
 public:
  PackChanges(const Pack& pack) : pack_(pack), lock_(pack.lock) {}

  /// Takes over where `located` was found, and its query.
  std::optional<Diagnostic> add(const LocatedRule& located, FileStore& store, Owners& owners) {
    auto sites = record_base(located, store, owners.of(pack_));
    if (!sites) return sites.error();
    lock_.rules[located.rule->name] = std::move(*sites);
    if (located.rewritten)
      add_file(located.rule->name + ".scm", located.original->source, located.rule->source);
    return std::nullopt;
  }

  /// The changes, and the same as diffs with the pack's name as it was typed.
  std::vector<FileChange> take(std::vector<FileDiff>& diffs) {
    if (write_lock(lock_) != write_lock(pack_.lock))
      add_file("pack.lock", pack_.lock_text, write_lock(lock_));
    for (const auto& change : changes_) {
      diffs.push_back({pack_.path + change.path.substr(pack_.folder.size()),
                       change.before.value_or(""), *change.after});
    }
    return std::move(changes_);
  }

 private:
  void add_file(const std::string& name, std::optional<std::string> before, std::string after) {
    if (before != after)
      changes_.push_back({pack_.folder + "/" + name, std::move(before), std::move(after)});
  }

  const Pack& pack_;
  PackLock lock_;
  std::vector<FileChange> changes_;
};

/// With --accept-moves the packs say where the rules are now. What upstream's own version does not
/// show (a local commit moved it) is no base: such a rule is followed again the next time.
Result<std::vector<FileChange>> accepted_moves(const std::vector<Pack>& packs,
                                               const LocateResult& located, const TreePlan& plan,
                                               FileStore& store, Owners& owners, Report& report) {
  std::vector<FileChange> changes;
  for (const auto& pack : packs) {
    PackChanges pack_changes(pack);
    for (std::size_t i = 0; i < located.rules.size(); ++i) {
      const auto& rule = located.rules[i];
      const bool has_moved = rule.how == How::kFollowed || rule.how == How::kMoved;
      if (rule.pack != &pack || !has_moved || rule.asks(true) || !settled(plan.rules[i])) continue;
      const auto error = pack_changes.add(rule, store, owners);
      if (error && error->code != "no-base") return std::unexpected(*error);
      if (error)
        report.notes.push_back(fmt::format("{}/{}: its move is not recorded in the pack: {}",
                                           pack.path, rule.rule->name, error->message));
    }
    std::ranges::move(pack_changes.take(report.diffs), std::back_inserter(changes));
  }
  return changes;
}

/// The packs as the tree is now; rules that are not found keep what the lock says of them.
Result<std::vector<FileChange>> refreshed_packs(const std::vector<Pack>& packs,
                                                const LocateResult& located, FileStore& store,
                                                Owners& owners, Report& report) {
  std::vector<FileChange> changes;
  for (const auto& pack : packs) {
    PackChanges pack_changes(pack);
    for (std::size_t i = 0; i < located.rules.size(); ++i) {
      const auto& rule = located.rules[i];
      if (rule.pack != &pack || !rule.is_found()) continue;
      if (auto error = pack_changes.add(rule, store, owners)) return std::unexpected(*error);
      if (report.rules[i].outcome == Outcome::kMoved) report.rules[i].outcome = Outcome::kHeld;
    }
    std::ranges::move(pack_changes.take(report.diffs), std::back_inserter(changes));
  }
  return changes;
}

/// The rules of a pack that upstream has taken over, or with `force` all.
std::vector<Retirement> retirements_of(const Pack& pack, const Report& report, bool force) {
  std::vector<Retirement> retirements;
  for (const auto& rule : pack.rules) {
    const auto found = std::ranges::find(report.rules, pack.path + "/" + rule.name,
                                         &RuleReport::full_name);
    const bool is_upstream = found != report.rules.end() && found->outcome == Outcome::kUpstreamed;
    if (is_upstream || force)
      retirements.push_back({&rule, is_upstream ? found->brought : std::nullopt});
  }
  return retirements;
}

/// What run() does once it is known what there is to look at.
std::expected<Report, Errors> run_on(const WorkTree& tree, const Request& request,
                                     const std::vector<Pack>& packs, const LocateOptions& locating,
                                     const std::vector<std::string>& notes) {
  FileStore store(tree);
  Owners owners(tree);
  auto located = locate_rules(tree, packs, locating, store);
  if (!located) return one(located.error());
  PlanOptions options{request.direction, request.accept_moves, request.all_or_nothing};
  if (request.direction == Direction::kApply) options.objection = objections(owners);
  if (request.direction == Direction::kRevert) {
    auto upstreamed = upstreamed_rules(*located, owners);
    if (!upstreamed) return one(upstreamed.error());
    options.left_alone = std::move(*upstreamed);
    auto originals = texts_without_rules(
        *located, store, [&](const Pack& pack) -> Ownership& { return owners.of(pack); });
    if (!originals) return one(originals.error());
    options.originals = std::move(*originals);
  }
  auto plan = plan_tree(*located, store, options);
  if (!plan) return one(plan.error());

  auto report = make_report(request, tree, packs, *located, *plan, store, owners);
  if (!report) return one(report.error());
  report->notes.insert(report->notes.begin(), notes.begin(), notes.end());
  auto changes = changes_of(*report);
  if (request.accept_moves) {
    auto accepted = accepted_moves(packs, *located, *plan, store, owners, *report);
    if (!accepted) return one(accepted.error());
    std::ranges::move(*accepted, std::back_inserter(changes));
  }
  if (request.write) {
    if (!changes.empty()) {
      if (auto error = commit(tree, request, changes, *report)) return one(*error);
    }
    remember_run(tree, request, packs, owners, *located, store, *report);
  }
  return std::move(*report);
}

}  // namespace

std::expected<Report, Errors> run(const Request& request) {
  auto tree = open_tree(request);
  if (!tree) return one(tree.error());
  std::vector<std::string> notes;
  if (auto note = end_interrupted_run(*tree, request.write); !note)
    return one(note.error());
  else if (*note)
    notes.push_back(**note);
  if (notes.empty()) {
    if (auto report = answer_from_memory(*tree, request)) return std::move(*report);
  }

  const auto packs = load_packs(request.packs);
  if (!packs) return std::unexpected(packs.error());
  return run_on(*tree, request, *packs, locate_options(request), notes);
}

std::expected<Report, Errors> run(const Request& request, const std::vector<Pack>& packs,
                                  const LocateOptions& shared) {
  const auto tree = open_tree(request);
  if (!tree) return one(tree.error());
  return run_on(*tree, request, packs, shared, {});
}

std::expected<std::string, Errors> explain(const Request& request) {
  const auto tree = open_tree(request);
  if (!tree) return one(tree.error());
  const auto packs = load_packs(request.packs);
  if (!packs) return std::unexpected(packs.error());
  FileStore store(*tree);
  Owners owners(*tree);
  const auto located = locate_rules(*tree, *packs, locate_options(request), store);
  if (!located) return one(located.error());
  const auto plan = plan_tree(*located, store,
                              {.accept_moves = true, .objection = objections(owners)});
  if (!plan) return one(plan.error());
  auto report = make_report(request, *tree, *packs, *located, *plan, store, owners);
  if (!report) return one(report.error());
  std::vector<std::optional<NearMisses>> near;
  for (const auto& rule : located->rules) {
    near.emplace_back();
    if (rule.how != How::kNowhere) continue;
    auto misses = find_near_misses(*tree, *rule.rule->query, rule.rule->source,
                                   {.language = rule.rule->language});
    if (!misses) return one(misses.error());
    near.back() = std::move(*misses);
  }
  auto text = write_explanation(*located, *plan, *report, store, near);
  if (!text) return one(text.error());
  return std::move(*text);
}

std::expected<Report, Errors> refresh(const Request& request) {
  const auto tree = open_tree(request);
  if (!tree) return one(tree.error());
  const auto ended = end_interrupted_run(*tree, !request.dry_run);
  if (!ended) return one(ended.error());
  const auto packs = load_packs(request.packs);
  if (!packs) return std::unexpected(packs.error());
  FileStore store(*tree);
  Owners owners(*tree);
  auto located = locate_rules(*tree, *packs, locate_options(request), store);
  if (!located) return one(located.error());
  if (!request.at.empty()) {
    if (auto error = keep_sites_at(request, *tree, *located, store)) return one(*error);
  }
  auto plan = plan_tree(*located, store, {.accept_moves = true});
  if (!plan) return one(plan.error());
  plan->texts.clear();  // refresh writes to the pack only
  auto report = make_report(request, *tree, *packs, *located, *plan, store, owners);
  if (!report) return one(report.error());
  const auto changes = refreshed_packs(*packs, *located, store, owners, *report);
  if (!changes) return one(changes.error());
  if (*ended) report->notes.insert(report->notes.begin(), **ended);
  if (request.dry_run || changes->empty()) return std::move(*report);
  if (auto error = commit(*tree, request, *changes, *report)) return one(*error);
  return std::move(*report);
}

std::expected<Report, Errors> retire(const Request& request) {
  const auto tree = open_tree(request);
  if (!tree) return one(tree.error());
  const auto ended = end_interrupted_run(*tree, !request.dry_run);
  if (!ended) return one(ended.error());
  auto status = request;
  status.use_memory = false;
  auto report = run(status);
  if (!report) return report;
  report->diffs.clear();  // the tree is not touched
  if (*ended && !request.dry_run) report->notes.insert(report->notes.begin(), **ended);
  const auto packs = load_packs(request.packs);
  if (!packs) return std::unexpected(packs.error());
  std::vector<FileChange> changes;
  std::set<std::string> retired;  // PACK/RULE
  for (std::size_t i = 0; i < packs->size(); ++i) {
    const auto& pack = (*packs)[i];
    const auto retirements = retirements_of(pack, *report, request.force);
    if (retirements.empty()) {
      return one({.code = "not-upstreamed",
                  .message = fmt::format("upstream does not say what {} says", request.packs[i]),
                  .remedy = "see `portpatch status`; --force takes it out all the same"});
    }
    for (const auto& leaving : retirements) retired.insert(pack.path + "/" + leaving.rule->name);
    const auto taken_out = retire_rules(pack, retirements);
    if (!taken_out) return one(taken_out.error());
    for (const auto& change : *taken_out) {
      report->diffs.push_back(
          {pack.path + "/" + change.name, change.before.value_or(""), change.after.value_or("")});
      changes.push_back({pack.folder + "/" + change.name, change.before, change.after});
    }
  }
  // What was taken out has no outcome any more.
  std::erase_if(report->rules, [&](const RuleReport& rule) {
    if (!retired.contains(rule.full_name())) return false;
    report->notes.push_back(
        fmt::format("{}{} was taken out; its text and reason stand in {}/retired.toml",
                    request.dry_run ? "not yet: " : "", rule.full_name(), rule.pack));
    return true;
  });
  if (request.dry_run) return report;
  if (auto error = commit(*tree, request, changes, *report)) return one(*error);
  return report;
}

}  // namespace portpatch
