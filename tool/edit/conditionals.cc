// A branch among the preprocessor's conditionals: #if / #elif / #else, whole lines.
#include <algorithm>

#include <fmt/format.h>

#include "edit/blocks.h"
#include "edit/branch.h"
#include "edit/layout.h"
#include "edit/tree_compare.h"
#include "syntax/code_form.h"
#include "syntax/language.h"
#include "syntax/preprocessor.h"

namespace portpatch {

namespace {

/// A directive line and what stands under it.
struct Arm {
  std::string line;                ///< from the # on, without comments
  std::vector<std::string> forms;  ///< exact, of what stands there
};

class Arms {
 public:
  Arms(const EditContext& context, const Ladder& ladder)
      : tree_(context.tree), ladder_(ladder), text_(context.text()) {
    for (const auto& rung : ladder.rungs)
      arms.push_back({fmt::format("{} {}", token(rung.node), rung.condition.text(text_)),
                      forms_of(rung.node)});
    if (ladder.otherwise) arms.push_back({token(ladder.otherwise), forms_of(ladder.otherwise)});
  }

  std::string token(const Node& arm) const { return std::string(arm.children()[0].text(text_)); }
  Node end() const { return ladder_.head.children().back(); }

  /// The # of the ladder with the blanks behind it, and `word`.
  std::string directive(std::string_view word) const {
    const auto first = token(ladder_.head);
    return first.substr(0, first.find('i')) + std::string(word);
  }

  /// The first arm's line as that of a later one: `#ifdef A` is `#elif defined(A)` there.
  std::string first_as_later() const {
    return fmt::format("{} {}", directive("elif"),
                       condition_text(tree_, ladder_, ladder_.rungs[0]));
  }
  /// A later arm's directive as the first one's: `#elif` without `el`.
  std::string later_as_first(const Node& arm) const {
    auto word = token(arm);
    return word.erase(word.find("el"), 2);
  }

  /// The form of the conditional made of `arms`; statements stand in for what is under them.
  Result<std::string> form() const {
    std::string skeleton;
    for (const auto& arm : arms)
      skeleton += fmt::format("{}\n{}", arm.line, arm.forms.empty() ? "" : "portpatch_arm;\n");
    const auto fragment = Fragment::parse(tree_.language(), "statement",
                                          skeleton + std::string(end().text(text_)));
    if (!fragment) return std::unexpected(fragment.error());
    const auto made = read_conditionals(fragment->tree(), fragment->nodes()[0]);
    if (!made || made->rungs.size() + (made->otherwise ? 1 : 0) != arms.size())
      return failure("no-room", "the conditional is not understood");
    std::vector<Stand> stands;
    for (std::size_t i = 0; i < arms.size(); ++i) {
      const auto statements = statements_of(
          fragment->tree(), i < made->rungs.size() ? made->rungs[i].node : made->otherwise);
      if (statements.size() != (arms[i].forms.empty() ? 0 : 1))
        return failure("no-room", "the conditional is not understood");
      if (!statements.empty())
        stands.push_back({.leaf = {}, .nodes = statements, .forms = arms[i].forms});
    }
    return exact_form(fragment->tree(), made->head, stands);
  }

  std::vector<Arm> arms;

 private:
  std::vector<std::string> forms_of(const Node& arm) const {
    std::vector<std::string> forms;
    for (const auto& child : statements_of(tree_, arm)) {
      if (auto form = exact_form(tree_, child); !form.empty()) forms.push_back(std::move(form));
    }
    return forms;
  }

