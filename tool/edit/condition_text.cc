#include "edit/condition_text.h"

#include <fmt/format.h>

#include "edit/layout.h"
#include "edit/line_tail.h"
#include "edit/tree_compare.h"
#include "syntax/code_form.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

/// Which parts get parentheses.
struct Parentheses {
  bool whole = false, left = false, right = false;
};
/// In the order of preference.
constexpr Parentheses kSpellings[] = {{},
                                      {.right = true},
                                      {.left = true},
                                      {.left = true, .right = true},
                                      {.whole = true},
                                      {.whole = true, .right = true},
                                      {.whole = true, .left = true},
                                      {true, true, true}};

/// How the condition's last operator is set between its operands.
struct Style {
  std::string before = " ", behind = " ";  ///< the operator
  [[nodiscard]] bool breaks_before() const { return before.contains('\n'); }
  [[nodiscard]] bool breaks_behind() const { return behind.contains('\n'); }
};

/// A gap between two tokens without its comments: " ", or a line break (with its backslash) and
/// indentation.
std::string gap_style(std::string_view gap) {
  const auto newline = gap.rfind('\n');
  if (newline == std::string_view::npos) return " ";
  const bool crlf = newline > 0 && gap[newline - 1] == '\r';
  const auto front = gap.substr(0, newline - (crlf ? 1 : 0));
  return (front.ends_with('\\') ? " \\" : "") + std::string(crlf ? "\r" : "") +
         std::string(gap.substr(newline));
}

Style style_of(const SourceTree& tree, const Node& condition) {
  if (!has_role(tree, condition, Role::kConjunction) &&
      !has_role(tree, condition, Role::kDisjunction))
    return {};
  const auto token = condition.field("operator").range();
  const auto between = [&](std::size_t begin, std::size_t end) {
    return tree.text().substr(begin, end - begin);
  };
  return {.before = gap_style(between(condition.field("left").range().end, token.begin)),
          .behind = gap_style(between(token.end, condition.field("right").range().begin))};
}

/// Does the code of `node` go on in another line outside of its own brackets?
bool breaks_line(const SourceTree& tree, const Node& node) {
  int depth = 0;
  auto at = node.range().begin;
  bool breaks = false;
  walk(node, [&](const Node& token) {
    const bool leaf = token.child_count() == 0 || has_role(tree, token, Role::kString);
    if (!leaf) return true;
    const auto text = token.text(tree.text());
    breaks |= depth == 0 && tree.text().substr(at, token.range().begin - at).contains('\n');
    if (text == "(" || text == "[" || text == "{") ++depth;
    if (text == ")" || text == "]" || text == "}") --depth;
    at = token.range().end;
    return false;
  });
  return breaks;
}

class Joiner {
 public:
  Joiner(const SourceTree& tree, const Node& condition, const Fragment& operand,
         const Junction& junction)
      : tree_(tree),
        condition_(condition),
        operand_(operand),
        junction_(junction),
        style_(style_of(tree, condition)) {}

  Result<JoinEdits> join() {
    std::vector<std::string> forms;
    for (const auto& one : operands_of(tree_, condition_, junction_.role))
      forms.push_back(exact_form(tree_, one));
    for (const auto& one : operands_of(operand_.tree(), operand_.nodes()[0], junction_.role))
      forms.push_back(exact_form(operand_.tree(), one));
    const auto becomes = chain_form(junction_.role, forms);
    const bool is_broken = tree_.language().blocks_by_indentation() &&
                           breaks_line(operand_.tree(), operand_.nodes()[0]);
    std::string why;
    for (const auto& spelling : kSpellings) {
      if ((needs_parentheses(tree_, condition_) && !spelling.left) ||
          ((needs_parentheses(operand_.tree(), operand_.nodes()[0]) || is_broken) &&
           !spelling.right)) {
        continue;
      }
      auto edits = spell(spelling);
      const ByteRange nodes{condition_.range().begin, edits.back().range.end};
      auto difference = difference_of_edits(tree_, edits, {.parent = nodes, .becomes = becomes});
      if (!difference) return JoinEdits{std::move(edits), nodes, becomes};
      why = std::move(*difference);
    }
    return failure("no-room", fmt::format("`{}` cannot be joined to it: {}", operand_.text(), why),
                   "capture the condition itself, a whole expression");
  }

 private:
  bool needs_parentheses(const SourceTree& tree, const Node& node) const {
    const bool mixed = tree_.language().parentheses_between_and_or() &&
                       has_role(tree, node, junction_.other);
    return mixed || has_role(tree, node, Role::kLoose);
  }

  std::string operand_text(const Parentheses& spelling) const {
    const auto text = tree_.text();
    const auto& broken = style_.breaks_before() ? style_.before : style_.behind;
    const auto indent = broken.contains('\n')
                            ? broken.substr(broken.rfind('\n') + 1)
                            : std::string(indent_at(text, condition_.range().end));
    auto printed = std::string(operand_.text());
    if (printed.contains('\n')) printed = print_value(operand_, {tree_, {}, indent, 0});
    return fmt::format("{}{}{}{}", spelling.right ? "(" : "", printed, spelling.right ? ")" : "",
                       spelling.whole ? ")" : "");
  }

  /// Sorted edits: what goes in front, behind the condition, and behind the comments on its last
  /// line.
  std::vector<TextEdit> spell(const Parentheses& spelling) const {
    const auto range = condition_.range();
    const auto tail = line_tail(tree_, range.end);
    const auto line = tail.is_clean && !tail.comments.empty() ? tail.comments.end : range.end;
    const auto open = std::string(spelling.whole ? "(" : "") + (spelling.left ? "(" : "");
    std::string here = spelling.left ? ")" : "", behind;
    const bool continued = style_.before.contains('\\') || style_.behind.contains('\\');
    if (style_.breaks_before()) {
      behind = style_.before + junction_.token + style_.behind;
    } else if (style_.breaks_behind()) {
      here += style_.before + junction_.token;
      behind = style_.behind;
    } else {
      here += fmt::format(" {} ", junction_.token);
    }
    behind += operand_text(spelling);
    const bool apart = line != range.end && !continued &&
                       (style_.breaks_before() || style_.breaks_behind());
    std::vector<TextEdit> edits;
    if (!open.empty()) edits.push_back({{range.begin, range.begin}, open});
    if (!apart) edits.push_back({{range.end, range.end}, here + behind});
    if (apart && !here.empty()) edits.push_back({{range.end, range.end}, here});
    if (apart) edits.push_back({{line, line}, behind});
    return edits;
  }

  const SourceTree& tree_;
  const Node condition_;
  const Fragment& operand_;
  const Junction& junction_;
  const Style style_;
};

}  // namespace

Result<JoinEdits> join_condition(const SourceTree& tree, const Node& condition,
                                 const Fragment& operand, const Junction& junction) {
  return Joiner(tree, condition, operand, junction).join();
}

}  // namespace portpatch
