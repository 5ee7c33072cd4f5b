// A rule on a text, applied, applied again and taken back.
#include <algorithm>
#include <regex>

#include "capture/tree_diff.h"
#include "edit/plan.h"
#include "locate/sites.h"
#include "tests/fuzz/rules.h"
#include "tests/fuzz/target.h"

namespace portpatch::fuzz {

namespace {

/// Directives that only add: what stood there stands there still.
bool only_adds(const Rule& rule) {
  constexpr DirectiveKind kOthers[] = {DirectiveKind::replace, DirectiveKind::remove,
                                       DirectiveKind::merge};
  return std::ranges::all_of(rule.shapes, [&](const Shape& shape) {
    return std::ranges::none_of(shape.directives, [&](const Directive& one) {
      return std::ranges::find(kOthers, one.kind()) != std::end(kOthers);
    });
  });
}

/// Directives that write within the statement of what they capture, or right beside it.
bool stays_near(const Rule& rule) {
  constexpr DirectiveKind kOthers[] = {
      DirectiveKind::ensure_import, DirectiveKind::ensure_definition, DirectiveKind::ensure_branch};
  return std::ranges::all_of(rule.shapes, [&](const Shape& shape) {
    return std::ranges::none_of(shape.directives, [&](const Directive& one) {
      return std::ranges::find(kOthers, one.kind()) != std::end(kOthers);
    });
  });
}

/// The statements of the sites, of a row `TABLE[key] = value` all rows of its block, with what
/// stands beside them up to a blank line, as an entry may join a run of statements, and the blank
/// lines and comments around.
ByteRange around_sites(const ParsedFile& file, const std::vector<Site>& sites) {
  const auto text = file.text();
  ByteRange range{text.size(), 0};
  for (const auto& site : sites) {
    for (const auto& captured : site.captures) {
      const auto include = [&](ByteRange one) {
        range = {std::min(range.begin, one.begin), std::max(range.end, one.end)};
      };
      const auto at = file.tree().root().smallest_around(captured.range);
      include(captured.range);
      include(enclosing_statement(file.tree(), at).range());
      if (const auto row = ancestor_with(file.tree(), at, Role::kRow)) {
        for (const auto& one : row.parent().children())
          if (has_role(file.tree(), one, Role::kRow)) include(one.range());
      }
    }
  }
  const auto first = [&](std::size_t begin) { return text.find_first_not_of(" \t\r\n", begin); };
  const auto end_of_line = [&](std::size_t at) {
    return std::min(text.find('\n', at), text.size());
  };
  const auto is_blank = [&](std::size_t at) { return first(at) >= end_of_line(at); };
  const auto is_idle = [&](std::size_t at) {
    return is_blank(at) || std::string_view("#/*").contains(text[first(at)]);
  };
  const auto above = [&] { return line_begin(text, range.begin - 1); };
  range.begin = line_begin(text, range.begin);
  while (range.begin > 0 && !is_blank(above())) range.begin = above();
  while (range.begin > 0 && is_idle(above())) range.begin = above();
  range.end = end_of_line(range.end);
  const auto below = [&] { return range.end + 1; };
  while (range.end < text.size() && !is_blank(below())) range.end = end_of_line(below());
  while (range.end < text.size() && is_idle(below())) range.end = end_of_line(below());
  return range;
}

/// Is `after` the same as `before` outside of `range` of it?
bool same_outside(std::string_view before, ByteRange range, std::string_view after) {
  const auto head = before.substr(0, range.begin), tail = before.substr(range.end);
  return after.size() >= head.size() + tail.size() && after.starts_with(head) &&
         after.ends_with(tail);
}

/// Do the bytes of `before` that are no blanks all stand in `after`, in this order?
bool stands_in(std::string_view before, std::string_view after) {
  std::size_t at = 0;
  for (const char c : before) {
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
    at = after.find(c, at);
    if (at == std::string_view::npos) return false;
    ++at;
  }
  return true;
}

/// `#ifdef A` as `#if defined(A)`, which is what widen! and narrow! make of it.
std::string with_plain_conditions(std::string_view text) {
  static const std::regex kShort("#([ \\t]*)(el)?ifdef[ \\t]+(\\w+)");
  static const std::regex kShortNot("#([ \\t]*)(el)?ifndef[ \\t]+(\\w+)");
  return std::regex_replace(std::regex_replace(std::string(text), kShort, "#$1$2if defined($3)"),
                            kShortNot, "#$1$2if !defined($3)");
}

std::size_t errors_in(const ParsedFile& file) { return error_nodes(file.tree().root()).size(); }

bool is_edit(const SitePlan& site) { return site.step.kind == Step::Kind::kEdit; }
bool holds(const SitePlan& site) { return site.step.kind == Step::Kind::kHolds; }

/// One text under one rule.
class Trial {
 public:
  Trial(const Rule& rule, const ParsedFile& file) : rule_(rule), file_(file) {}

