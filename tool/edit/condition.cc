// widen! and narrow!: one more operand for a condition.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "edit/branch.h"
#include "edit/condition_text.h"
#include "edit/layout.h"
#include "edit/tree_compare.h"
#include "syntax/code_form.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

/// Helpers that stand for helpers that stand for helpers: more are not followed.
constexpr int kMostHelpers = 4;

Junction widening(const Language& language) {
  return {Role::kDisjunction, Role::kConjunction, language.disjunction(), true};
}
Junction narrowing(const Language& language) {
  return {Role::kConjunction, Role::kDisjunction, language.conjunction(), false};
}

/// The frames of an operand: code, or what the preprocessor reads.
constexpr std::string_view kKinds[] = {"expression", "directive"};

/// A condition and what is to be joined to it.
struct Join {
  Node condition;  ///< without grouping parentheses
  Fragment operand;
  std::vector<std::string> wanted;  ///< canonical forms of the operand's own operands
};

std::expected<Join, Step> read_join(const EditContext& context, const Junction& junction,
                                    std::string_view kind) {
  const auto site = context.node.range();
  const auto& language = context.language();
  if (junction.token.empty()) {
    return std::unexpected(Step::blocked("no-condition",
                                         fmt::format("{} has no conditions", language.title()),
                                         "use another directive", site));
  }
  if (has_role(context.tree, context.node, Role::kSpread)) {
    return std::unexpected(Step::blocked("no-room", "what is spread is no condition",
                                         "capture the condition itself, a whole expression", site));
  }
  const auto condition = inside_groups(context.tree, context.node);
  const auto text = requote(language, kind, context.directive.texts[0],
                            house_quote(context.tree, condition));
  auto operand = Fragment::parse(language, kind, text);
  if (!operand) return std::unexpected(Step::blocked(operand.error(), site));
  if (!operand->comments().empty()) {
    return std::unexpected(Step::blocked("comment-in-code",
                                         "a comment cannot come along into a condition",
                                         "take it out of the rule's EXPRESSION", site));
  }
  Join join{condition, std::move(*operand), {}};
  CodeEvaluator evaluator(context.tree);
  for (const auto& one : operands_of(join.operand.tree(), join.operand.nodes()[0], junction.role)) {
    join.wanted.push_back(evaluator.canonical(join.operand.tree(), one));
  }
  return join;
}

/// Does a condition have operands already, itself or through what the file defines its names as?
class HeldSearch {
 public:
  HeldSearch(const SourceTree& tree, const Join& join, const Junction& junction)
      : tree_(tree),
        evaluator_(tree),
        wanted_(join.wanted),
        role_(junction.role),
        settles_(junction.settles),
        is_plain_(names_are_plain(join.operand)) {}

  bool holds(const Node& condition) {
    found_.clear();
    if (is_constant(condition)) return true;
    collect(condition, 0);
    return std::ranges::all_of(wanted_,
                               [&](const std::string& form) { return found_.contains(form); });
  }

 private:
  bool is_constant(const Node& node) {
    const auto value = evaluator_.evaluate(tree_, node);
    const auto* truth = value ? std::get_if<bool>(&value->value) : nullptr;
    return truth != nullptr && *truth == settles_;
  }

  void collect(const Node& node, int helpers) {
    for (const auto& operand : operands_of(tree_, node, role_)) {
      found_.insert(evaluator_.canonical(tree_, operand));
      if (helpers == kMostHelpers || !is_plain_) continue;
      if (const auto meaning = meaning_of(operand)) collect(meaning, helpers + 1);
    }
  }

  /// A name of the operand that is given more than one value may have changed since the helper was
  /// worked out.
  bool names_are_plain(const Fragment& operand) const {
    bool plain = true;
    walk(operand.nodes()[0], [&](const Node& node) {
      if (has_role(operand.tree(), node, Role::kReference) &&
          !has_role(operand.tree(), node, Role::kMember)) {
        plain &= definitions_of(tree_, node.text(operand.tree().text())).size() <= 1;
      }
      return plain;
    });
    return plain;
  }

  /// What a name stands for, or a call without arguments: the expression that the file defines it
  /// as.
  Node meaning_of(const Node& operand) const {
    if (has_role(tree_, operand, Role::kReference)) return value_of(definition_seen_from(operand));
    const auto parts = operand.named_children();
    const bool is_call = parts.size() == 2 && has_role(tree_, parts[0], Role::kReference) &&
                         has_role(tree_, parts[1], Role::kArguments) &&
                         parts[1].named_children().empty();
    return is_call ? returned_by(definition_seen_from(parts[0])) : Node();
  }

  /// The file's one definition of a name, in a scope around `use`; a null node when there is none
  /// or more.
  Node definition_seen_from(const Node& use) const {
    const auto places = definitions_of(tree_, use.text(tree_.text()));
    if (places.size() != 1 || places[0].range().begin > use.range().begin) return {};
    const auto scope = scope_of_definition(tree_, places[0]);
    return !scope || scope.range().contains(use.range()) ? places[0] : Node();
  }

