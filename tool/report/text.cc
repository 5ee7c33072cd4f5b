// The report for people: a line a rule, details where a person is needed, and the next command.
#include "base/text.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "repo/diff.h"
#include "report/colour.h"
#include "report/next_command.h"
#include "report/report.h"
#include "report/trace_text.h"

namespace portpatch {

namespace {

/// Packs or rules as arguments of a command that a person is to type.
std::string typed(const std::set<std::string>& names) {
  std::vector<std::string> words;
  for (const auto& name : names) words.push_back(shell_word(name));
  return printable(join(words, " "));
}

class TextWriter {
 public:
  TextWriter(const Report& report, const TextStyle& style) : report_(report), style_(style) {}

  std::string write() {
    if (!report_.diff.empty()) out_ += report_.diff + "\n";
    header();
    table();
    for (const auto& rule : report_.rules) {
      if (needs_person(rule.outcome)) details(rule);
    }
    for (const auto& rule : report_.rules) followed(rule);
    const bool is_recorded = std::ranges::any_of(
        report_.diffs, [](const FileDiff& diff) { return diff.path.ends_with("/pack.lock"); });
    const bool may_record = report_.revision.empty() && !is_recorded;
    if (may_record && !followed_packs_.empty()) {
      out_ += fmt::format("note: to record where they are now: portpatch refresh {}\n",
                          typed(followed_packs_));
    }
    for (const auto& [path, reason] : report_.skipped) {
      out_ += fmt::format("not searched: {}: {}\n", printable(path), printable(reason));
    }
    for (const auto& note : report_.notes) out_ += fmt::format("note: {}\n", printable(note));
    summary();
    return std::move(out_);
  }

 private:
  void header() {
    out_ += fmt::format("tree      {}\n", printable(report_.root));
    if (!report_.revision.empty())
      out_ += fmt::format("revision  {} ({})\n", report_.revision.substr(0, 12),
                          printable(report_.revision_name));
    if (report_.pulled) pulled(*report_.pulled);
    if (!report_.upstream_commit.empty()) {
      out_ += fmt::format("upstream  {} ({})\n", report_.upstream_commit.substr(0, 12),
                          printable(report_.upstream_name));
    } else if (!report_.upstream_unknown.empty()) {
      out_ += fmt::format("upstream  not known: {}\n", printable(report_.upstream_unknown));
    }
    out_ += '\n';
  }

  void pulled(const Pulled& pulled) {
    if (pulled.commits == 0)
      out_ += fmt::format("pulled    nothing new: {} has {}\n", pulled.after.substr(0, 12),
                          pulled.upstream.substr(0, 12));
    else
      out_ += fmt::format("pulled    {}..{} ({})\n", pulled.before.substr(0, 12),
                          pulled.after.substr(0, 12), counted(pulled.commits, "commit"));
    for (const auto& path : pulled.kept)
      out_ += fmt::format("kept      {} (local changes that no rule explains)\n", printable(path));
  }

  void table() {
    std::size_t width = 0;
    for (const auto& rule : report_.rules) width = std::max(width, display_width(rule.full_name()));
    for (const auto& rule : report_.rules) {
      const auto name = printable(rule.full_name());
      out_ += fmt::format("  {}{}{}{}  {}\n", paint(rule.outcome, style_),
                          std::string(11 - name_of(rule.outcome).size(), ' '), name,
                          std::string(width - std::min(width, display_width(name)), ' '),
                          places(rule));
    }
    for (const auto& name : report_.resting)
      out_ += fmt::format("  {:<11}{}  (enabled = false)\n", "resting", printable(name));
  }

  static std::string place(const SiteReport& site) {
    return site.line > 0 ? fmt::format("{}:{}", printable(site.path), site.line)
                         : printable(site.path);
  }

  static std::string places(const RuleReport& rule) {
    if (rule.sites.empty()) return "no place in the tree";
    auto text = place(rule.sites[0]);
    if (rule.sites.size() > 1) text += fmt::format(" and {} more", rule.sites.size() - 1);
    if (std::ranges::any_of(rule.sites, &SiteReport::upstream_kept)) text += " (upstream kept)";
    return text;
  }

  void lines(std::string_view label, std::string_view text) {
    bool first = true;
    for (const auto line : split_lines(text)) {
      out_ += fmt::format("      {:<8}{}\n", first ? label : "", printable(line));
      first = false;
    }
  }

  /// What is worth knowing of a rule that needs nobody.
  void followed(const RuleReport& rule) {
    if (needs_person(rule.outcome)) return;
    for (const auto& trace : rule.traces) {
      for (const auto& step : trace.steps) {
        const bool same_name = step.from.name == step.to.name && step.from.scope == step.to.scope;
        if (same_name && step.from.path == step.to.path) continue;
        auto from = step.from, to = step.to;
        if (same_name) from.name = from.scope = to.name = to.scope = "";
        out_ += fmt::format("note: {} went from {} to {}{}\n", printable(rule.full_name()),
                            shown(from), shown(to),
                            step.commit ? ", by " + printable(describe(*step.commit)) : "");
        followed_packs_.insert(rule.pack);
      }
    }
    if (rule.outcome != Outcome::kUpstreamed) return;
    out_ += fmt::format("note: {} is upstream's{}; take it out with: portpatch retire {}\n",
                        printable(rule.full_name()),
                        rule.brought ? " since " + printable(describe(*rule.brought)) : "",
                        typed({rule.full_name()}));
  }