  void run() const {
    const auto sites = find_sites(rule_, file_);
    if (!sites || sites->empty()) return;
    expect(passes_prefilter(rule_, file_.text()), "a file with sites passes the prefilter",
           {rule_.source, file_.text()});
    const auto applied = plan_file(rule_, file_, *sites, Direction::kApply);
    if (applied && applied->text) {
      expect(!stays_near(rule_) ||
                 same_outside(file_.text(), around_sites(file_, *sites), *applied->text),
             "nothing changes outside of the edit", {rule_.source, file_.text(), *applied->text});
      check_applied(*applied);
    }
    const auto reverted = plan_file(rule_, file_, *sites, Direction::kRevert);
    if (reverted && reverted->text) (void)check_written(*reverted->text, "taken back");
  }

 private:
  /// What is written has no error that was not there.
  [[nodiscard]] ParsedFile check_written(const std::string& text, std::string_view what) const {
    auto after = ParsedFile::parse(file_.language(), file_.path(), text);
    expect(after.has_value(), "what is written can be parsed",
           {what, rule_.source, file_.text(), text});
    expect(errors_in(*after) <= errors_in(file_), "no new syntax error",
           {what, rule_.source, file_.text(), text});
    return std::move(*after);
  }

  void check_applied(const FilePlan& plan) const {
    const auto after = check_written(*plan.text, "applied");
    expect(!only_adds(rule_) || stands_in(file_.text(), *plan.text),
           "a directive that adds keeps what stands there",
           {rule_.source, file_.text(), *plan.text});
    const auto sites = find_sites(rule_, after);
    expect(sites && sites->size() == plan.sites.size(), "the places are found again",
           {rule_.source, file_.text(), *plan.text});
    const auto again = plan_file(rule_, after, *sites, Direction::kApply);
    expect(again && !again->text && std::ranges::all_of(again->sites, holds),
           "the second run changes nothing", {rule_.source, file_.text(), *plan.text});
    const auto back = plan_file(rule_, after, *sites, Direction::kRevert);
    if (!back || !back->text) return;
    (void)check_written(*back->text, "applied and taken back");
    // What the grammar cannot read may be read otherwise when blanks beside it change.
    const bool is_readable = errors_in(file_) == 0;
    expect(!std::ranges::all_of(plan.sites, is_edit) ||
               (is_readable ? same_code(file_.language(), with_plain_conditions(*back->text),
                                        with_plain_conditions(file_.text()))
                            : !only_adds(rule_) || stands_in(file_.text(), *back->text)),
           "taken back is as before", {rule_.source, file_.text(), *plan.text, *back->text});
  }

  const Rule& rule_;
  const ParsedFile& file_;
};

}  // namespace

void run_edit(const Parts& parts) {
  if (parts.size() != 3) return;
  const auto* language = find_language(parts[0]);
  const auto* rule = language == nullptr ? nullptr : compiled_rule(*language, parts[1]);
  if (rule == nullptr) return;
  const auto file = ParsedFile::parse(*language, "example." + language->file_ending(), parts[2]);
  if (file) Trial(*rule, *file).run();
}

}  // namespace portpatch::fuzz
