#include "review.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "audit.h"
#include "base/parallel.h"
#include "check.h"
#include "locate/revision_search.h"
#include "pipeline.h"
#include "repo/diff.h"
#include "repo/history.h"

namespace portpatch {

namespace {

using Errors = std::vector<Diagnostic>;
std::unexpected<Errors> one(Diagnostic error) { return std::unexpected(Errors{std::move(error)}); }

constexpr std::size_t kContext = 3;  ///< unchanged lines around a hunk that a code review shows,
                                     ///< and takes comments on

bool writes_to(const RuleReport& rule, const std::string& path) {
  return std::ranges::find(rule.sites, path, &SiteReport::path) != rule.sites.end();
}

/// A review under way.
class Reviewer {
 public:
  explicit Reviewer(const ReviewRequest& request) : request_(request) {}

  std::expected<FindingReport, Errors> run() {
    auto packs = load_packs(request_.packs);
    if (!packs) return std::unexpected(packs.error());
    packs_ = std::move(*packs);
    if (auto error = open()) return one(*error);
    if (!changes_.empty()) {
      if (auto errors = judge_rules(); !errors.empty()) return std::unexpected(std::move(errors));
      if (auto errors = judge_companions(); !errors.empty())
        return std::unexpected(std::move(errors));
      if (auto error = judge_tree()) return one(*error);
    }
    return conclude();
  }

 private:
  std::optional<Diagnostic> open() {
    auto tree = open_tree(request_.folder, request_.head);
    if (!tree) return tree.error();
    tree_ = std::move(*tree);
    auto history = History::open(tree_);
    if (!history) return history.error();
    history_ = std::move(*history);
    head_ = tree_.revision;
    const auto base = history_->resolve(request_.base);
    if (!base) return base.error();
    const auto common = history_->merge_base(*base, head_);
    if (!common) return common.error();
    if (!*common) {
      const auto remedy =
          history_->is_shallow()
              ? "the clone is shallow: git fetch --unshallow, or fetch deeper"
              : "name a commit that both come from, such as the one that the branch was made from";
      return Diagnostic{.code = "no-merge-base",
                        .message = fmt::format("{} and {} have no commit in common", request_.base,
                                               request_.head),
                        .remedy = remedy};
    }
    before_ = **common;
    auto changes = history_->changes(before_, head_);
    if (!changes) return changes.error();
    changes_ = std::move(*changes);
    report_ = {.command = request_.command,
               .root = tree_.root,
               .revision = head_,
               .base = before_,
               .findings = {},
               .passed = {},
               .notes = {}};
    if (before_ == head_)
      report_.notes.push_back(fmt::format("{} holds {} already: there is nothing to review",
                                          request_.base, request_.head));
    return std::nullopt;
  }

  void take(FindingReport part) {
    std::ranges::move(part.findings, std::back_inserter(report_.findings));
    std::ranges::move(part.passed, std::back_inserter(report_.passed));
    for (auto& note : part.notes) {
      if (std::ranges::find(report_.notes, note) == report_.notes.end())
        report_.notes.push_back(std::move(note));
    }
  }

  // --- the rules ---------------------------------------------------------------------------------

  Errors judge_rules() {
    Request request{.command = request_.command,
                    .folder = request_.folder,
                    .rev = head_,
                    .packs = request_.packs,
                    .use_memory = false};
    if (std::ranges::all_of(packs_, [](const Pack& pack) { return pack.rules.empty(); })) return {};
    auto after = portpatch::run(request, packs_, locating());
    if (!after) return after.error();
    request.rev = before_;
    const auto before = portpatch::run(request, packs_, locating());
    if (!before) return before.error();
    for (const Report* side : std::initializer_list<const Report*>{&*before, &*after}) {
      for (const auto& rule : side->rules) {
        for (const auto& site : rule.sites) rule_files_[rule.rule].insert(site.path);
      }
    }
    after->revision_name = head_.substr(0, 12);
    request.rev = head_;
    take(findings_of_change(
        *before, *after, [&](const RuleReport& rule) { return own_edits(request, *after, rule); }));
    return {};
  }

  /// How rules are found, at one side after the other: what is read at both is read once.
  LocateOptions locating() {
    return {.scan = {},
            .search = [this](const WorkTree& tree, const std::vector<const Rule*>& rules,
                             const ScanOptions&,
                             FileStore& store) { return search(tree, rules, store); },
            .traces = &traces_};
  }

