#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "audit.h"
#include "inventory/deepen.h"

namespace portpatch {

namespace {

constexpr std::size_t kLongestWay = 3;      ///< functions between a gate and a dispatch
constexpr std::size_t kMostDecorators = 4;  ///< lines between a decorator and its function
constexpr std::size_t kMostNamesakes = 3;   ///< a name that more functions have leads nowhere

bool is_taken(Coverage coverage) {
  return coverage == Coverage::kExact || coverage == Coverage::kRange;
}

bool is_open_ended(const CcKey& key) {
  return (key.op == ">=" || key.op == ">") && key.unit != KeyUnit::kMinor;
}

/// Is it about choosing code, or failing without it?
bool is_dispatch(const CcPlace& place) {
  static const std::set<std::string_view> kForms{
      "if",     "else-if chain", "if constexpr", "if-return sequence", "if sequence", "conditional",
      "switch", "match",         "check",        "predicate"};
  return kForms.contains(place.form);
}

std::string last_name(std::string_view qualified) {
  const auto at = qualified.find_last_of(".:");
  return std::string(at == std::string_view::npos ? qualified : qualified.substr(at + 1));
}

/// Does every arm fail, but the one that is taken otherwise?
bool only_refuses(const CcPlace& place) {
  return std::ranges::any_of(place.arms, &CcArm::refuses) &&
         std::ranges::all_of(place.arms,
                             [](const CcArm& arm) { return arm.refuses != arm.is_else; });
}

/// Does the gate let the cc in: by an arm that names it, or as the exception of a refusal?
bool lets_in(const AuditPlace& gate, std::size_t asked, const Cc& cc) {
  const auto& answer = gate.answers[asked];
  const auto& arms = gate.place.arms;
  if (answer.taken == ArmTaken::kExact) return !arms[answer.arms.back()].refuses;
  const bool is_left = answer.taken == ArmTaken::kNone || answer.taken == ArmTaken::kElse;
  return is_left && only_refuses(gate.place) && std::ranges::any_of(arms, [&](const CcArm& arm) {
           return std::ranges::any_of(arm.keys, [&](const CcKey& key) { return names(key, cc); });
         });
}

/// Does what stands at `line` of the gate's function run under it?
bool guards(const AuditPlace& gate, std::size_t asked, std::size_t line) {
  const auto& place = gate.place;
  const auto& answer = gate.answers[asked];
  const bool is_branch = place.form != "check" && place.form != "boolean" &&
                         place.form != "condition";
  if (!is_branch || answer.taken != ArmTaken::kExact) return line > place.line;
  const auto& arm = place.arms[answer.arms.back()];
  return arm.line <= line && line <= arm.end_line;
}

/// A place that names other architectures exactly and has nothing for this one.
bool lacks(const AuditPlace& one, std::size_t asked) {
  const auto coverage = one.coverage[asked];
  if (coverage != Coverage::kNone) return false;
  return std::ranges::any_of(one.place.arms, [](const CcArm& arm) {
    return std::ranges::any_of(arm.keys, [](const CcKey& key) { return key.op == "=="; });
  });
}

/// Every call that leads to the function, over at most kLongestWay of them, and the names on its
/// way.
void for_each_call(
    const CallIndex& calls, const std::string& function,
    const std::function<void(const CallIndex::Call&, const std::vector<std::string>&)>& visit) {
  std::vector<std::pair<std::string, std::vector<std::string>>> level{{last_name(function), {}}};
  std::set<std::string> seen{level[0].first};
  for (std::size_t depth = 0; depth < kLongestWay && !level.empty(); ++depth) {
    std::vector<std::pair<std::string, std::vector<std::string>>> next;
    for (const auto& [name, through] : level) {
      for (const auto& call : calls.calls_of(name)) {
        const auto& caller = calls.function(call);
        auto way = through;
        way.insert(way.begin(), name);
        visit(call, way);
        if (seen.insert(caller.name).second && caller.name.size() > 8 &&
            calls.count_of(caller.name) <= kMostNamesakes)
          next.emplace_back(caller.name, way);
      }
    }
    level = std::move(next);
  }
}

class PairFinder {
 public:
  PairFinder(const std::vector<AuditPlace>& places, const CallIndex& calls)
      : places_(places), calls_(calls) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!is_clangs(places[i].place.path) && !places[i].is_test)
        gates_[places[i].place.path].push_back(i);
    }
  }

  void find(std::size_t asked, const Cc& cc, std::vector<Disagreement>& found) {
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> functions;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const auto& place = places_[i].place;
      if (is_clangs(place.path) && !places_[i].is_test && is_dispatch(place) &&
          !place.function.empty())
        functions[{place.path, place.function}].push_back(i);
    }
    for (const auto& [where, own] : functions) {
      const auto lacking = std::ranges::find_if(
          own, [&](std::size_t i) { return lacks(places_[i], asked); });
      const bool has_arm = std::ranges::any_of(own, [&](std::size_t i) {
        return is_taken(places_[i].coverage[asked]) ||
               places_[i].coverage[asked] == Coverage::kUnknown;
      });
      if (lacking == own.end() || has_arm) continue;
      climb(*lacking, asked, cc, found);
    }
  }

 private:
  void climb(std::size_t dispatch, std::size_t asked, const Cc& cc,
             std::vector<Disagreement>& found) {
    std::set<std::size_t> paired;
    for_each_call(
        calls_, places_[dispatch].place.function,
        [&](const CallIndex::Call& call, const std::vector<std::string>& way) {
          for (const auto gate : gates_of(calls_.function(call), call.line, asked, cc)) {
            if (paired.insert(gate).second)
              found.push_back({.cc = cc, .gate = gate, .dispatch = dispatch, .through = way});
          }
        });
  }

  /// Gates in and above the function around the call, and those that its class asserts when it is
  /// made.
  [[nodiscard]] std::vector<std::size_t> gates_of(const CallingFunction& function, std::size_t line,
                                                  std::size_t asked, const Cc& cc) const {
    std::vector<std::size_t> found;
    const auto here = gates_.find(function.path);
    if (here == gates_.end()) return found;
    const auto own = function.class_name.empty() ? function.name
                                                 : function.class_name + "." + function.name;
    const auto maker = function.class_name + ".__init__";
    for (const auto i : here->second) {
      const auto& gate = places_[i];
      if (!lets_in(gate, asked, cc)) continue;
      const bool is_own = gate.place.function.ends_with(own) && function.line <= gate.place.line &&
                          gate.place.line <= function.end_line && guards(gate, asked, line);
      const bool is_class = !function.class_name.empty() && gate.place.function.ends_with(maker) &&
                            gate.place.form == "check";
      const bool is_decorator = gate.place.form == "decorator" && gate.place.line < function.line &&
                                function.line <= gate.place.end_line + kMostDecorators;
      if (is_own || is_class || is_decorator) found.push_back(i);
    }
    return found;
  }

  const std::vector<AuditPlace>& places_;
  const CallIndex& calls_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> gates_;
};

