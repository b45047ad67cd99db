/// @file
/// Atomic functions. They live in the runtime, which is not instrumented, so that each counts as
/// one atomic access. The _block and _system scopes are as strong as the plain ones.
#pragma once
#pragma GCC system_header

#define CPU_DEVICE_ATOMIC(Name, Type) __device__ Type Name(Type* address, Type value)
#define CPU_DEVICE_ATOMIC_INTEGERS(Name) \
  CPU_DEVICE_ATOMIC(Name, int);          \
  CPU_DEVICE_ATOMIC(Name, unsigned int); \
  CPU_DEVICE_ATOMIC(Name, long long);    \
  CPU_DEVICE_ATOMIC(Name, unsigned long long);

CPU_DEVICE_ATOMIC_INTEGERS(atomicAdd)
CPU_DEVICE_ATOMIC(atomicAdd, float);
CPU_DEVICE_ATOMIC(atomicAdd, double);
__device__ float2 atomicAdd(float2* address, float2 value);
__device__ float4 atomicAdd(float4* address, float4 value);
CPU_DEVICE_ATOMIC_INTEGERS(atomicSub)
CPU_DEVICE_ATOMIC_INTEGERS(atomicExch)
CPU_DEVICE_ATOMIC(atomicExch, float);
CPU_DEVICE_ATOMIC_INTEGERS(atomicMin)
CPU_DEVICE_ATOMIC_INTEGERS(atomicMax)
CPU_DEVICE_ATOMIC_INTEGERS(atomicAnd)
CPU_DEVICE_ATOMIC_INTEGERS(atomicOr)
CPU_DEVICE_ATOMIC_INTEGERS(atomicXor)
CPU_DEVICE_ATOMIC(atomicInc, unsigned int);
CPU_DEVICE_ATOMIC(atomicDec, unsigned int);
__device__ int atomicCAS(int* address, int compare, int value);
__device__ unsigned int atomicCAS(unsigned int* address, unsigned int compare, unsigned int value);
__device__ unsigned long long atomicCAS(unsigned long long* address, unsigned long long compare,
                                        unsigned long long value);
__device__ unsigned short atomicCAS(unsigned short* address, unsigned short compare,
                                    unsigned short value);
#undef CPU_DEVICE_ATOMIC_INTEGERS
#undef CPU_DEVICE_ATOMIC

#define CPU_DEVICE_SCOPES(Name)                                                           \
  template <class T, class V>                                                             \
  __device__ inline __attribute__((always_inline)) T Name##_block(T* address, V value) {  \
    return Name(address, static_cast<T>(value));                                          \
  }                                                                                       \
  template <class T, class V>                                                             \
  __device__ inline __attribute__((always_inline)) T Name##_system(T* address, V value) { \
    return Name(address, static_cast<T>(value));                                          \
  }
CPU_DEVICE_SCOPES(atomicAdd)
CPU_DEVICE_SCOPES(atomicSub)
CPU_DEVICE_SCOPES(atomicExch)
CPU_DEVICE_SCOPES(atomicMin)
CPU_DEVICE_SCOPES(atomicMax)
CPU_DEVICE_SCOPES(atomicAnd)
CPU_DEVICE_SCOPES(atomicOr)
CPU_DEVICE_SCOPES(atomicXor)
CPU_DEVICE_SCOPES(atomicInc)
CPU_DEVICE_SCOPES(atomicDec)
#undef CPU_DEVICE_SCOPES
template <class T, class C, class V>
__device__ inline __attribute__((always_inline)) T atomicCAS_block(T* a, C compare, V value) {
  return atomicCAS(a, static_cast<T>(compare), static_cast<T>(value));
}
template <class T, class C, class V>
__device__ inline __attribute__((always_inline)) T atomicCAS_system(T* a, C compare, V value) {
  return atomicCAS(a, static_cast<T>(compare), static_cast<T>(value));
}
