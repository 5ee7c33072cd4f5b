// Where a new case goes: which values the patterns take that stand there.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "edit/ladder_order.h"
#include "syntax/language.h"

namespace portpatch {

namespace {

/// What a pattern takes.
struct CaseValues {
  std::set<std::string> forms;  ///< of its alternatives
  bool literals = false;        ///< some are numbers or strings
  bool names = false;           ///< some are constants by name
  bool opaque = false;          ///< some are another kind of pattern
};

/// Also of what only holds one other node.
Node innermost(Node node) {
  for (auto children = node.named_children();
       children.size() == 1 && node.range() == children[0].range();
       children = node.named_children())
    node = children[0];
  return node;
}

class CaseReader {
 public:
  explicit CaseReader(const EditContext& context)
      : evaluator_(context.tree), has_patterns_(!context.language().frames("pattern").empty()) {}

  CaseValues read(const SourceTree& tree, const Node& pattern) {
    CaseValues values;
    add(tree, pattern, values);
    return values;
  }

 private:
  void add(const SourceTree& tree, const Node& pattern, CaseValues& values) {
    Node node = pattern;
    const auto is_alternatives = [&] { return has_role(tree, node, Role::kAlternatives); };
    while (!is_alternatives() && node.named_children().size() == 1 &&
           node.range() == node.named_children()[0].range())
      node = node.named_children()[0];
    if (is_alternatives()) {
      for (const auto& one : node.named_children()) {
        if (!one.is_extra()) add(tree, one, values);
      }
      return;
    }
    const auto inner = innermost(node);
    const auto value = evaluator_.evaluate(tree, inner);
    const bool is_literal = value && (std::holds_alternative<std::int64_t>(value->value) ||
                                      std::holds_alternative<std::string>(value->value));
    values.forms.insert(evaluator_.canonical(tree, inner));
    if (is_literal && (!has_patterns_ || !has_role(tree, inner, Role::kReference)))
      values.literals = true;
    else if (!has_patterns_ || has_role(tree, node, Role::kValuePattern))
      values.names = true;
    else
      values.opaque = true;
  }

  CodeEvaluator evaluator_;
  bool has_patterns_;
};

bool includes(const std::set<std::string>& all, const std::set<std::string>& some) {
  return std::ranges::includes(all, some);
}

bool meet(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& form) { return b.contains(form); });
}

/// A pattern that takes everything.
bool takes_all(const Fragment& pattern) {
  return static_cast<bool>(ancestor_with(pattern.tree(), pattern.nodes()[0], Role::kRungDefault));
}

class CasePlaces {
 public:
  CasePlaces(const EditContext& context, const Ladder& ladder, const Fragment& condition)
      : context_(context), ladder_(ladder) {
    CaseReader reader(context);
    wanted_ = reader.read(condition.tree(), condition.nodes()[0]);
    for (const auto& rung : ladder.rungs)
      cases_.push_back(reader.read(context.tree, condition_of(context.tree, rung)));
  }

  std::optional<std::size_t> equal() const {
    const auto at = std::ranges::find(cases_, wanted_.forms, &CaseValues::forms);
    return at == cases_.end() ? std::nullopt
                              : std::optional(static_cast<std::size_t>(at - cases_.begin()));
  }

  /// The first case that takes any of the wanted values, else the number of cases.
  std::size_t first_taker() const {
    return static_cast<std::size_t>(
        std::ranges::find_if(
            cases_, [&](const CaseValues& one) { return meet(one.forms, wanted_.forms); }) -
        cases_.begin());
  }
  bool covers(std::size_t index) const {
    return index < cases_.size() && includes(cases_[index].forms, wanted_.forms);
  }

  /// Why it is not known what the cases in front of number `index` leave.
  std::optional<Step> unknown_before(std::size_t index) const {
    for (std::size_t i = 0; i < index; ++i) {
      const bool may_meet = (wanted_.literals && cases_[i].names) || cases_[i].opaque;
      if (!may_meet || context_.language().frames("pattern").empty()) continue;
      return Step::blocked(
          "order-unknown",
          fmt::format("it is not understood whether `case {}` takes what the new case is for",
                      text_of(i)),
          "say where it goes: \"first\", \"last\", \"before:PATTERN\" or \"after:PATTERN\" behind "
          "BODY",
          ladder_.rungs[i].condition.range());
    }
    return std::nullopt;
  }

  std::optional<Step> reach_objection(std::size_t index) const {
    std::set<std::string> taken;
    for (std::size_t i = 0; i < index; ++i)
      taken.insert(cases_[i].forms.begin(), cases_[i].forms.end());
    if (includes(taken, wanted_.forms)) {
      return Step::blocked("unreachable", "the cases in front of it take all that it is for",
                           "choose another place, or another pattern", ladder_.head.range());
    }
    for (std::size_t i = index; i < cases_.size(); ++i) {
      auto both = taken;
      both.insert(wanted_.forms.begin(), wanted_.forms.end());
      if (!includes(taken, cases_[i].forms) && includes(both, cases_[i].forms)) {
        return Step::blocked(
            "swallows", fmt::format("nothing would be left for `case {}`", text_of(i)),
            "narrow the pattern, or change that case", ladder_.rungs[i].condition.range());
      }
      taken.insert(cases_[i].forms.begin(), cases_[i].forms.end());
    }
    return std::nullopt;
  }

 private:
  std::string text_of(std::size_t index) const {
    return std::string(condition_of(context_.tree, ladder_.rungs[index]).text(context_.text()));
  }

  const EditContext& context_;
  const Ladder& ladder_;
  CaseValues wanted_;
  std::vector<CaseValues> cases_;
};

}  // namespace

std::expected<LadderPlace, Step> place_among_cases(const EditContext& context, const Ladder& ladder,
                                                   const Fragment& condition,
                                                   const std::vector<std::string>& body,
                                                   std::string_view pin) {
  if (takes_all(condition)) {
    return std::unexpected(
        Step::blocked("swallows", fmt::format("`{}` takes everything", condition.text()),
                      "name the values that the case is for", ladder.head.range()));
  }
  const CasePlaces places(context, ladder, condition);
  LadderPlace place{.equal = places.equal(), .index = places.first_taker()};
  if (place.equal) return place;
  if (places.covers(place.index) && body_forms(context.tree, ladder, place.index) == body &&
      !places.unknown_before(place.index)) {
    place.equal = place.index;
    return place;
  }
  if (!pin.empty()) {
    const auto index = pinned_index(context, ladder, pin);
    if (!index) return std::unexpected(index.error());
    place.index = *index;
  } else if (auto why = places.unknown_before(place.index)) {
    return std::unexpected(std::move(*why));
  }
  if (auto why = places.reach_objection(place.index)) return std::unexpected(std::move(*why));
  return place;
}

}  // namespace portpatch
