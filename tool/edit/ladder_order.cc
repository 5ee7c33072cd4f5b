#include "edit/ladder_order.h"

#include <algorithm>

#include <fmt/format.h>

#include "syntax/language.h"

namespace portpatch {

namespace {

/// For which branch each cc is taken, as far as the conditions are understood.
class LadderSets {
 public:
  LadderSets(const EditContext& context, const Ladder& ladder, const Fragment& condition)
      : context_(context), ladder_(ladder) {
    for (const auto& [name, cc] : context.rule.settings.helpers) {
      if (const auto set = parse_cc_set(cc)) helpers_[name] = *set;
    }
    CcConditionReader reader(context.tree, helpers_);
    wanted_ = reader.read(condition.tree(), condition.nodes()[0]);
    if (wanted_ && !wanted_->is_compared) wanted_.reset();
    auto subject = wanted_ ? wanted_->subject : std::string();
    const auto read = [&](const Rung& rung) {
      auto one = wanted_ ? read_rung(reader, rung) : std::nullopt;
      // A helper asks the device, whatever the others call it.
      if (one && !one->subject.empty() && !subject.empty() && one->subject != subject) one.reset();
      if (one && subject.empty()) subject = one->subject;
      return one;
    };
    for (const auto& rung : ladder.rungs) rungs_.push_back(read(rung));
    for (const auto& rung : ladder.beside) beside_.push_back(read(rung));
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

  /// Does a branch that is none of the ladder's take any of the wanted values?
  bool is_taken_beside(std::size_t index) const {
    return wanted_ && beside_[index] && (beside_[index]->set & wanted_->set).any();
  }

  /// Why the branch cannot stand in front of branch number `index`.
  std::optional<Step> objection(std::size_t index) const {
    CcSet taken;
    for (std::size_t i = 0; i < index; ++i) {
      if (!rungs_[i]) {
        return Step::blocked(
            "order-unknown",
            fmt::format("it is not understood whether `{}` takes what the new branch is for",
                        text_of(i)),
            "say where it goes: \"first\", \"last\", \"before:CONDITION\" or \"after:CONDITION\" "
            "behind BODY",
            ladder_.rungs[i].condition.range());
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
      return Step::blocked("unreachable", "the branches in front of it take all that it is for",
                           "choose another place, or another condition", ladder_.head.range());
    }
    for (std::size_t i = index; i < rungs_.size(); ++i) {
      if (!rungs_[i]) continue;
      const auto left = rungs_[i]->set & ~taken;
      if (left.any() && (left & ~wanted_->set).none()) {
        return Step::blocked("swallows", fmt::format("nothing would be left for `{}`", text_of(i)),
                             "narrow the condition, or change that branch",
                             ladder_.rungs[i].condition.range());
      }
      taken |= rungs_[i]->set;
    }
    return std::nullopt;
  }

 private:
  std::optional<CcCondition> read_rung(CcConditionReader& reader, const Rung& rung) const {
    if (ladder_.kind != LadderKind::kConditionals)
      return reader.read(context_.tree, condition_of(context_.tree, rung));
    const auto condition = Fragment::parse(context_.language(), "directive",
                                           condition_text(context_.tree, ladder_, rung));
    return condition ? reader.read(condition->tree(), condition->nodes()[0]) : std::nullopt;
  }

  std::string text_of(std::size_t index) const {
    return condition_text(context_.tree, ladder_, ladder_.rungs[index]);
  }

  const EditContext& context_;
  const Ladder& ladder_;
  CcHelpers helpers_;
  std::optional<CcCondition> wanted_;
  std::vector<std::optional<CcCondition>> rungs_, beside_;
};

/// Other `if`s before or behind the ladder that decide the same: what is inserted may be out of
/// their reach, or they of its.
std::optional<Step> beside_objection(const EditContext& context, const Ladder& ladder,
                                     const LadderSets& sets, const std::string& form,
                                     bool is_pinned) {
  for (std::size_t i = 0; i < ladder.beside.size(); ++i) {
    const auto theirs = condition_of(context.tree, ladder.beside[i]);
    if (condition_form(context.tree, ladder, ladder.beside[i]) != form &&
        (is_pinned || !sets.is_taken_beside(i)))
      continue;
    return Step::blocked(
        "mixed-ladder",
        fmt::format(
            "`{}`, which is no branch of this ladder, takes of the same before or behind it",
            theirs.text(context.text())),
        "capture that `if`, or edit this place by hand", theirs.range());
  }
  return std::nullopt;
}

}  // namespace

std::string_view condition_frame(const Language& language, const Ladder& ladder) {
  if (ladder.kind == LadderKind::kConditionals) return "directive";
  return ladder.is_cases() && !language.frames("pattern").empty() ? "pattern" : "expression";
}

std::string condition_text(const SourceTree& tree, const Ladder& ladder, const Rung& rung) {
  const auto condition = std::string(condition_of(tree, rung).text(tree.text()));
  if (ladder.kind != LadderKind::kConditionals) return condition;
  const auto word = rung.node.children()[0].text(tree.text());
  return word.ends_with("ifdef")    ? fmt::format("defined({})", condition)
         : word.ends_with("ifndef") ? fmt::format("!defined({})", condition)
                                    : condition;
}

namespace {

/// `defined A` as `defined(A)`.
std::string with_parentheses(std::string text) {
  constexpr std::string_view kWord = "defined";
  constexpr std::string_view
      kName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  for (auto at = text.find(kWord); at != std::string::npos; at = text.find(kWord, at + 1)) {
    const auto name = text.find_first_not_of(" \t", at + kWord.size());
    if (name == std::string::npos || name == at + kWord.size() || !kName.contains(text[name]) ||
        (at > 0 && kName.contains(text[at - 1])))
      continue;
    const auto end = std::min(text.find_first_not_of(kName, name), text.size());
    text = fmt::format("{}({}){}", text.substr(0, at + kWord.size()), text.substr(name, end - name),
                       text.substr(end));
  }
  return text;
}

}  // namespace

std::string condition_form(const SourceTree& tree, const Ladder& ladder, const Rung& rung) {
  if (ladder.kind != LadderKind::kConditionals)
    return CodeEvaluator(tree).canonical(tree, condition_of(tree, rung));
  const auto text = with_parentheses(condition_text(tree, ladder, rung));
  const auto fragment = Fragment::parse(tree.language(), "directive", text);
  return fragment ? CodeEvaluator(tree).canonical(*fragment) : text;
}

std::string condition_form(const SourceTree& tree, const Ladder& ladder,
                           const Fragment& condition) {
  if (ladder.kind != LadderKind::kConditionals) return CodeEvaluator(tree).canonical(condition);
  const auto fragment = Fragment::parse(tree.language(), "directive",
                                        with_parentheses(std::string(condition.text())));
  return CodeEvaluator(tree).canonical(fragment ? *fragment : condition);
}

std::expected<std::size_t, Step> pinned_index(const EditContext& context, const Ladder& ladder,
                                              std::string_view pin) {
  if (pin == "first") return 0;
  if (pin == "last") return ladder.rungs.size();
  const bool behind = pin.starts_with("after:");
  const auto other = Fragment::parse(context.language(),
                                     condition_frame(context.language(), ladder),
                                     pin.substr(pin.find(':') + 1));
  if (!other) return std::unexpected(Step::blocked(other.error(), ladder.head.range()));
  const auto form = condition_form(context.tree, ladder, *other);
  for (std::size_t i = 0; i < ladder.rungs.size(); ++i) {
    if (condition_form(context.tree, ladder, ladder.rungs[i]) == form) return behind ? i + 1 : i;
  }
  return std::unexpected(
      Step::blocked("no-branch", fmt::format("no branch has the condition `{}`", other->text()),
                    "name a condition of the ladder", ladder.head.range()));
}

std::vector<std::string> body_forms(const SourceTree& tree, const Ladder& ladder,
                                    std::size_t index) {
  CodeEvaluator evaluator(tree);
  std::vector<std::string> forms;
  for (const auto& statement : reached_body(tree, ladder, index))
    forms.push_back(evaluator.canonical(tree, statement));
  return forms;
}

std::expected<LadderPlace, Step> place_on_ladder(const EditContext& context, const Ladder& ladder,
                                                 const Fragment& condition,
                                                 const std::vector<std::string>& body,
                                                 std::string_view pin) {
  if (ladder.is_cases()) return place_among_cases(context, ladder, condition, body, pin);
  const auto form = condition_form(context.tree, ladder, condition);
  LadderPlace place{.equal = std::nullopt, .index = ladder.rungs.size()};
  for (std::size_t i = 0; i < ladder.rungs.size(); ++i) {
    if (condition_form(context.tree, ladder, ladder.rungs[i]) == form) place.equal = i;
    if (place.equal) return place;
  }
  const LadderSets sets(context, ladder, condition);
  if (sets.is_understood()) {
    const auto taker = sets.first_taker();
    if (sets.covers(taker) && body_forms(context.tree, ladder, taker) == body &&
        !sets.objection(taker)) {
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
    if (auto why = pin.empty() ? sets.objection(place.index) : sets.reach_objection(place.index))
      return std::unexpected(std::move(*why));
  }
  if (auto why = beside_objection(context, ladder, sets, form, !pin.empty()))
    return std::unexpected(std::move(*why));
  return place;
}

}  // namespace portpatch
