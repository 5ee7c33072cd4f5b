// cc: 9.0,12.0
// Heads, conditions and types that name what no header says.
#include "no/such/header.h"

missing::Tensor Runner<A, missing::B>::dispatch(missing::Tensor& a, Config const& config) {
  if (sm_ >= 75 && sm_ < 80) {  // => else-if chain: sm_ >= 75 (7.5, 10x), sm_ < 80 (8.0, 10x), sm_ >= 80 (8.0, 10x), sm_ < 89 (8.9, 10x), sm_ >= 100 (10.0, 10x), sm_ == 90 (9.0, 10x); 9.0 exact, 12.0 range
    return a;
  } else if ((sm_ >= 80 && sm_ < 89) || sm_ >= 100) {
    return missing::run<Sm80>(a);
  } else if (sm_ == 90) {
    return missing::run<Sm90>(a);
  }
}

void condition(int sm) {
  if ((sm == 120 || sm == 121) && !missing::deep::is_valid<T, missing::W>()) {  // => if: sm == 120 (12.0, 10x), sm == 121 (12.1, 10x); 9.0 none, 12.0 unknown
    stop();
  }
  if (algorithm == missing::kAuto) {
    if (sm < 90) algorithm = missing::kSimple;  // => if: sm < 90 (9.0, 10x); 9.0 else, 12.0 else
    else algorithm = missing::kFast;
  }
}

bool compatible(int version, missing::Arch arch) {
  switch (arch) {  // => switch: arch == missing::Arch::Sm100a (10.0), arch == missing::Arch::Sm120f (12.0); 9.0 else, 12.0 exact
    case missing::Arch::Sm100a: return version == 100;
    case missing::Arch::Sm120f: return version == 120;
    default: return false;
  }
}

#define DISPATCH(ARCH, ...)     \
  if (ARCH == 86) {             \  // => macro: ARCH == 86 (8.6, 10x); 9.0 none, 12.0 none
    __VA_ARGS__(86);            \
  } else if (ARCH >= 90) {      \  // => macro: ARCH >= 90 (9.0, 10x); 9.0 range, 12.0 range
    __VA_ARGS__(90);            \
  }

template <class Params>
void use(Params params) { DISPATCH(params.arch, launch); }  // => else-if chain: params.arch == 86 (8.6, 10x), params.arch >= 90 (9.0, 10x); 9.0 range, 12.0 range

template <class A>  // => specialisation: Layout == arch::Sm89 (8.9); 9.0 none, 12.0 none
struct Layout<A, missing::float8, arch::Sm89> {
  static constexpr int kThreads = 64;
};

template <>  // => specialisation: launch == cutlass::arch::Sm120 (12.0); 9.0 none, 12.0 exact
void launch<cutlass::arch::Sm120>(int m) {}

#define KERNEL(name)                                                   \
  void name(Params const& params) {                                    \
    if constexpr (is_major_v<10> || is_major_v<12>) { run(params); }   \  // => macro: is_major_v == 10 (10, major), is_major_v == 12 (12, major); 9.0 none, 12.0 exact
  }

struct Pair {
  int major, minor;
};
Pair get_arch_pair();
Pair get_nvrtc_version();

void bindings() {
  const auto [major, minor] = get_arch_pair();
  if (major == 10 and minor != 1) run();  // => if: major == 10 (10, major), minor != 1 (x.1, minor); 9.0 none, 12.0 none
  {
    const auto [major, minor] = get_nvrtc_version();
    if (major > 12 or (major == 12 and minor >= 3)) run();
  }
}

int leaving(int sm) {
  if (sm == 90) {  // => if-return sequence: sm == 90 (9.0, 10x), sm >= 120 (12.0, 10x); 9.0 exact, 12.0 range
    return missing::first();
  }
#ifdef OTHER
  return 1;
#endif
  if (sm >= 120) {
    return missing::second();
  }
  missing::log("none");
}

void filled() {
  int major = 0, minor = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  TVM_FFI_ICHECK(major == 10 && (minor == 0 || minor == 3)) << "needs SM100";  // => check: major == 10 (10, major), minor == 0 (x.0, minor), minor == 3 (x.3, minor); 9.0 none, 12.0 none
}

void passed(missing::Flag& flag) {
  missing::call_once(flag, [&]() {
    if (getSMVersion() >= 90) {  // => if: getSMVersion() >= 90 (9.0, 10x); 9.0 range, 12.0 range
      enable();
    }
  });
  switch (missing::kind()) {
    case missing::kHalf:
      has_multicast = missing::any();
      has_multicast &= comm->compCap >= 100;  // => boolean: comm->compCap >= 100 (10.0, 10x); 9.0 none, 12.0 range true
      break;
  }
}