  void details(const RuleReport& rule) {
    out_ += fmt::format("\n{} {}\n", paint(rule.outcome, style_), printable(rule.full_name()));
    for (const auto line : split_lines(rule.reason))
      out_ += fmt::format("  | {}\n", printable(line));
    for (const auto& note : rule.notes) out_ += fmt::format("  {}\n", printable(note));
    for (const auto& home : rule.homes) out_ += home_text(home);
    for (const auto& trace : rule.traces) out_ += trace_text(trace, rule.homes);
    if (rule.brought) out_ += fmt::format("  since {}\n", printable(describe(*rule.brought)));
    for (const auto& site : rule.sites) {
      const auto scope = site.scope.empty() ? "" : fmt::format(" in {}", printable(site.scope));
      out_ += fmt::format(
          "    {}{}: {}\n", place(site), scope,
          site.reason.empty() ? std::string(name_of(site.outcome)) : printable(site.reason));
      if (!site.base.empty()) lines("base", site.base);
      if (!site.ours.empty()) lines("ours", site.ours);
      if (!site.theirs.empty()) lines("theirs", site.theirs);
      if (!site.remedy.empty()) out_ += fmt::format("      {}\n", printable(site.remedy));
    }
    if (!rule.query_diff.empty()) {
      out_ += "  the rule's query becomes:\n";
      for (const auto line : split_lines(rule.query_diff))
        out_ += fmt::format("    {}\n", printable(line));
    }
    if (!rule.owner.empty()) out_ += fmt::format("  owner: {}\n", printable(rule.owner));
    out_ += fmt::format("  next: {}\n", printable(next_command(report_, rule)));
  }

  void summary() {
    std::map<Outcome, std::size_t> counts;
    for (const auto& rule : report_.rules) ++counts[rule.outcome];
    std::vector<std::string> parts;
    for (const auto& [outcome, count] : counts)
      parts.push_back(fmt::format("{} {}", count, name_of(outcome)));
    out_ += fmt::format("\n{}: {}{}\n", counted(report_.rules.size(), "rule"),
                        parts.empty() ? "nothing to do" : join(parts, ", "),
                        report_.dry_run ? " (dry run, nothing was written)" : "");
    std::set<std::string> after;
    for (const auto& rule : report_.rules) {
      if (rule.outcome == Outcome::kEdited && !rule.after_edit.empty())
        after.insert(rule.after_edit);
    }
    for (const auto& what : after) out_ += fmt::format("to do now: {}\n", printable(what));
    if (!report_.run_id.empty())
      out_ += fmt::format("backup {}; take it back with: portpatch undo\n", report_.run_id);
    if (counts.contains(Outcome::kPending) && report_.run_id.empty() &&
        report_.command.starts_with("status")) {
      std::set<std::string> packs;
      for (const auto& rule : report_.rules) {
        if (rule.outcome == Outcome::kPending) packs.insert(rule.pack);
      }
      out_ += fmt::format("next: portpatch {} {}\n", report_.revision.empty() ? "apply" : "pull",
                          typed(packs));
    }
  }

  const Report& report_;
  const TextStyle& style_;
  std::set<std::string> followed_packs_;  ///< with rules that are elsewhere than their base says
  std::string out_;
};

}  // namespace

std::string write_text(const Report& report, const TextStyle& style) {
  return TextWriter(report, style).write();
}

std::string write_text(const std::vector<RunLine>& runs) {
  if (runs.empty()) return "no run is recorded for this tree\n";
  std::string out;
  for (const auto& run : runs) {
    out += fmt::format("{}  {}\n", run.id, printable(run.command));
    for (const auto& path : run.paths) out += fmt::format("    {}\n", printable(path));
  }
  return out + "put one back with: portpatch undo RUN\n";
}

std::string write_text(const RunLine& undone, const std::vector<std::string>& notes) {
  std::string out;
  for (const auto& note : notes) out += fmt::format("note: {}\n", printable(note));
  for (const auto& path : undone.paths) out += fmt::format("  restored  {}\n", printable(path));
  return out + fmt::format("\n{}: {} restored; take it back with: portpatch undo\n",
                           printable(undone.command), counted(undone.paths.size(), "file"));
}

std::string write_text(const std::vector<HookLine>& hooks) {
  std::string out;
  for (const auto& hook : hooks) {
    out += fmt::format("{:<14} {:<10} {}\n", hook.name, hook.state, printable(hook.path));
    if (!hook.packs.empty())
      out += fmt::format("    applies {}\n", printable(join(hook.packs, " ")));
    if (!hook.kept.empty())
      out += fmt::format("    {} {}\n",
                         hook.state == "installed" ? "calls first" : "the hook from before:",
                         printable(hook.kept));
  }
  return out;
}

Result<std::string> unified_diff(const std::vector<FileDiff>& diffs) {
  std::string all;
  for (const auto& diff : diffs) {
    auto one = unified_diff(diff.path, diff.before, diff.after);
    if (!one) return one;
    all += *one;
  }
  return all;
}

}  // namespace portpatch
