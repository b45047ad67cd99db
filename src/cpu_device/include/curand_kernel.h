/// @file
/// cuRAND's device side: XORWOW, Philox4x32-10 and MRG32k3a, with cuRAND's seeds, subsequences and
/// order, so that integers and uniform numbers equal the GPU's bit for bit. Normal numbers come
/// from the same ones by the same formula, exactly computed: the last digits may differ.
/// What is missing: Sobol and Mersenne Twister states, discrete distributions, the host library.
#pragma once
#pragma GCC system_header
#include <cuda_runtime.h>

typedef enum curandRngType {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161
} curandRngType_t;

// States are declared in a .cpp, too: structures that it shares with a .cu hold pointers to them.
#include <cpu_device/random/jump.h>
#include <cpu_device/random/mrg32k3a.h>
#include <cpu_device/random/philox.h>
#include <cpu_device/random/xorwow.h>

typedef curandStateXORWOW_t curandState_t;
typedef curandStateXORWOW_t curandState;
typedef curandStateXORWOW_t curandStateXORWOW;
typedef curandStatePhilox4_32_10_t curandStatePhilox4_32_10;
typedef curandStateMRG32k3a_t curandStateMRG32k3a;

#if defined(__CUDACC__)
#include <cpu_device/random/distributions.h>
#endif
