#include "edit/ladder_order.h"

#include <algorithm>

#include <fmt/format.h>

namespace portpatch {

namespace {

/// For which branch each cc is taken, as far as the conditions are understood.
class LadderSets {
 public:
  LadderSets(const EditContext& context, const Ladder& ladder, const Fragment& condition) : context_(context), ladder_(ladder) {
    for (const auto& [name, cc] : context.rule.settings.helpers) {
      if (const auto set = parse_cc_set(cc)) helpers_[name] = *set;
    }
    CcConditionReader reader(context.tree, helpers_);
    wanted_ = ladder.is_cases ? std::nullopt : reader.read(condition.tree(), condition.nodes()[0]);
    auto subject = wanted_ ? wanted_->subject : std::string();
    for (const auto& rung : ladder.rungs) {
      auto one = wanted_ ? reader.read(context.tree, condition_of(context.tree, rung)) : std::nullopt;
      // A helper asks the device, whatever the others call it.
      if (one && !one->subject.empty() && !subject.empty() && one->subject != subject) one.reset();
      if (one && subject.empty()) subject = one->subject;
      rungs_.push_back(std::move(one));
    }
  }

  bool is_understood() const { return wanted_.has_value(); }

  /// The first branch that takes any of the wanted values, else the number of branches.
  std::size_t first_taker() const {
    for (std::size_t i = 0; i < rungs_.size(); ++i) {
      if (rungs_[i] && (rungs_[i]->set & wanted_->set).any()) return i;
    }
    return rungs_.size();
  }

  bool covers(std::size_t index) const {
    return index < rungs_.size() && rungs_[index] && (wanted_->set & ~rungs_[index]->set).none();
  }

  /// Why the branch cannot stand in front of branch number `index`.
  std::optional<Step> objection(std::size_t index) const {
    CcSet taken;
    for (std::size_t i = 0; i < index; ++i) {
      if (!rungs_[i]) {
        return Step::blocked("order-unknown", fmt::format("it is not understood whether `{}` takes what the new branch is for", text_of(i)),
                             "say where it goes: \"first\", \"last\", \"before:CONDITION\" or \"after:CONDITION\" behind BODY", ladder_.rungs[i].condition.range());
      }
      taken |= rungs_[i]->set;
    }
    return reach_objection(index, taken);
  }

  /// As far as it is understood: would never be reached, or leaves nothing to a later branch.
  std::optional<Step> reach_objection(std::size_t index, CcSet taken = {}) const {
    for (std::size_t i = 0; i < index; ++i) {
      if (rungs_[i]) taken |= rungs_[i]->set;
    }
    if ((wanted_->set & ~taken).none()) {
      return Step::blocked("unreachable", "the branches in front of it take all that it is for", "choose another place, or another condition", ladder_.head.range());
    }
    for (std::size_t i = index; i < rungs_.size(); ++i) {
      if (!rungs_[i]) continue;
      const auto left = rungs_[i]->set & ~taken;
      if (left.any() && (left & ~wanted_->set).none()) {
        return Step::blocked("swallows", fmt::format("nothing would be left for `{}`", text_of(i)), "narrow the condition, or change that branch", ladder_.rungs[i].condition.range());
      }
      taken |= rungs_[i]->set;
    }
    return std::nullopt;
  }

 private:
  std::string text_of(std::size_t index) const { return std::string(condition_of(context_.tree, ladder_.rungs[index]).text(context_.text())); }

  const EditContext& context_;
  const Ladder& ladder_;
  CcHelpers helpers_;
  std::optional<CcCondition> wanted_;
  std::vector<std::optional<CcCondition>> rungs_;
};

std::expected<std::size_t, Step> pinned_index(const EditContext& context, const Ladder& ladder, std::string_view pin) {
  if (pin == "first") return 0;
  if (pin == "last") return ladder.rungs.size();
  const bool behind = pin.starts_with("after:");
  const auto other = Fragment::parse(context.language(), "expression", pin.substr(pin.find(':') + 1));
  if (!other) return std::unexpected(Step::blocked(other.error(), ladder.head.range()));
  CodeEvaluator evaluator(context.tree);
  for (std::size_t i = 0; i < ladder.rungs.size(); ++i) {
    if (evaluator.canonical(context.tree, condition_of(context.tree, ladder.rungs[i])) == evaluator.canonical(*other)) return behind ? i + 1 : i;
  }
  return std::unexpected(Step::blocked("no-branch", fmt::format("no branch has the condition `{}`", other->text()), "name a condition of the ladder", ladder.head.range()));
}

}  // namespace

std::vector<std::string> body_forms(const SourceTree& tree, const Rung& rung) {
  CodeEvaluator evaluator(tree);
  std::vector<std::string> forms;
  for (const auto& statement : body_of(tree, rung)) forms.push_back(evaluator.canonical(tree, statement));
  return forms;
}

std::expected<LadderPlace, Step> place_on_ladder(const EditContext& context, const Ladder& ladder, const Fragment& condition,
                                                 const std::vector<std::string>& body, std::string_view pin) {
  CodeEvaluator evaluator(context.tree);
  const auto form = evaluator.canonical(condition);
  LadderPlace place{.equal = std::nullopt, .index = ladder.rungs.size()};
  for (std::size_t i = 0; i < ladder.rungs.size(); ++i) {
    if (evaluator.canonical(context.tree, condition_of(context.tree, ladder.rungs[i])) == form) place.equal = i;
    if (place.equal) return place;
  }
  const LadderSets sets(context, ladder, condition);
  if (sets.is_understood()) {
    const auto taker = sets.first_taker();
    if (sets.covers(taker) && body_forms(context.tree, ladder.rungs[taker]) == body && !sets.objection(taker)) {
      place.equal = taker;
      return place;
    }
    place.index = taker;
  }
  if (!pin.empty()) {
    const auto index = pinned_index(context, ladder, pin);
    if (!index) return std::unexpected(index.error());
    place.index = *index;
  }
  if (sets.is_understood()) {
    if (auto why = pin.empty() ? sets.objection(place.index) : sets.reach_objection(place.index)) return std::unexpected(std::move(*why));
  }
  return place;
}

}  // namespace portpatch
