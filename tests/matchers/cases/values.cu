// cc: 8.6,9.0,12.0
// Conditional expressions, checks, booleans, predicates, switches.
#define SM100_BANDWIDTH 40.1
#define SM90_BANDWIDTH 20.6f
constexpr int KiB = 1024;
enum class Arch { Sm80, Sm90, Sm120 };

float bandwidth(int compCap) {
  return compCap >= 100 ? SM100_BANDWIDTH : compCap >= 90 ? SM90_BANDWIDTH : 12.5;  // => conditional: compCap >= 100 (10.0, 10x), compCap >= 90 (9.0, 10x); 8.6 else 12.5, 9.0 range 20.6, 12.0 range 40.1
}

constexpr int unroll(int cudaArch) { return cudaArch >= 800 ? (cudaArch / 100 == 12 ? 6 : 8) : 4; }  // => conditional: cudaArch >= 800 (8.0, 100x), cudaArch / 100 == 12 (12, major), cudaArch >= 800 (8.0, 100x); 8.6 range 8, 9.0 range 8, 12.0 exact 6

int shared_memory(cudaDeviceProp prop) {
  return prop.major == 8 && prop.minor == 6 ? 99 * KiB : prop.major == 9 ? 227 * KiB : prop.major == 12 ? 99 * KiB : 0;  // => conditional: prop.major == 8 (8, major), prop.minor == 6 (x.6, minor), prop.major == 9 (9, major), prop.major == 12 (12, major); 8.6 exact 101376, 9.0 exact 232448, 12.0 exact 101376
}

void checks(int sm, int major, cudaDeviceProp deviceProp) {
  TORCH_CHECK(sm == 100, "needs SM100, but found ", sm);  // => check: sm == 100 (10.0, 10x); 8.6 none, 9.0 none, 12.0 none
  UNKNOWN_CHECK(sm >= 90 && sm < 120) << "found " << sm;  // => check: sm >= 90 (9.0, 10x), sm < 120 (12.0, 10x); 8.6 none, 9.0 range, 12.0 none
  assert(deviceProp.major == 12 || deviceProp.major == 10);  // => check: deviceProp.major == 12 (12, major), deviceProp.major == 10 (10, major); 8.6 none, 9.0 none, 12.0 exact
  run(sm >= 90);  // => condition: sm >= 90 (9.0, 10x); 8.6 none, 9.0 range true, 12.0 range true
}

bool is_hopper_or_newer(int sm_version) { return sm_version >= 90; }  // => predicate: sm_version >= 90 (9.0, 10x); 8.6 none, 9.0 range true, 12.0 range true

void booleans(int sm) {
  const bool is_sm120 = sm == 120;  // => boolean: sm == 120 (12.0, 10x); 8.6 none, 9.0 none, 12.0 exact true
  bool pdl = not (sm < 90) and true;  // => boolean: sm < 90 (9.0, 10x); 8.6 none, 9.0 range true, 12.0 range true
  auto f = [&] { return sm != 90; };  // => predicate: sm != 90 (9.0, 10x); 8.6 range true, 9.0 none, 12.0 range true
}

int by_case(int sm) {
  switch (sm) {  // => switch: sm == 80 (8.0, 10x), sm == 86 (8.6, 10x), sm == 90 (9.0, 10x); 8.6 exact 100, 9.0 exact 228, 12.0 else 64
    case 80:
    case 86:
      return 100;
    case 90:
      return 228;
    default:
      return 64;
  }
}

int by_enumeration(Arch arch) {
  switch (arch) {  // => switch: arch == Arch::Sm80 (8.0), arch == Arch::Sm90 (9.0), arch == Arch::Sm120 (12.0); 8.6 none, 9.0 exact 2, 12.0 exact 3
    case Arch::Sm80: return 1;
    case Arch::Sm90: return 2;
    case Arch::Sm120: return 3;
  }
  return 0;
}

bool by_name(const std::string& arch) { return arch == "sm_90a" || arch == "sm_120"; }  // => predicate: arch == "sm_90a" (9.0), arch == "sm_120" (12.0); 8.6 none, 9.0 exact true, 12.0 exact true

#define LIKELY(x) __builtin_expect((x), 1)
#define MY_CHECK(condition, text) \
  do {                             \
    LIKELY(static_cast<bool>(condition)) ? (void)0 : fail(text); \
  } while (0)
#define MY_ASSERT(condition) \
  if (!(condition)) fail("")

void fail(const char*);
void expanded(int sm, int mma_sm) {
  MY_CHECK(sm >= 90, "too old");  // => check: sm >= 90 (9.0, 10x); 8.6 none, 9.0 range, 12.0 range
  MY_ASSERT(sm == 120 && "only SM120");  // => check: sm == 120 (12.0, 10x); 8.6 none, 9.0 none, 12.0 exact
  MY_ASSERT(mma_sm == 1);
}
