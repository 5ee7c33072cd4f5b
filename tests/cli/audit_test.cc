// `portpatch audit` on a tree of the shape of a real disagreement: a Python gate lets SM120 in, the
// kernel behind it dispatches 90, 100 and 103.
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace portpatch::test {
namespace {

constexpr const char* kUtils = R"(def _check(device_capability_majors, cuda_version):
    return torch.cuda.get_device_capability()[0] in device_capability_majors

is_sm90_supported = cached(partial(_check, device_capability_majors=[9], cuda_version=(12, 3)))
is_sm120_supported = cached(partial(_check, device_capability_majors=[12], cuda_version=(12, 8)))
)";

constexpr const char* kLayer = R"(from engine.utils import is_sm90_supported, is_sm120_supported

class MoeMethod:
    def __init__(self):
        assert is_sm90_supported() or is_sm120_supported(), "needs SM90 or SM120"

    def apply(self, x):
        return fused_experts_cutlass(x)
)";

constexpr const char* kExperts = R"(def fused_experts_cutlass(x):
    return grouped_moe_mm(x)
)";

constexpr const char* kKernel = R"(void grouped_moe_mm(Tensor& out) {
  auto sm_version = getSMVersion();
  if (sm_version == 100 || sm_version == 103) {
    run_sm100(out);
  }
  if (sm_version == 90) {
    run_sm90(out);
  }
}

int stages(int sm_version) {
  if (sm_version >= 90) return 4;
  if (sm_version == 120) return 3;
  return 2;
}

bool has_fp4(int sm_version) { return sm_version == 120; }
)";

const World& tree() {
  static const World world({},
                           {{"csrc/moe.cu", kKernel},
                            {"engine/experts.py", kExperts},
                            {"engine/layer.py", kLayer},
                            {"engine/utils.py", kUtils},
                            {"tests/test_moe.py", "def f():\n    assert get_device_sm() == 90\n"}});
  return world;
}

Ran audit(const std::string& arguments) {
  return portpatch(tree().scratch(), "audit " + arguments, "tree");
}

TEST(CommandAudit, ShowsGatesWithoutAnArmThenBugsThenTheMatrix) {
  const auto ran = audit("--cc 12.0 --syntax-only");
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.out, R"(tree      tree
seen      7 places in 4 of 5 files: 0 by Clang, 7 by syntax only
          without Clang, as asked

                                                places     exact     range      else      none   unknown  excluded
12.0                                                 7         3         1         -         3         -         -

gates that let a cc in, and code behind them without an arm for it: 1 (a guess, by the names of calls)
  engine/layer.py:5 check assert in MoeMethod.__init__ lets 12.0 in
    csrc/moe.cu:3 if sequence in grouped_moe_mm has 100, 103, 90 only
    by way of fused_experts_cutlass, grouped_moe_mm

open-ended tests in front of the arm that names the cc, which is never reached: 1
  csrc/moe.cu:12 if-return sequence in stages `sm_version >= 90` takes 12.0

exact tests that leave out the family's sibling: 1
  csrc/moe.cu:17 predicate in has_fp4 `sm_version == 120` names 12.0, not 12.1

by folder, largest risk first
                                                places     exact     range      else      none   unknown  excluded
csrc                                                 3         1         1         -         1         -         -
  none      csrc/moe.cu:3 if sequence in grouped_moe_mm [100, 103, 90] (syntax only)
engine                                               3         2         -         -         1         -         -
  none      engine/utils.py:4 keyword list device_capability_majors [9] (syntax only)
tests                                                1         -         -         -         1         -         -
)");
  EXPECT_EQ(ran.status, 1);
}

/// "gate -> dispatch" for each disagreement of the files.
std::string disagreements(const std::map<std::string, std::string>& files) {
  const World world({}, files);
  const auto out = portpatch(world.scratch(), "audit --cc 12.0 --syntax-only", "tree").out;
  const auto begin = out.find("gates that let"), end = out.find("\n\n", begin);
  return begin == std::string::npos ? "" : out.substr(begin, end - begin);
}

