#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace portpatch::test {
namespace {

constexpr const char* kPython =
    "MiB = 1024 * 1024\nSIZES = {\n    9: {2: 64 * MiB, 4: 32 * MiB},\n    12: {2: 256 * MiB, 4: "
    "128 * MiB},\n}\n\n\n"
    "def is_sm120_supported():\n    return get_device_capability()[0] == 12\n\n\ndef run(x):\n    "
    "if is_sm120_supported():\n        return gemm(x)\n";
constexpr const char* kCuda =
    "constexpr size_t MiB = 1024 * 1024;\nstatic const std::map<int, std::map<int, size_t>> kSizes "
    "= {\n    {9, {{2, 64 * MiB}, {4, 32 * MiB}}},\n};\n\n"
    "void gemm(int sm_version) {\n  if (sm_version == 90) {\n    return gemm_sm90();\n  }\n  if "
    "(sm_version == 100) {\n    return gemm_sm100();\n  }\n  fail();\n}\n";

/// A tree with a Python and a CUDA side, and a pack with these companions.
class Pair {
 public:
  explicit Pair(const std::string& companions, const std::string& cuda = kCuda,
                const std::string& more = "", const std::string& python = kPython)
      : world_({{"pack.toml", "format = 1\n" + companions},
                {"python/sizes.scm",
                 "; Ours.\n((assignment left: (_) @name right: (dictionary) @table)\n (#eq? @name "
                 "\"SIZES\")\n (#ensure-entry! @table \"12\" \"{2: 256 * MiB, 4: 128 * MiB}\"))\n"},
                {"python/other.scm",
                 "; Ours.\n((assignment left: (_) @name right: (dictionary) @table)\n (#eq? @name "
                 "\"OTHER\")\n (#ensure-entry! @table \"12\" \"{2: 1, 4: 1}\"))\n"}},
               {{"a.py", python + more}, {"csrc/gemm.cu", cuda}}) {}

  [[nodiscard]] Ran check(const std::string& arguments = "") const {
    return portpatch(world_.scratch(), "-C tree check pack --syntax-only " + arguments);
  }
  [[nodiscard]] std::string run(const std::string& arguments) const {
    return portpatch(world_.scratch(), "-C tree " + arguments).out;
  }
  [[nodiscard]] std::string error(const std::string& arguments) const {
    return portpatch(world_.scratch(), "-C tree " + arguments).error;
  }
  [[nodiscard]] std::string cuda() const { return world_.file("csrc/gemm.cu"); }

