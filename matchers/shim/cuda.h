// What the CUDA language and its runtime's headers bring into every file, as far as a syntax check
// needs it.
#pragma once

#define __host__
#define __device__
#define __global__ __attribute__((global))
#define __shared__ static
#define __constant__ static
#define __managed__
#define __grid_constant__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __align__(n) alignas(n)
#define __restrict __restrict__

// High, so that what asks for a new toolkit is seen.
#define CUDA_VERSION 99990
#define CUDART_VERSION 99990
#define __CUDACC_VER_MAJOR__ 99
#define __CUDACC_VER_MINOR__ 9
#define NULL nullptr

using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long;
using uint64_t = unsigned long;
using size_t = decltype(sizeof(0));
using ssize_t = long;
using ptrdiff_t = long;
using intptr_t = long;
using uintptr_t = unsigned long;
template <class... Any>
void assert(Any...);

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 other) : x(other.x), y(other.y), z(other.z) {}
  unsigned x, y, z;
};
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;

enum cudaError_t { cudaSuccess, cudaErrorInvalidValue, cudaErrorNotSupported };
using cudaError = cudaError_t;
using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;
using CUdevice = int;
enum cudaDeviceAttr {
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMultiProcessorCount = 16
};
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
  int regsPerBlock, warpSize, major, minor, multiProcessorCount, l2CacheSize, maxThreadsPerBlock,
      maxThreadsPerMultiProcessor;
};
cudaError_t cudaGetDevice(int*);
cudaError_t cudaGetDeviceCount(int*);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int);
cudaError_t cudaDeviceGetAttribute(int*, cudaDeviceAttr, int);
cudaError_t cudaGetLastError();
const char* cudaGetErrorString(cudaError_t);

// What `kernel<<<grid, block>>>()` calls.
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                cudaStream_t stream = nullptr);
extern "C" unsigned cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                                      cudaStream_t stream = nullptr);
