#include "inventory/place_builder.h"

#include <algorithm>

#include <fmt/format.h>

#include "edit/blocks.h"
#include "edit/container.h"
#include "inventory/match_reader.h"
#include "syntax/code_form.h"
#include "syntax/fragment.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

std::optional<CcValue> to_value(const std::optional<Constant>& constant) {
  if (!constant) return std::nullopt;
  if (const auto* boolean = std::get_if<bool>(&constant->value)) return *boolean;
  if (const auto* number = std::get_if<std::int64_t>(&constant->value))
    return static_cast<long long>(*number);
  if (const auto* real = std::get_if<double>(&constant->value)) return *real;
  const auto plain = plain_string(*constant);
  return plain ? std::optional<CcValue>(*plain) : std::nullopt;
}

bool has_cc(const CcArm& arm) { return !arm.keys.empty() || has_keys(arm.test); }

std::string form_of(const Ladder& ladder, std::string_view head) {
  switch (ladder.kind) {
    case LadderKind::kChoice:
      return "conditional";
    case LadderKind::kConditionals:
      return "#if";
    case LadderKind::kCases:
      return "switch";
    case LadderKind::kRun:
      return ladder.rungs.size() > 1 ? "if-return sequence" : "if";
    case LadderKind::kChain:
      break;
  }
  if (head.starts_with("if constexpr")) return "if constexpr";
  return ladder.rungs.size() > 1 ? "else-if chain" : "if";
}

}  // namespace

void PlaceBuilder::set_lines(CcArm& arm, ByteRange range) const {
  arm.range = range;
  arm.line = reader_.line_of(range.begin);
  arm.end_line = reader_.line_of(std::max(range.end, range.begin + 1) - 1);
}

CcPlace PlaceBuilder::place_at(const Node& node, std::string form, std::string name) const {
  const auto range = node.range();
  return {.path = path_,
          .form = std::move(form),
          .function = folded(scope_path(reader_.tree(), node)),
          .name = std::move(name),
          .line = reader_.line_of(range.begin),
          .end_line = reader_.line_of(std::max(range.end, range.begin + 1) - 1),
          .range = range,
          .arms = {},
          .answers = {}};
}

void PlaceBuilder::add_value(CcArm& arm, const Node& value) {
  if (!value) return;
  arm.text = folded(text(value));
  arm.value = to_value(reader_.evaluator().evaluate(reader_.tree(), value));
}

void PlaceBuilder::add_body(CcArm& arm, const std::vector<Node>& body, const Node& around) {
  set_lines(arm, body.empty() ? around.range()
                              : ByteRange{body.front().range().begin, body.back().range().end});
  arm.refuses = !body.empty() && is(body.back(), Role::kRefusal);
  if (body.size() != 1) return;
  const auto& tree = reader_.tree();
  Node value = is(body[0], Role::kLeave) ? child_with(tree, body[0], Role::kReturned) : Node();
  if (!value && !is(body[0], Role::kLeave) && !is(body[0], Role::kRung)) {
    const auto bound = descendant_with(tree, body[0], Role::kBinding);
    value = bound ? child_with(tree, bound, Role::kValue) : Node();
  }
  add_value(arm, value);
}

CcArm PlaceBuilder::rung(const Ladder& ladder, const Rung& one, const std::vector<Node>& body) {
  const auto& tree = reader_.tree();
  CcArm arm{};
  const auto condition = condition_of(tree, one);
  arm.condition = folded(text(condition));
  if (ladder.kind == LadderKind::kConditionals) {
    const auto word = one.node.child_count() > 0 ? text(one.node.children()[0])
                                                 : std::string_view();
    if (word.ends_with("def")) {
      arm.test = reader_.read_defined(text(condition));
      if (word.ends_with("ndef")) arm.test = {.kind = CcTest::Kind::kNot, .parts = {arm.test}};
      arm.condition = fmt::format("{}defined({})", word.ends_with("ndef") ? "!" : "",
                                  arm.condition);
    } else {
      arm.test = reader_.read(condition, arm.keys);
    }
  } else if (ladder.is_cases()) {
    arm.test.kind = CcTest::Kind::kAny;
    auto items = is(condition, Role::kAlternatives) ? condition.named_children()
                                                    : std::vector<Node>{condition};
    for (const auto& item : items) {
      const auto means = read_key(tree, reader_.evaluator(), item, std::nullopt);
      if (!means) {
        arm.test.parts.push_back({});
        continue;
      }
      arm.keys.push_back({.expression = "",
                          .op = "==",
                          .key = folded(text(item)),
                          .unit = means->unit,
                          .cc = means->cc,
                          .line = reader_.line_of(item.range().begin)});
      arm.test.parts.push_back({.kind = CcTest::Kind::kKey, .key = arm.keys.size() - 1});
    }
  } else {
    arm.test = reader_.read(condition, arm.keys);
  }
  if (ladder.kind == LadderKind::kChoice) {
    set_lines(arm, one.body.range());
    add_value(arm, one.body);
  } else {
    add_body(arm, body, one.node);
  }
  return arm;
}

