#include "capture.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apply/transaction.h"
#include "base/files.h"
#include "capture/captured_pack.h"
#include "capture/grouping.h"
#include "capture_change.h"
#include "capture_proof.h"
#include "capture_survey.h"
#include "pipeline.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

using Errors = std::vector<Diagnostic>;

std::unexpected<Errors> one(Diagnostic diagnostic) {
  return std::unexpected(Errors{std::move(diagnostic)});
}

/// The pack that takes the rules, as it is; a folder that is not there yet is an empty one.
struct Target {
  std::string folder;  ///< absolute
  PackState state;
  std::vector<std::string> taken;  ///< names of rules
  bool exists = false;
  std::optional<Pack> pack = std::nullopt;  ///< when it exists
};

std::expected<Target, Errors> open_pack(const std::string& path) {
  Target target{.folder = absolute_path(path), .state = {}, .taken = {}};
  target.state.name = target.folder.substr(target.folder.rfind('/') + 1);
  auto settings = read_file_if_there(target.folder + "/pack.toml");
  if (!settings) return one(settings.error());
  if (!*settings) return target;
  target.state.settings = std::move(**settings);
  auto pack = load_pack(path);
  if (!pack && pack.error().size() == 1 && pack.error()[0].code == "no-rules") {
    // Its rules were retired: what is left of the lock is written over.
    auto lock = read_file_if_there(target.folder + "/pack.lock");
    if (!lock) return one(lock.error());
    target.state.lock_text = std::move(*lock);
    return target;
  }
  if (!pack) return std::unexpected(pack.error());
  target.exists = true;
  target.state.lock = pack->lock;
  target.state.lock_text = pack->lock_text;
  for (const auto& rule : pack->rules) target.taken.push_back(rule.name);
  target.taken.insert(target.taken.end(), pack->resting.begin(), pack->resting.end());
  target.pack = std::move(*pack);
  return target;
}

class CaptureRun {
 public:
  CaptureRun(const CaptureRequest& request, const WorkTree& tree, const Target& pack)
      : request_(request), tree_(tree), pack_(pack) {
    report_ = {.command = request.command,
               .root = tree.root,
               .pack = request.pack,
               .dry_run = request.dry_run};
  }

