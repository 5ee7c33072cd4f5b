#include "report/explain.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "report/query_report.h"
#include "report/trace_text.h"

namespace portpatch {

namespace {

using How = LocatedRule::How;

std::string_view how_text(How how) {
  switch (how) {
    case How::kAtBase:
      return "at its base, as often as expected; the rest of the tree was not searched";
    case How::kByScan:
      return "in the whole tree, as often as expected";
    case How::kFollowed:
      return "elsewhere than at its base, and the trace came to the same place";
    case How::kMoved:
      return "by the trace; the query had to be rewritten";
    case How::kNoQuery:
      return "by the trace; the query cannot be rewritten for the place";
    case How::kNamesake:
      return "elsewhere than at its base, and the trace does not agree";
    case How::kMiscount:
      return "more or fewer times than expected";
    case How::kNowhere:
      return "nowhere";
    case How::kFailed:
      return "not known: a file could not be read";
  }
  return "";
}

std::string_view step_text(Step::Kind kind) {
  switch (kind) {
    case Step::Kind::kHolds:
      return "holds";
    case Step::Kind::kEdit:
      return "wants an edit, which was verified";
    case Step::Kind::kConflict:
      return "conflict";
    case Step::Kind::kBlocked:
      return "blocked";
  }
  return "";
}

std::string shorten(std::string_view text) {
  const auto line = line_at(text, 0);
  return printable(line.substr(0, 72)) +
         (line.size() < text.size() || line.size() > 72 ? " ..." : "");
}

class Explainer {
 public:
  Explainer(const LocatedRule& located, const LocateResult& all, const RulePlan& plan,
            const RuleReport& report, const FileStore& store, const std::optional<NearMisses>& near)
      : located_(located), all_(all), plan_(plan), report_(report), store_(store), near_(near) {}

  std::string write() {
    const auto& rule = *located_.rule;
    out_ += fmt::format("rule      {}\n", printable(rule.path));
    for (const auto line : split_lines(rule.reason))
      out_ += fmt::format("          | {}\n", printable(line));
    out_ += fmt::format("language  {}\n", rule.language->title());
    setting("owner", rule.settings.owner);
    setting("group", rule.settings.group);
    setting("hardware", rule.settings.hardware);
    setting("upstream", rule.settings.upstream_pull_request);
    out_ += fmt::format("expect    {} site(s)\n", describe(rule.settings.expect));
    for (std::size_t i = 0; i < rule.shapes.size(); ++i) shape(i);
    base();
    out_ += fmt::format("found     {}\n", how_text(located_.how));
    if (!located_.failure.empty())
      out_ += fmt::format("          {}\n", printable(located_.failure));
    if (located_.how != How::kAtBase) {
      out_ += fmt::format(
          "          the search read {} files and parsed the {} that hold the literals\n",
          all_.files_read, all_.files_parsed);
    }
    for (const auto& site : located_.sites) one_site(site);
    near_misses();
    out_ += fmt::format("outcome   {}\n", name_of(report_.outcome));
    for (const auto& note : report_.notes) out_ += fmt::format("          {}\n", printable(note));
    for (const auto& home : report_.homes) {
      const auto text = home_text(home);
      for (const auto line : split_lines(text)) out_ += fmt::format("        {}\n", line);
    }
    for (const auto& trace : report_.traces) {
      const auto text = trace_text(trace, report_.homes);
      for (const auto line : split_lines(text)) out_ += fmt::format("        {}\n", line);
    }
    if (report_.brought)
      out_ += fmt::format("          since {}\n", printable(describe(*report_.brought)));
    if (report_.outcome == Outcome::kLost) {
      out_ += fmt::format(
          "what now  change the rule's pattern, or `portpatch refresh {0} --at FILE:LINE` if it is "
          "one of these places;\n"
          "          enabled = false in pack.toml rests the rule, `portpatch retire --force {0}` "
          "takes it out\n",
          printable(shell_word(report_.full_name())));
    }
    if (!plan_.refused.empty()) out_ += fmt::format("          {}\n", printable(plan_.refused));
    return std::move(out_);
  }

