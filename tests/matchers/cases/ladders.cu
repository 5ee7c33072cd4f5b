// cc: 9.0,12.0,12.1
// Ladders of ifs: which arm a cc takes, and with which value.
#include <stdexcept>

int getSMVersion();

int chain(int sm_version) {
  if (sm_version >= 120) {  // => else-if chain: sm_version >= 120 (12.0, 10x), sm_version == 100 (10.0, 10x), sm_version == 103 (10.3, 10x), sm_version == 90 (9.0, 10x); 9.0 exact 3, 12.0 range 1, 12.1 range 1
    return 1;
  } else if (sm_version == 100 || sm_version == 103) {
    return 2;
  } else if (sm_version == 90) {
    return 3;
  } else {
    return 4;
  }
}

int swallowed(int sm) {
  int stages = 0;
  if (sm >= 90) {  // => else-if chain: sm >= 90 (9.0, 10x), sm == 120 (12.0, 10x); 9.0 range 4, 12.0 range 4, 12.1 range 4
    stages = 4;
  } else if (sm == 120) {
    stages = 2;
  }
  return stages;
}

int leaving(int m) {
  const int version = getSMVersion();
  if (version == 120) return 64;  // => if-return sequence: version == 120 (12.0, 10x), version == 90 (9.0, 10x), version >= 90 (9.0, 10x); 9.0 unknown, 12.0 exact 64, 12.1 range 32
  if (version == 90 && m > 64) return 128;
  if (90 <= version) {
    return 32;
  }
  throw std::runtime_error("too old");
}

int with_default(int sm) {
  if (sm == 120) return 99 * 1024;  // => if-return sequence: sm == 120 (12.0, 10x); 9.0 else 232448, 12.0 exact 101376, 12.1 else 232448
  return 227 * 1024;
}

int nested(int sm, int blocks) {
  if (sm < 90) {  // => else-if chain: sm < 90 (9.0, 10x), sm < 100 (10.0, 10x); 9.0 range 2, 12.0 else 3, 12.1 else 3
    return 1;
  } else {
    blocks += 1;
    if (sm < 100)
      return 2;
    else
      return 3;
  }
}

void apart(int sm, int& a) {
  if (sm == 100) {  // => if sequence: sm == 100 (10.0, 10x), sm == 120 (12.0, 10x); 9.0 none, 12.0 exact 2, 12.1 none
    a = 1;
  }
  if (sm == 120) {
    a = 2;
  }
}

template <class Arch>
int tagged() {
  if constexpr (Arch::kMinComputeCapability < 90) {  // => if constexpr: Arch::kMinComputeCapability < 90 (9.0, 10x), Arch::kMinComputeCapability >= 90 (9.0, 10x), Arch::kMinComputeCapability < 120 (12.0, 10x); 9.0 range 2, 12.0 else 3, 12.1 else 3
    return 1;
  } else if constexpr (Arch::kMinComputeCapability >= 90 && Arch::kMinComputeCapability < 120) {
    return 2;
  }
  return 3;
}

int further(int sm, float bandwidth) {
  if (sm >= 100 && bandwidth >= 96.0f) {  // => if-return sequence: sm >= 100 (10.0, 10x), sm >= 100 (10.0, 10x); 9.0 else 48, 12.0 unknown, 12.1 unknown
    return 80;
  } else if (sm >= 100) {
    return 56;
  }
  return 48;
}

int units(cudaDeviceProp prop, int minor) {
  if (prop.major == 12) return 1;  // => if-return sequence: prop.major == 12 (12, major), prop.major * 10 + prop.minor >= 86 (8.6, 10x), prop.major == 8 (8, major), prop.minor == 6 (x.6, minor); 9.0 range 2, 12.0 exact 1, 12.1 exact 1
  if (prop.major * 10 + prop.minor >= 86) return 2;
  if (prop.major == 8 && prop.minor == 6) return 3;
  return minor == 6 ? 1 : 2;
}

// What is no cc: counts, other programs' versions, sizes.
int others(int sm_count, int driver_version, int blocks_per_sm, int num_sms, cudaDeviceProp prop) {
  if (sm_count >= 120) return 1;
  if (driver_version >= 12000) return 2;
  if (blocks_per_sm == 12 || num_sms > 90) return 3;
  if (prop.multiProcessorCount >= 100) return 4;
  return 0;
}