  const SourceTree& tree_;
  const Ladder& ladder_;
  std::string_view text_;
};

Step rewrite(const EditContext& context, const Ladder& ladder, const Arms& arms, TextEdit edit) {
  const auto range = ladder.head.range();
  auto form = arms.form();
  std::string why = form ? "" : form.error().message;
  if (form && mask_conditionals(apply_edits(context.text(), {edit})).empty())
    why = "the file's #if and #endif do not pair up";
  if (form && why.empty())
    why = difference_of_edits(context.tree, {edit}, {.parent = range, .becomes = *form})
              .value_or("");
  if (!why.empty())
    return Step::blocked("no-room", fmt::format("the branch cannot be written there: {}", why),
                         "edit this place by hand", range);
  return Step::rewrite({std::move(edit)}, range, std::move(*form));
}

std::optional<Step> objection_to_place(const EditContext& context, const Ladder& ladder) {
  const auto range = ladder.head.range();
  if (ladder.head.has_error())
    return Step::blocked("syntax-error", "there is a syntax error among these conditionals",
                         "edit this place by hand", range);
  const auto stands_alone = [&](const Node& arm) {
    return starts_line(context.text(), arm.range().begin);
  };
  const bool lines = std::ranges::all_of(
                         ladder.rungs, [&](const Rung& rung) { return stands_alone(rung.node); }) &&
                     (!ladder.otherwise || stands_alone(ladder.otherwise));
  return lines ? std::nullopt
               : std::optional(Step::blocked("no-room", "a directive does not begin its line",
                                             "edit this place by hand", range));
}

/// The indentation of what stands under the directives.
std::string inner_indent(const EditContext& context, const Ladder& ladder) {
  for (const auto& rung : ladder.rungs) {
    for (const auto& statement : statements_of(context.tree, rung.node))
      return std::string(indent_at(context.text(), statement.range().begin));
  }
  return std::string(indent_at(context.text(), ladder.head.range().begin));
}

}  // namespace

Step add_conditional(const EditContext& context, const Wanted& wanted) {
  const auto& ladder = wanted.ladder;
  if (auto why = objection_to_place(context, ladder)) return std::move(*why);
  if (!wanted.condition.comments().empty() || wanted.condition.text().contains('\n')) {
    return Step::blocked("no-room", "CONDITION is more than one line of the preprocessor",
                         "write it on one line, without comments", context.node.range());
  }
  const auto text = context.text();
  const auto index = wanted.place.index;
  const auto line_break = line_break_of(text);
  Arms arms(context, ladder);
  Arm arm{.line = fmt::format("{} {}", arms.directive(index == 0 ? "if" : "elif"),
                              wanted.condition.text()),
          .forms = {}};
  for (const auto& node : wanted.body.nodes())
    arm.forms.push_back(exact_form(wanted.body.tree(), node));
  const auto indent = std::string(indent_at(text, ladder.head.range().begin)),
             inner = inner_indent(context, ladder);
  const auto lines = fmt::format(
      "{}{}{}{}{}", arm.line, line_break, inner,
      join_lines(statement_lines(wanted.body, indent_unit(text)), inner, line_break), line_break);
  arms.arms.insert(arms.arms.begin() + static_cast<std::ptrdiff_t>(index), std::move(arm));
  if (index == 0) {
    const auto token = ladder.head.children()[0].range();
    const auto later = arms.first_as_later();
    arms.arms[1].line = later;
    const bool keeps = condition_text(context.tree, ladder, ladder.rungs[0]) ==
                       ladder.rungs[0].condition.text(text);
    const ByteRange range{token.begin, keeps ? token.end : ladder.rungs[0].condition.range().end};
    return rewrite(context, ladder, arms,
                   {range, lines + indent + (keeps ? arms.directive("elif") : later)});
  }
  const auto next = index < ladder.rungs.size() ? ladder.rungs[index].node
                    : ladder.otherwise          ? ladder.otherwise
                                                : arms.end();
  const auto at = line_begin(text, next.range().begin);
  return rewrite(context, ladder, arms, {{at, at}, indent + lines});
}

Step spell_condition_out(const EditContext& context, const Ladder& ladder, std::size_t index,
                         const std::string& condition) {
  if (auto why = objection_to_place(context, ladder)) return std::move(*why);
  Arms arms(context, ladder);
  const auto& rung = ladder.rungs[index];
  const auto line = fmt::format("{} {}", arms.directive(index == 0 ? "if" : "elif"), condition);
  arms.arms[index].line = line;
  return rewrite(context, ladder, arms,
                 {{rung.node.children()[0].range().begin, rung.condition.range().end}, line});
}

Step take_conditional_out(const EditContext& context, const Ladder& ladder, std::size_t index) {
  if (auto why = objection_to_place(context, ladder)) return std::move(*why);
  Arms arms(context, ladder);
  const auto next = index + 1 < ladder.rungs.size() ? ladder.rungs[index + 1].node
                    : ladder.otherwise              ? ladder.otherwise
                                                    : arms.end();
  arms.arms.erase(arms.arms.begin() + static_cast<std::ptrdiff_t>(index));
  if (index > 0)
    return rewrite(context, ladder, arms,
                   {{line_begin(context.text(), ladder.rungs[index].node.range().begin),
                     line_begin(context.text(), next.range().begin)},
                    ""});
  const auto first = arms.later_as_first(next);
  arms.arms[0].line = first + arms.arms[0].line.substr(arms.token(next).size());
  return rewrite(context, ladder, arms,
                 {{ladder.head.range().begin, next.children()[0].range().end}, first});
}

}  // namespace portpatch