 private:
  void setting(std::string_view label, const std::string& value) {
    if (!value.empty()) out_ += fmt::format("{:<10}{}\n", label, printable(value));
  }

  void shape(std::size_t index) {
    const auto& shape = located_.rule->shapes[index];
    std::vector<std::string> parts;
    for (const auto& directive : shape.directives)
      parts.push_back(directive.info->takes_capture()
                          ? fmt::format("{} @{}", directive.info->name, directive.capture)
                          : std::string(directive.info->name));
    if (shape.is_held()) parts.push_back(fmt::format("held! @{}", shape.held));
    out_ += fmt::format("shape {}   {}\n", index + 1, join(parts, ", "));
    for (const auto& group : shape.literals)
      out_ += fmt::format("          only in files that contain {}\n",
                          printable(join(group, " or ")));
  }

  void base() {
    if (located_.rule->locked.empty()) {
      out_ +=
          "base      none: pack.lock does not know this rule; record one with `portpatch "
          "refresh`\n";
    }
    for (const auto& site : located_.rule->locked) {
      out_ += fmt::format("base      {} at {}\n", printable(site.path),
                          site.commit.empty() ? "no known commit" : site.commit.substr(0, 12));
    }
  }

  void near_misses() {
    if (!near_) return;
    const auto text = near_miss_text(*near_, located_.rule->shapes.size());
    for (const auto line : split_lines(text)) out_ += fmt::format("          {}\n", line);
  }

  void one_site(const Site& site) {
    const auto text = store_.text(site.path);
    const auto place = line_column(text, site.target.begin);
    out_ += fmt::format("site      {}:{}:{}, by shape {}{}{}\n", printable(site.path), place.line,
                        place.column, site.shape + 1, site.scope.empty() ? "" : ", in ",
                        printable(site.scope));
    if (site.reading > 0) out_ += "          read with preprocessor conditionals masked\n";
    for (const auto& capture : site.captures) {
      out_ += fmt::format("          @{} {}: {}\n", capture.name, capture.kind,
                          shorten(capture.range.of(text)));
    }
    const auto found = std::ranges::find_if(plan_.sites, [&](const SitePlan& one) {
      return one.site.path == site.path && one.site.target == site.target;
    });
    if (found == plan_.sites.end()) return;
    const auto& step = found->step;
    out_ += fmt::format("plan      {}\n", step_text(step.kind));
    if (!step.reason.empty())
      out_ += fmt::format("          {} [{}]\n", printable(step.reason), step.code);
    if (!step.remedy.empty()) out_ += fmt::format("          {}\n", printable(step.remedy));
    for (const auto& [label, side] :
         {std::pair("ours", &step.ours), std::pair("theirs", &step.theirs)}) {
      if (!side->empty()) out_ += fmt::format("          {}: {}\n", label, shorten(*side));
    }
  }

  const LocatedRule& located_;
  const LocateResult& all_;
  const RulePlan& plan_;
  const RuleReport& report_;
  const FileStore& store_;
  const std::optional<NearMisses>& near_;
  std::string out_;
};

}  // namespace

Result<std::string> write_explanation(const LocateResult& located, const TreePlan& plan,
                                      const Report& report, const FileStore& store,
                                      const std::vector<std::optional<NearMisses>>& near) {
  std::string out;
  for (std::size_t i = 0; i < located.rules.size(); ++i) {
    out += fmt::format(
        "{}{}", i > 0 ? "\n" : "",
        Explainer(located.rules[i], located, plan.rules[i], report.rules[i], store, near[i])
            .write());
  }
  const auto diff = unified_diff(report.diffs);
  if (!diff) return diff;
  if (!diff->empty()) out += "\n" + *diff;
  return out;
}

}  // namespace portpatch