  Result<ScanResult> search(const WorkTree& tree, const std::vector<const Rule*>& rules,
                            FileStore& store) {
    if (!search_) search_.emplace(tree_, rules_of(packs_), 0);
    search_->move_to(tree.revision, tree.revision == head_ ? changes_ : undone());
    auto found = search_->search(rules, store);
    // The report shows their lines, whichever side they were parsed at.
    for (std::size_t i = 0; found && i < rules.size(); ++i) {
      for (const auto& site : found->sites[i]) (void)store.file(*rules[i]->language, site.path);
    }
    return found;
  }

  /// The changes that lead back.
  [[nodiscard]] std::vector<ChangedFile> undone() const {
    auto changes = changes_;
    for (auto& change : changes) std::swap(change.before, change.after);
    return changes;
  }

  /// A run of the rule alone says what it would write where others write into the same files.
  static std::vector<FileDiff> own_edits(Request request, const Report& report,
                                         const RuleReport& rule) {
    const bool shares = std::ranges::any_of(report.rules, [&](const RuleReport& other) {
      return other.outcome == Outcome::kPending && other.full_name() != rule.full_name() &&
             std::ranges::any_of(
                 other.sites, [&](const SiteReport& site) { return writes_to(rule, site.path); });
    });
    auto diffs = report.diffs;
    if (shares) {
      request.packs = {rule.full_name()};
      auto alone = portpatch::run(request);
      if (!alone || alone->rules.size() != 1 || alone->rules[0].outcome != Outcome::kPending)
        return {};
      diffs = std::move(alone->diffs);
    }
    std::erase_if(diffs, [&](const FileDiff& diff) { return !writes_to(rule, diff.path); });
    return diffs;
  }

  // --- their companions --------------------------------------------------------------------------

  Errors judge_companions() {
    std::vector<std::string> packs;
    for (std::size_t i = 0; i < packs_.size(); ++i) {
      if (std::ranges::any_of(packs_[i].companions,
                              [&](const Companion& companion) { return may_change(companion); }))
        packs.push_back(request_.packs[i]);
    }
    if (packs.empty()) return {};
    CheckRequest request{.command = request_.command,
                         .folder = request_.folder,
                         .rev = head_,
                         .packs = packs,
                         .fix = true,
                         .dry_run = true,
                         .syntax_only = request_.syntax_only,
                         .clang = request_.clang,
                         .progress = request_.progress,
                         .memory = &memory_};
    const auto after = check(request);
    if (!after) return after.error();
    request.rev = before_;
    auto before = std::ranges::all_of(
                      after->companions,
                      [](const CompanionReport& one) { return one.findings.empty(); })
                      ? CheckReport{}
                      : check(request);
    if (!before) return before.error();
    auto part = findings_of_change(*before, *after);
    if (request_.syntax_only) part.notes.clear();  // they say so, and it was asked for
    for (auto& finding : part.findings) {
      if (finding.place.path.empty()) place_at_change(finding);
      if (!finding.edits.empty() && mirrors_unsettled(finding.subject)) {
        finding.edits.clear();
        finding.patch.clear();
        finding.remedy = "settle the rule that it mirrors first";
      }
    }
    take(std::move(part));
    return {};
  }

  /// What is not there any more has no place; its finding goes to the file that had it before.
  void place_at_change(Finding& finding) {
    const auto* companion = companion_of(finding.subject).second;
    if (companion == nullptr) return;
    for (const auto& change : changes_) {
      const bool had_gate = !companion->gate.empty() &&
                            defines(change.path, change.before, companion->gate) &&
                            !defines(change.path, change.after, companion->gate);
      const bool was_file = change.after.empty() && is_file_of(*companion, change.path);
      if (!had_gate && !was_file) continue;
      finding.place.path = change.path;
      finding.message += fmt::format("\nbefore this change {} was here",
                                     had_gate ? companion->gate : "it");
      return;
    }
  }

  /// Is the blob Python that defines the helper?
  [[nodiscard]] bool defines(const std::string& path, const std::string& blob,
                             const std::string& helper) {
    auto reader = TreeReader::open(tree_, kMaxSourceBytes);
    return reader &&
           std::ranges::any_of(helpers_in({path, blob}, *reader),
                               [&](const HelperDefinition& one) { return one.name == helper; });
  }