TEST(CommandAudit, PairsByDecoratorsGuardsAndBranches) {
  constexpr const char*
      kOnly90 = "void grouped_moe_mm() {\n  if (getSMVersion() == 90) run();\n}\n";
  EXPECT_EQ(
      disagreements({{"k.cu", kOnly90},
                     {"a.py",
                      "@supported_compute_capability([90, 120])\n@cached\ndef gemm(x):\n    return "
                      "grouped_moe_mm(x)\n"}}),
      R"(gates that let a cc in, and code behind them without an arm for it: 1 (a guess, by the names of calls)
  a.py:1 decorator supported_compute_capability lets 12.0 in
    k.cu:2 if in grouped_moe_mm has 90 only
    by way of grouped_moe_mm)");
  EXPECT_EQ(
      disagreements({{"k.cu", kOnly90},
                     {"a.py",
                      "def gemm(x):\n    if get_device_sm() not in (90, 120):\n        raise "
                      "ValueError\n    return grouped_moe_mm(x)\n"}}),
      R"(gates that let a cc in, and code behind them without an arm for it: 1 (a guess, by the names of calls)
  a.py:2 if in gemm lets 12.0 in
    k.cu:2 if in grouped_moe_mm has 90 only
    by way of grouped_moe_mm)");
  EXPECT_EQ(disagreements({{"k.cu", kOnly90},
                           {"a.py",
                            "def gemm(x):\n    if get_device_sm() == 120:\n        return "
                            "other(x)\n    return grouped_moe_mm(x)\n"}}),
            "")
      << "the other branch calls it";
  EXPECT_EQ(
      disagreements(
          {{"k.cu", "void grouped_moe_mm() {\n  if (getSMVersion() >= 90) run();\n}\n"},
           {"a.py", "def gemm(x):\n    assert get_device_sm() == 120\n    grouped_moe_mm(x)\n"}}),
      "")
      << "a range takes it";
}

TEST(CommandAudit, LooksOnlyWhereItIsTold) {
  const auto ran = audit("--cc 9.0,12.0 --syntax-only --verbose engine");
  EXPECT_EQ(ran.out, R"(tree      tree
seen      3 places in 2 of 3 files: 0 by Clang, 3 by syntax only
          without Clang, as asked

                                                places     exact     range      else      none   unknown  excluded
9.0                                                  3         2         -         -         1         -         -
12.0                                                 3         2         -         -         1         -         -

by folder, largest risk first
                                                places     exact     range      else      none   unknown  excluded
engine                                               3         4         -         -         2         -         -
  9.0 exact, 12.0 none engine/utils.py:4 keyword list device_capability_majors [9] (syntax only)
  9.0 none, 12.0 exact engine/utils.py:5 keyword list device_capability_majors [12] (syntax only)
  9.0 exact, 12.0 exact engine/layer.py:5 check assert in MoeMethod.__init__ [9, 12] (syntax only)
)");
  EXPECT_EQ(ran.status, 0) << "nothing to disagree with";
}

