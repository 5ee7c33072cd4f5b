// What is found in C++ and CUDA; each test a form.
#include <gtest/gtest.h>

#include "tests/inventory/shown.h"

namespace portpatch::test {
namespace {

std::string cuda(const std::string& text) { return places_of({{"a.cu", text}}); }

TEST(CppPlaces, ReadsLadders) {
  EXPECT_EQ(
      cuda(R"(void run(int sm_version) {
  if (sm_version >= 90 && sm_version < 100) {
    a();
  } else if (sm_version == 120 || 121 == sm_version) {
    b();
  } else {
    TORCH_CHECK(false);
  }
}
int pick() {
  auto sm = getSMVersion();
  if (sm == 90) return 1;
  if (sm / 10 == 12) return 1 << 3;
  return 0;
}
double ratio(int compCap) { return compCap >= 100 ? 0.5 : compCap >= 90 ? 0.25 : 0.0; }
template <class Arch> void t() {
  if constexpr (Arch::kMinComputeCapability >= 90) { x(); } else { y(); }
}
)"),
      R"(2 else-if chain in run: arm >=90(10x 9.0) <100(10x 10.0); arm 120(10x 12.0) 121(10x 12.1); else; 12.0 exact 9.0 range
12 if-return sequence in pick: arm 90(10x 9.0) gives 1; arm 12(major 12) gives 1 << 3; else gives 0; 12.0 exact = 8 9.0 exact = 1
16 conditional in ratio: arm >=100(10x 10.0) gives 0.5; arm >=90(10x 9.0) gives 0.25; else gives 0.0; 12.0 range = 0.5 9.0 range = 0.25
18 if constexpr in t: arm >=90(10x 9.0); else; 12.0 range 9.0 range
)");
}

TEST(CppPlaces, ReadsChecksAndPredicates) {
  EXPECT_EQ(cuda(R"(void f(const cudaDeviceProp& prop) {
  TORCH_CHECK(prop.major == 9 or prop.major == 12, "no");
  TVM_FFI_ICHECK(prop.major >= 9) << "no";
  const bool fast = prop.major == 10;
  if (fast) g();
}
bool has_sm90(int sm_version) { return sm_version == 90; }
)"),
            R"(2 check TORCH_CHECK in f: arm 9(major 9) 12(major 12); 12.0 exact 9.0 exact
3 check TVM_FFI_ICHECK in f: arm >=9(major 9); 12.0 range 9.0 range
4 boolean fast in f: arm 10(major 10); 12.0 none 9.0 none
7 predicate in has_sm90: arm 90(10x 9.0); 12.0 none 9.0 exact
)");
}

TEST(CppPlaces, ReadsWhatThePreprocessorCuts) {
  EXPECT_EQ(cuda(R"(void f(int sm_version) {
#if defined(A)
  if (sm_version == 100
#if CUDA_VERSION >= 12090
      || sm_version == 103
#endif
  ) {
    a();
  }
#endif
}
int g(int sm_version) {
#if defined(B)
  if (sm_version == 90) { return 1; }
#endif
#if defined(C)
  if (sm_version == 120) { return 2; }
#endif
  return 0;
}
)"),
            R"(3 if in f: arm 100(10x 10.0) 103(10x 10.3); 12.0 none 9.0 none
14 if-return sequence in g: arm 90(10x 9.0) gives 1; arm 120(10x 12.0) gives 2; else gives 0; 12.0 exact = 2 9.0 exact = 1
)");
}

TEST(CppPlaces, JoinsIfsThatDoNotLeave) {
  EXPECT_EQ(cuda(R"(void f(int sm_version) {
#ifdef A
  if (sm_version == 100) { a(); }
#endif
  // and the older ones
  if (sm_version == 90) { b(); }
  c();
  if (sm_version == 80) { d(); }
}
)"),
            R"(3 if sequence in f: arm 100(10x 10.0); arm 90(10x 9.0); 12.0 none 9.0 exact
8 if in f: arm 80(10x 8.0); 12.0 none 9.0 none
)");
}

TEST(CppPlaces, ReadsThePreprocessorsLadders) {
  EXPECT_EQ(cuda(R"(#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1200
int a();
#elif __CUDA_ARCH__ == 900
int b();
#else
int c();
#endif
)"),
            R"(1 #if: arm >=1200(100x 12.0); arm 900(100x 9.0); else; 12.0 range 9.0 exact
)");
}