  /// The helpers that a file defines; none of one that is not Python, or not there.
  std::vector<HelperDefinition> helpers_in(const TreeFile& file, TreeReader& reader) {
    if (file.blob.empty() || !find_language("python")->owns(file.path)) return {};
    auto facts = read_facts(reader, file, memory_);
    return facts ? std::move(facts->helpers) : std::vector<HelperDefinition>();
  }

  /// What they ask, without where they stand.
  std::vector<std::string> asked_in(const TreeFile& file, TreeReader& reader) {
    std::vector<std::string> all;
    for (const auto& helper : helpers_in(file, reader)) all.push_back(describe(helper));
    std::ranges::sort(all);
    return all;
  }

  static bool is_file_of(const Companion& companion, const std::string& path) {
    return std::ranges::any_of(companion.files,
                               [&](const std::string& glob) { return glob_matches(glob, path); });
  }

  /// By its name in reports, PACK/NAME, with its pack; nullptr where there is none.
  [[nodiscard]] std::pair<const Pack*, const Companion*> companion_of(
      const std::string& subject) const {
    for (const auto& pack : packs_) {
      for (const auto& companion : pack.companions) {
        if (fmt::format("{}/{}", pack.path, companion.name) == subject) return {&pack, &companion};
      }
    }
    return {};
  }

  /// Does the companion mirror a rule of which the tree says something else than it wants?
  [[nodiscard]] bool mirrors_unsettled(const std::string& subject) const {
    const auto [pack, companion] = companion_of(subject);
    if (companion == nullptr || companion->mirrors.empty()) return false;
    const auto rule = fmt::format("{}/{}", pack->path, companion->mirrors);
    return std::ranges::any_of(report_.findings, [&](const Finding& finding) {
      return finding.subject == rule && finding.severity == Severity::kError;
    });
  }

  /// Does the change touch what the companion's agreement depends on?
  bool may_change(const Companion& companion) {
    for (const auto& change : changes_) {
      if (is_file_of(companion, change.path)) return true;
      for (const auto& rule : {companion.gate, companion.mirrors}) {
        if (const auto files = rule_files_.find(rule);
            files != rule_files_.end() && files->second.contains(change.path))
          return true;
      }
    }
    // A helper may be asked by another one, in any file.
    return !companion.gate.empty() && changes_a_helper();
  }

  bool changes_a_helper() {
    if (!changes_a_helper_) {
      const auto workers = worker_count(0);
      auto readers = TreeReader::open_several(tree_, kMaxSourceBytes, workers);
      std::atomic<bool> differs = !readers;
      for_each_in_parallel(differs ? 0 : changes_.size(), workers, 1,
                           [&](unsigned worker, std::size_t i) {
                             const auto& [path, before, after] = changes_[i];
                             if (asked_in({path, before}, (*readers)[worker]) !=
                                 asked_in({path, after}, (*readers)[worker]))
                               differs = true;
                           });
      changes_a_helper_ = differs;
    }
    return *changes_a_helper_;
  }

  // --- the tree ----------------------------------------------------------------------------------

  std::optional<Diagnostic> judge_tree() {
    AuditRequest request{.command = request_.command,
                         .folder = request_.folder,
                         .rev = head_,
                         .since = before_,
                         .cc = asked(),
                         .paths = {},
                         .syntax_only = request_.syntax_only,
                         .build = request_.clang.build,
                         .cuda_path = request_.clang.cuda_path,
                         .includes = request_.clang.includes,
                         .progress = request_.progress};
    if (request.cc.empty()) {
      report_.notes.push_back(
          "the packs name no compute capability, so new code was not looked at for one: add cc = "
          "[\"12.0\"] to pack.toml, or --cc 12.0");
      return std::nullopt;
    }
    const auto audit = audit_change(request, changes_, memory_);
    if (!audit) return audit.error();
    auto part = findings_of(*audit);
    if (request_.syntax_only) part.notes.clear();
    std::erase_if(part.findings, [&](const Finding& finding) { return is_told(finding); });
    take(std::move(part));
    return std::nullopt;
  }

  /// Of a file that was skipped, and of a place that a companion is about, one finding is enough.
  [[nodiscard]] bool is_told(const Finding& finding) const {
    return std::ranges::any_of(report_.findings, [&](const Finding& known) {
      const bool is_less = finding.type == "cc-not-covered" ||
                           (finding.type == "cc-gate-disagrees" &&
                            known.type.starts_with("companion-"));
      return known.place.path == finding.place.path && known.place.line == finding.place.line &&
             (finding.type == known.type || is_less);
    });
  }