TEST(CommandAudit, WritesJson) {
  const auto ran = audit("--cc 12.0 --syntax-only --format json engine/layer.py");
  EXPECT_EQ(ran.out, R"~({
  "format": 1,
  "command": "audit --cc 12.0",
  "tree": "tree",
  "exit_status": 0,
  "cc": [
    "12.0"
  ],
  "files_read": 1,
  "files_parsed": 2,
  "places": [
    {
      "path": "engine/layer.py",
      "line": 5,
      "end_line": 5,
      "form": "check",
      "function": "MoeMethod.__init__",
      "name": "assert",
      "by": "syntax",
      "subsystem": "engine",
      "risk": 0,
      "answers": [
        {
          "cc": "12.0",
          "coverage": "exact",
          "arms": [
            0
          ]
        }
      ],
      "arms": [
        {
          "line": 5,
          "end_line": 5,
          "condition": "is_sm90_supported() or is_sm120_supported()",
          "keys": [
            {
              "line": 5,
              "expression": "is_sm90_supported",
              "unit": "major",
              "op": "==",
              "key": "9",
              "cc": "9"
            },
            {
              "line": 5,
              "expression": "is_sm120_supported",
              "unit": "major",
              "op": "==",
              "key": "12",
              "cc": "12"
            }
          ]
        }
      ]
    }
  ],
  "disagreements": [],
  "bugs": [],
  "files": [
    {
      "path": "engine/layer.py",
      "depth": "syntax only"
    }
  ],
  "skipped": []
}
)~");
}

TEST(CommandAudit, SaysWhenClangIsNotThere) {
  const auto ran = portpatch(tree().scratch(), "audit --cc 12.0 csrc", "tree",
                             "PORTPATCH_CC=/nowhere/portpatch-cc");
  EXPECT_TRUE(
      ran.out.contains("\n          PORTPATCH_CC is /nowhere/portpatch-cc, which is no program; "
                       "correct or unset it\n"))
      << ran.out;
}

TEST(CommandAudit, TakesClangsPlacesAndKeepsWhatItHasNotSeen) {
  const std::string answer =
      R"({"format":1,"files":[{"path":"csrc/moe.cu","depth":"clang","places":[{"form":"if sequence","function":"grouped_moe_mm","line":3,"end_line":8,"begin":0,"end":1,"arms":[{"line":3,"end_line":5,"begin":0,"end":1,"condition":"seen by Clang","keys":[{"line":3,"expression":"sm_version","unit":"10x","op":"==","key":"100","cc":"10.0"}]}],"answers":[{"cc":"12.0","arm":"none","arms":[]}]}]}]})";
  tree().scratch().write("fake-cc", "#!/bin/sh\necho '" + answer + "'\n");
  std::filesystem::permissions(tree().scratch().path("fake-cc"), std::filesystem::perms::owner_all);
  const auto ran = portpatch(tree().scratch(), "audit --cc 12.0 --verbose csrc", "tree",
                             "PORTPATCH_CC=" + tree().scratch().path("fake-cc"));
  EXPECT_EQ(ran.out, R"(tree      tree
seen      4 places in 1 of 1 file: 1 by Clang, 3 by syntax only

                                                places     exact     range      else      none   unknown  excluded
12.0                                                 4         1         1         -         2         -         -

open-ended tests in front of the arm that names the cc, which is never reached: 1
  csrc/moe.cu:12 if-return sequence in stages `sm_version >= 90` takes 12.0

exact tests that leave out the family's sibling: 1
  csrc/moe.cu:17 predicate in has_fp4 `sm_version == 120` names 12.0, not 12.1

by folder, largest risk first
                                                places     exact     range      else      none   unknown  excluded
csrc                                                 4         1         1         -         2         -         -
  none      csrc/moe.cu:3 if sequence in grouped_moe_mm [100, 103, 90] (syntax only)
  none      csrc/moe.cu:3 if sequence in grouped_moe_mm [100]
  range = 4 csrc/moe.cu:12 if-return sequence in stages [>= 90, 120] (syntax only)
  exact     csrc/moe.cu:17 predicate in has_fp4 [120] (syntax only)
)");
}

TEST(CommandAudit, MustKnowTheCc) {
  EXPECT_EQ(audit("").error,
            "error: audit must know which compute capability is asked [no-cc]\n  help: portpatch "
            "audit --cc 12.0, several as 12.0,12.1, or --cc auto\n");
  EXPECT_EQ(audit("--cc 120").error,
            "error: `120` is no compute capability [bad-cc]\n  help: write it as 12.0; several as "
            "12.0,12.1\n");
  EXPECT_EQ(audit("--cc 12.0 ../elsewhere").status, 2);
}

