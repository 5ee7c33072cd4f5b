#include <algorithm>

#include <fmt/format.h>

#include "edit/blocks.h"
#include "edit/branch.h"
#include "edit/layout.h"
#include "edit/line_tail.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

using Edits = std::vector<TextEdit>;

/// Writes the branch as its siblings are written.
class BranchWriter {
 public:
  BranchWriter(const EditContext& context, const Wanted& wanted)
      : context_(context),
        wanted_(wanted),
        text_(context.text()),
        line_break_(line_break_of(context.text())),
        indent_(indent_at(context.text(), wanted.ladder.head.range().begin)) {
    if (wanted.ladder.is_cases()) indent_ = indent_at(text_, rungs()[0].node.range().begin);
    unit_ = unit();
    lines_ = statement_lines(wanted.body, unit_);
  }

  Result<Edits> write() const {
    if (wanted_.ladder.is_cases()) return write_case();
    if (wanted_.ladder.kind == LadderKind::kRun) return write_run();
    return context_.language().blocks_by_indentation() || clause_template() ? write_clause()
                                                                            : write_chained();
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
        if (starts_line(text_, statement.range().begin) && inner.size() > indent_.size() &&
            inner.starts_with(indent_))
          return std::string(inner.substr(indent_.size()));
      }
    }
    return indent_unit(text_);
  }

  std::string_view between(std::size_t begin, std::size_t end) const {
    return text_.substr(begin, end - begin);
  }

  /// All branches stand on one line each. One whose statements are missing stands nowhere.
  bool is_one_line() const {
    return lines_.size() == 1 && std::ranges::all_of(rungs(), [&](const Rung& rung) {
             const auto body = body_of(context_.tree, rung);
             return !body.empty() &&
                    !between(rung.condition.range().begin, body.back().range().end).contains('\n');
           });
  }

  std::string block_lines(const std::string& inner) const {
    return inner + join_lines(lines_, inner, line_break_);
  }

  /// `elseif({key})` where clauses have neither brackets nor indentation: keywords end them.
  const std::string* clause_template() const {
    const auto& templates = context_.language().entry_templates();
    const auto found = templates.find(wanted_.ladder.head.kind());
    return found == templates.end() ? nullptr : &found->second;
  }

  /// The head of a clause as the ladder's own are written: `ELSEIF (`.
  std::string templated_head(bool first) const {
    const auto head_of = [&](const Rung& rung) {
      return std::string(between(rung.node.range().begin, rung.condition.range().begin));
    };
    const auto own = head_of(rungs()[0]);
    const bool upper = own.starts_with("IF");
    const auto head = first                ? own
                      : rungs().size() > 1 ? head_of(rungs()[1])
                                           : (upper ? "ELSE" : "else") + own;
    const auto body = body_of(context_.tree, rungs()[0]);
    auto tail = between(rungs()[0].condition.range().end,
                        body.empty() ? rungs()[0].node.range().end : body.front().range().begin);
    tail = tail.substr(0, tail.find(')') + 1);
    return head + condition() + std::string(tail);
  }

  /// `if C:` with its body, from the keyword on.
  std::string clause(std::string_view keyword) const {
    if (clause_template())
      return templated_head(keyword == "if") + line_break_ + block_lines(indent_ + unit_);
    if (is_one_line()) return fmt::format("{} {}: {}", keyword, condition(), lines_[0].text);
    return fmt::format("{} {}:{}{}", keyword, condition(), line_break_,
                       block_lines(indent_ + unit_));
  }

  /// In front of the comments at the ladder's own indentation that stand above a clause.
  std::size_t above_comments(std::size_t begin) const {
    auto at = line_begin(text_, begin);
    while (at > 0) {
      const auto above = line_begin(text_, at - 1);
      const auto first = above + indent_at(text_, above).size();
      const auto node = context_.tree.root().smallest_around({first, first + 1});
      if (!node.is_extra() || node.range().begin != first || indent_at(text_, above) != indent_)
        break;
      at = above;
    }
    return at;
  }

  /// Behind the comments that are indented deeper than the ladder and follow it.
  std::size_t below_comments(std::size_t end) const {
    auto at = line_end(text_, end);
    for (auto next = text_.find('\n', at);
         next != std::string_view::npos && next + 1 < text_.size(); next = text_.find('\n', at)) {
      const auto first = next + 1 + indent_at(text_, next + 1).size();
      const auto node = first < text_.size()
                            ? context_.tree.root().smallest_around({first, first + 1})
                            : Node();
      if (!node || !node.is_extra() || node.range().begin != first ||
          indent_at(text_, first).size() <= indent_.size())
        break;
      at = line_end(text_, first);
    }
    return at;
  }

  /// What makes an `elif` of the `if` that it stands in front of.
  std::string_view else_joint() const {
    if (!clause_template()) return "el";
    return text_.substr(wanted_.ladder.head.range().begin).starts_with("IF") ? "ELSE" : "else";
  }

  Result<Edits> write_clause() const {
    const auto begin = wanted_.ladder.head.range().begin;
    if (!starts_line(text_, begin))
      return failure("no-room", "the ladder does not begin its line", "edit this place by hand");
    if (index() == 0) {
      // In front of the `if` that becomes an `elif`.
      return Edits{{{begin, begin},
                    fmt::format("{}{}{}{}", clause("if"), line_break_, indent_, else_joint())}};
    }
    const auto next = index() < rungs().size() ? rungs()[index()].node : wanted_.ladder.otherwise;
    if (next) {
      const auto at = above_comments(next.range().begin);
      return Edits{{{at, at}, fmt::format("{}{}{}", indent_, clause("elif"), line_break_)}};
    }
    const auto& last = rungs().back();
    const auto at = below_comments((clause_template() ? last.body : last.node).range().end);
    return Edits{{{at, at}, fmt::format("{}{}{}", line_break_, indent_, clause("elif"))}};
  }

  bool has_braces(const Rung& rung) const {
    return has_role(context_.tree, rung.body, Role::kBlock);
  }

  /// `if (C) {...}`; without braces only where no sibling has them.
  std::string chained() const {
    const auto& model = rungs()[0];
    const bool bare = lines_.size() == 1 && wanted_.body.nodes().size() == 1 &&
                      std::ranges::none_of(rungs(),
                                           [&](const Rung& rung) { return has_braces(rung); });
    const auto inner = indent_ + unit_;
    const auto keyword = trim(
        between(model.node.range().begin, model.condition.range().begin));  // `if`, `if constexpr`
    if (bare) {
      const bool own_line = between(model.condition.range().end, model.body.range().begin)
                                .contains('\n');
      return fmt::format("{} ({}){}{}", keyword, condition(), own_line ? line_break_ + inner : " ",
                         lines_[0].text);
    }
    const auto braced = std::ranges::find_if(rungs(),
                                             [&](const Rung& rung) { return has_braces(rung); });
    const bool own_brace = braced != rungs().end() &&
                           between(braced->condition.range().end, braced->body.range().begin)
                               .contains('\n');
    return fmt::format("{} ({}){}{{{}{}{}{}}}", keyword, condition(),
                       own_brace ? line_break_ + indent_ : " ", line_break_, block_lines(inner),
                       line_break_, indent_);
  }

  /// What stands between the end of a body and `else`.
  std::string joint() const {
    const auto next = rungs().size() > 1 ? rungs()[1].node.parent() : wanted_.ladder.otherwise;
    if (!next) return has_braces(rungs()[0]) ? " " : line_break_ + indent_;
    return between(rungs()[0].body.range().end, next.range().begin).contains('\n')
               ? line_break_ + indent_
               : " ";
  }

  Result<Edits> write_chained() const {
    const bool bare = !chained().ends_with('}');
    if (index() == 0) {
      const auto begin = wanted_.ladder.head.range().begin;
      return Edits{{{begin, begin},
                    fmt::format("{}{}else ", chained(), bare ? line_break_ + indent_ : joint())}};
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

  /// Does a blank line stand in front of each `if` of a run but the first?
  bool is_apart() const {
    for (std::size_t i = 1; i < rungs().size(); ++i) {
      const auto top = with_comments_above(context_.tree, rungs()[i].node).range().begin;
      if (blank_lines(between(rungs()[i - 1].node.range().end, top)) == 0) return false;
    }
    return rungs().size() > 1;
  }

  /// A statement of its own: what is in front of it must leave, and so must it.
  Result<Edits> write_run() const {
    if (!leaves(wanted_.body.tree(), wanted_.body.nodes().back())) {
      return failure("falls-through", "each `if` of this run leaves, and BODY does not",
                     "end BODY with a statement that leaves, such as `return`");
    }
    const CodeLine code{context_.language().blocks_by_indentation() ? clause("if") : chained(),
                        false};
    const bool first = index() < rungs().size();
    const auto anchor = first ? with_comments_above(context_.tree, rungs()[index()].node)
                              : rungs().back().node;
    const auto& neighbour = first ? rungs()[index()].node : anchor;
    if (!starts_line(text_, neighbour.range().begin) ||
        !line_tail(context_.tree, rungs().back().node.range().end).is_clean) {
      return failure("no-room", "an `if` of the run shares its line with other code",
                     "break the line in the source");
    }
    CodeLines lines{code};
    if (is_apart()) lines.insert(first ? lines.end() : lines.begin(), CodeLine());
    return first ? insert_in_front(context_.tree, anchor, lines)
                 : insert_behind(context_.tree, anchor, lines);
  }

  Result<Edits> write_case() const {
    const auto& otherwise = wanted_.ladder.otherwise;
    auto place = index() < rungs().size() ? rungs()[index()].node : otherwise;
    if (otherwise && index() == rungs().size() &&
        otherwise.range().begin < rungs().back().node.range().begin)
      place = {};
    const auto statements = statements_of(context_.tree, wanted_.ladder.head);
    const auto above = std::find_if(statements.rbegin(), statements.rend(), [&](const Node& node) {
      return !place || node.range().begin < place.range().begin;
    });
    const bool falls = !context_.language().blocks_by_indentation();
    if (falls && above != statements.rend()) {
      const auto children = above->named_children();
      const auto last = std::find_if(children.rbegin(), children.rend(),
                                     [](const Node& node) { return !node.is_extra(); });
      if (last == children.rend() || !leaves(context_.tree, *last))
        return failure("falls-through",
                       "the case in front of that place falls through into the next",
                       "choose another place");
    }
    if (falls && place && !leaves(wanted_.body.tree(), wanted_.body.nodes().back()))
      return failure("falls-through", "the new case would fall through into the next",
                     "end BODY with `break;`");
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
    return lines_.size() == 1 && std::ranges::all_of(rungs(), [&](const Rung& rung) {
             return !rung.node.text(text_).contains('\n') && !body_of(context_.tree, rung).empty();
           });
  }

  const EditContext& context_;
  const Wanted& wanted_;
  std::string_view text_;
  std::string line_break_, indent_, unit_;
  CodeLines lines_;
};

}  // namespace

Result<Edits> write_branch(const EditContext& context, const Wanted& wanted) {
  return BranchWriter(context, wanted).write();
}

}  // namespace portpatch
