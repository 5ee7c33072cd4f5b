#include "edit/ownership.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/literal_finder.h"
#include "edit/plan.h"

namespace portpatch {

Result<UpstreamRefs> Ownership::refs() {
  if (!refs_) {
    auto found = read_upstream_refs(tree_, configured_);
    if (!found) return found;
    refs_ = std::move(*found);
  }
  return *refs_;
}

Result<const Upstream*> Ownership::open() {
  if (!upstream_) {
    const auto found = refs();
    if (!found) return std::unexpected(found.error());
    auto opened = Upstream::open(tree_, *found);
    if (!opened) return std::unexpected(opened.error());
    upstream_ = std::move(*opened);
  }
  return &*upstream_;
}

Result<std::string> Ownership::commit() {
  if (!tree_.is_git()) return std::string();
  const auto upstream = open();
  if (!upstream) return std::unexpected(upstream.error());
  return (*upstream)->commit();
}

Result<std::string> Ownership::unknown_because() {
  if (!tree_.is_git()) return std::string("the tree is no git work tree");
  const auto upstream = open();
  if (!upstream) return std::unexpected(upstream.error());
  return (*upstream)->unknown_because();
}

Result<std::optional<std::string>> Ownership::upstream_text(const std::string& path) {
  if (const auto known = texts_.find(path); known != texts_.end()) return known->second;
  if (!tree_.is_git()) return std::nullopt;
  const auto upstream = open();
  if (!upstream) return std::unexpected(upstream.error());
  if ((*upstream)->commit().empty()) return std::nullopt;
  auto text = (*upstream)->read(path);
  if (!text) return text;
  return texts_[path] = std::move(*text);
}

Result<FilePointer> Ownership::upstream_file(const Language& language, const std::string& path) {
  if (const auto known = parsed_.find({&language, path}); known != parsed_.end())
    return known->second;
  auto text = upstream_text(path);
  if (!text) return std::unexpected(text.error());
  if (!*text) return FilePointer();
  auto file = ParsedFile::parse(language, path, std::move(**text));
  if (!file) return std::unexpected(file.error());
  return parsed_[{&language, path}] = std::make_shared<const ParsedFile>(std::move(*file));
}

Result<std::optional<std::string>> Ownership::head_text(const std::string& path) {
  if (!tree_.is_git()) return std::nullopt;
  const auto found = refs();
  if (!found) return std::unexpected(found.error());
  const auto upstream = open();
  if (!upstream) return std::unexpected(upstream.error());
  if (found->head.empty()) return std::nullopt;
  return (*upstream)->history()->read(found->head, path);
}

Result<Owner> Ownership::owner_of(const Rule& rule, const std::string& path) {
  was_asked_ = true;
  const auto known = commit();
  if (!known) return std::unexpected(known.error());
  if (known->empty()) return Owner::kUnknown;
  const auto file = upstream_file(*rule.language, path);
  if (!file) {
    if (file.error().code == "absent-blob") return Owner::kUnknown;
    return std::unexpected(file.error());
  }
  if (!*file) return Owner::kOurs;
  const auto sites = find_sites(rule, **file);
  if (!sites) return std::unexpected(sites.error());
  const auto plans = plan_sites(rule, **file, *sites, Direction::kApply);
  const bool holds = !plans.empty() && std::ranges::all_of(plans, [](const SitePlan& site) {
    return site.step.kind == Step::Kind::kHolds && !site.upstream_kept;
  });
  if (holds && is_older_than_base(rule))
    return Owner::kUnknown;  // what is not there yet has not been taken over
  return holds ? Owner::kUpstream : Owner::kOurs;
}

namespace {

/// What a rule makes of a file in one commit after another: planned once for each blob.
class StateByCommit {
 public:
  StateByCommit(CommitFiles& files, const Rule& rule) : files_(files), rule_(rule) {}

  /// The sites of `path` all hold, one conflicts, or neither.
  std::optional<Step::Kind> at(const std::string& commit, const std::string& path) {
    const auto blob = files_.history().blob(commit, path);
    if (!blob || !*blob) return std::nullopt;
    const auto [known, is_new] = known_.try_emplace({path, **blob});
    if (is_new) known->second = state(commit, path);
    return known->second;
  }