TEST(CommandAudit, AsksNvml) {
  const auto ran = portpatch(tree().scratch(), "audit --cc auto --syntax-only tests", "tree",
                             "LD_LIBRARY_PATH=" PORTPATCH_NVML_STUB);
  EXPECT_TRUE(ran.out.starts_with("tree      tree\ngpu       9.0, 12.0 (told by NVML)\n"))
      << ran.out << ran.error;
}

TEST(CommandAudit, SaysThatThereIsNoGpu) {
  const auto ran = portpatch(tree().scratch(), "audit --cc auto", "tree", "PATH=/nowhere");
  if (ran.out.contains("(told by NVML)")) GTEST_SKIP() << "this machine has a GPU of its own";
  EXPECT_EQ(ran.error,
            "error: neither NVML nor nvidia-smi knows of a GPU here [no-gpu]\n  help: name the "
            "compute capability: --cc 12.0\n");
  EXPECT_EQ(ran.status, 2);
}

TEST(CommandAudit, AsksNvidiaSmiWithoutNvml) {
  tree().scratch().write("bin/nvidia-smi",
                         "#!/bin/sh\n[ \"$*\" = '--query-gpu=compute_cap --format=csv,noheader' ] "
                         "&& printf '9.0\\n9.0\\n'\n");
  std::filesystem::permissions(tree().scratch().path("bin/nvidia-smi"),
                               std::filesystem::perms::owner_all);
  const auto ran = portpatch(tree().scratch(), "audit --cc auto --syntax-only tests", "tree",
                             "PATH=" + tree().scratch().path("bin") + ":$PATH");
  if (ran.out.contains("(told by NVML)")) GTEST_SKIP() << "this machine has a GPU of its own";
  EXPECT_EQ(ran.out, R"(tree      tree
gpu       9.0 (told by nvidia-smi)
seen      1 place in 1 of 1 file: 0 by Clang, 1 by syntax only
          without Clang, as asked

                                                places     exact     range      else      none   unknown  excluded
9.0                                                  1         1         -         -         -         -         -

by folder, largest risk first
                                                places     exact     range      else      none   unknown  excluded
tests                                                1         1         -         -         -         -         -
)");
}

TEST(CommandAudit, ShowsWhatIsNewSinceARevision) {
  const World world({}, {{"a.py", "def f():\n    if get_device_sm() == 90:\n        g()\n"}});
  const auto git = "git -C " + world.scratch().path("tree") + " ";
  ASSERT_EQ(std::system((git + "init -q -b main && " + git + "add -A && " + git +
                         "-c user.name=u -c user.email=u@localhost commit -qm one")
                            .c_str()),
            0);
  world.scratch().write("tree/a.py",
                        "x = 1\n\ndef f():\n    if get_device_sm() == 90:\n        g()\n    return "
                        "get_device_sm() >= 100\n");
  const auto ran = portpatch(world.scratch(),
                             "audit --cc 12.0 --since HEAD --syntax-only --verbose", "tree");
  EXPECT_EQ(ran.error, "");
  EXPECT_EQ(ran.out, R"(tree      tree
seen      2 places in 1 of 1 file: 0 by Clang, 2 by syntax only
          without Clang, as asked
since     HEAD: 1 place new, and no other is shown

                                                places     exact     range      else      none   unknown  excluded
12.0                                                 1         -         1         -         -         -         -

by folder, largest risk first
                                                places     exact     range      else      none   unknown  excluded
.                                                    1         -         1         -         -         -         -
  range     a.py:6 predicate in f [>= 100] (syntax only)
)");
  EXPECT_EQ(portpatch(world.scratch(), "audit --cc 12.0 --since nowhere", "tree").status, 2);
}

}  // namespace
}  // namespace portpatch::test