void find_in_place(const AuditPlace& one, std::size_t index, std::size_t asked, const Cc& cc,
                   std::vector<AuditBug>& bugs) {
  const auto& place = one.place;
  const auto& got = one.answers[asked];
  if (got.arms.empty()) return;
  const auto& arm = place.arms[got.arms.back()];
  if (got.taken == ArmTaken::kExact) {
    if (const auto other = sibling_of(cc)) {
      const auto sibling = answer(place, *other).taken;
      const bool is_left_out = sibling == ArmTaken::kNone ||
                               (sibling == ArmTaken::kElse && is_dispatch(place));
      if (is_left_out)
        bugs.push_back({.kind = "leaves-out-sibling",
                        .place = index,
                        .cc = cc,
                        .other = *other,
                        .line = arm.line == 0 ? place.line : arm.line,
                        .condition = arm.condition});
    }
    return;
  }
  if (got.taken != ArmTaken::kRange || arm.keys.empty()) return;
  const auto key = std::ranges::find_if(arm.keys, is_open_ended);
  if (key == arm.keys.end() || key->cc.major >= cc.major) return;
  bool is_named_later = false;
  std::size_t keyed = 0;
  for (std::size_t i = 0; i < place.arms.size(); ++i) {
    keyed += !place.arms[i].keys.empty();
    is_named_later |= i > got.arms.back() &&
                      std::ranges::any_of(place.arms[i].keys, [&](const CcKey& later) {
                        return later.op == "==" && names(later, cc);
                      });
  }
  if (is_named_later)
    bugs.push_back({.kind = "unreachable-rung",
                    .place = index,
                    .cc = cc,
                    .other = {key->cc.major, key->cc.minor},
                    .line = key->line,
                    .condition = arm.condition});
  else if (keyed > 1)
    bugs.push_back({.kind = "swallows",
                    .place = index,
                    .cc = cc,
                    .other = {key->cc.major, key->cc.minor},
                    .line = key->line,
                    .condition = arm.condition});
}

}  // namespace