  /// The value of a statement `NAME = value` that runs whenever the code behind it in its block
  /// does.
  Node value_of(const Node& definition) const {
    const auto binding = definition ? ancestor_with(tree_, definition, Role::kBinding) : Node();
    return binding && child_with(tree_, binding, Role::kName) == definition
               ? child_with(tree_, binding, Role::kValue)
               : Node();
  }

  /// What a function gives back whose body is nothing but that (and its description).
  Node returned_by(const Node& definition) const {
    const auto function = definition && has_role(tree_, definition, Role::kScopeName)
                              ? ancestor_with(tree_, definition, Role::kScope)
                              : Node();
    const auto body = function ? child_with(tree_, function, Role::kBlock) : Node();
    Node value;
    for (const auto& statement : body ? body.named_children() : std::vector<Node>()) {
      if (statement.is_extra() || is_text(statement)) continue;
      if (value) return {};
      value = child_with(tree_, statement, Role::kReturned);
      if (!value) return {};
    }
    return value;
  }

  bool is_text(const Node& statement) const {
    const auto text = descendant_with(tree_, statement, Role::kString);
    return text && text.range() == statement.range();
  }

  const SourceTree& tree_;
  CodeEvaluator evaluator_;
  const std::vector<std::string>& wanted_;
  const Role role_;
  const bool settles_, is_plain_;
  std::set<std::string> found_;
};

/// The whole chain that `condition` is an operand of: a condition that has been widened already may
/// still be captured by what it read before.
Node chain_around(const SourceTree& tree, const Node& condition, Role role) {
  Node whole = condition;
  for (auto node = condition.parent(); node; node = node.parent()) {
    if (has_role(tree, node, role))
      whole = node;
    else if (!has_role(tree, node, Role::kGroup))
      break;
  }
  return whole;
}

/// `#ifdef A`, captured by its name or as a whole, has no condition to join to before it is `#if
/// defined(A)`.
std::optional<Step> plan_defined(const EditContext& context, const Junction& junction) {
  const auto arm = has_role(context.tree, context.node, Role::kConditional) ? context.node
                                                                            : context.node.parent();
  if (!has_role(context.tree, arm, Role::kConditional) ||
      !arm.children()[0].text(context.text()).ends_with("def"))
    return std::nullopt;
  const auto name = child_with(context.tree, arm, Role::kRungCondition);
  if (context.node != arm && context.node != name) return std::nullopt;
  const auto ladder = read_conditionals(context.tree, arm);
  if (!ladder)
    return Step::blocked("include-guard", "this is the include guard of the file",
                         "capture another condition", context.node.range());
  const auto index = static_cast<std::size_t>(std::ranges::find(ladder->rungs, arm, &Rung::node) -
                                              ladder->rungs.begin());
  auto operand = Fragment::parse(context.language(), "directive", context.directive.texts[0]);
  if (!operand) return Step::blocked(operand.error(), context.node.range());
  // The same condition by itself, in the notation of #if.
  const std::string front = "#if ";
  const auto spelled = condition_text(context.tree, *ladder, ladder->rungs[index]);
  const auto alone = SourceTree::parse(context.language(), front + spelled + "\n#endif\n");
  auto condition = alone ? alone->root().smallest_around(
                               {front.size(), front.size() + spelled.size()})
                         : Node();
  if (!condition || condition.range() != ByteRange{front.size(), front.size() + spelled.size()} ||
      !operand->comments().empty() || operand->text().contains('\n')) {
    return Step::blocked("no-room", "the condition cannot be spelled out",
                         "edit this place by hand", context.node.range());
  }
  Join join{condition, std::move(*operand), {}};
  CodeEvaluator evaluator(*alone);
  for (const auto& one : operands_of(join.operand.tree(), join.operand.nodes()[0], junction.role))
    join.wanted.push_back(evaluator.canonical(join.operand.tree(), one));
  if (HeldSearch(*alone, join, junction).holds(condition)) return Step::holds(context.node.range());
  auto edits = join_condition(*alone, condition, join.operand, junction);
  if (!edits) return Step::blocked(edits.error(), context.node.range());
  std::ranges::sort(edits->edits);
  const auto line = apply_edits(alone->text(), edits->edits);
  return spell_condition_out(context, *ladder, index,
                             line.substr(front.size(), line.find('\n') - front.size()));
}

Step plan(const EditContext& context, const Junction& junction) {
  if (auto step = plan_defined(context, junction)) return std::move(*step);
  std::vector<Join> joins;
  std::optional<Step> wrong;
  for (const auto kind : kKinds) {
    if (context.language().frames(kind).empty()) continue;
    auto join = read_join(context, junction, kind);
    if (!join) {
      if (!wrong) wrong = join.error();
      continue;
    }
    if (HeldSearch(context.tree, *join, junction)
            .holds(chain_around(context.tree, join->condition, junction.role)))
      return Step::holds(context.node.range());
    joins.push_back(std::move(*join));
  }
  for (const auto& join : joins) {
    auto edits = join_condition(context.tree, join.condition, join.operand, junction);
    if (edits)
      return Step::rewrite(std::move(edits->edits), edits->nodes, std::move(edits->becomes));
    if (!wrong) wrong = Step::blocked(edits.error(), context.node.range());
  }
  return *wrong;
}

