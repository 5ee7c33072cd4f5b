#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "edit/blocks.h"
#include "edit/ladder_order.h"
#include "edit/layout.h"
#include "edit/line_tail.h"
#include "edit/step.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

using Edits = std::vector<TextEdit>;

/// Words that a statement begins with behind which nothing falls through.
constexpr std::string_view kLeaves[] = {"break", "return", "continue", "goto", "throw"};

/// Does nothing fall through behind the statement?
bool leaves(const SourceTree& tree, Node statement) {
  while (has_role(tree, statement, Role::kBlock) && !statements_of(tree, statement).empty()) statement = statements_of(tree, statement).back();
  const auto text = statement.text(tree.text());
  const auto word = text.substr(0, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"));
  const bool ends = word.size() < text.size() && (std::isalnum(static_cast<unsigned char>(text[word.size()])) != 0 || text[word.size()] == '_');
  return !ends && std::ranges::find(kLeaves, word) != std::end(kLeaves);
}

/// The rule's branch and the ladder that it is for.
struct Wanted {
  Fragment condition, body;
  std::vector<std::string> forms;
  Ladder ladder;
  LadderPlace place;
};

/// Has the ladder the same branches whatever the preprocessor makes of the file?
bool is_unconditional(const EditContext& context, const Ladder& ladder) {
  const auto conditions = [](const Ladder& one) {
    std::vector<ByteRange> ranges;
    for (const auto& rung : one.rungs) ranges.push_back(rung.condition.range());
    if (one.otherwise) ranges.push_back(one.otherwise.range());
    return ranges;
  };
  const auto& readings = context.file.readings();
  for (std::size_t i = 1; i < readings.size(); ++i) {
    const auto begin = ladder.head.range().begin;
    if (!context.file.shows(i, {begin, begin + 1})) continue;
    auto node = readings[i].tree.root().smallest_around({begin, begin + 1});
    while (node && node.kind() != ladder.head.kind() && node.range().begin == begin) node = node.parent();
    const auto other = node && node.range().begin == begin ? read_ladder(readings[i].tree, node) : std::nullopt;
    if (!other || conditions(*other) != conditions(ladder)) return false;
  }
  return true;
}

std::expected<Wanted, Step> look_up(const EditContext& context) {
  const auto& texts = context.directive.texts;
  const auto range = context.node.range();
  auto condition = Fragment::parse(context.language(), "expression", texts[0]);
  if (!condition) return std::unexpected(Step::blocked(condition.error(), range));
  auto body = Fragment::parse(context.language(), "statement", texts[1]);
  if (!body) return std::unexpected(Step::blocked(body.error(), range));
  auto ladder = read_ladder(context.tree, context.node);
  if (!ladder) {
    return std::unexpected(Step::blocked("no-ladder", fmt::format("the captured {} is no if, switch or match", context.node.kind()),
                                         "capture the whole statement", range));
  }
  if (!is_unconditional(context, *ladder)) {
    return std::unexpected(Step::blocked("conditional", "branches of the ladder stand under a condition of the preprocessor", "edit this place by hand", range));
  }
  Wanted wanted{.condition = std::move(*condition), .body = std::move(*body), .forms = {}, .ladder = std::move(*ladder), .place = {}};
  CodeEvaluator evaluator(context.tree);
  for (const auto& node : wanted.body.nodes()) wanted.forms.push_back(evaluator.canonical(wanted.body.tree(), node));
  auto place = place_on_ladder(context, wanted.ladder, wanted.condition, wanted.forms, texts.size() > 2 ? std::string_view(texts[2]) : std::string_view());
  if (!place) return std::unexpected(std::move(place.error()));
  wanted.place = *place;
  return wanted;
}

/// Writes the branch as its siblings are written.
class BranchWriter {
 public:
  BranchWriter(const EditContext& context, const Wanted& wanted)
      : context_(context), wanted_(wanted), text_(context.text()), line_break_(line_break_of(context.text())),
        indent_(indent_at(context.text(), wanted.ladder.head.range().begin)) {
    if (wanted.ladder.is_cases) indent_ = indent_at(text_, rungs()[0].node.range().begin);
    unit_ = unit();
    lines_ = statement_lines(wanted.body, unit_);
  }

  Result<Edits> write() const {
    if (wanted_.ladder.is_cases) return write_case();
    return context_.language().blocks_by_indentation() ? write_clause() : write_chained();
  }

 private:
  const std::vector<Rung>& rungs() const { return wanted_.ladder.rungs; }
  std::size_t index() const { return wanted_.place.index; }
  std::string condition() const { return std::string(wanted_.condition.text()); }

  /// One level of indentation as the branches' own statements show it.
  std::string unit() const {
    for (const auto& rung : rungs()) {
      for (const auto& statement : body_of(context_.tree, rung)) {
        const auto inner = indent_at(text_, statement.range().begin);
        if (starts_line(text_, statement.range().begin) && inner.size() > indent_.size() && inner.starts_with(indent_)) return std::string(inner.substr(indent_.size()));
      }
    }
    return indent_unit(text_);
  }

  std::string_view between(std::size_t begin, std::size_t end) const { return text_.substr(begin, end - begin); }

  /// All branches stand on one line each.
  bool is_one_line() const {
    return lines_.size() == 1 && std::ranges::all_of(rungs(), [&](const Rung& rung) {
      return !between(rung.condition.range().begin, body_of(context_.tree, rung).back().range().end).contains('\n');
    });
  }

  std::string block_lines(const std::string& inner) const { return inner + join_lines(lines_, inner, line_break_); }

  /// `if C:` with its body, from the keyword on.
  std::string clause(std::string_view keyword) const {
    if (is_one_line()) return fmt::format("{} {}: {}", keyword, condition(), lines_[0].text);
    return fmt::format("{} {}:{}{}", keyword, condition(), line_break_, block_lines(indent_ + unit_));
  }

  /// In front of the comments at the ladder's own indentation that stand above a clause.
  std::size_t above_comments(std::size_t begin) const {
    auto at = line_begin(text_, begin);
    while (at > 0) {
      const auto above = line_begin(text_, at - 1);
      const auto first = above + indent_at(text_, above).size();
      const auto node = context_.tree.root().smallest_around({first, first + 1});
      if (!node.is_extra() || node.range().begin != first || indent_at(text_, above) != indent_) break;
      at = above;
    }
    return at;
  }

  /// Behind the comments that are indented deeper than the ladder and follow it.
  std::size_t below_comments(std::size_t end) const {
    auto at = line_end(text_, end);
    for (auto next = text_.find('\n', at); next != std::string_view::npos && next + 1 < text_.size(); next = text_.find('\n', at)) {
      const auto first = next + 1 + indent_at(text_, next + 1).size();
      const auto node = first < text_.size() ? context_.tree.root().smallest_around({first, first + 1}) : Node();
      if (!node || !node.is_extra() || node.range().begin != first || indent_at(text_, first).size() <= indent_.size()) break;
      at = line_end(text_, first);
    }
    return at;
  }

  Result<Edits> write_clause() const {
    const auto begin = wanted_.ladder.head.range().begin;
    if (!starts_line(text_, begin)) return failure("no-room", "the ladder does not begin its line", "edit this place by hand");
    if (index() == 0) {
      const auto token = wanted_.ladder.head.children()[0].range();
      return Edits{{token, fmt::format("{}{}{}elif", clause("if"), line_break_, indent_)}};
    }
    const auto next = index() < rungs().size() ? rungs()[index()].node : wanted_.ladder.otherwise;
    if (next) {
      const auto at = above_comments(next.range().begin);
      return Edits{{{at, at}, fmt::format("{}{}{}", indent_, clause("elif"), line_break_)}};
    }
    const auto at = below_comments(rungs().back().node.range().end);
    return Edits{{{at, at}, fmt::format("{}{}{}", line_break_, indent_, clause("elif"))}};
  }

  bool has_braces(const Rung& rung) const { return has_role(context_.tree, rung.body, Role::kBlock); }

  /// `if (C) {...}`; without braces only where no sibling has them.
  std::string chained() const {
    const auto& model = rungs()[0];
    const bool bare = lines_.size() == 1 && wanted_.body.nodes().size() == 1 && std::ranges::none_of(rungs(), [&](const Rung& rung) { return has_braces(rung); });
    const auto inner = indent_ + unit_;
    const auto keyword = trim(between(model.node.range().begin, model.condition.range().begin));  // `if`, `if constexpr`
    if (bare) {
      const bool own_line = between(model.condition.range().end, model.body.range().begin).contains('\n');
      return fmt::format("{} ({}){}{}", keyword, condition(), own_line ? line_break_ + inner : " ", lines_[0].text);
    }
    const auto braced = std::ranges::find_if(rungs(), [&](const Rung& rung) { return has_braces(rung); });
    const bool own_brace = braced != rungs().end() && between(braced->condition.range().end, braced->body.range().begin).contains('\n');
    return fmt::format("{} ({}){}{{{}{}{}{}}}", keyword, condition(), own_brace ? line_break_ + indent_ : " ", line_break_, block_lines(inner), line_break_, indent_);
  }

  /// What stands between the end of a body and `else`.
  std::string joint() const {
    const auto next = rungs().size() > 1 ? rungs()[1].node.parent() : wanted_.ladder.otherwise;
    if (!next) return has_braces(rungs()[0]) ? " " : line_break_ + indent_;
    return between(rungs()[0].body.range().end, next.range().begin).contains('\n') ? line_break_ + indent_ : " ";
  }

  Result<Edits> write_chained() const {
    const bool bare = !chained().ends_with('}');
    if (index() == 0) {
      const auto begin = wanted_.ladder.head.range().begin;
      return Edits{{{begin, begin}, fmt::format("{}{}else ", chained(), bare ? line_break_ + indent_ : joint())}};
    }
    const auto& above = rungs()[index() - 1];
    const auto end = above.body.range().end;
    const auto tail = line_tail(context_.tree, end);
    const bool has_comment = tail.is_clean && !tail.comments.empty();
    const auto at = has_comment ? tail.end : end;
    const auto lead = has_comment || !has_braces(above) ? line_break_ + indent_ : joint();
    auto insertion = fmt::format("{}else {}", lead, chained());
    const bool follows = index() < rungs().size() || wanted_.ladder.otherwise;
    // What follows on the line of a brace must not stand behind a statement without one.
    if (follows && bare && !tail.is_clean) insertion += line_break_ + indent_;
    return Edits{{{at, at}, std::move(insertion)}};
  }

  Result<Edits> write_case() const {
    const auto& otherwise = wanted_.ladder.otherwise;
    auto place = index() < rungs().size() ? rungs()[index()].node : otherwise;
    if (otherwise && index() == rungs().size() && otherwise.range().begin < rungs().back().node.range().begin) place = {};
    const auto statements = statements_of(context_.tree, wanted_.ladder.head);
    const auto above = std::find_if(statements.rbegin(), statements.rend(), [&](const Node& node) { return !place || node.range().begin < place.range().begin; });
    const bool falls = !context_.language().blocks_by_indentation();
    if (falls && above != statements.rend()) {
      const auto children = above->named_children();
      const auto last = std::find_if(children.rbegin(), children.rend(), [](const Node& node) { return !node.is_extra(); });
      if (last == children.rend() || !leaves(context_.tree, *last)) return failure("falls-through", "the case in front of that place falls through into the next", "choose another place");
    }
    if (falls && place && !leaves(wanted_.body.tree(), wanted_.body.nodes().back())) return failure("falls-through", "the new case would fall through into the next", "end BODY with `break;`");
    const auto body = block_lines(indent_ + unit_);
    auto branch = fmt::format("case {}:{}{}", condition(), line_break_, body);
    if (is_one_case_a_line()) branch = fmt::format("case {}: {}", condition(), lines_[0].text);
    if (place) {
      const auto at = above_comments(place.range().begin);
      return Edits{{{at, at}, fmt::format("{}{}{}", indent_, branch, line_break_)}};
    }
    const auto at = below_comments(statements.back().range().end);
    return Edits{{{at, at}, fmt::format("{}{}{}", line_break_, indent_, branch)}};
  }

  bool is_one_case_a_line() const {
    return lines_.size() == 1 && std::ranges::all_of(rungs(), [&](const Rung& rung) { return !rung.node.text(text_).contains('\n') && !body_of(context_.tree, rung).empty(); });
  }

  const EditContext& context_;
  const Wanted& wanted_;
  std::string_view text_;
  std::string line_break_, indent_, unit_;
  CodeLines lines_;
};

std::string branch_text(const Wanted& wanted) { return fmt::format("{}: {}", wanted.condition.text(), wanted.body.text()); }

Step conflict(const EditContext& context, const Wanted& wanted) {
  const auto range = wanted.ladder.rungs[*wanted.place.equal].node.range();
  const auto theirs = wanted.ladder.rungs[*wanted.place.equal].body;
  return Step::conflict("the branch stands there with another body", branch_text(wanted), std::string((theirs ? theirs.range() : range).of(context.text())), range);
}

bool is_equal(const EditContext& context, const Wanted& wanted) {
  return body_forms(context.tree, wanted.ladder.rungs[*wanted.place.equal]) == wanted.forms;
}

/// With on-conflict = "override" our statements in place of theirs.
Step override_body(const EditContext& context, const Wanted& wanted) {
  const auto& rung = wanted.ladder.rungs[*wanted.place.equal];
  const auto statements = body_of(context.tree, rung);
  if (context.rule.settings.on_conflict != OnConflict::kOverride || statements.empty()) return conflict(context, wanted);
  const ByteRange range{statements.front().range().begin, statements.back().range().end};
  const auto lines = statement_lines(wanted.body, indent_unit(context.text()));
  if (lines.size() > 1 && !starts_line(context.text(), range.begin)) return conflict(context, wanted);
  auto step = Step::edit({{range, join_lines(lines, indent_at(context.text(), range.begin), line_break_of(context.text()))}}, rung.node.range());
  if (rung.body) step.more_parents = {rung.body.range()};
  return step;
}

}  // namespace

