#include "inventory/place.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace portpatch {

namespace {

/// kTrue: true, but it names no cc.
enum class Truth { kFalse, kTrue, kRange, kExact, kUnknown };

constexpr std::array<std::string_view, 7> kUnitNames{"major", "minor", "10x",  "100x",
                                                     "hex",   "arch",  "tuple"};

bool is_true(Truth truth) {
  return truth == Truth::kTrue || truth == Truth::kRange || truth == Truth::kExact;
}

/// A family's code (`sm_100f`) runs on its later members too.
bool is_of_family(const Cc& key, const Cc& cc) {
  return key.suffix == "f" && key.major == cc.major && cc.minor >= key.minor;
}

Truth compare(const CcKey& key, const Cc& cc) {
  const auto number = [&](const Cc& one) {
    return key.unit == KeyUnit::kMajor   ? one.major
           : key.unit == KeyUnit::kMinor ? one.minor
                                         : 10 * one.major + one.minor;
  };
  const int left = number(cc), right = number(key.cc);
  if (key.op == "==")
    return left == right || is_of_family(key.cc, cc) ? Truth::kExact : Truth::kFalse;
  const bool holds = key.op == "!="   ? left != right
                     : key.op == "<"  ? left < right
                     : key.op == "<=" ? left <= right
                     : key.op == ">"  ? left > right
                                      : left >= right;
  return holds ? Truth::kRange : Truth::kFalse;
}

bool has_keys_below(const CcTest& test) {
  return test.kind == CcTest::Kind::kKey || std::ranges::any_of(test.parts, has_keys_below);
}

Truth truth(const CcTest& test, const std::vector<CcKey>& keys, const Cc& cc);

Truth truth_of_parts(const CcTest& test, const std::vector<CcKey>& keys, const Cc& cc) {
  auto best = Truth::kFalse;
  bool is_unknown = false, is_false = false;
  for (const auto& part : test.parts) {
    const auto one = truth(part, keys, cc);
    is_unknown |= one == Truth::kUnknown;
    is_false |= one == Truth::kFalse;
    if (is_true(one)) best = std::max(best, one);
  }
  if (test.kind == CcTest::Kind::kAll)
    return is_false ? Truth::kFalse : is_unknown ? Truth::kUnknown : best;
  return is_true(best) ? best : is_unknown ? Truth::kUnknown : Truth::kFalse;
}

Truth truth(const CcTest& test, const std::vector<CcKey>& keys, const Cc& cc) {
  switch (test.kind) {
    case CcTest::Kind::kAll:
    case CcTest::Kind::kAny:
      return truth_of_parts(test, keys, cc);
    case CcTest::Kind::kKey:
      return test.key < keys.size() ? compare(keys[test.key], cc) : Truth::kUnknown;
    case CcTest::Kind::kTrue:
      return Truth::kTrue;
    case CcTest::Kind::kFalse:
      return Truth::kFalse;
    case CcTest::Kind::kUnknown:
      return Truth::kUnknown;
    case CcTest::Kind::kNot:
      break;
  }
  if (test.parts.size() != 1) return Truth::kUnknown;
  // not (major != 12) names it.
  const auto& part = test.parts[0];
  if (part.kind == CcTest::Kind::kKey && part.key < keys.size() && keys[part.key].op == "!=") {
    auto key = keys[part.key];
    key.op = "==";
    return compare(key, cc);
  }
  const auto inner = truth(part, keys, cc);
  if (inner == Truth::kUnknown) return inner;
  if (is_true(inner)) return Truth::kFalse;
  return has_keys_below(part) ? Truth::kRange : Truth::kTrue;
}

Truth truth_of(const CcArm& arm, const Cc& cc) {
  if (arm.is_else) return Truth::kTrue;
  if (!arm.is_row) return truth(arm.test, arm.keys, cc);
  auto best = Truth::kFalse;
  for (const auto& key : arm.keys) best = std::max(best, compare(key, cc));
  return best;
}

}  // namespace

CcAnswer answer(const CcPlace& place, const Cc& cc) {
  const auto given = std::ranges::find_if(place.answers, [&](const auto& one) {
    return one.cc.major == cc.major && one.cc.minor == cc.minor;
  });
  if (given != place.answers.end()) return *given;
  CcAnswer result{.cc = cc, .taken = ArmTaken::kNone};
  if (place.by_clang ||
      std::ranges::all_of(place.arms, [](const auto& arm) { return arm.keys.empty(); })) {
    result.taken = ArmTaken::kUnknown;
    return result;
  }
  for (std::size_t i = 0; i < place.arms.size(); ++i) {
    const auto one = truth_of(place.arms[i], cc);
    if (one == Truth::kFalse) continue;
    const bool was_open = !result.arms.empty();
    result.arms.push_back(i);
    if (one == Truth::kUnknown) continue;
    result.taken = place.arms[i].is_else  ? ArmTaken::kElse
                   : one == Truth::kExact ? ArmTaken::kExact
                                          : ArmTaken::kRange;
    if (was_open) break;
    result.value = place.arms[i].value;
    return result;
  }
  if (!result.arms.empty()) result.taken = ArmTaken::kUnknown;
  return result;
}

bool names(const CcKey& key, const Cc& cc) {
  if (key.op != "==" && key.op != "!=") return false;
  return compare({.expression = {}, .op = "==", .key = {}, .unit = key.unit, .cc = key.cc}, cc) ==
             Truth::kExact &&
         key.unit != KeyUnit::kMinor;
}

std::string_view unit_name(KeyUnit unit) { return kUnitNames[static_cast<std::size_t>(unit)]; }

std::optional<KeyUnit> find_unit(std::string_view name) {
  const auto at = std::ranges::find(kUnitNames, name);
  if (at == kUnitNames.end()) return std::nullopt;
  return static_cast<KeyUnit>(at - kUnitNames.begin());
}

std::string_view taken_name(ArmTaken taken) {
  constexpr std::array<std::string_view, 5> kNames{"exact", "range", "else", "none", "unknown"};
  return kNames[static_cast<std::size_t>(taken)];
}

std::string key_cc_text(const CcKey& key) {
  if (key.unit == KeyUnit::kMajor) return fmt::format("{}", key.cc.major);
  if (key.unit == KeyUnit::kMinor) return fmt::format("x.{}", key.cc.minor);
  return fmt::format("{}.{}{}", key.cc.major, key.cc.minor, key.cc.suffix);
}

std::string value_text(const CcValue& value) {
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? "true" : "false";
  if (const auto* number = std::get_if<long long>(&value)) return fmt::format("{}", *number);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  return std::get<std::string>(value);
}

}  // namespace portpatch
