/// @file
/// CUDA's keywords as macros, and the macros by which programs recognise CUDA.
#pragma once
#pragma GCC system_header

#if defined(__CUDA__)  // clang, compiling a .cu file

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#if defined(CPU_DEVICE_ARCH)  // only in the device pass
#undef __CUDA_ARCH__
#define __CUDA_ARCH__ CPU_DEVICE_ARCH
#else
#undef __CUDA_ARCH__
#endif

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
// The annotations tell the driver the kind of variable, which plain IR for a CPU does not show.
#define __constant__ __attribute__((constant)) __attribute__((annotate("cpu_device_constant")))
#define __managed__ __attribute__((device)) __attribute__((annotate("cpu_device_managed")))
// One block runs on one OS thread, so a thread-local variable is shared by exactly a block.
#define __shared__ __attribute__((device)) thread_local
#define __launch_bounds__(...) __attribute__((annotate("cpu_device_launch_bounds", __VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((annotate("cpu_device_cluster_dims", __VA_ARGS__)))
#define CPU_DEVICE_FUNCTION __attribute__((host)) __attribute__((device))

#else  // a host compiler, compiling a .cpp file: as with nvcc, the words mean nothing

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __shared__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define CPU_DEVICE_FUNCTION

#endif

#define __forceinline__ inline __attribute__((always_inline))
#define __maxnreg__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#if !defined(__restrict__)
#define __restrict__ __restrict
#endif
#if !defined(__CPU_DEVICE__)
#define __CPU_DEVICE__ 1
#endif
#define __CUDA_RUNTIME_H__ 1
#define __CUDA_RUNTIME_API_H__ 1
#define __VECTOR_TYPES_H__ 1
#define __DRIVER_TYPES_H__ 1
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define CUDARTAPI
#define CUDART_CB
