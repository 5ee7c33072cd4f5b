#include "companion/judge_places.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "companion/cc_table.h"

namespace portpatch {

namespace {

/// Forms whose arms are tried in turn until one is taken.
bool is_ladder(const CcPlace& place) {
  static const std::set<std::string_view> kForms{
      "else-if chain", "if constexpr", "if-return sequence", "conditional", "#if", "match"};
  return kForms.contains(place.form);
}

std::string title_of(const CcPlace& place) {
  return place.function.empty()
             ? place.name.empty() ? place.form : fmt::format("{} {}", place.form, place.name)
             : fmt::format("{} in {}", place.form, place.function);
}

/// What the place has arms for: "9.0, 10.0".
std::string arms_text(const CcPlace& place) {
  std::vector<std::string> texts;
  for (const auto& arm : place.arms) {
    for (const auto& key : arm.keys) {
      const auto text = (key.op == "==" ? "" : key.op + " ") + key_cc_text(key);
      if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
    }
  }
  return texts.empty() ? "none" : join(texts, ", ");
}

class Judge {
 public:
  Judge(const Companion& companion, const CcPlace& place, const std::optional<Gate>& gate,
        bool tells_all)
      : companion_(companion), place_(place), gate_(gate), tells_all_(tells_all) {}

  void judge(const Cc& cc, std::vector<CheckFinding>& findings) {
    const auto is_in = gate_ ? gate_->lets_in(cc) : std::optional(true);
    if (!is_in) return;  // told once for the gate
    const auto got = answer(place_, cc);
    const auto* arm = got.arms.empty() ? nullptr : &place_.arms[got.arms.back()];
    const bool refuses = arm != nullptr && arm->refuses;
    if (!*is_in) {
      if (got.taken == ArmTaken::kExact && !refuses && tells_all_ && companion_.covers.empty())
        add(FindingKind::kNeverLetIn, cc, arm, findings);
      return;
    }
    if (got.taken == ArmTaken::kUnknown)
      add(FindingKind::kDepends, cc, arm, findings);
    else if (refuses)
      add(FindingKind::kRefused, cc, arm, findings);
    else if (got.taken == ArmTaken::kNone && !only_refuses())
      add(FindingKind::kNoArm, cc, arm, findings);
    else if (got.taken == ArmTaken::kRange && !companion_.range_ok)
      add(FindingKind::kRange, cc, arm, findings);
    else if (got.taken == ArmTaken::kElse && !companion_.else_ok)
      add(FindingKind::kElse, cc, arm, findings);
  }

  /// Arms that name a GPU which an arm in front of them takes.
  void find_unreachable(std::vector<CheckFinding>& findings) {
    if (!is_ladder(place_)) return;
    for (std::size_t i = 1; i < place_.arms.size(); ++i) {
      for (const auto& key : place_.arms[i].keys) {
        if (key.op != "==" || key.unit == KeyUnit::kMinor) continue;
        const auto got = answer(place_, key.cc);
        if (got.taken != ArmTaken::kRange || got.arms.empty() || got.arms.back() >= i) continue;
        auto& finding = add(FindingKind::kUnreachable, key.cc, &place_.arms[got.arms.back()],
                            findings);
        finding.here.line = key.line;
      }
    }
  }

 private:
  /// `if (sm < 80) throw`: who takes no arm goes on.
  [[nodiscard]] bool only_refuses() const {
    return place_.form != "check" && !place_.arms.empty() &&
           std::ranges::all_of(place_.arms, &CcArm::refuses);
  }

  CheckFinding& add(FindingKind kind, const Cc& cc, const CcArm* arm,
                    std::vector<CheckFinding>& findings) {
    const auto line = arm != nullptr && arm->line > 0 && kind != FindingKind::kNoArm ? arm->line
                                                                                     : place_.line;
    auto same = std::ranges::find_if(findings, [&](const CheckFinding& one) {
      return one.kind == kind && one.here.path == place_.path && one.here.line == line &&
             kind != FindingKind::kUnreachable;
    });
    if (same == findings.end()) {
      findings.push_back({.kind = kind,
                          .here = {place_.path, line, title_of(place_)},
                          .there = gate_ ? gate_->place : NamedPlace{},
                          .says = {}});
      same = findings.end() - 1;
    }
    same->cc.push_back(cc);
    tell(*same, arm == nullptr ? "" : arm->condition);
    return *same;
  }