std::optional<Cc> sibling_of(const Cc& cc) {
  static const std::vector<std::pair<Cc, Cc>> kSiblings{{{12, 0}, {12, 1}}, {{10, 0}, {10, 3}}};
  for (const auto& [first, second] : kSiblings) {
    if (cc == first) return second;
    if (cc == second) return first;
  }
  return std::nullopt;
}

Coverage coverage_of(const CcPlace& place, const CcAnswer& answer, const Cc& cc) {
  const auto is_named = [&](const CcArm& arm) {
    return std::ranges::any_of(arm.keys, [&](const CcKey& key) { return names(key, cc); });
  };
  switch (answer.taken) {
    case ArmTaken::kExact:
      return place.arms[answer.arms.back()].refuses ? Coverage::kExcluded : Coverage::kExact;
    case ArmTaken::kRange:
      return Coverage::kRange;
    case ArmTaken::kUnknown:
      return Coverage::kUnknown;
    case ArmTaken::kElse:
    case ArmTaken::kNone:
      break;
  }
  // A refusal that it is the exception of lets it in; a denial that names it keeps it out.
  if (std::ranges::any_of(place.arms, is_named))
    return only_refuses(place) ? Coverage::kExact : Coverage::kExcluded;
  return answer.taken == ArmTaken::kElse ? Coverage::kElse : Coverage::kNone;
}

bool may_disagree(const AuditPlace& one, std::size_t asked, const Cc& cc) {
  return is_clangs(one.place.path)
             ? is_dispatch(one.place) && !one.place.function.empty() && lacks(one, asked)
             : lets_in(one, asked, cc);
}

std::set<std::string> files_that_lead_to(const std::string& function, const CallIndex& calls) {
  std::set<std::string> paths;
  for_each_call(calls, function, [&](const CallIndex::Call& call, const std::vector<std::string>&) {
    paths.insert(calls.function(call).path);
  });
  return paths;
}

std::vector<AuditBug> find_bugs(const std::vector<AuditPlace>& places,
                                const std::vector<Cc>& asked) {
  std::vector<AuditBug> bugs;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].is_test) continue;
    for (std::size_t c = 0; c < asked.size(); ++c) find_in_place(places[i], i, c, asked[c], bugs);
  }
  return bugs;
}

std::vector<Disagreement> find_disagreements(const std::vector<AuditPlace>& places,
                                             const std::vector<Cc>& asked, const CallIndex& calls) {
  std::vector<Disagreement> found;
  PairFinder finder(places, calls);
  for (std::size_t c = 0; c < asked.size(); ++c) finder.find(c, asked[c], found);
  std::ranges::stable_sort(found, {}, [](const Disagreement& one) { return one.through.size(); });
  return found;
}

}  // namespace portpatch
