#include "inventory/place.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace portpatch {
namespace {

using Kind = CcTest::Kind;

CcTest key(std::size_t index) { return {.kind = Kind::kKey, .key = index}; }
CcTest all(std::vector<CcTest> parts) { return {.kind = Kind::kAll, .parts = std::move(parts)}; }

CcKey tens(std::string op, int major, int minor) {
  return {.expression = "sm",
          .op = std::move(op),
          .key = "",
          .unit = KeyUnit::kTens,
          .cc = {major, minor}};
}

CcPlace ladder(std::vector<CcArm> arms) {
  return {.path = "a.cu", .form = "else-if chain", .arms = std::move(arms)};
}

/// "9.0 exact 0; 12.0 unknown 0,1"
std::string answers(const CcPlace& place, const std::vector<Cc>& asked) {
  std::string text;
  for (const auto& cc : asked) {
    const auto one = answer(place, cc);
    text += fmt::format("{}{}.{} {}", text.empty() ? "" : "; ", cc.major, cc.minor,
                        taken_name(one.taken));
    for (const auto arm : one.arms) text += fmt::format(" {}", arm);
    if (one.value) text += " = " + value_text(*one.value);
  }
  return text;
}

TEST(CcPlace, TellsNamedFromSwallowed) {
  const auto place = ladder({{.keys = {tens("==", 12, 0)}, .test = key(0), .value = 3LL},
                             {.keys = {tens(">=", 9, 0)}, .test = key(0)},
                             {.is_else = true}});
  EXPECT_EQ(answers(place, {{12, 0}, {12, 1}, {9, 0}, {8, 9}}),
            "12.0 exact 0 = 3; 12.1 range 1; 9.0 range 1; 8.9 else 2");
}

TEST(CcPlace, HasNoArmForWhatNoConditionTakes) {
  EXPECT_EQ(answers(ladder({{.keys = {tens("==", 9, 0)}, .test = key(0)}}), {{12, 0}}),
            "12.0 none");
}

TEST(CcPlace, IsUnknownUnderAFurtherCondition) {
  const auto place = ladder({{.keys = {tens(">=", 9, 0)}, .test = all({key(0), CcTest{}})},
                             {.keys = {tens("==", 12, 0)}, .test = key(0)},
                             {.is_else = true}});
  EXPECT_EQ(answers(place, {{12, 0}, {10, 0}, {8, 0}}),
            "12.0 unknown 0 1; 10.0 unknown 0 2; 8.0 else 2");
}

TEST(CcPlace, IsNeverExactByADenial) {
  const auto place = ladder(
      {{.keys = {tens("==", 9, 0)}, .test = {.kind = Kind::kNot, .parts = {key(0)}}}});
  EXPECT_EQ(answers(place, {{12, 0}, {9, 0}}), "12.0 range 0; 9.0 none");
}

TEST(CcPlace, IsExactByADeniedDenial) {
  const auto place = ladder(
      {{.keys = {tens("!=", 12, 0)}, .test = {.kind = Kind::kNot, .parts = {key(0)}}}});
  EXPECT_EQ(answers(place, {{12, 0}, {9, 0}}), "12.0 exact 0; 9.0 none");
}

TEST(CcPlace, CountsFamiliesByTheirMajorNumberAndSuffix) {
  const CcKey major{.op = "==", .unit = KeyUnit::kMajor, .cc = {12, 0}},
      family{.op = "==", .unit = KeyUnit::kArch, .cc = {10, 0, "f"}},
      one{.op = "==", .unit = KeyUnit::kArch, .cc = {10, 0, "a"}};
  const CcPlace table{.arms = {{.is_row = true, .keys = {major}},
                               {.is_row = true, .keys = {one}},
                               {.is_row = true, .keys = {family}}}};
  EXPECT_EQ(answers(table, {{12, 1}, {10, 0}, {10, 3}, {11, 0}}),
            "12.1 exact 0; 10.0 exact 1; 10.3 exact 2; 11.0 none");
  EXPECT_TRUE(names(major, {12, 1}));
  EXPECT_TRUE(names(tens("!=", 12, 0), {12, 0}));
  EXPECT_FALSE(names(tens(">=", 12, 0), {12, 0}));
}

TEST(CcPlace, TakesClangsAnswerAndMakesUpNone) {
  const CcPlace place{.by_clang = true,
                      .arms = {{.keys = {tens("==", 12, 0)}}},
                      .answers = {{.cc = {12, 0}, .taken = ArmTaken::kElse, .arms = {1}}}};
  EXPECT_EQ(answers(place, {{12, 0}, {9, 0}}), "12.0 else 1; 9.0 unknown");
}

TEST(CcPlace, WithoutKeysIsUnknown) {
  EXPECT_EQ(answers(ladder({{.test = {.kind = Kind::kTrue}}}), {{12, 0}}), "12.0 unknown");
}

}  // namespace
}  // namespace portpatch