std::optional<CcPlace> PlaceBuilder::ladder(const Ladder& ladder) {
  const auto& tree = reader_.tree();
  std::vector<CcArm> arms;
  const auto bodies = reached_bodies(tree, ladder);
  for (std::size_t i = 0; i < ladder.rungs.size(); ++i)
    arms.push_back(rung(ladder, ladder.rungs[i], bodies[i]));
  const auto first = std::ranges::find_if(arms, has_cc);
  if (first == arms.end()) return std::nullopt;
  auto last = arms.end();
  auto place = place_at(ladder.head, form_of(ladder, text(ladder.head)), "");
  if (ladder.kind == LadderKind::kRun) {
    // Other ifs of the block, before and behind: no part of it.
    while (!has_cc(*std::prev(last))) --last;
    const auto at = static_cast<std::size_t>(first - arms.begin()),
               end = static_cast<std::size_t>(last - arms.begin());
    const auto& tail = ladder.rungs[end - 1].node;
    place.range = {ladder.rungs[at].node.range().begin, tail.range().end};
    place.line = reader_.line_of(place.range.begin);
    place.end_line = reader_.line_of(place.range.end - 1);
    if (end - at == 1) place.form = "if";
    place.arms.assign(first, last);
    const auto& block = blocks_.statements(tail.parent());
    const auto behind = blocks_.place_of(tail.parent(), tail) + 1;
    if (last == arms.end() && behind < block.size() && is(block[behind], Role::kLeave)) {
      const auto& next = block[behind];
      CcArm rest{.is_else = true};
      add_body(rest, {next}, next);
      place.arms.push_back(std::move(rest));
      place.end_line = reader_.line_of(next.range().end - 1);
      place.range.end = next.range().end;
    }
    return place;
  }
  place.arms = std::move(arms);
  if (!ladder.otherwise) return place;
  CcArm rest{.is_else = true};
  if (ladder.kind == LadderKind::kChoice) {
    set_lines(rest, ladder.otherwise.range());
    add_value(rest, inside_groups(tree, ladder.otherwise));
  } else {
    std::vector<Node> body;
    for (const auto& child : ladder.otherwise.named_children()) {
      if (is(child, Role::kBlock))
        std::ranges::copy(statements_of(tree, child), std::back_inserter(body));
      else if (!child.is_extra())
        body.push_back(child);
    }
    add_body(rest, body, ladder.otherwise);
  }
  place.arms.push_back(std::move(rest));
  return place;
}

std::optional<CcPlace> PlaceBuilder::match(const Node& statement, const Node& block) {
  const auto& tree = reader_.tree();
  MatchReader cases(reader_, statement);
  auto place = place_at(statement, "match", cases.subject());
  for (const auto& clause : statements_of(tree, block)) {
    CcArm arm{};
    arm.test = cases.read(clause, arm.keys);
    // A name alone takes everything, as _ does.
    arm.is_else = arm.test.kind == CcTest::Kind::kTrue;
    if (!arm.is_else) arm.condition = cases.condition(clause);
    add_body(arm, statements_of(tree, clause.field("consequence")), clause);
    place.arms.push_back(std::move(arm));
    if (place.arms.back().is_else) break;
  }
  return std::ranges::any_of(place.arms, has_cc) ? std::optional(std::move(place)) : std::nullopt;
}

std::optional<CcPlace> PlaceBuilder::condition(const Node& condition, std::string form,
                                               std::string name) {
  CcArm arm{};
  arm.test = reader_.read(condition, arm.keys);
  if (!has_cc(arm)) return std::nullopt;
  arm.condition = folded(text(inside_groups(reader_.tree(), condition)));
  set_lines(arm, condition.range());
  auto place = place_at(condition, std::move(form), std::move(name));
  place.arms.push_back(std::move(arm));
  return place;
}

std::optional<CcPlace> PlaceBuilder::table(const Node& container, const Node& whole,
                                           std::string name, KeyUnit unit) {
  const auto& tree = reader_.tree();
  const auto asked = unit == KeyUnit::kMajor ? std::optional(unit) : std::nullopt;
  CcPlace place = place_at(whole, "list", std::move(name));
  std::size_t others = 0;
  const auto add = [&](const Node& row, const Node& key, const Node& value) {
    const auto means = read_key(tree, reader_.evaluator(), key, asked);
    if (!means) {
      ++others;
      return;
    }
    CcArm arm{.is_row = true,
              .keys = {{.expression = place.name,
                        .op = "==",
                        .key = folded(text(key)),
                        .unit = means->unit,
                        .cc = means->cc,
                        .line = reader_.line_of(key.range().begin)}}};
    set_lines(arm, row.range());
    add_value(arm, value);
    place.arms.push_back(std::move(arm));
  };
  if (!is(container, Role::kSequence) && !is(container, Role::kMap)) {
    add(container, container, {});
  } else if (read_key(tree, reader_.evaluator(), container, asked)) {
    add(container, container, {});  // (10, 0)
  } else {
    for (const auto& item : container.named_children()) {
      if (item.is_extra()) continue;
      if (!is(item, Role::kEntry)) {
        add(item, item, {});
        continue;
      }
      const auto parts = entry_parts(tree, item);
      if (!parts.key) continue;
      place.form = tree.language().has_preprocessor() ? "struct array" : "map";
      add(item, parts.key, parts.value);
    }
  }
  if (place.arms.empty() || others > place.arms.size()) return std::nullopt;
  return place;
}

CcPlace PlaceBuilder::single(const Node& node, std::string form, std::string name, std::string key,
                             const KeyMeaning& means) {
  auto place = place_at(node, std::move(form), std::move(name));
  CcArm arm{.is_row = true,
            .keys = {{.expression = place.name,
                      .op = "==",
                      .key = std::move(key),
                      .unit = means.unit,
                      .cc = means.cc,
                      .line = place.line}}};
  set_lines(arm, node.range());
  place.arms.push_back(std::move(arm));
  return place;
}

}  // namespace portpatch
