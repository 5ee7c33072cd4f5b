#include "capture/rung.h"

#include <algorithm>

#include "capture/payload_text.h"
#include "edit/ladder.h"
#include "syntax/roles.h"

namespace portpatch {

namespace {

/// The ladder whose head is `node`.
std::optional<Ladder> ladder_at(const SourceTree& tree, const Node& node) {
  for (const auto read : {read_ladder, read_choice, read_conditionals}) {
    auto ladder = read(tree, node);
    if (ladder && ladder->head == node) return ladder;
  }
  return std::nullopt;
}

bool same_statements(const TreeContent& one, const std::vector<Node>& a, const TreeContent& two,
                     const std::vector<Node>& b) {
  return std::ranges::equal(a, b, [&](const Node& left, const Node& right) {
    return same_content(one, left, two, right);
  });
}

bool same_rung(const TreeContent& one, const Rung& a, const TreeContent& two, const Rung& b) {
  return same_content(one, condition_of(one.tree(), a), two, condition_of(two.tree(), b)) &&
         same_statements(one, body_of(one.tree(), a), two, body_of(two.tree(), b));
}

bool same_default(const TreeContent& one, const Node& a, const TreeContent& two, const Node& b) {
  return static_cast<bool>(a) == static_cast<bool>(b) && (!a || same_content(one, a, two, b));
}

/// The one branch that `is` has beyond those of `was`.
const Rung* added_rung(const TreeContent& before, const Ladder& was, const TreeContent& after,
                       const Ladder& is) {
  if (was.kind != is.kind || is.rungs.size() != was.rungs.size() + 1 ||
      !same_default(before, was.otherwise, after, is.otherwise))
    return nullptr;
  std::size_t at = 0;
  while (at < was.rungs.size() && same_rung(before, was.rungs[at], after, is.rungs[at])) ++at;
  for (auto i = at; i < was.rungs.size(); ++i) {
    if (!same_rung(before, was.rungs[i], after, is.rungs[i + 1])) return nullptr;
  }
  return &is.rungs[at];
}

RungCame said(const Versions& versions, const Ladder& was, const Ladder& is, const Rung& rung) {
  const auto& tree = versions.after.tree();
  const auto condition = std::string(condition_of(tree, rung).text(tree.text()));
  const auto body = body_of(tree, rung);
  const auto text = body.empty() ? std::string() : dedented(tree, with_comments(tree, body, {}));
  RungCame came{.whole = {was.head.parent(), is.head.parent(), {was.head}, {is.head}},
                .sayings = {}};
  const Saying plain{.directive = "ensure-branch!",
                     .capture = "ladder",
                     .target = {was.head, is.head, true},
                     .arguments = {condition, text},
                     .topic = condition};
  came.sayings.push_back(plain);
  const auto place = [&](std::string word) {
    came.sayings.push_back(plain);
    came.sayings.back().arguments.push_back(std::move(word));
  };
  const auto at = static_cast<std::size_t>(&rung - is.rungs.data());
  const auto text_of = [&](std::size_t i) {
    return std::string(condition_of(tree, is.rungs[i]).text(tree.text()));
  };
  if (at > 0) place("after:" + text_of(at - 1));
  if (at + 1 < is.rungs.size()) place("before:" + text_of(at + 1));
  if (at == 0) place("first");
  if (at + 1 == is.rungs.size()) place("last");
  return came;
}

}  // namespace

std::optional<RungCame> rung_came(const Versions& versions, const TreeDiff& diff,
                                  const Node& inside) {
  for (auto node = inside; node && node.parent(); node = node.parent()) {
    const auto was = ladder_at(versions.before.tree(), node);
    const auto parent = was ? diff.match_of(node.parent()) : Node();
    if (!parent) continue;
    for (const auto& child : parent.children()) {
      const auto is = ladder_at(versions.after.tree(), child);
      const auto* rung = is ? added_rung(versions.before, *was, versions.after, *is) : nullptr;
      if (rung != nullptr) return said(versions, *was, *is, *rung);
    }
  }
  return std::nullopt;
}

}  // namespace portpatch