Step plan_ensure_branch(const EditContext& context) {
  const auto wanted = look_up(context);
  if (!wanted) return wanted.error();
  if (wanted->place.equal) {
    if (is_equal(context, *wanted)) return Step::holds(wanted->ladder.rungs[*wanted->place.equal].node.range());
    return override_body(context, *wanted);
  }
  auto edits = BranchWriter(context, *wanted).write();
  if (!edits) return Step::blocked(edits.error(), context.node.range());
  return Step::edit(std::move(*edits), wanted->ladder.head.range());
}

Step revert_ensure_branch(const EditContext& context) {
  const auto wanted = look_up(context);
  if (!wanted) return wanted.error().code == "order-unknown" || wanted.error().code == "swallows" || wanted.error().code == "unreachable" ? Step::holds(context.node.range()) : wanted.error();
  const auto& ladder = wanted->ladder;
  if (!wanted->place.equal) return Step::holds(context.node.range());
  const auto index = *wanted->place.equal;
  CodeEvaluator evaluator(context.tree);
  const bool is_ours = evaluator.canonical(context.tree, condition_of(context.tree, ladder.rungs[index])) == evaluator.canonical(wanted->condition);
  if (!is_ours) return Step::holds(context.node.range());
  if (!is_equal(context, *wanted)) return conflict(context, *wanted);
  const auto text = context.text();
  const auto node = ladder.rungs[index].node.range();
  if (ladder.rungs.size() == 1) return Step::blocked("no-branch-left", "it is the only branch", "take it out by hand", node);
  const bool by_lines = ladder.is_cases || context.language().blocks_by_indentation();
  ByteRange range;
  std::string instead;
  if (!ladder.is_cases && index == 0) {
    const auto& next = ladder.rungs[1].node;
    const auto keyword = ladder.head.children()[0].range();
    range = {keyword.begin, context.language().blocks_by_indentation() ? next.children()[0].range().end : next.range().begin};
    if (context.language().blocks_by_indentation()) instead = std::string(keyword.of(text));
  } else if (by_lines) {
    const auto newline = text.find('\n', node.end);
    range = {line_begin(text, node.begin), newline == std::string_view::npos ? text.size() : newline + 1};
    if (newline == std::string_view::npos) range.begin = line_end(text, range.begin - 1);
  } else {
    range = {ladder.rungs[index - 1].body.range().end, ladder.rungs[index].body.range().end};
  }
  return Step::edit({{range, instead}}, ladder.head.range());
}

}  // namespace portpatch