 private:
  std::optional<Step::Kind> state(const std::string& commit, const std::string& path) const {
    const auto file = files_.file_at(*rule_.language, commit, path);
    if (!file || !*file) return std::nullopt;
    const auto sites = find_sites(rule_, **file);
    const auto plans = sites ? plan_sites(rule_, **file, *sites, Direction::kApply)
                             : std::vector<SitePlan>();
    if (plans.empty()) return std::nullopt;
    const auto is = [&](Step::Kind kind) {
      return [kind](const SitePlan& site) { return site.step.kind == kind; };
    };
    if (std::ranges::any_of(plans, is(Step::Kind::kConflict))) return Step::Kind::kConflict;
    if (std::ranges::all_of(plans, is(Step::Kind::kHolds))) return Step::Kind::kHolds;
    return std::nullopt;
  }

  CommitFiles& files_;
  const Rule& rule_;
  std::map<std::pair<std::string, std::string>, std::optional<Step::Kind>>
      known_;  // by path and blob
};

}  // namespace

CommitFiles* Ownership::files() {
  if (!files_) {
    auto history = History::open(tree_);
    if (!history) return nullptr;
    files_.emplace(std::move(*history));
  }
  return &*files_;
}

FilePointer Ownership::file_at(const Language& language, const std::string& commit,
                               const std::string& path) {
  if (files() == nullptr || !files_->history().has_commit(commit)) return nullptr;
  const auto file = files_->file_at(language, commit, path);
  return file ? *file : nullptr;
}

bool Ownership::is_older_than_base(const Rule& rule) {
  const auto now = commit();
  if (!now || now->empty() || rule.locked.empty() || rule.locked[0].commit.empty() ||
      *now == rule.locked[0].commit)
    return false;
  if (files() == nullptr || !files_->history().has_commit(rule.locked[0].commit)) return false;
  const auto [known, is_new] = older_.try_emplace(rule.locked[0].commit);
  if (is_new) {
    const auto base = files_->history().merge_base(rule.locked[0].commit, *now);
    known->second = base && *base && **base == *now;
  }
  return known->second;
}

/// Empty also where upstream is older than the base.
std::vector<std::string> Ownership::line_from_base(const Rule& rule) {
  if (is_older_than_base(rule)) return {};
  const auto now = commit();
  if (!now || now->empty() || rule.locked.empty() || rule.locked[0].commit.empty()) return {};
  if (files() == nullptr || !files_->history().has_commit(rule.locked[0].commit)) return {};
  auto line = files_->line(rule.locked[0].commit, *now);
  return line ? std::move(*line) : std::vector<std::string>();
}

const std::vector<std::pair<std::string, std::string>>& Ownership::versions_of(
    const Rule& rule, const std::string& path) {
  const auto [known, is_new] = versions_.try_emplace({rule.locked[0].commit, path});
  std::set<std::string> seen;
  for (const auto& commit : is_new ? line_from_base(rule) : std::vector<std::string>()) {
    const auto blob = files_->history().blob(commit, path);
    if (blob && *blob && seen.insert(**blob).second) known->second.emplace_back(commit, **blob);
  }
  return known->second;
}

std::optional<CommitInfo> Ownership::held_once(const Rule& rule, const std::string& path,
                                               const std::vector<std::string>& words) {
  if (rule.locked.empty() || versions_of(rule, path).empty()) return std::nullopt;
  const std::vector<LiteralFinder> finders(words.begin(), words.end());
  StateByCommit states(*files_, rule);
  for (const auto& [commit, blob] : versions_of(rule, path)) {
    const auto text = files_->text(blob);
    if (!text || !std::ranges::all_of(
                     finders, [&](const LiteralFinder& word) { return word.occurs_in(*text); }))
      continue;
    if (states.at(commit, path) != Step::Kind::kHolds) continue;
    const auto info = files_->history().info(commit);
    return info ? std::optional(*info) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<CommitInfo> Ownership::brought_by(const Rule& rule, const std::string& path,
                                                Step::Kind kind, const std::string& until) {
  was_asked_ = true;
  auto line = line_from_base(rule);
  line.erase(std::ranges::find(line, until), line.end());
  if (line.size() < 2) return std::nullopt;
  StateByCommit states(*files_, rule);
  const auto is_so = [&](const std::string& commit) {
    return states.at(commit, path) == kind ||
           (path != rule.locked[0].path && states.at(commit, rule.locked[0].path) == kind);
  };
  if (is_so(line.front()) || !is_so(line.back())) return std::nullopt;
  std::size_t before = 0, after = line.size() - 1;
  while (after - before > 1) {
    const auto middle = before + (after - before) / 2;
    (is_so(line[middle]) ? after : before) = middle;
  }
  const auto info = files_->history().info(line[after]);
  return info ? std::optional(*info) : std::nullopt;
}

}  // namespace portpatch
