#include <gtest/gtest.h>

#include "tests/matchers/places.h"

namespace portpatch::matchers::test {
namespace {

TEST(Ladder, TakesTheFirstArmThatHolds) {
  EXPECT_EQ(places_text(
                "if (sm >= 90) { return 1; } else if (sm == 120) { return 2; } else { return 3; }"),
            "else-if chain: >=90=9.0/10x ==120=12.0/10x; range 1\n");
  EXPECT_EQ(places_text("if (sm == 90) return 1; if (sm == 100 || sm == 103) return 2; return 3;"),
            "if-return sequence: ==90=9.0/10x ==100=10.0/10x ==103=10.3/10x; else 3\n");
}

TEST(Ladder, IsUnknownUnderAFurtherCondition) {
  EXPECT_EQ(places_text("if (sm >= 100 && fast) return 1; else if (sm >= 100) return 2;"),
            "else-if chain: >=100=10.0/10x >=100=10.0/10x; unknown\n");
  EXPECT_EQ(places_text("if (slow) return 1; else if (sm >= 100) return 2;"),
            "else-if chain: >=100=10.0/10x; unknown\n");
  // What is false whatever else holds is not unknown.
  EXPECT_EQ(places_text("if (sm == 90 && fast) return 1; return 2;"),
            "if-return sequence: ==90=9.0/10x; else 2\n");
}

TEST(Ladder, EndsWhereTheCapabilityIsAssigned) {
  EXPECT_EQ(places_text("if (sm == 90) return 1; sm = 120; if (sm == 120) return 2;"),
            "if: ==90=9.0/10x; none\nif: ==120=12.0/10x; exact 2\n");
}

TEST(Conditional, ReadsNestedOnesAsOneLadder) {
  EXPECT_EQ(places_text("return cudaArch >= 800 ? (cudaArch / 100 == 12 ? 6 : 8) : 4;"),
            "conditional: >=800=8.0/100x ==12=12/major >=800=8.0/100x; exact 6\n");
}

TEST(Check, HoldsOrNot) {
  EXPECT_EQ(places_text("TORCH_CHECK(sm == 100, \"needs \", sm);"),
            "check: ==100=10.0/10x; none\n");
  EXPECT_EQ(places_text("ICHECK(arch_major == 12 or arch_major == 10);"),
            "check: ==12=12/major ==10=10/major; exact\n");
}

TEST(Boolean, IsNeverCoveredByARange) {
  EXPECT_EQ(places_text("bool is_new = sm >= 120;"), "boolean: >=120=12.0/10x; range true\n");
  EXPECT_EQ(places_text("return !(sm < 90);"), "predicate: <90=9.0/10x; range true\n");
  EXPECT_EQ(places_text("return sm != 100;"), "predicate: !=100=10.0/10x; range true\n");
}

TEST(Switch, JoinsLabelsThatFallThrough) {
  EXPECT_EQ(
      places_text(
          "switch (sm) { case 90: return 1; case 120: case 121: return 2; default: return 3; }"),
      "switch: ==90=9.0/10x ==120=12.0/10x ==121=12.1/10x; exact 2\n");
  EXPECT_EQ(places_text("switch (arch) { case Arch::Sm100a: return 1; default: return 3; }"),
            "switch: ==Arch::Sm100a=10.0/arch; else 3\n");
}

TEST(Preprocessor, StandsForItsMacros) {
  auto facts = facts_of("");
  facts.macros = {{"MY_ARCH", "__CUDA_ARCH__"}, {"BLACKWELL", "1200"}};
  EXPECT_EQ(places_text(facts,
                        "#if defined(MY_ARCH) && MY_ARCH >= BLACKWELL\n#define STAGES "
                        "2\n#else\n#define STAGES 4\n#endif\n"),
            "#if: >=BLACKWELL=12.0/100x; range 2\n");
  EXPECT_EQ(places_text(facts, "#ifdef __CUDA_ARCH__\n#endif\n#if CUDA_VERSION >= 1200\n#endif\n"),
            "");
}

TEST(PolicyChain, TakesTheHighestThatIsReached) {
  EXPECT_EQ(places_text(Facts{},
                        "struct P350 : ChainedPolicy<350, P350, P350> {};\nstruct P800 : "
                        "ChainedPolicy<800, P800, P350> {};\n"),
            "policy chain: >=800=8.0/100x >=350=3.5/100x; range\n");
}

TEST(Specialisation, NamesItsTag) {
  EXPECT_EQ(
      places_text(Facts{},
                  "template <class A>\nstruct Layout<A, arch::Sm120> : Base<arch::Sm90> {};\n"),
      "specialisation: ==arch::Sm120=12.0/arch; exact\n");
  EXPECT_EQ(places_text(Facts{}, "template <class A>\nvoid f(Layout<A, arch::Sm120> x);\n"), "");
}

TEST(KeyedTable, NeedsANameThatSpeaksOfArchitectures) {
  const auto row = [](std::string key, long long value) {
    return Expression{
        .kind = Expression::Kind::kList,
        .parts = {read_expression(key), {.kind = Expression::Kind::kNumber, .value = value}}};
  };
  Facts facts;
  facts.initialisers.push_back(
      {.name = "coresPerSM", .type = "Cores[]", .rows = {row("0x90", 128), row("0xc0", 64)}});
  EXPECT_EQ(places_text(facts, ""), "struct array: ==0x90=9.0/hex ==0xc0=12.0/hex; exact 64\n");
  facts.initialisers[0].name = "shapes";
  EXPECT_EQ(places_text(facts, ""), "");
}

TEST(IndexedArray, IsUnknown) {
  Facts facts;
  facts.initialisers.push_back({.name = "efficiency",
                                .type = "float[]",
                                .size = "NUM_COMPCAPS",
                                .rows = {read_expression("1"), read_expression("2")}});
  EXPECT_EQ(places_text(facts, ""), "indexed array:; unknown\n");
}

}  // namespace
}  // namespace portpatch::matchers::test