  std::expected<CaptureReport, Errors> run(Change change) && {
    report_.source = change.described;
    if (auto errors = apply_own_rules(change)) return std::unexpected(*errors);
    for (const auto& [path, reason] : change.left_out)
      report_.uncaptured.push_back({path, 0, false, "", reason, 0});
    name_untracked(change);
    std::size_t done = 0;
    for (const auto& file : change.files) {
      if (auto error = take(file, change.base)) return one(*error);
      if (request_.progress) request_.progress(++done, change.files.size());
    }
    if (!request_.amend.empty()) {
      if (auto error = amend()) return one(*error);
      return std::move(report_);
    }
    leave_out_users();
    if (auto error = prove(change)) return one(*error);
    if (rules_.empty()) return std::move(report_);
    const auto groups = groups_of(rules_, files_, slug(change.reason, 40));
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      report_.rules.push_back(line_of(rules_[i]));
      report_.rules.back().group = groups[i];
    }
    if (auto error = look_over_tree(change)) return one(*error);
    auto files = captured_files(pack_.state, rules_, reason_of(change), groups);
    if (request_.fixture) {
      if (auto error = add_fixture(change, files)) return one(*error);
    }
    if (auto error = write_files(std::move(files))) return one(*error);
    return std::move(report_);
  }

 private:
  /// What the pack says already is no change: the old texts get its edits.
  std::optional<Errors> apply_own_rules(Change& change) {
    if (!pack_.exists) return std::nullopt;
    Request looking{.command = "status",
                    .folder = request_.folder,
                    .rev = change.base,
                    .packs = {},
                    .use_memory = false};
    for (const auto& rule : pack_.pack->rules) {
      if (rule.name != request_.amend) looking.packs.push_back(request_.pack + "/" + rule.name);
    }
    if (looking.packs.empty()) return std::nullopt;
    const auto ruled = portpatch::run(looking);
    if (!ruled) return ruled.error();
    std::map<std::string, std::string> texts;
    for (const auto& diff : ruled->diffs) texts[diff.path] = diff.after;
    for (auto& file : change.files) {
      const auto text = texts.find(file.path);
      if (!file.before || text == texts.end()) continue;
      explained_.insert(file.path);
      file.original = file.before;
      file.before = text->second;
    }
    return std::nullopt;
  }

  /// New files are no rules; a person may have meant them to be kept.
  void name_untracked(const Change& change) {
    constexpr std::size_t kShown = 4;
    std::vector<std::string> names;
    for (const auto& path : change.untracked) {
      if (!is_in_pack(path)) names.push_back(path);
    }
    if (names.empty()) return;
    const auto count = names.size();
    if (count > kShown) names.resize(kShown);
    report_.notes.push_back(
        fmt::format("{} file{} that git does not track {} no part of the rules: {}{}", count,
                    count == 1 ? "" : "s", count == 1 ? "is" : "are", join(names, ", "),
                    count > kShown ? " and others" : ""));
  }

  [[nodiscard]] bool is_in_pack(const std::string& path) const {
    return (tree_.root + "/" + path).starts_with(pack_.folder + "/");
  }

  std::optional<Diagnostic> take(const ChangedText& file, const std::string& base) {
    if (is_in_pack(file.path)) return std::nullopt;
    const auto leave = [&](std::string reason) {
      report_.uncaptured.push_back({file.path, 0, false, "", std::move(reason), 0});
    };
    if (!file.before)
      return leave("a new file: rules change files that upstream has; keep it beside them"),
             std::nullopt;
    if (!file.after)
      return leave("the whole file is gone: rules change what a file says"), std::nullopt;
    if (*file.before == *file.after) {
      report_.unchanged.emplace_back(file.path, explained_.contains(file.path)
                                                    ? "the pack's rules say it already"
                                                    : "only its mode differs");
      return std::nullopt;
    }
    const auto* language = language_owning(file.path);
    if (language == nullptr)
      return leave(fmt::format("portpatch reads no files of this sort; it reads {}",
                               join(language_names(), ", "))),
             std::nullopt;
    FileVersions versions{file.path, *file.before, *file.after, base};
    auto captured = capture_file(*language, versions);
    if (!captured) return captured.error();
    if (file.original) leave_to_own_rules(*language, *file.original, versions, *captured);
    if (captured->only_layout)
      report_.unchanged.emplace_back(file.path, "only comments and layout differ");
    for (const auto& piece : captured->refused) {
      missing_[file.path].insert(piece.defines.begin(), piece.defines.end());
      report_.uncaptured.push_back({piece.path, piece.line, piece.is_in_old, piece.text,
                                    piece.reason, piece.changed_tokens});
    }
    if (!captured->comments.empty()) {
      report_.notes.push_back(
          fmt::format("{}: no rule carries these comments; keep them by hand: {}", file.path,
                      join(captured->comments, ", ")));
    }
    if (!captured->edits.empty())
      files_.push_back({language, std::move(versions), std::move(*captured)});
    return std::nullopt;
  }

  /// An edit of what the pack's rules bring cannot stand on upstream's files.
  static void leave_to_own_rules(const Language& language, const std::string& original,
                                 const FileVersions& versions, FileCapture& captured) {
    leave_out(versions, captured, [&](const CapturedEdit& edit) {
      const auto file = ParsedFile::parse(language, edit.base.path, original);
      const auto sites = file && edit.rule ? find_sites(*edit.rule, *file)
                                           : Result<std::vector<Site>>(std::vector<Site>());
      if (sites && !sites->empty()) return false;
      captured.refused.push_back({edit.base.path, edit.line, false, edit.topic,
                                  "it changes what a rule of the pack brings: capture --amend RULE "
                                  "brings that rule up to it",
                                  edit.changed_tokens});
      return true;
    });
  }

  /// Makes the rule say what the tree says at its place now.
  std::optional<Diagnostic> amend() {
    const auto rule = std::ranges::find(pack_.pack->rules, request_.amend, &Rule::name);
    const auto edits = make_rules(files_, {});
    const CapturedRule* found = nullptr;
    for (const auto& edit : edits) {
      const auto is_there = std::ranges::any_of(rule->locked, [&](const LockedSite& site) {
        return site.path == edit.edit.base.path && site.scope == edit.edit.base.scope;
      });
      if (!is_there && edits.size() > 1) {
        report_.notes.push_back(
            fmt::format("{}:{} is no part of {}; capture it as a rule of its own",
                        edit.edit.base.path, edit.edit.line, request_.amend));
        continue;
      }
      if (found != nullptr) {
        return failure("several-edits",
                       fmt::format("{} now stands for several edits: {}:{} and {}:{}",
                                   request_.amend, found->edit.base.path, found->edit.line,
                                   edit.edit.base.path, edit.edit.line),
                       "retire the rule and capture them as rules of their own")
            .error();
      }
      found = &edit;
    }
    if (found == nullptr) {
      return failure("nothing-to-amend",
                     fmt::format("the tree has no change at the place of {}", request_.amend),
                     "make the change in the tree, then run this again")
          .error();
    }
    if (!found->edit.names.empty() && rule->settings.names != found->edit.names)
      report_.notes.push_back(fmt::format("set names = {} for the rule in pack.toml",
                                          fmt::join(found->edit.names, ", ")));
    report_.rules.push_back(line_of(*found));
    report_.rules.back().rule = rule->name;
    report_.rules.back().group = rule->settings.group;
    auto files = amended_files(*pack_.pack, *rule, *found);
    if (!files) return files.error();
    return write_files(std::move(*files));
  }

  /// What uses a name whose definition no rule brings would leave the tree broken.
  void leave_out_users() {
    for (auto& file : files_) {
      leave_out(file.versions, file.capture, [&](const CapturedEdit& edit) {
        const auto text = query_of(edit, true);
        const auto& missing = missing_[file.versions.path];
        const auto name = std::ranges::find_if(
            missing, [&](const std::string& one) { return !whole_words(text, one).empty(); });
        if (name == missing.end()) return false;
        report_.uncaptured.push_back(
            {file.versions.path, edit.line, false, edit.topic,
             fmt::format("#{}: it uses `{}`, whose definition is not captured", edit.directive,
                         *name),
             edit.changed_tokens});
        return true;
      });
    }
    std::erase_if(files_, [](const CapturedFile& file) { return file.capture.edits.empty(); });
  }

  /// Drops edits; the captured text is then what the others give.
  static void leave_out(const FileVersions& versions, FileCapture& capture,
                        const std::function<bool(const CapturedEdit&)>& is_out) {
    if (std::erase_if(capture.edits, is_out) == 0) return;
    std::vector<const Rule*> rules;
    for (const auto& edit : capture.edits) rules.push_back(edit.rule.get());
    if (std::ranges::find(rules, nullptr) != rules.end()) return;
    if (auto text = replayed(versions, rules)) capture.text = std::move(*text);
  }

  /// Makes the rules, and runs them as a pack on the tree as it was. The edits of a file that they
  /// do not give are not captured.
  std::optional<Diagnostic> prove(const Change& change) {
    for (;;) {
      rules_ = make_rules(files_, pack_.taken);
      if (rules_.empty()) return std::nullopt;
      const auto unproven = unproven_files({request_.folder, change.base, pack_.folder},
                                           captured_files(pack_.state, rules_, reason_of(change),
                                                          std::vector<std::string>(rules_.size())),
                                           files_);
      if (!unproven) return unproven.error();
      if (unproven->empty()) return std::nullopt;
      for (const auto& [path, reason] : *unproven) {
        const auto file = std::ranges::find(
            files_, path, [](const CapturedFile& one) { return one.versions.path; });
        for (const auto& edit : file->capture.edits) {
          report_.uncaptured.push_back(
              {path, edit.line, false, edit.topic,
               fmt::format("#{}: run on the tree as it was, {}", edit.directive, reason),
               edit.changed_tokens});
        }
        files_.erase(file);
      }
    }
  }

  [[nodiscard]] static std::string reason_of(const Change& change) {
    return change.reason.empty() ? "A local change." : change.reason;
  }

  /// A rule's author must know of places that its query would match as well, or that he may have
  /// left out.
  std::optional<Diagnostic> look_over_tree(const Change& change) {
    auto found = survey(tree_, change.base, rules_, request_.progress);
    if (!found) return found.error();
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      report_.rules[i].namesakes = std::move(found->namesakes[i]);
      report_.rules[i].further = std::move(found->further[i]);
    }
    for (const auto& [path, reason] : found->skipped)
      report_.notes.push_back(fmt::format("{} was not searched for namesakes: {}", path, reason));
    return std::nullopt;
  }

  /// Adds the files before and after as a test of the pack, when it passes.
  std::optional<Diagnostic> add_fixture(const Change& change, std::vector<PackFileChange>& files) {
    const auto stem = slug(
        change.reason.empty() ? rules_[0].name.substr(rules_[0].name.find('/') + 1) : change.reason,
        40);
    auto name = stem;
    for (int more = 2;; ++more) {
      const auto taken = kind_of_path(fmt::format("{}/tests/{}", pack_.folder, name));
      if (!taken) return taken.error();
      if (*taken == PathKind::kNothing) break;
      name = fmt::format("{}-{}", stem, more);
    }
    std::map<std::string, std::string> originals;
    for (const auto& file : change.files) {
      if (file.original) originals[file.path] = *file.original;
    }
    auto with = files;
    std::ranges::move(fixture_files(name, files_, originals), std::back_inserter(with));
    const auto mistakes = fixture_mistakes({request_.folder, change.base, pack_.folder}, with);
    if (!mistakes) return mistakes.error();
    if (mistakes->empty())
      files = std::move(with);
    else
      report_.notes.push_back(
          fmt::format("no fixture was written: on these files alone, without the pack's base, {}",
                      mistakes->front()));
    return std::nullopt;
  }

  static CapturedLine line_of(const CapturedRule& rule) {
    const auto& edit = rule.edit;
    return {rule.name, edit.directive,    edit.base.path,      edit.line,          edit.base.scope,
            edit.why,  rule.sites.size(), edit.changed_tokens, edit.payload_tokens};
  }

  std::optional<Diagnostic> write_files(std::vector<PackFileChange> files) {
    std::vector<FileChange> changes;
    for (auto& file : files) {
      report_.diffs.push_back(
          {request_.pack + "/" + file.name, file.before.value_or(""), file.after.value_or("")});
      changes.push_back(
          {pack_.folder + "/" + file.name, std::move(file.before), std::move(file.after)});
    }
    if (request_.dry_run) return std::nullopt;
    const auto written = commit_changes(tree_, real_file_system(), changes, request_.command);
    if (!written) return written.error();
    report_.run_id = written->id;
    report_.backup = written->backup;
    report_.notes.insert(report_.notes.end(), written->notes.begin(), written->notes.end());
    return std::nullopt;
  }

  const CaptureRequest& request_;
  const WorkTree& tree_;
  const Target& pack_;
  std::set<std::string> explained_;  ///< files in which the pack's rules have a say
  std::vector<CapturedFile> files_;
  /// By file: names whose definitions no rule brings.
  std::map<std::string, std::set<std::string>> missing_;
  std::vector<CapturedRule> rules_;
  CaptureReport report_;
};

}  // namespace