  /// What --cc says, else what the packs are for.
  [[nodiscard]] std::string asked() const {
    if (!request_.cc.empty()) return request_.cc;
    std::set<Cc> all;
    for (const auto& pack : packs_) {
      all.insert(pack.cc.begin(), pack.cc.end());
      if (!pack.cc.empty()) continue;
      for (const auto& companion : pack.companions)
        all.insert(companion.covers.begin(), companion.covers.end());
    }
    std::vector<std::string> words;
    for (const auto& cc : all) words.push_back(cc_text(cc));
    return join(words, ",");
  }

  // --- the end -----------------------------------------------------------------------------------

  FindingReport conclude() {
    for (auto& finding : report_.findings) {
      finding.is_in_diff = is_in_diff(finding);
      if (!finding.is_in_diff) show_at_change(finding);
    }
    const auto is_loud = [](const Finding& finding) { return finding.severity != Severity::kNote; };
    report_.exit_status = std::ranges::any_of(report_.findings, is_loud) ? 1 : 0;
    arrange(report_);
    return std::move(report_);
  }

  /// Of several places, or of the lines of one, what has come is where people look.
  void show_at_change(Finding& finding) {
    for (auto& also : finding.evidence) {
      if (finding.type != "rule-ambiguous" ||
          !shows_lines(also.place.path, also.place.line, also.place.line))
        continue;
      std::swap(finding.place, also.place);
      finding.is_in_diff = true;
      return;
    }
    if (!finding.edits.empty() || finding.last_line <= finding.place.line) return;
    for (const auto& hunk : hunks_of(finding.place.path)) {
      if (!touches(hunk, finding.place.line, finding.last_line)) continue;
      finding.place.line = std::clamp(hunk.new_begin, finding.place.line, finding.last_line);
      finding.is_in_diff = true;
      return;
    }
  }

  /// Would a code review take a comment with all of its suggestions there?
  bool is_in_diff(const Finding& finding) {
    const auto shows = [&](const Region& place) {
      return place.line > 0 &&
             shows_lines(place.path, place.line,
                         place.end_line > place.line ? place.end_line - 1 : place.line);
    };
    return finding.edits.empty()
               ? shows(finding.place)
               : std::ranges::all_of(finding.edits,
                                     [&](const SuggestedEdit& edit) { return shows(edit.place); });
  }

  bool shows_lines(const std::string& path, std::size_t first, std::size_t last) {
    return std::ranges::any_of(hunks_of(path), [&](const LineHunk& hunk) {
      const auto begin = hunk.new_begin +
                         (hunk.new_count == 0 ? 1 : 0);  // a count of 0 stands behind its line
      return begin <= first + kContext && last < begin + hunk.new_count + kContext;
    });
  }

  /// What the change does to the file; none for one that it does not touch, or takes away.
  const std::vector<LineHunk>& hunks_of(const std::string& path) {
    const auto [known, is_unknown] = hunks_.try_emplace(path);
    const auto change = std::ranges::lower_bound(changes_, path, {}, &ChangedFile::path);
    if (!is_unknown || change == changes_.end() || change->path != path || change->after.empty())
      return known->second;
    if (auto hunks = line_hunks(text_of(change->before), text_of(change->after)))
      known->second = std::move(*hunks);
    return known->second;
  }

  /// Empty for none, and for what cannot be read.
  [[nodiscard]] std::string text_of(const std::string& blob) const {
    return blob.empty() ? std::string() : history_->read(blob, kMaxSourceBytes).value_or("");
  }

  const ReviewRequest& request_;
  std::vector<Pack> packs_;
  WorkTree tree_;  ///< of `head`
  std::optional<History> history_;
  std::string before_, head_;                                ///< commits
  std::vector<ChangedFile> changes_;                         ///< from one to the other
  std::map<std::string, std::set<std::string>> rule_files_;  ///< of both sides, by the rule's name
  std::optional<RevisionSearch> search_;                     ///< of all rules, in either tree
  TraceMemory traces_;
  InventoryMemory memory_;
  std::optional<bool> changes_a_helper_;
  std::map<std::string, std::vector<LineHunk>> hunks_;
  FindingReport report_;
};

}  // namespace

std::expected<FindingReport, Errors> review(const ReviewRequest& request) {
  return Reviewer(request).run();
}

}  // namespace portpatch