/// The rest of a chain in front of its last operands when these are the wanted ones, else a null
/// node.
Node rest_before(const SourceTree& tree, const Join& join, const Junction& junction) {
  CodeEvaluator evaluator(tree);
  Node rest = join.condition;
  std::vector<std::string> taken;
  while (taken.size() < join.wanted.size() && has_role(tree, rest, junction.role)) {
    const auto operands = operands_of(tree, rest.field("right"), junction.role);
    for (auto one = operands.rbegin(); one != operands.rend(); ++one)
      taken.insert(taken.begin(), evaluator.canonical(tree, *one));
    rest = rest.field("left");
  }
  return taken == join.wanted ? rest : Node();
}

/// Deletes `range` but for the comments in it.
std::vector<TextEdit> delete_code(const SourceTree& tree, const Node& around, ByteRange range) {
  std::vector<TextEdit> edits;
  auto at = range.begin;
  const auto delete_to = [&](std::size_t end, bool keep_blanks) {
    auto piece = tree.text().substr(at, end - at);
    if (keep_blanks) piece = piece.substr(0, piece.find_last_not_of(" \t\r\n") + 1);
    if (!piece.empty()) edits.push_back({{at, at + piece.size()}, ""});
  };
  walk(around, [&](const Node& node) {
    const bool is_comment = node.is_extra() && node.child_count() == 0 &&
                            !node.text(tree.text()).starts_with('\\');
    if (is_comment && range.contains(node.range())) {
      delete_to(node.range().begin, true);
      at = node.range().end;
    }
    return true;
  });
  delete_to(range.end, false);
  return edits;
}

/// `edits` and the parentheses around a group deleted.
void strip(const Node& group, std::vector<TextEdit>& edits) {
  const auto range = group.range();
  edits.push_back({{range.begin, range.begin + 1}, ""});
  edits.push_back({{range.end - 1, range.end}, ""});
}

/// Would the directive make the text that is there of the text without its operand?
bool would_make(const EditContext& context, const Junction& junction,
                const std::vector<TextEdit>& edits, ByteRange rest) {
  const auto before = SourceTree::parse(context.language(), apply_edits(context.text(), edits));
  if (!before) return false;
  const auto begin = OffsetMap(edits).least(rest.begin);
  const auto node = before->root().smallest_around({begin, begin + rest.size()});
  if (node.range() != ByteRange{begin, begin + rest.size()}) return false;
  const EditContext there{*before, context.rule,     context.directive,
                          node,    context.nodes_of, context.is_stable,
                          true,    context.file};
  auto step = plan(there, junction);
  std::ranges::sort(step.edits);
  return step.kind == Step::Kind::kEdit &&
         apply_edits(before->text(), step.edits) == context.text();
}

Step revert(const EditContext& context, const Junction& junction) {
  const auto& tree = context.tree;
  std::optional<Join> join;
  Node rest;
  for (const auto kind : kKinds) {
    if (context.language().frames(kind).empty() || rest) continue;
    auto one = read_join(context, junction, kind);
    if (one) one->condition = chain_around(tree, one->condition, junction.role);
    if (!one || !(rest = rest_before(tree, *one, junction))) continue;
    join.emplace(std::move(*one));
  }
  if (!rest) return Step::holds(context.node.range());
  const auto whole = join->condition.parent();
  const bool in_group = has_role(tree, whole, Role::kGroup) &&
                        whole.text(context.text()).starts_with('(') &&
                        whole.named_children().size() == 1;
  const bool is_group = has_role(tree, rest, Role::kGroup);
  const auto base = delete_code(tree, join->condition,
                                {rest.range().end, join->condition.range().end});
  for (const auto& [outer, inner] :
       {std::pair(true, true), {false, true}, {true, false}, {false, false}}) {
    if ((outer && !in_group) || (inner && !is_group)) continue;
    auto edits = base;
    if (outer) strip(whole, edits);
    if (inner) strip(rest, edits);
    std::ranges::sort(edits);
    const auto kept = inner ? inside_groups(tree, rest).range() : rest.range();
    const auto nodes = outer ? whole.range() : join->condition.range();
    const auto becomes = exact_form(tree, rest);
    if (difference_of_edits(tree, edits, {.parent = nodes, .becomes = becomes})) continue;
    const bool last = !outer && !inner;
    if (last || would_make(context, junction, edits, kept))
      return Step::rewrite(std::move(edits), nodes, becomes);
  }
  return Step::blocked("no-room", "the operand cannot be taken out of the condition",
                       "take it out by hand", context.node.range());
}

}  // namespace

Step plan_widen(const EditContext& context) { return plan(context, widening(context.language())); }
Step plan_narrow(const EditContext& context) {
  return plan(context, narrowing(context.language()));
}
Step revert_widen(const EditContext& context) {
  return revert(context, widening(context.language()));
}
Step revert_narrow(const EditContext& context) {
  return revert(context, narrowing(context.language()));
}

}  // namespace portpatch
