// cc: 8.9,9.0,12.0
// #if over __CUDA_ARCH__, macros that stand for it, and arms that stand behind other #if.
#define MY_ARCH __CUDA_ARCH__
#define ARCH_BLACKWELL 1200

__device__ int stages() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1200  // => #if: __CUDA_ARCH__ >= 1200 (12.0, 100x), __CUDA_ARCH__ >= 900 (9.0, 100x); 8.9 else 1, 9.0 range 8, 12.0 range 2
  return 2;
#elif __CUDA_ARCH__ >= 900
  return 4 * 2;
#else
  return 1;
#endif
}

__device__ void body() {
#if MY_ARCH >= ARCH_BLACKWELL  // => #if: MY_ARCH >= ARCH_BLACKWELL (12.0, 100x); 8.9 none, 9.0 none, 12.0 range
  int x = 0;
#endif
#if (__CUDA_ARCH__ >= 1000) && (__CUDA_ARCH__ < 1100)  // => #if: __CUDA_ARCH__ >= 1000 (10.0, 100x), __CUDA_ARCH__ < 1100 (11.0, 100x); 8.9 none, 9.0 none, 12.0 none
  int y = 0;
#endif
}

int behind(int sm) {
#ifdef HAS_SM90
  if (sm == 90) return 1;  // => if-return sequence: sm == 90 (9.0, 10x), sm == 100 (10.0, 10x), sm == 103 (10.3, 10x), sm >= 120 (12.0, 10x), sm == 89 (8.9, 10x); 8.9 exact 4, 9.0 exact 1, 12.0 range 3
#endif
#if defined(HAS_SM100)
  if (sm == 100
#if CUDA_VERSION >= 12090
      || sm == 103
#endif
  ) {
    return 2;
  }
#elif defined(HAS_SM120)
  if (sm >= 120) return 3;
#else
  if (sm == 89) return 4;
#endif
  return 0;
}

__device__ constexpr int shared() {
  constexpr int kArch = MY_ARCH / 10;
  if constexpr (kArch >= 90) {  // => if constexpr: kArch >= 90 (9.0, 10x); 8.9 else 100, 9.0 range 228, 12.0 range 228
    return 228;
  }
  return 100;
}
