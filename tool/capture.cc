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
#include "capture_proof.h"
#include "pack/pack_files.h"
#include "pipeline.h"
#include "repo/history.h"
#include "repo/local_state.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

using Errors = std::vector<Diagnostic>;

std::unexpected<Errors> one(Diagnostic diagnostic) { return std::unexpected(Errors{std::move(diagnostic)}); }

/// A file of the change; nullopt where a side has none.
struct ChangedText {
  std::string path;
  std::optional<std::string> before, after;
  std::optional<std::string> original = std::nullopt;  ///< `before` without what the pack's rules bring
};

/// What is captured: where it comes from, and its files.
struct Change {
  std::string described;  ///< "3c2fe9baf10a (2026-08-18) subject"
  std::string reason;     ///< for the top of each rule
  std::string base;       ///< the commit before the change
  std::vector<ChangedText> files;
};

Result<Change> local_change(const WorkTree& tree) {
  const auto state = read_local_state(tree);
  if (!state) return std::unexpected(state.error());
  const auto history = History::open(tree);
  if (!history) return std::unexpected(history.error());
  Change change{.described = "the work tree's changes", .reason = "", .base = state->position.head, .files = {}};
  for (const auto& file : state->files) {
    ChangedText text{file.path, std::nullopt, file.bytes};
    if (!file.head.blob.empty()) {
      auto bytes = history->read(file.head.blob);
      if (!bytes) return std::unexpected(bytes.error());
      text.before = std::move(*bytes);
    }
    change.files.push_back(std::move(text));
  }
  return change;
}

Result<Change> committed_change(const WorkTree& tree, const std::string& what) {
  const auto history = History::open(tree);
  if (!history) return std::unexpected(history.error());
  const auto dots = what.find("..");
  if (what.contains("...")) return failure("bad-range", fmt::format("`{}` is no range of commits", what), "write A..B with two dots: what leads from A to B");
  const auto resolve = [&](std::string_view name) { return history->resolve(name.empty() ? "HEAD" : name); };
  const auto to = resolve(dots == std::string::npos ? std::string_view(what) : std::string_view(what).substr(dots + 2));
  if (!to) return std::unexpected(to.error());
  const auto info = history->info(*to);
  if (!info) return std::unexpected(info.error());
  Change change{.described = describe(*info), .reason = info->subject, .base = {}, .files = {}};
  if (dots == std::string::npos) {
    auto parent = history->resolve(*to + "^");
    if (!parent) {
      return failure("no-parent", fmt::format("{} has no parent in this repository: there is nothing to compare it with", what),
                     history->is_shallow() ? "`git fetch --unshallow` brings the history" : "name a later commit, or a range A..B");
    }
    change.base = std::move(*parent);
  } else {
    auto from = resolve(std::string_view(what).substr(0, dots));
    if (!from) return std::unexpected(from.error());
    change.base = std::move(*from);
    change.described = fmt::format("{}, up to {}", what, describe(*info));
  }
  const auto files = history->changes(change.base, *to);
  if (!files) return std::unexpected(files.error());
  for (const auto& file : *files) {
    ChangedText text{file.path, std::nullopt, std::nullopt};
    for (auto [blob, slot] : {std::pair(&file.before, &text.before), std::pair(&file.after, &text.after)}) {
      if (blob->empty()) continue;
      auto bytes = history->read(*blob);
      if (!bytes) return std::unexpected(bytes.error());
      *slot = std::move(*bytes);
    }
    change.files.push_back(std::move(text));
  }
  return change;
}

/// Keeps the files that the paths name; an error names a path without any.
std::optional<Diagnostic> keep_paths(const WorkTree& tree, const std::vector<std::string>& paths, Change& change) {
  if (paths.empty()) return std::nullopt;
  std::vector<std::string> wanted;
  for (const auto& path : paths) {
    const auto full = absolute_path(path);
    auto inside = full.starts_with(tree.root + "/") ? full.substr(tree.root.size() + 1) : path;
    while (inside.ends_with('/')) inside.pop_back();
    wanted.push_back(std::move(inside));
    const auto& here = wanted.back();
    const bool is_changed = std::ranges::any_of(change.files, [&](const ChangedText& file) { return file.path == here || file.path.starts_with(here + "/"); });
    if (!is_changed && full != tree.root) {
      return failure("not-changed", fmt::format("nothing differs in {}", path), fmt::format("captured is {}; `git status` lists the files that differ", change.described)).error();
    }
  }
  std::erase_if(change.files, [&](const ChangedText& file) {
    return std::ranges::none_of(wanted, [&](const std::string& path) { return file.path == path || file.path.starts_with(path + "/"); });
  });
  return std::nullopt;
}