TEST(CppPlaces, TakesTheToolkitForNew) {
  EXPECT_EQ(
      cuda(R"(int f(int sm_version) {
  if (sm_version == 120 && CUDART_VERSION < 13000) return 1;
  if (12080 <= CUDA_VERSION && sm_version == 120) return 2;
  return 0;
}
)"),
      R"(2 if-return sequence in f: arm 120(10x 12.0) gives 1; arm 120(10x 12.0) gives 2; else gives 0; 12.0 exact = 2 9.0 else = 0
)");
}

TEST(CppPlaces, ReadsTables) {
  EXPECT_EQ(
      cuda(R"(struct Cores { int sm, cores; };
int cores(int sm) {
  static Cores nGpuArchCoresPerSM[] = {{0x90, 128}, {0xc0, 64}, {-1, -1}};
  return 0;
}
void s(const cudaDeviceProp& p) {
  switch (p.major) {
    case 8:
    case 9: x(); break;
    default: y();
  }
}
)"),
      R"(3 struct array nGpuArchCoresPerSM in cores: row 0x90(hex 9.0) gives 128; row 0xc0(hex 12.0) gives 64; 12.0 exact = 64 9.0 exact = 128
7 switch (p.major) in s: arm 8(major 8); arm 9(major 9); else; 12.0 else 9.0 exact
)");
}

TEST(CppPlaces, ReadsNamesOfArchitectures) {
  EXPECT_EQ(cuda(R"(template <class T> struct Layout;
template <> struct Layout<arch::Sm89> { int a; };
#define GPU_CC_PASCAL 600
#define GPU_CC_BLACKWELL 1200
#define GPU_OFFSET 100
)"),
            R"(2 specialisation Layout: row Sm89(arch 8.9); 12.0 none 9.0 none
3 macro constants GPU_CC_*: row 600(100x 6.0); row 1200(100x 12.0); 12.0 exact 9.0 none
)");
}

TEST(CppPlaces, KnowsConstantsOfOtherFiles) {
  EXPECT_EQ(places_of({{"common.cuh", "#define GPU_CC_ADA 890 // compute capability\n"},
                       {"a.cu", "// sm_90\nvoid f(int cc) {\n  if (cc >= GPU_CC_ADA) g();\n}\n"}}),
            R"(common.cuh:1 macro constants GPU_CC_*: row 890(100x 8.9); 12.0 none 9.0 none
a.cu:3 if in f: arm >=GPU_CC_ADA(100x 8.9); 12.0 range 9.0 range
)");
}

TEST(CppPlaces, ReadsChainsThatThePreprocessorCuts) {
  EXPECT_EQ(
      cuda(R"(template <class Arch> void f() {
  if constexpr (Arch::kMinComputeCapability < 90) {
    THROW("old");
  }
#ifndef NO_SM90
  else if constexpr (Arch::kMinComputeCapability == 103) {
    a();
  }
#endif
#ifndef NO_SM120
  else if constexpr (Arch::kMinComputeCapability >= 120) {
    b();
  }
#endif
  else {
    c();
  }
}
)"),
      R"(2 if constexpr in f: arm <90(10x 9.0); arm 103(10x 10.3); arm >=120(10x 12.0); else; 12.0 range 9.0 else
)");
}

TEST(CppPlaces, BelievesWhatIsFilledInLater) {
  EXPECT_EQ(cuda(R"(void f(int device) {
  int major = 0, minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  CHECK(major == 10 || major == 12) << "no";
}
)"),
            R"(4 check CHECK in f: arm 10(major 10) 12(major 12); 12.0 exact 9.0 none
)");
}

TEST(CppPlaces, LeavesOtherNumbersAlone) {
  EXPECT_EQ(cuda(R"(// speaks of sm_90 and compute_capability
int f(int driverVersion, int sm_count, int cudaRuntimeMajor) {
  if (driverVersion >= 12 || sm_count == 120 || cudaRuntimeMajor > 9) return 1;
  int num_sms = 90;
  return num_sms == 90;
}
)"),
            "");
}

}  // namespace
}  // namespace portpatch::test