std::expected<CaptureReport, Errors> capture(const CaptureRequest& request) {
  const auto tree = request.what.empty() ? open_work_tree(request.folder)
                                         : open_repository_tree(request.folder);
  if (!tree) return one(tree.error());
  if (!tree->is_git()) {
    return one(
        {.code = "no-repository",
         .message = fmt::format(
             "{} is no git work tree: there is nothing to compare its files with", tree->root),
         .remedy = "run it in a clone of upstream; write rules for other folders by hand "
                   "(rules/README.md)"});
  }
  // What an interrupted run left half written is no base for a rule.
  auto ended = end_interrupted_run(*tree, !request.dry_run);
  if (!ended) return one(ended.error());
  const auto pack = open_pack(request.pack);
  if (!pack) return std::unexpected(pack.error());
  if (!request.amend.empty() &&
      (!pack->exists || std::ranges::find(pack->pack->rules, request.amend, &Rule::name) ==
                            pack->pack->rules.end())) {
    return one(
        {.code = "unknown-rule",
         .message = fmt::format("the pack {} has no rule {}", request.pack, request.amend),
         .remedy = "name it as `portpatch status` does, without the pack: python/max-sizes"});
  }
  auto change = read_change(*tree, request.what, request.paths);
  if (!change) return one(change.error());
  auto report = CaptureRun(request, *tree, *pack).run(std::move(*change));
  if (report && *ended) report->notes.insert(report->notes.begin(), std::move(**ended));
  return report;
}

}  // namespace portpatch