const Language* language_of(const std::string& path) {
  for (const auto& name : language_names()) {
    const auto* language = find_language(name);
    if (language->owns(path)) return language;
  }
  return nullptr;
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
  while (target.folder.ends_with('/')) target.folder.pop_back();
  target.state.name = target.folder.substr(target.folder.rfind('/') + 1);
  auto settings = read_file(target.folder + "/pack.toml");
  if (!settings) return target;
  target.state.settings = std::move(*settings);
  auto pack = load_pack(path);
  if (!pack && pack.error().size() == 1 && pack.error()[0].code == "no-rules") return target;
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
  CaptureRun(const CaptureRequest& request, const WorkTree& tree, const Target& pack) : request_(request), tree_(tree), pack_(pack) {
    report_ = {.command = request.command, .root = tree.root, .pack = request.pack, .dry_run = request.dry_run};
  }

  std::expected<CaptureReport, Errors> run(Change change) && {
    report_.source = change.described;
    if (auto errors = apply_own_rules(change)) return std::unexpected(*errors);
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
    for (const auto& rule : rules_) {
      report_.rules.push_back({rule.name, rule.edit.directive, rule.edit.base.path, rule.edit.line, rule.edit.base.scope, rule.edit.why, rule.sites.size(), rule.edit.changed_tokens, rule.edit.payload_tokens});
    }
    if (auto error = name_further_places(change)) return one(*error);
    if (!rules_.empty()) {
      if (auto error = write(change)) return one(*error);
    }
    return std::move(report_);
  }

 private:
  /// What the pack says already is no change: the old texts get its edits.
  std::optional<Errors> apply_own_rules(Change& change) {
    if (!pack_.exists) return std::nullopt;
    Request looking{.command = "status", .folder = request_.folder, .rev = change.base, .packs = {}, .use_memory = false};
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

  std::optional<Diagnostic> take(const ChangedText& file, const std::string& base) {
    const auto in_pack = (tree_.root + "/" + file.path).starts_with(pack_.folder + "/");
    if (in_pack) return std::nullopt;
    const auto leave = [&](std::string reason) { report_.uncaptured.push_back({file.path, 0, false, "", std::move(reason), 0}); };
    if (!file.before) return leave("a new file: rules change files that upstream has; keep it beside them"), std::nullopt;
    if (!file.after) return leave("the whole file is gone: rules change what a file says"), std::nullopt;
    if (*file.before == *file.after) {
      report_.unchanged.emplace_back(file.path, explained_.contains(file.path) ? "the pack's rules say it already" : "only its mode differs");
      return std::nullopt;
    }
    const auto* language = language_of(file.path);
    if (language == nullptr) return leave(fmt::format("portpatch reads no files of this sort; it reads {}", join(language_names(), ", "))), std::nullopt;
    FileVersions versions{file.path, *file.before, *file.after, base};
    auto captured = capture_file(*language, versions);
    if (!captured) return captured.error();
    if (file.original) leave_to_own_rules(*language, *file.original, versions, *captured);
    if (captured->only_layout) report_.unchanged.emplace_back(file.path, "only comments and layout differ");
    for (const auto& piece : captured->refused) {
      missing_[file.path].insert(piece.defines.begin(), piece.defines.end());
      report_.uncaptured.push_back({piece.path, piece.line, piece.is_in_old, piece.text, piece.reason, piece.changed_tokens});
    }
    if (!captured->comments.empty()) {
      report_.notes.push_back(fmt::format("{}: no rule carries these comments, which are not part of new code: {}", file.path, join(captured->comments, ", ")));
    }
    if (!captured->edits.empty()) files_.push_back({language, std::move(versions), std::move(*captured)});
    return std::nullopt;
  }

  /// An edit of what the pack's rules bring cannot stand on upstream's files.
  static void leave_to_own_rules(const Language& language, const std::string& original, const FileVersions& versions, FileCapture& captured) {
    leave_out(versions, captured, [&](const CapturedEdit& edit) {
      const auto file = ParsedFile::parse(language, edit.base.path, original);
      const auto sites = file && edit.rule ? find_sites(*edit.rule, *file) : Result<std::vector<Site>>(std::vector<Site>());
      if (sites && !sites->empty()) return false;
      captured.refused.push_back({edit.base.path, edit.line, false, edit.topic, "it changes what a rule of the pack brings: capture --amend RULE brings that rule up to it", edit.changed_tokens});
      return true;
    });
  }

  /// Makes the rule say what the tree says at its place now.
  std::optional<Diagnostic> amend() {
    const auto rule = std::ranges::find(pack_.pack->rules, request_.amend, &Rule::name);
    const auto edits = make_rules(files_, {});
    const CapturedRule* found = nullptr;
    for (const auto& edit : edits) {
      const auto is_there = std::ranges::any_of(rule->locked, [&](const LockedSite& site) { return site.path == edit.edit.base.path && site.scope == edit.edit.base.scope; });
      if (!is_there && edits.size() > 1) {
        report_.notes.push_back(fmt::format("{}:{} is no part of {}; capture it as a rule of its own", edit.edit.base.path, edit.edit.line, request_.amend));
        continue;
      }
      if (found != nullptr) {
        return failure("several-edits", fmt::format("{} now stands for several edits: {}:{} and {}:{}", request_.amend, found->edit.base.path, found->edit.line, edit.edit.base.path, edit.edit.line),
                       "retire the rule and capture them as rules of their own").error();
      }
      found = &edit;
    }
    if (found == nullptr) {
      return failure("nothing-to-amend", fmt::format("the tree has no change at the place of {}", request_.amend), "make the change in the tree, then run this again").error();
    }
    if (!found->edit.names.empty() && rule->settings.names != found->edit.names) report_.notes.push_back(fmt::format("set names = {} for the rule in pack.toml", fmt::join(found->edit.names, ", ")));
    report_.rules.push_back({rule->name, found->edit.directive, found->edit.base.path, found->edit.line, found->edit.base.scope, found->edit.why, found->sites.size(), found->edit.changed_tokens, found->edit.payload_tokens});
    return write_files(amended_files(*pack_.pack, *rule, *found));
  }

  /// What uses a name whose definition no rule brings would leave the tree broken.
  void leave_out_users() {
    for (auto& file : files_) {
      leave_out(file.versions, file.capture, [&](const CapturedEdit& edit) {
        const auto text = query_of(edit, true);
        const auto& missing = missing_[file.versions.path];
        const auto name = std::ranges::find_if(missing, [&](const std::string& one) { return !whole_words(text, one).empty(); });
        if (name == missing.end()) return false;
        report_.uncaptured.push_back({file.versions.path, edit.line, false, edit.topic, fmt::format("#{}: it uses `{}`, whose definition is not captured", edit.directive, *name), edit.changed_tokens});
        return true;
      });
    }
    std::erase_if(files_, [](const CapturedFile& file) { return file.capture.edits.empty(); });
  }

  /// Drops edits; the captured text is then what the others give.
  static void leave_out(const FileVersions& versions, FileCapture& capture, const std::function<bool(const CapturedEdit&)>& is_out) {
    if (std::erase_if(capture.edits, is_out) == 0) return;
    std::vector<const Rule*> rules;
    for (const auto& edit : capture.edits) rules.push_back(edit.rule.get());
    if (std::ranges::find(rules, nullptr) != rules.end()) return;
    if (auto text = replayed(versions, rules)) capture.text = std::move(*text);
  }

  /// Makes the rules, and runs them as a pack on the tree as it was. The edits of a file that they do
  /// not give are not captured.
  std::optional<Diagnostic> prove(const Change& change) {
    for (;;) {
      rules_ = make_rules(files_, pack_.taken);
      if (rules_.empty()) return std::nullopt;
      const auto unproven = unproven_files({request_.folder, change.base, pack_.folder}, captured_files(pack_.state, rules_, reason_of(change), ""), files_);
      if (!unproven) return unproven.error();
      if (unproven->empty()) return std::nullopt;
      for (const auto& [path, reason] : *unproven) {
        const auto file = std::ranges::find(files_, path, [](const CapturedFile& one) { return one.versions.path; });
        for (const auto& edit : file->capture.edits) {
          report_.uncaptured.push_back({path, edit.line, false, edit.topic, fmt::format("#{}: run on the tree as it was, {}", edit.directive, reason), edit.changed_tokens});
        }
        files_.erase(file);
      }
    }
  }

  [[nodiscard]] static std::string reason_of(const Change& change) { return change.reason.empty() ? "A local change." : change.reason; }

  /// An edit that was made at several places may have been meant for others like them.
  std::optional<Diagnostic> name_further_places(const Change& change) {
    std::vector<Rule> anywhere;
    std::vector<const CapturedRule*> about;
    for (const auto& rule : rules_) {
      if (rule.sites.size() < 2 || rule.edit.patterns[0].scopes.empty()) continue;
      auto edit = rule.edit;
      edit.patterns.resize(1);  // as it is before the edit
      edit.patterns[0].scopes = {"**"};
      auto compiled = compile_edit(*rule.language, edit, {});
      if (!compiled) continue;
      anywhere.push_back(std::move(*compiled));
      about.push_back(&rule);
    }
    if (anywhere.empty()) return std::nullopt;
    std::vector<const Rule*> rules;
    for (const auto& rule : anywhere) rules.push_back(&rule);
    auto base = tree_;
    base.revision = change.base;
    FileStore store(base);
    const auto found = scan_tree(base, rules, {.progress = request_.progress}, store);
    if (!found) return found.error();
    for (std::size_t i = 0; i < about.size(); ++i) {
      for (const auto& site : found->sites[i]) {
        const auto is_own = std::ranges::any_of(about[i]->sites, [&](const LockedSite& own) { return own.path == site.path && own.scope == site.scope; });
        if (!is_own) report_.further.push_back({about[i]->name, site.path, line_column(store.text(site.path), site.target.begin).line, site.scope});
      }
    }
    return std::nullopt;
  }

  std::optional<Diagnostic> write(const Change& change) {
    const auto group = slug(change.reason.empty() ? report_.rules[0].rule.substr(report_.rules[0].rule.find('/') + 1) : change.reason, 40);
    return write_files(captured_files(pack_.state, rules_, reason_of(change), group));
  }

  std::optional<Diagnostic> write_files(std::vector<PackFileChange> files) {
    std::vector<FileChange> changes;
    for (auto& file : files) {
      report_.diffs.push_back({request_.pack + "/" + file.name, file.before.value_or(""), file.after.value_or("")});
      changes.push_back({pack_.folder + "/" + file.name, std::move(file.before), std::move(file.after)});
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
  std::map<std::string, std::set<std::string>> missing_;  ///< by file: names whose definitions no rule brings
  std::vector<CapturedRule> rules_;
  CaptureReport report_;
};

}  // namespace

std::expected<CaptureReport, Errors> capture(const CaptureRequest& request) {
  const auto tree = request.what.empty() ? open_work_tree(request.folder) : open_repository_tree(request.folder);
  if (!tree) return one(tree.error());
  if (!tree->is_git()) {
    return one({.code = "no-repository", .message = fmt::format("{} is no git work tree: there is nothing to compare its files with", tree->root),
                .remedy = "run it in a clone of upstream; write rules for other folders by hand (rules/README.md)"});
  }
  const auto pack = open_pack(request.pack);
  if (!pack) return std::unexpected(pack.error());
  if (!request.amend.empty() && (!pack->exists || std::ranges::find(pack->pack->rules, request.amend, &Rule::name) == pack->pack->rules.end())) {
    return one({.code = "unknown-rule", .message = fmt::format("the pack {} has no rule {}", request.pack, request.amend),
                .remedy = "name it as `portpatch status` does, without the pack: python/max-sizes"});
  }
  auto change = request.what.empty() ? local_change(*tree) : committed_change(*tree, request.what);
  if (!change) return one(change.error());
  if (auto error = keep_paths(*tree, request.paths, *change)) return one(*error);
  return CaptureRun(request, *tree, *pack).run(std::move(*change));
}

}  // namespace portpatch
