// What `review` says of a change, and that it says nothing of what was so before.
#include "review.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "report/format/format.h"
#include "tests/report/world.h"

namespace portpatch::test {
namespace {

std::string rule(const std::string& name, const std::string& directive) {
  return "((assignment left: (identifier) @n right: (dictionary) @d)\n (#eq? @n \"" + name + "\")\n " + directive + ")\n";
}

PackText pack() {
  return {{"pack.toml", R"(format = 1
cc = ["12.0"]
[[companion]]
name = "sizes"
files = ["csrc/*.cu"]
table = "kSizes"
mirrors = "python/sizes"
[[companion]]
name = "gemm"
files = ["csrc/gemm.cu"]
function = "run_gemm"
gate = "is_new_gpu"
covers = ["12.0"]
)"},
          {"python/sizes.scm", rule("SIZES", "(#ensure-entry! @d \"12\" \"64\")")},
          {"python/open.scm", rule("OPEN", "(#ensure-entry! @d \"12\" \"1\")")}};
}

/// The local port holds SIZES; OPEN is not applied.
const std::map<std::string, std::string> kTree{
    {"a/sizes.py", "import os\n\nSIZES = {\n    9: 32,\n    12: 64,\n}\n"},
    {"a/open.py", "OPEN = {\n    9: 1,\n    10: 1,\n}\n"},
    {"a/gates.py", "def is_new_gpu():\n    return get_device_capability() == (12, 0)\n"},
    {"a/use.py", "from a.gates import is_new_gpu\n\n\ndef call(x):\n    if is_new_gpu():\n        return run_gemm(x)\n"},
    {"csrc/sizes.cu", "constexpr std::pair<int, int> kSizes[] = {\n    {9, 32},\n    {12, 64},\n};\n"},
    {"csrc/gemm.cu", "void run_gemm(int sm_version) {\n  if (sm_version == 90) {\n    a();\n  } else if (sm_version == 120) {\n    b();\n  }\n}\n"},
};

class Review : public ::testing::Test {
 protected:
  Review() : world_(pack(), kTree) {
    world_.scratch().run("cd tree; git init -q -b main; git config user.email a@b.c; git config user.name n; git add -A; git commit -q -m base");
  }

  /// Makes the commands a commit on a branch of main, and says how the change is found.
  std::string said(const std::string& commands) {
    world_.scratch().run("cd tree; git checkout -q -B change main; " + commands + "; git add -A; git commit -q --allow-empty -m change");
    return said_of(review(request()));
  }

  ReviewRequest request() {
    return {.command = "review pack", .folder = world_.scratch().path("tree"), .base = "main", .head = "change", .packs = {world_.scratch().path("pack")}, .syntax_only = true};
  }

  std::string said_of(const std::expected<FindingReport, std::vector<Diagnostic>>& report) {
    if (!report) return normalised(render(report.error()[0], false), world_.scratch());
    std::string text;
    for (const auto& one : report->findings) {
      text += fmt::format("{} {} {} {}:{}{}\n  {}\n", severity_name(one.severity), one.type, one.subject.substr(one.subject.rfind("pack/") == std::string::npos ? 0 : one.subject.rfind("pack/")), one.place.path, one.place.line,
                          one.is_in_diff ? "" : " outside", one.message.substr(0, one.message.find('\n')));
      if (!one.patch.empty()) text += one.patch.substr(one.patch.find("@@"));
    }
    for (const auto& note : report->notes) text += "note " + normalised(note, world_.scratch()) + "\n";
    return text + std::to_string(report->exit_status);
  }

  World world_;
};

TEST_F(Review, IsSilentWhereNothingChangesForTheRules) {
  EXPECT_EQ(said("true"), "0");
  EXPECT_EQ(said("echo 'x = 1' >a/other.py"), "0");
  EXPECT_EQ(said("sed -i '1i import sys' a/sizes.py a/open.py a/gates.py a/use.py; sed -i '1i // text' csrc/*.cu"), "0");
  EXPECT_EQ(said("sed -i 's/10: 1,/10: 1, 11: 1,/' a/open.py"), "0") << "it was pending before";
}

TEST_F(Review, TellsWhatARuleLoses) {
  EXPECT_EQ(said("sed -i '/12: 64/d' a/sizes.py; sed -i '/12, 64/d' csrc/sizes.cu"), R"(warning rule-pending pack/python/sizes a/sizes.py:3
  the rule does not hold here; the edit is certain
@@ -2,4 +2,5 @@ import os
 
 SIZES = {
     9: 32,
+    12: 64,
 }
note 2 companions: read by syntax only: as asked
1)");
}

TEST_F(Review, TellsOfAConflictAndOfItsCompanion) {
  EXPECT_EQ(said("sed -i 's/12: 64/12: 128/' a/sizes.py"), "");
}

TEST_F(Review, TellsOfALostRule) {
  EXPECT_EQ(said("git rm -q a/open.py"), "");
}

TEST_F(Review, TellsOfAnAmbiguousRule) {
  EXPECT_EQ(said("cp a/open.py a/twin.py"), "");
}

TEST_F(Review, TellsOfARuleThatTheChangeBrings) {
  EXPECT_EQ(said("sed -i 's/10: 1,/10: 1,\\n    12: 1,/' a/open.py"), "");
}

TEST_F(Review, TellsOfACompanionThatDisagreesByItsOwnChange) {
  EXPECT_EQ(said("sed -i 's/== 120/== 100/' csrc/gemm.cu"), "");
}

TEST_F(Review, TellsOfAGateThatIsOpened) {
  EXPECT_EQ(said("sed -i 's/(12, 0)/(12, 1)/' a/gates.py"), "");
}

TEST_F(Review, TellsOfNewCodeWithoutAnArm) {
  EXPECT_EQ(said("printf 'def pick(x):\\n    if get_device_capability() == (9, 0):\\n        return 1\\n    elif get_device_capability() == (10, 0):\\n        return 2\\n    raise ValueError\\n' >a/new.py"), "");
  EXPECT_EQ(said("printf 'void run_more(int sm_version) {\\n  if (sm_version == 90) {\\n    a();\\n  } else if (sm_version == 100) {\\n    b();\\n  }\\n}\\n' >csrc/more.cu; printf 'def more(x):\\n    if is_new_gpu():\\n        return run_more(x)\\n' >>a/use.py"), "");
}

TEST_F(Review, SaysWhatIsWrong) {
  auto one = request();
  one.base = "nowhere";
  EXPECT_EQ(said_of(review(one)), "");
  one = request();
  world_.scratch().run("cd tree; git checkout -q -B change main; git checkout -q --orphan other; git commit -q -m other");
  one.head = "other";
  EXPECT_EQ(said_of(review(one)), "");
  one.head = "main";
  EXPECT_EQ(said_of(review(one)), "");
}

TEST_F(Review, HasTheSameFingerprintsWhenCodeAboveGrows) {
  (void)said("sed -i 's/12: 64/12: 128/' a/sizes.py");
  const auto first = review(request());
  world_.scratch().run("cd tree; sed -i '1i import sys' a/sizes.py; git commit -qam more");
  const auto second = review(request());
  ASSERT_TRUE(first && second);
  ASSERT_FALSE(first->findings.empty());
  ASSERT_EQ(first->findings.size(), second->findings.size());
  for (std::size_t i = 0; i < first->findings.size(); ++i) EXPECT_EQ(first->findings[i].fingerprint, second->findings[i].fingerprint);
}

}  // namespace
}  // namespace portpatch::test
