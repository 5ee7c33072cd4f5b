// What is found in Python; each test a form.
#include <gtest/gtest.h>

#include "tests/inventory/shown.h"

namespace portpatch::test {
namespace {

std::string python(const std::string& text) { return places_of({{"a.py", text}}); }

TEST(PythonPlaces, ReadsComparisonsInAllSpellings) {
  EXPECT_EQ(python(R"(import torch

def f(device):
    major, minor = torch.cuda.get_device_capability(device)
    if major == 12 and minor == 0:
        return 1
    sm = major * 10 + minor
    if sm >= 90:
        g()
    if torch.cuda.get_device_capability()[0] >= 9:
        g()
    if torch.cuda.get_device_capability() >= (9, 0):
        g()
    if 120 == get_device_sm() or get_device_sm() // 10 == 9:
        g()
    if (major, minor) in [(9, 0), (12, 0), (4294967308, 0)]:
        g()
    if not 8 <= major < 10:
        g()
)"),
            R"(5 if in f: arm 12(major 12) 0(minor x.0) gives 1; 12.0 exact = 1 9.0 none
8 if sequence in f: arm >=90(10x 9.0); arm >=9(major 9); arm >=(9, 0)(tuple 9.0); arm 120(10x 12.0) 9(major 9); arm (9, 0)(tuple 9.0) (12, 0)(tuple 12.0); arm >=8(major 8) <10(major 10); 12.0 range 9.0 range
)");
}

TEST(PythonPlaces, LeavesOtherMajorNumbersAlone) {
  EXPECT_EQ(python(R"(import torch
def f():
    major, minor = torch.__version__.split(".")[:2]
    if major == 2 or torch.cuda.get_device_properties(0).multi_processor_count > 100:
        g()
    if driver_major >= 12 or row_major == 1 or num_sms == 120 or cudnn.major == 9:
        g()
def h(n):
    return torch.cuda.get_device_capability()
)"),
            "");
}

TEST(PythonPlaces, LeavesNamesAloneThatAskNothing) {
  EXPECT_EQ(python(R"(from lib import (
    is_sm90_supported,
)
is_sm90 = get_device_sm() == 90
def _skip_if_not_sm120():
    if get_device_sm() != 120:
        skip()
def sizes_sm120():
    return {1: 2} if get_device_sm() == 120 else {}
def f(is_sm90: bool = False, other=None):
    _skip_if_not_sm120()
    x = len(sizes_sm120())
    assert 0 <= self.minor < 10
)"),
            R"(4 boolean is_sm90: arm 90(10x 9.0); 12.0 none 9.0 exact
6 if in _skip_if_not_sm120: arm !=120(10x 12.0); 12.0 none 9.0 range
9 conditional in sizes_sm120: arm 120(10x 12.0) gives {1: 2}; else gives {}; 12.0 exact 9.0 else
)");
}

TEST(PythonPlaces, ReadsLaddersChecksAndValues) {
  EXPECT_EQ(
      python(R"(def pick(sm_version):
    if sm_version == 90:
        backend = "fa3"
    elif sm_version in (100, 103):
        backend = "cutlass"
    else:
        backend = "triton"
    assert sm_version >= 90, "too old"
    use = sm_version == 120
    return 8 if sm_version == 120 else 4
)"),
      R"(2 else-if chain in pick: arm 90(10x 9.0) gives "fa3"; arm 100(10x 10.0) 103(10x 10.3) gives "cutlass"; else gives "triton"; 12.0 else = triton 9.0 exact = fa3
8 check assert in pick: arm >=90(10x 9.0); 12.0 range 9.0 range
9 boolean use in pick: arm 120(10x 12.0); 12.0 exact 9.0 none
10 conditional in pick: arm 120(10x 12.0) gives 8; else gives 4; 12.0 exact = 8 9.0 else = 4
)");
}

TEST(PythonPlaces, TakesAToolkitForNewAndAnotherMakersDeviceForAbsent) {
  EXPECT_EQ(
      python(R"(def f(sm_version):
    if _is_cuda and sm_version == 120 and torch.version.cuda >= "12.8":
        g()
    if is_hip() or sm_version >= 90:
        g()
    if sm_version >= 90 and has_room():
        g()
)"),
      R"(2 if sequence in f: arm 120(10x 12.0); arm >=90(10x 9.0); arm >=90(10x 9.0); 12.0 exact 9.0 range
)");
}

TEST(PythonPlaces, TellsARefusal) {
  EXPECT_EQ(
      python(R"(def run(sm_version):
    if sm_version == 120:
        raise NotImplementedError("no")
    if sm_version < 90:
        return None
    return 1
)"),
      R"(2 if-return sequence in run: refusal 120(10x 12.0); arm <90(10x 9.0) gives None; else gives 1; 12.0 exact 9.0 else = 1
)");
}

TEST(PythonPlaces, FollowsHelpersToTheirDefinitionOverFiles) {
  EXPECT_EQ(
      places_of({{"lib/utils/common.py", R"(def _check(device_capability_majors, cuda_version):
    return torch.cuda.get_device_capability()[0] in device_capability_majors

is_blackwell_supported = is_blackwell = cached(partial(_check, device_capability_majors=[10, 12], cuda_version=(12, 8)))

def is_sm90_supported():
    if not is_cuda():
        return False
    return torch.cuda.get_device_capability()[0] == 9
)"},
                 {"lib/layer.py", R"(from lib.utils import is_blackwell, is_sm90_supported

class Layer:
    def __init__(self):
        assert is_blackwell() or is_sm90_supported()
        use = is_unknown_sm()
)"}}),
      R"(lib/utils/common.py:4 keyword list device_capability_majors: row 10(major 10); row 12(major 12); 12.0 exact 9.0 none
lib/utils/common.py:9 predicate in is_sm90_supported: arm 9(major 9); 12.0 none 9.0 exact
lib/layer.py:5 check assert in Layer.__init__: arm 10(major 10) 12(major 12) 9(major 9); 12.0 exact 9.0 exact
)");
}

TEST(PythonPlaces, KeepsWhatAHelperMayBeOpenWhereItsNamesakesDisagree) {
  EXPECT_EQ(
      places_of({{"a.py", "def is_sm90():\n    return get_device_sm() == 90\n"},
                 {"b.py", "def is_sm90():\n    return get_device_sm() >= 90\n"},
                 {"c.py", "def f():\n    if is_sm90() and get_device_sm() < 130:\n        g()\n"}}),
      R"(a.py:2 predicate in is_sm90: arm 90(10x 9.0); 12.0 none 9.0 exact
b.py:2 predicate in is_sm90: arm >=90(10x 9.0); 12.0 range 9.0 range
c.py:2 if in f: arm <130(10x 13.0); 12.0 unknown 9.0 unknown
)");
}

TEST(PythonPlaces, ReadsTablesByTheirNameAndByTheirUse) {
  EXPECT_EQ(
      python(R"(SUPPORTED_ARCHS = ["sm_90a", "sm_120a"]
MAX_SIZES = {9: 64 * 1024, 10: 1 << 20}
OTHER = {9: 1, 10: 2}

@supported_compute_capability([80, 90, 120])
def gemm(self):
    flags = get_flags(supported_major_versions=[9, 12])
    limit = MAX_SIZES[self.device_capability.major]
)"),
      R"(1 list SUPPORTED_ARCHS: row "sm_90a"(arch 9.0a); row "sm_120a"(arch 12.0a); 12.0 exact 9.0 exact
2 map MAX_SIZES: row 9(major 9) gives 64 * 1024; row 10(major 10) gives 1 << 20; 12.0 none 9.0 exact = 65536
5 decorator supported_compute_capability: row 80(10x 8.0); row 90(10x 9.0); row 120(10x 12.0); 12.0 exact 9.0 exact
7 keyword list supported_major_versions in gemm: row 9(major 9); row 12(major 12); 12.0 exact 9.0 exact
)");
}

TEST(PythonPlaces, FindsTablesThatAreLookedUpOverLinesAndByGet) {
  EXPECT_EQ(
      python(R"(LIMITS: Final = MappingProxyType({9: 1, 10: 2})
class C:
    _SIZES = {"9.0": 4}
    def f(self):
        a = LIMITS[
            self.device_capability
        ][2]
        return self._SIZES.get(get_device_capability())
)"),
      R"(1 map LIMITS: row 9(major 9) gives 1; row 10(major 10) gives 2; 12.0 none 9.0 exact = 1
3 map _SIZES in C: row "9.0"(arch 9.0) gives 4; 12.0 none 9.0 exact = 4
)");
}

TEST(PythonPlaces, ACallInFrontOfAnotherEndsWhereItEnds) {
  EXPECT_EQ(
      python("def is_sm120_supported():\n    return get_device_capability()[0] == 12\ndef f():\n   "
             " if is_sm120_supported() and g():\n        a()\n    x = get_device_capability()[0] "
             "if g() else h()\n    return is_sm120_supported() or g()\n"),
      "2 predicate in is_sm120_supported: arm 12(major 12); 12.0 exact 9.0 none\n"
      "4 if in f: arm 12(major 12); 12.0 unknown 9.0 none\n"
      "7 predicate in f: arm 12(major 12); 12.0 exact 9.0 unknown\n");
}

TEST(PythonPlaces, FollowsAnImportUnderItsOtherName) {
  EXPECT_EQ(places_of({{"lib/gpu.py",
                        "def is_sm120_supported():\n    return get_device_capability()[0] == 12\n"},
                       {"other.py",
                        "def is_sm120_supported():\n    return get_device_capability()[0] == 9\n"},
                       {"use.py",
                        "from lib.gpu import is_sm120_supported as _is_sm120_supported\nif "
                        "_is_sm120_supported():\n    a()\n"}}),
            "lib/gpu.py:2 predicate in is_sm120_supported: arm 12(major 12); 12.0 exact 9.0 none\n"
            "other.py:2 predicate in is_sm120_supported: arm 9(major 9); 12.0 none 9.0 exact\n"
            "use.py:2 if: arm 12(major 12); 12.0 exact 9.0 none\n");
}

TEST(PythonPlaces, TwoMethodsOfOneNameAreNotTakenForOne) {
  const std::string text =
      "class A:\n    def is_sm120_supported(self):\n        return get_device_capability()[0] == "
      "12\nclass B:\n    def is_sm120_supported(self):\n        return get_device_capability()[0] "
      "!= 12\nif x.is_sm120_supported():\n    a()\n";
  EXPECT_EQ(places_of({{"a.py", text}}),
            "3 predicate in A.is_sm120_supported: arm 12(major 12); 12.0 exact 9.0 none\n6 "
            "predicate in B.is_sm120_supported: arm !=12(major 12); 12.0 none 9.0 range\n");
}

TEST(PythonPlaces, ReadsArchitecturesInText) {
  EXPECT_EQ(
      python(R"(flags = ["-O3", "-gencode=arch=compute_120f,code=sm_120f"]
def f(arch):
    if arch == "sm_90a":
        return 1
)"),
      R"(1 list flags: row "-gencode=arch=compute_120f,code=sm_120f"(arch 12.0f); 12.0 exact 9.0 none
3 if in f: arm "sm_90a"(arch 9.0a) gives 1; 12.0 none 9.0 exact = 1
)");
}

TEST(PythonPlaces, ReadsAMatchOfValuesAlternativesAndDefaults) {
  EXPECT_EQ(python(R"(def f(device):
    major, minor = torch.cuda.get_device_capability(device)
    match major:
        case 9:
            return 1
        case 10 | 12:
            return 2
        case _:
            raise ValueError(major)
def h():
    match torch.cuda.get_device_capability()[0]:
        case 10:
            pass
)"),
            "3 match major in f: arm 9(major 9) gives 1; arm 10(major 10) 12(major 12) gives 2; "
            "else; 12.0 exact = 2 9.0 exact = 1\n"
            "11 match torch.cuda.get_device_capability()[0] in h: arm 10(major 10); 12.0 none 9.0 "
            "none\n");
}

TEST(PythonPlaces, ReadsAMatchOfMajorAndMinorNumber) {
  EXPECT_EQ(
      python(R"(def g():
    major, minor = torch.cuda.get_device_capability()
    match (major, minor):
        case (12, 0):
            x = "sm120"
        case (9, _) | (8, 0 | 6):
            x = "hopper"
    match major, minor:
        case 12, 1:
            x = 1
        case _, 0:
            x = 2
    match torch.cuda.get_device_capability():
        case [9, *_]:
            a()
    match (backend, minor):
        case ("a", 0):
            a()
)"),
      "3 match (major, minor) in g: arm 12, 0(tuple 12.0) gives \"sm120\"; arm 9(major 9) 8(major "
      "8) 0(minor x.0) 6(minor x.6) gives \"hopper\"; 12.0 exact = sm120 9.0 exact = hopper\n"
      "8 match major, minor in g: arm 12, 1(tuple 12.1) gives 1; arm 0(minor x.0) gives 2; 12.0 "
      "exact = 2 9.0 exact = 2\n"
      "13 match torch.cuda.get_device_capability() in g: arm 9(major 9); 12.0 none 9.0 exact\n");
}

TEST(PythonPlaces, ReadsGuardsAndNamesOfAMatch) {
  EXPECT_EQ(python(R"(def h(sm_version):
    match sm_version:
        case None | 5000:
            a()
        case x if x >= 100:
            a()
        case 90 as y if other():
            a()
        case rest:
            return 7
def k(phase, sm_version):
    match phase:
        case 90:
            a()
    match sm_version:
        case "hopper" | Arch():
            a()
        case 120:
            b()
)"),
            "2 match sm_version in h: arm; arm >=100(10x 10.0); arm 90(10x 9.0); else gives 7; "
            "12.0 range 9.0 unknown\n"
            "15 match sm_version in k: arm; arm 120(10x 12.0); 12.0 unknown 9.0 unknown\n");
}

TEST(PythonPlaces, FollowsAClassConstant) {
  EXPECT_EQ(python(R"(class Gate:
    _min_cc = 100
    required_capability = (10, 0)
    SMS = frozenset({90, 120})
    def f(self, platform):
        assert get_device_sm() >= self._min_cc
        capability = platform.get_device_capability()
        assert capability == type(self).required_capability
        assert get_device_sm() not in Gate.SMS
class Other(Gate):
    @classmethod
    def f(cls):
        assert get_device_sm() >= cls._min_cc
)"),
            "6 check assert in Gate.f: arm >=self._min_cc(10x 10.0); 12.0 range 9.0 none\n"
            "8 check assert in Gate.f: arm type(self).required_capability(tuple 10.0); 12.0 none "
            "9.0 none\n"
            "9 check assert in Gate.f: arm 90(10x 9.0) 120(10x 12.0); 12.0 none 9.0 none\n"
            "13 check assert in Other.f: arm >=cls._min_cc(10x 10.0); 12.0 range 9.0 none\n");
}

TEST(PythonPlaces, LeavesAClassAttributeOpenThatMayHaveAnotherValue) {
  const std::string use =
      "    def f(self):\n        assert get_device_sm() >= self._min_cc or get_device_sm() == 90\n";
  const std::string open = "4 check assert in A.f: arm 90(10x 9.0); 12.0 unknown 9.0 exact\n";
  const std::string one = "class A:\n    _min_cc = 100\n" + use;
  EXPECT_EQ(python(one + "A._min_cc = 90\n"), open);
  EXPECT_EQ(python(one + "    def g(self):\n        self.a, self._min_cc = 1, 90\n"), open);
  EXPECT_EQ(python(one + "    def g(self):\n        self._min_cc += 1\n" + "        b()\n" +
                   std::string(200, '#') + "\n        c(" + std::string(200, '1') + ")\n"),
            open);
  EXPECT_EQ(python(one + "class B(A):\n    _min_cc = 90\n"), open);
  EXPECT_EQ(python(one + "setattr(A, \"_min_cc\", 90)\n"), open);
  EXPECT_EQ(python(one + "A(_min_cc=90)\n"), open);
  EXPECT_EQ(python("class A(Struct):\n    _min_cc: int = 100\n" + use), open);
  EXPECT_EQ(python("class A(Struct):\n    _min_cc: ClassVar[int] = 100\n" + use),
            "4 check assert in A.f: arm >=self._min_cc(10x 10.0) 90(10x 9.0); 12.0 range 9.0 "
            "exact\n");
}

// Statement by statement up to a limit: what stands behind it is not known, and not false.
TEST(PythonPlaces, DoesNotKnowHowALongHelperEnds) {
  std::string text = R"(def is_sm120_supported():
    major = torch.cuda.get_device_capability()[0]
    if major == 9:
        return True
)";
  for (int i = 0; i < 70; ++i) text += "    warn()\n";
  text += R"(    return major >= 12
def f():
    if is_sm120_supported():
        return 1
    return 2
)";
  EXPECT_TRUE(
      python(text).ends_with("arm 9(major 9) gives 1; else gives 2; 12.0 unknown 9.0 exact = 1\n"))
      << python(text);
}

// Each of them asks the next one 20 times: all of it would be 64 million questions.
TEST(PythonPlaces, FollowsHelpersNoFurtherThanCanBeTold) {
  std::string text;
  for (int i = 90; i < 96; ++i) {
    const auto next = i == 95 ? std::string("torch.cuda.get_device_capability()[0] >= 9")
                              : fmt::format("is_sm{}_supported()", i + 1);
    text += fmt::format("def is_sm{}_supported():\n    return {}", i, next);
    for (int k = 1; k < 20; ++k) text += " or " + next;
    text += "\n";
  }
  text += R"(def f():
    if is_sm90_supported() or get_device_sm() == 120:
        return 1
)";
  EXPECT_TRUE(python(text).ends_with(
      "\n14 if in f: arm 120(10x 12.0) gives 1; 12.0 exact = 1 9.0 unknown\n"));
}

}  // namespace
}  // namespace portpatch::test
