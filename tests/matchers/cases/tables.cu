// cc: 9.0,12.0
// Maps, arrays of structs, arrays with an entry for each architecture.
#include <map>

struct Cores {
  int sm;
  int cores;
};

int cores_of(int major, int minor) {
  Cores coresPerSM[] = {  // => struct array: coresPerSM == 0x80 (8.0, hex), coresPerSM == 0x90 (9.0, hex), coresPerSM == 0xc0 (12.0, hex); 9.0 exact 128, 12.0 exact 128
      {0x80, 64},
      {0x90, 128},
      {0xc0, 128},
      {-1, -1},
  };
  return coresPerSM[0].cores;
}

static const std::map<int, int> kSharedMemoryByArch = {{80, 164 * 1024}, {90, 228 * 1024}};  // => map: kSharedMemoryByArch == 80 (8.0, 10x), kSharedMemoryByArch == 90 (9.0, 10x); 9.0 exact 233472, 12.0 none

const char* unknown_class::arch_name(unsigned arch) {
  static std::unordered_map<unsigned, std::string> arch_names = {{8, "Ampere"}, {9, "Hopper"}};  // => map: arch_names == 8 (8, major), arch_names == 9 (9, major); 9.0 exact "Hopper", 12.0 none
  return arch_names[arch];
}

#define NUM_COMPCAPS 2
static const float efficiency[NUM_COMPCAPS] = {0.85f, 0.74f};  // => indexed array: 0.85, 0.74; 9.0 unknown, 12.0 unknown
static const float weight[MISSING_NUM_COMPCAPS] = {1.5f, 2.5f};  // => indexed array: 1.5, 2.5; 9.0 unknown, 12.0 unknown

// What is no table of cc.
struct Shape {
  int m, n;
};
static const Shape shapes[] = {{64, 128}, {80, 90}};

struct Tuning {
  struct Policy350 : ChainedPolicy<350, Policy350, Policy350> {};  // => policy chain: PTX_ARCH >= 800 (8.0, 100x), PTX_ARCH >= 600 (6.0, 100x), PTX_ARCH >= 350 (3.5, 100x); 9.0 range, 12.0 range
  struct Policy600 : cub::ChainedPolicy<600, Policy600, Policy350> {};
  struct Policy800 : cub::ChainedPolicy<800, Policy800, Policy600> {};
};
