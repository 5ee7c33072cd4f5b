#include "companion/judge_places.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace portpatch {
namespace {

CcArm arm(std::string op, Cc cc, std::string condition, bool refuses = false) {
  return {.line = 5,
          .condition = std::move(condition),
          .refuses = refuses,
          .keys = {{.expression = "sm",
                    .op = std::move(op),
                    .unit = KeyUnit::kTens,
                    .cc = std::move(cc),
                    .line = 7}},
          .test = {.kind = CcTest::Kind::kKey, .key = 0}};
}

CcPlace place(std::vector<CcArm> arms, std::string form = "else-if chain") {
  return {
      .path = "a.cu", .form = std::move(form), .function = "f", .line = 4, .arms = std::move(arms)};
}

std::string told(const std::vector<CheckFinding>& findings) {
  std::string text;
  for (const auto& one : findings)
    text += fmt::format("{}:{} {} {}: {}\n", one.here.path, one.here.line, finding_name(one.kind),
                        describe(one.cc), one.says);
  return text;
}

std::string judged(Companion companion, const CcPlace& one,
                   const std::optional<Gate>& gate = std::nullopt) {
  return told(judge_places(companion, {&one}, gate));
}

Gate gate(std::set<Cc> in) {
  return {{"g.py", 3, "is_new"},
          [in](const Cc& cc) -> std::optional<bool> { return in.contains(cc); }};
}

const Companion kCovers{.covers = {{12, 0}}};

TEST(JudgePlaces, AnArmThatNamesItIsAsItShouldBe) {
  EXPECT_EQ(
      judged(kCovers, place({arm("==", {9, 0}, "sm == 90"), arm("==", {12, 0}, "sm == 120")})), "");
}

TEST(JudgePlaces, NothingTakesIt) {
  EXPECT_EQ(
      judged(kCovers, place({arm("==", {9, 0}, "sm == 90"), arm(">=", {12, 1}, "sm >= 121")})),
      "a.cu:4 no-arm 12.0: nothing takes 12.0; there is 9.0, >= 12.1\n");
}

TEST(JudgePlaces, ARangeAndAnElseDoOnlyWhereThePackSaysSo) {
  const auto range = place({arm(">=", {9, 0}, "sm >= 90")});
  EXPECT_EQ(judged(kCovers, range),
            "a.cu:5 range 12.0: 12.0 is taken by `sm >= 90`, which does not name it\n");
  EXPECT_EQ(judged({.covers = {{12, 0}}, .range_ok = true}, range), "");
  const auto otherwise = place({arm("==", {9, 0}, "sm == 90"), {.line = 6, .is_else = true}});
  EXPECT_EQ(judged(kCovers, otherwise),
            "a.cu:6 else 12.0: 12.0 is left to the else; there is 9.0\n");
  EXPECT_EQ(judged({.covers = {{12, 0}}, .else_ok = true}, otherwise), "");
}

TEST(JudgePlaces, AnArmThatFailsRefuses) {
  EXPECT_EQ(judged(kCovers, place({arm(">=", {12, 0}, "sm >= 120", true)})),
            "a.cu:5 refused 12.0: 12.0 is refused by `sm >= 120`\n");
  // Who is not refused goes on.
  EXPECT_EQ(judged(kCovers, place({arm("<", {8, 0}, "sm < 80", true)})), "");
  EXPECT_EQ(judged(kCovers, place({arm("==", {9, 0}, "sm == 90")}, "check")),
            "a.cu:4 no-arm 12.0: nothing takes 12.0; there is 9.0\n");
}

TEST(JudgePlaces, AFurtherConditionIsNoAnswer) {
  auto unsure = arm("==", {12, 0}, "sm == 120 && fast");
  unsure.test = {.kind = CcTest::Kind::kAll, .parts = {unsure.test, CcTest{}}};
  const auto findings = judge_places(kCovers, {}, std::nullopt);
  EXPECT_EQ(told(findings), "");
  const auto one = place({unsure});
  EXPECT_EQ(judged(kCovers, one),
            "a.cu:5 depends 12.0: whether 12.0 is taken depends on more than the cc: `sm == 120 && "
            "fast`\n");
  EXPECT_EQ(agreement_of(judge_places(kCovers, {&one}, std::nullopt)), Agreement::kUnknown);
}

TEST(JudgePlaces, AnArmBehindARangeIsNeverReached) {
  EXPECT_EQ(judged({.covers = {{9, 0}}, .range_ok = true},
                   place({arm(">=", {9, 0}, "sm >= 90"), arm("==", {12, 0}, "sm == 120")})),
            "a.cu:7 unreachable 12.0: the arm for 12.0 is never reached: `sm >= 90` in front of it "
            "takes it\n");
  EXPECT_EQ(judged({.covers = {{9, 0}}, .range_ok = true},
                   place({arm(">=", {9, 0}, "sm >= 90"), arm("==", {12, 0}, "sm == 120")},
                         "if sequence")),
            "");
}

TEST(JudgePlaces, WhatTheGateLetsInIsAsked) {
  const auto one = place({arm("==", {9, 0}, "sm == 90")});
  EXPECT_EQ(judged({.gate = "is_new"}, one, gate({{12, 0}, {12, 1}})),
            "a.cu:4 no-arm 12.0, 12.1: nothing takes 12.0, 12.1; there is 9.0; is_new lets 12.0, "
            "12.1 in\n");
  EXPECT_EQ(judged({.gate = "is_new", .covers = {{12, 0}}}, one, gate({{12, 0}, {12, 1}})),
            "a.cu:4 no-arm 12.0: nothing takes 12.0; there is 9.0; is_new lets 12.0 in\n");
  EXPECT_EQ(judged({.gate = "is_new"}, one, gate({{9, 0}})), "");
}

TEST(JudgePlaces, OnlyAGateForSeveralFamiliesKeepsOthersOut) {
  const auto one = place({arm("==", {9, 0}, "sm == 90"), arm("==", {10, 0}, "sm == 100"),
                          arm("==", {12, 0}, "sm == 120")});
  EXPECT_EQ(judged({.gate = "is_new"}, one, gate({{12, 0}})), "");
  EXPECT_EQ(judged({.gate = "is_new"}, one, gate({{12, 0}, {10, 0}})),
            "a.cu:5 never-let-in 9.0: there is an arm for 9.0, which is_new does not let in\n");
}

TEST(JudgePlaces, AGateThatLetsNothingInIsNoAgreement) {
  EXPECT_EQ(
      judged({.gate = "is_new", .covers = {{12, 0}}}, place({arm("==", {9, 0}, "sm == 90")}),
             gate({{9, 0}})),
      "g.py:3 not-seen : is_new lets in none of the GPUs that are asked: nothing was compared\n");
}

TEST(JudgePlaces, NamedConditionsAreNoArms) {
  const auto one = place({arm("==", {12, 0}, "sm == 120")}, "boolean");
  EXPECT_EQ(
      judged(kCovers, one),
      "a.cu:4 not-seen : there are only conditions; what is done with them was not looked at\n");
}

TEST(JudgePlaces, AGateThatCannotBeReadIsSaid) {
  const Gate unknown{{"g.py", 3, "is_new"},
                     [](const Cc&) -> std::optional<bool> { return std::nullopt; }};
  EXPECT_EQ(judged({.gate = "is_new", .covers = {{12, 0}}}, place({arm("==", {9, 0}, "sm == 90")}),
                   unknown),
            "g.py:3 not-seen 12.0: whether is_new lets 12.0 in depends on more than the cc, or was "
            "not understood\n");
}

}  // namespace
}  // namespace portpatch