 private:
  World world_;
};

constexpr const char* kMirror =
    "[[companion]]\nname = \"sizes\"\nfiles = [\"csrc/*.cu\"]\ntable = \"kSizes\"\nmirrors = "
    "\"python/sizes\"\n";
constexpr const char* kGate =
    "[[companion]]\nfiles = [\"csrc/*.cu\"]\nfunction = \"gemm\"\ngate = \"is_sm120_supported\"\n";
constexpr const char* kRow = "    {12, {{2, 256 * MiB}, {4, 128 * MiB}}},\n";

/// The report without the line that names the tree.
std::string body(const Ran& ran) { return ran.out.substr(ran.out.find("\n\n") + 2); }

TEST(CommandCheck, SaysWhatBothSidesHave) {
  const auto ran = Pair(std::string(kMirror) + kGate).check();
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(
      body(ran),
      "  disagrees  pack/sizes: mirrors python/sizes\n"
      "      csrc/gemm.cu:2 (kSizes): missing-key\n"
      "        kSizes has no row for 12.x; python/sizes says 12: {2: 256 * MiB, 4: 128 * MiB}\n"
      "        against a.py:4 (python/sizes)\n"
      "        add the row; --fix does\n"
      "      read by syntax only: as asked: csrc/gemm.cu\n"
      "  disagrees  pack/gemm in csrc/*.cu: has an arm for what is_sm120_supported lets in\n"
      "      csrc/gemm.cu:7 (if-return sequence in gemm): no-arm\n"
      "        nothing takes 12.0, 12.1; there is 9.0, 10.0; is_sm120_supported lets 12.0, 12.1 "
      "in\n"
      "        against a.py:8 (is_sm120_supported)\n"
      "        add the arm, or take it out of the gate\n"
      "      read by syntax only: as asked: csrc/gemm.cu\n"
      "\n2 companions: 2 disagrees\n");
  EXPECT_EQ(ran.status, 1);
}

TEST(CommandCheck, FixWritesTheRowAndUndoTakesItBack) {
  const Pair pair(kMirror);
  const auto planned = pair.check("--fix --dry-run");
  EXPECT_TRUE(planned.out.contains("\n+" + std::string(kRow))) << planned.out;
  EXPECT_TRUE(planned.out.ends_with("1 file would be written (--dry-run)\n")) << planned.out;
  EXPECT_EQ(pair.cuda(), kCuda);
  const auto fixed = pair.check("--fix");
  EXPECT_EQ(fixed.status, 0) << fixed.out;
  std::string wanted = kCuda;
  wanted.insert(wanted.find("};"), kRow);
  EXPECT_EQ(pair.cuda(), wanted);
  EXPECT_EQ(body(pair.check()),
            "  agrees     pack/sizes: mirrors python/sizes\n      csrc/gemm.cu:2 (kSizes)\n      "
            "read by syntax only: as asked: csrc/gemm.cu\n\n1 companion: 1 agrees\n");
  EXPECT_TRUE(pair.run("undo").contains("1 file restored"));
  EXPECT_EQ(pair.cuda(), kCuda);
}

TEST(CommandCheck, AnotherValueIsShownAndMended) {
  std::string cuda = kCuda;
  cuda.insert(cuda.find("};"), "    {12, {{2, 256 * MiB}, {4, 64 * MiB}}},\n");
  const Pair pair(kMirror, cuda);
  const auto ran = pair.check();
  EXPECT_TRUE(ran.out.contains(
      "csrc/gemm.cu:4 (kSizes): other-value\n        the values for 12.x differ: {{2, 256 * MiB}, "
      "{4, 64 * MiB}} here, {2: 256 * MiB, 4: 128 * MiB} there\n"))
      << ran.out;
  EXPECT_EQ(pair.check("--fix").status, 0);
  std::string wanted = kCuda;
  wanted.insert(wanted.find("};"), kRow);
  EXPECT_EQ(pair.cuda(), wanted);
}

TEST(CommandCheck, AListGetsTheElementAsItsSiblingsAreSpelled) {
  const Pair pair(
      "[[companion]]\nfiles = [\"csrc/*.cu\"]\ntable = \"kArchs\"\ncovers = [\"9.0\", \"12.0\"]\n",
      "constexpr int kArchs[] = {90, 100};\n");
  EXPECT_TRUE(
      pair.check().out.contains("csrc/gemm.cu:1 (kArchs): missing-key\n        kArchs has no 12.0; "
                                "there is 9.0, 10.0\n        add it; --fix does\n"));
  EXPECT_EQ(pair.check("--fix").status, 0);
  EXPECT_EQ(pair.cuda(), "constexpr int kArchs[] = {90, 100, 120};\n");
}

TEST(CommandCheck, AListMirrorsTheKeysOfATable) {
  const auto list = [](const std::string& elements) {
    return Pair(
               "[[companion]]\nname = \"archs\"\nfiles = [\"csrc/*.cu\"]\ntable = "
               "\"kArchs\"\nmirrors = \"python/sizes\"\n",
               "constexpr int kArchs[] = {" + elements + "};\n")
        .check();
  };
  EXPECT_EQ(list("9, 12").status, 0);
  EXPECT_TRUE(list("9").out.contains(
      "kArchs has no row for 12.x; python/sizes says 12: {2: 256 * MiB, 4: 128 * MiB}\n        "
      "against a.py:4 (python/sizes)\n        add the row; --fix does\n"));
  EXPECT_TRUE(list("9, 120").out.contains("other-unit\n"));
}

TEST(CommandCheck, KeysOfAnotherUnitAndKeysTooManyAreSaid) {
  const auto ran = Pair(kMirror,
                        "constexpr size_t MiB = 1 << 20;\nconst M kSizes = {{90, {{2, 64 * MiB}, "
                        "{4, 32 * MiB}}}, {100, {}}, {120, {{2, 256 * MiB}, {4, 128 * MiB}}}};\n")
                       .check();
  EXPECT_TRUE(
      ran.out.contains("other-unit\n        the key 120 here means 12.0, 12 there means 12.x\n"))
      << ran.out;
  EXPECT_TRUE(
      ran.out.contains("extra-key\n        kSizes has a row for 10.0, python/sizes has none\n"))
      << ran.out;
  // For the GPU that the pack cares for both say the same.
  EXPECT_EQ(Pair(std::string(kMirror) + "covers = [\"12.0\"]\n",
                 "constexpr size_t MiB = 1 << 20;\nconst M kSizes = {{90, {}}, {120, {{2, 256 * "
                 "MiB}, {4, 128 * MiB}}}};\n")
                .check()
                .status,
            0);
}

TEST(CommandCheck, ValuesThatCannotBeReadAreNotCalledEqual) {
  const auto ran = Pair(std::string(kMirror) + "covers = [\"12.0\"]\n",
                        "const M kSizes = {{12, limits()}};\n")
                       .check();
  EXPECT_TRUE(
      ran.out.contains("  unknown    pack/sizes: mirrors python/sizes at 12.0\n      "
                       "csrc/gemm.cu:1 (kSizes): not-seen\n        the values for 12.x could not "
                       "be compared: limits() here, {2: 256 * MiB, 4: 128 * MiB} there\n"))
      << ran.out;
  EXPECT_EQ(ran.status, 1);
}

TEST(CommandCheck, AQueryNamesThePlacesThatAreMeant) {
  const auto companion = [](const std::string& name) {
    return "[[companion]]\nfiles = [\"csrc/*.cu\"]\nquery = '''((function_definition declarator: "
           "(function_declarator declarator: (identifier) @name)) @place (#eq? @name \"" +
           name + "\"))'''\ncovers = [\"9.0\", \"12.0\"]\n";
  };
  EXPECT_TRUE(
      Pair(companion("gemm")).check().out.contains("nothing takes 12.0; there is 9.0, 10.0\n"));
  EXPECT_TRUE(Pair(companion("other"))
                  .check()
                  .out.contains("nothing in what the query matches depends on a cc\n"));
}

TEST(CommandCheck, ArmsThatFailAreRefusalsByClangToo) {
  const auto told = [](const std::string& body) {
    const Pair pair(
        "[[companion]]\nfiles = [\"csrc/*.cu\"]\nfunction = \"gemm\"\ncovers = [\"12.0\"]\n",
        "void gemm(int sm_version) {\n  if (sm_version == 120) {\n    " + body +
            "\n  }\n  a();\n}\n");
    const auto syntax = pair.check().out, both = pair.run("check pack");
    EXPECT_TRUE(both.contains(": refused\n") || both.contains("portpatch-cc")) << both;
    return syntax.contains(
               "csrc/gemm.cu:2 (if in gemm): refused\n        12.0 is refused by `sm_version == "
               "120`\n") ||
           syntax.contains(": refused\n");
  };
  EXPECT_TRUE(told("throw std::runtime_error(\"no\");"));
  EXPECT_TRUE(told("TORCH_CHECK(false, \"no sm120\");"));
  EXPECT_TRUE(told("abort();"));
  EXPECT_TRUE(told("return cudaErrorNotSupported;"));
}

TEST(CommandCheck, ArmsThatNoBuildKeepsAreNoArms) {
  for (const auto* condition : {"#if 0", "#ifdef USE_ROCM", "#if defined(USE_ROCM) && X"}) {
    const Pair pair(
        "[[companion]]\nfiles = [\"csrc/*.cu\"]\nfunction = \"gemm\"\ncovers = [\"9.0\", "
        "\"12.0\"]\n",
        std::string("void gemm(int sm_version) {\n  if (sm_version == 90) {\n    a();\n  }\n") +
            condition + "\n  if (sm_version == 120) {\n    b();\n  }\n#endif\n}\n");
    EXPECT_TRUE(pair.check().out.contains("nothing takes 12.0; there is 9.0\n"))
        << condition << pair.check().out;
    EXPECT_TRUE(pair.run("check pack").contains("nothing takes 12.0; there is 9.0\n"))
        << condition << pair.run("check pack");
  }
}

TEST(CommandCheck, AGateIsFollowedToWhatItAsks) {
  const auto told = [](const std::string& python) {
    return Pair(kGate, kCuda, "", python).check().out;
  };
  const std::string
      own = "def is_sm120_supported():\n    return get_device_capability()[0] == 12\n\n\n";
  EXPECT_TRUE(told(own).contains("is_sm120_supported lets 12.0, 12.1 in"))
      << "that nothing uses: " << told(own);
  EXPECT_TRUE(
      told("def is_sm12x():\n    return get_device_capability()[0] == 12\n\n\ndef "
           "is_sm120_supported():\n    return is_sm12x() and ready()\n")
          .contains("whether is_sm120_supported lets 12.0, 12.1 in depends on more than the cc"));
  EXPECT_TRUE(told("def is_sm12x():\n    return get_device_capability()[0] == 12\n\n\ndef "
                   "is_sm120_supported():\n    return is_sm12x()\n")
                  .contains("is_sm120_supported lets 12.0, 12.1 in"));
}

TEST(CommandCheck, DefinitionsOfAGateThatDifferAreNamed) {
  const auto ran = Pair(kGate, kCuda, "",
                        "if A:\n    def is_sm120_supported():\n        return "
                        "get_device_capability()[0] == 12\nelse:\n    def is_sm120_supported():\n  "
                        "      return get_device_capability()[0] == 10\n")
                       .check();
  EXPECT_TRUE(ran.out.contains(
      "whether is_sm120_supported lets 10.0, 10.3, 12.0, 12.1 in is said differently, or not for "
      "certain, by its 2 definitions; the others: a.py:5\n"))
      << ran.out;
  EXPECT_TRUE(ran.out.contains("  unknown    pack/")) << ran.out;
}

TEST(CommandCheck, ABadQueryIsNamed) {
  EXPECT_EQ(Pair("[[companion]]\nname = \"q\"\nfiles = [\"csrc/*.cu\"]\nquery = \"(no_such_node) "
                 "@x\"\ncovers = [\"9.0\"]\n")
                .check()
                .error.substr(0, 56),
            "the query of companion q:1:2: error: C++ has no node typ");
}

TEST(CommandCheck, TablesOfThatNameThatCannotBeReadAreSaid) {
  const auto ran = Pair(kMirror, std::string(kCuda).insert(std::string(kCuda).find("};"), kRow) +
                                     "namespace b {\nconst M kSizes = {{Arch::A, 1}};\n}\n")
                       .check();
  EXPECT_TRUE(ran.out.contains("  unknown    pack/sizes")) << ran.out;
  EXPECT_TRUE(ran.out.contains(
      "(kSizes): not-seen\n        this kSizes could not be read as a table or list keyed by cc\n"))
      << ran.out;
}

TEST(CommandCheck, FixWritesNothingThatAnotherCompanionDoesNotWant) {
  const Pair pair(std::string(kMirror) +
                      "[[companion]]\nname = \"other\"\nfiles = [\"csrc/*.cu\"]\ntable = "
                      "\"kSizes\"\nmirrors = \"python/other\"\n",
                  kCuda, "OTHER = {9: {2: 64 * MiB, 4: 32 * MiB}, 12: {2: 1, 4: 1}}\n");
  const auto ran = pair.check("--fix");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(pair.cuda(), kCuda) << ran.out;
  EXPECT_TRUE(ran.out.contains("note: csrc/gemm.cu: kSizes was left as it is: ")) << ran.out;
}

TEST(CommandCheck, LargeNumbersAreWrittenAsNumbers) {
  const Pair pair(std::string(kMirror) + "covers = [\"12.0\"]\n", "const M kSizes = {{9, 1}};\n",
                  "", "SIZES = {9: 1, 12: 4 * 1024 * 1024 * 1024}\n");
  EXPECT_EQ(pair.check("--fix").status, 0);
  EXPECT_EQ(pair.cuda(), "const M kSizes = {{9, 1}, {12, 4294967296}};\n");
}

TEST(CommandCheck, AMatcherNeedsClang) {
  const auto ran =
      Pair("[[companion]]\nfiles = [\"csrc/*.cu\"]\nmatcher = \"ifStmt()\"\ncovers = [\"9.0\"]\n")
          .check();
  EXPECT_TRUE(ran.out.contains("  unknown    ")) << ran.out;
  EXPECT_TRUE(ran.out.contains("a matcher needs portpatch-cc: nothing was looked at\n")) << ran.out;
}

TEST(CommandCheck, WhatIsNotThereIsLost) {
  const auto lost = [](const std::string& companion) {
    const auto ran = Pair("[[companion]]\n" + companion).check();
    EXPECT_EQ(ran.status, 1);
    EXPECT_TRUE(ran.out.contains("  lost       ")) << ran.out;
    return ran.out;
  };
  EXPECT_TRUE(lost("files = [\"*.cuh\"]\nfunction = \"gemm\"\ncovers = [\"12.0\"]\n")
                  .contains("no file of the tree matches these globs\n        correct `files` of "
                            "the companion: gemm is in csrc/gemm.cu:7\n"));
  EXPECT_TRUE(lost("files = [\"csrc/*\"]\nfunction = \"gem\"\ncovers = [\"12.0\"]\n")
                  .contains("nothing in a function gem depends on a cc\n"));
  EXPECT_TRUE(lost("files = [\"csrc/*\"]\ntable = \"kLimits\"\ncovers = [\"12.0\"]\n")
                  .contains("no table called kLimits is there\n"));
  EXPECT_TRUE(lost("files = [\"csrc/*\"]\nfunction = \"gemm\"\ngate = \"is_sm130\"\n")
                  .contains("the gate is_sm130 was not found in Python, or asks for no cc\n"));
}

TEST(CommandCheck, JsonSaysTheSame) {
  const auto ran = Pair(kMirror).check("--format json");
  EXPECT_TRUE(ran.out.contains("\"agreement\": \"disagrees\"")) << ran.out;
  EXPECT_TRUE(ran.out.contains("\"kind\": \"missing-key\"")) << ran.out;
  EXPECT_TRUE(
      ran.out.contains("\"fix\": {\n            \"key\": \"cc:12.0\",\n            \"value\": "
                       "\"{{2, 256 * MiB}, {4, 128 * MiB}}\"\n          }"))
      << ran.out;
}

TEST(CommandCheck, ARuleThatACompanionNamesIsNotRetired) {
  const Pair pair(kMirror);
  EXPECT_EQ(pair.error("retire --force pack/python/sizes"),
            "error: the companion sizes of pack names python/sizes [hand-work]\n  help: take the "
            "companion out of pack.toml, or let it name another rule or helper\n");
  EXPECT_EQ(pair.check().status, 1);
}

TEST(CommandCheck, MistakesOfACompanionAreNamed) {
  const auto error = [](const std::string& companion) {
    return Pair("[[companion]]\n" + companion).check().error;
  };
  EXPECT_EQ(
      error("files = [\"a\"]\ntable = \"t\"\nmirrors = \"python/size\"\n").substr(0, 87),
      "pack/pack.toml: error: the companion t in a names the rule `python/size`, which the pac");
  EXPECT_TRUE(error("files = [\"a\"]\ncovers = [\"12\"]\n")
                  .contains("`12` is no compute capability [bad-value]"));
  EXPECT_TRUE(error("files = [\"a\"]\ncovers = [\"12.0\"]\n")
                  .contains("a companion must say what is looked at, by one key [no-subject]"));
  EXPECT_TRUE(error("files = [\"a\"]\nfunction = \"f\"\n")
                  .contains("a companion must say what has to hold [no-demand]"));
  EXPECT_TRUE(error("function = \"f\"\ncovers = [\"12.0\"]\n")
                  .contains("a companion must say in which files it is [no-files]"));
  EXPECT_TRUE(error("files = [\"a\"]\nfunction = \"f\"\nmirrors = \"python/sizes\"\n")
                  .contains("only a table can mirror the table of a rule [no-table]"));
  EXPECT_TRUE(error("files = [\"a\"]\nfunktion = \"f\"\ncovers = [\"12.0\"]\n")
                  .contains("did you mean `function`?"));
  EXPECT_TRUE(
      Pair("").check().error.starts_with("error: the packs name no companion [no-companions]\n"));
}

}  // namespace
}  // namespace portpatch::test