  void tell(CheckFinding& finding, const std::string& condition) const {
    const auto which = describe(finding.cc);
    const auto let_in = gate_ ? fmt::format("{} lets {} in", gate_->place.text, which) : "";
    switch (finding.kind) {
      case FindingKind::kNoArm:
        finding.says = fmt::format("nothing takes {}; there is {}", which, arms_text(place_));
        finding.remedy = gate_ ? "add the arm, or take it out of the gate" : "add the arm";
        break;
      case FindingKind::kRefused:
        finding.says = fmt::format("{} is refused by {}", which,
                                   condition.empty() ? "the else" : "`" + condition + "`");
        finding.remedy = gate_ ? "let it pass here, or take it out of the gate"
                               : "let it pass here";
        break;
      case FindingKind::kRange:
        finding.says = fmt::format("{} is taken by `{}`, which does not name it", which, condition);
        finding.remedy = "see whether that is right, then write range-ok = true";
        break;
      case FindingKind::kElse:
        finding.says = fmt::format("{} is left to the else; there is {}", which, arms_text(place_));
        finding.remedy = "see whether that is right, then write else-ok = true";
        break;
      case FindingKind::kUnreachable:
        finding.says = fmt::format("the arm for {} is never reached: `{}` in front of it takes it",
                                   which, condition);
        finding.remedy = "put it in front";
        break;
      case FindingKind::kNeverLetIn:
        finding.says = fmt::format("there is an arm for {}, which {} does not let in", which,
                                   gate_->place.text);
        finding.remedy = "let it in, or name with covers what is to be compared";
        return;
      default:
        finding.says = fmt::format("whether {} is taken depends on more than the cc{}", which,
                                   condition.empty() ? "" : fmt::format(": `{}`", condition));
        finding.remedy = "look at it; a narrower companion (matcher, query) leaves it out";
        break;
    }
    if (!let_in.empty() && finding.kind != FindingKind::kUnreachable) finding.says += "; " + let_in;
  }

  const Companion& companion_;
  const CcPlace& place_;
  const std::optional<Gate>& gate_;
  bool tells_all_;  ///< the gate is about all GPUs, not one family's
};

/// A helper for one family says nothing of the others.
bool is_for_families(const std::optional<Gate>& gate) {
  std::set<int> families;
  for (const auto& cc : known_gpus()) {
    if (gate && gate->lets_in(cc) == true) families.insert(cc.major);
  }
  return families.size() > 1;
}

}  // namespace

std::string Gate::why_untold() const {
  if (others.empty()) return "depends on more than the cc, or was not understood";
  std::vector<std::string> lines;
  for (const auto& other : others) lines.push_back(fmt::format("{}:{}", other.path, other.line));
  return fmt::format(
      "is said differently, or not for certain, by its {} definitions; the others: {}",
      others.size() + 1, join(lines, ", "));
}

const std::vector<Cc>& known_gpus() {
  static const std::vector<Cc> kGpus{{7, 0}, {7, 2},  {7, 5},  {8, 0},  {8, 6},  {8, 7}, {8, 9},
                                     {9, 0}, {10, 0}, {10, 3}, {11, 0}, {12, 0}, {12, 1}};
  return kGpus;
}

std::vector<Cc> asked_of(const Companion& companion) {
  return companion.covers.empty() ? known_gpus() : companion.covers;
}

std::optional<bool> lets_in(const CcPlace& place, const Cc& cc) {
  const auto got = answer(place, cc);
  switch (got.taken) {
    case ArmTaken::kUnknown:
      return std::nullopt;
    case ArmTaken::kNone:
      return !place.arms.empty() && std::ranges::all_of(place.arms, &CcArm::refuses);
    default:
      return got.arms.empty() || !place.arms[got.arms.back()].refuses;
  }
}

std::vector<CheckFinding> judge_places(const Companion& companion,
                                       const std::vector<const CcPlace*>& places,
                                       const std::optional<Gate>& gate) {
  std::vector<CheckFinding> findings;
  std::vector<Cc> untold;
  for (const auto& cc : asked_of(companion)) {
    if (gate && !gate->lets_in(cc)) untold.push_back(cc);
  }
  const auto asked = asked_of(companion);
  if (gate && untold.empty() &&
      std::ranges::none_of(asked, [&](const Cc& cc) { return gate->lets_in(cc) == true; })) {
    findings.push_back(
        {.kind = FindingKind::kNotSeen,
         .here = gate->place,
         .says = fmt::format("{} lets in none of the GPUs that are asked: nothing was compared",
                             gate->place.text),
         .remedy = "see whether upstream has closed the gate, and correct `gate` or `covers`"});
  }
  // A named condition chooses nothing itself; what is done with it is not looked at.
  if (!places.empty() && std::ranges::all_of(places, [](const CcPlace* place) {
        return place->form == "boolean" || place->form == "condition";
      })) {
    findings.push_back(
        {.kind = FindingKind::kNotSeen,
         .here = {places[0]->path, places[0]->line, title_of(*places[0])},
         .says = "there are only conditions; what is done with them was not looked at",
         .remedy = "name the ladder or check that they lead to"});
  }
  if (!untold.empty()) {
    findings.push_back({.kind = FindingKind::kNotSeen,
                        .cc = untold,
                        .here = gate->place,
                        .says = fmt::format("whether {} lets {} in {}", gate->place.text,
                                            describe(untold), gate->why_untold()),
                        .remedy = "name another gate, or write covers without one"});
  }
  const bool tells_all = is_for_families(gate);
  for (const auto* place : places) {
    Judge judge(companion, *place, gate, tells_all);
    for (const auto& cc : asked_of(companion)) judge.judge(cc, findings);
    judge.find_unreachable(findings);
  }
  return findings;
}

}  // namespace portpatch
