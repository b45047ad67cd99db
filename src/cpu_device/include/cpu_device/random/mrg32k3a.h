/// @file
/// MRG32k3a (L'Ecuyer, "Good parameters and implementations for combined multiple recursive random
/// number generators", 1999). A subsequence is 2^76 numbers long, a sequence 2^127.
#pragma once
#pragma GCC system_header
#include <cpu_device/random/jump.h>

struct curandStateMRG32k3a_t {
  unsigned int first[3], second[3];  ///< the last three values of both parts
  cpu_device_spare_normals normals;
};

/// From 1 to 4294967087.
__device__ inline unsigned int cpu_device_mrg32k3a(curandStateMRG32k3a_t* state) {
  constexpr unsigned long long m1 = 4294967087ull, m2 = 4294944443ull;
  const unsigned long long a =
      (1403580ull * state->first[1] + 810728ull * (m1 - state->first[0])) % m1;
  const unsigned long long b =
      (527612ull * state->second[2] + 1370589ull * (m2 - state->second[0])) % m2;
  for (int i = 0; i < 2; ++i) {
    state->first[i] = state->first[i + 1];
    state->second[i] = state->second[i + 1];
  }
  state->first[2] = static_cast<unsigned int>(a);
  state->second[2] = static_cast<unsigned int>(b);
  return static_cast<unsigned int>(a <= b ? a + m1 - b : a - b);
}
/// Stretched to all 32 bits.
__device__ inline unsigned int curand(curandStateMRG32k3a_t* state) {
  return static_cast<unsigned int>(cpu_device_mrg32k3a(state) * 1.000000048662);
}

__device__ inline void cpu_device_mrg32k3a_ahead(curandStateMRG32k3a_t* state, unsigned long long n,
                                                 int power) {
  if (n == 0) return;
  unsigned int first[3], second[3];
  for (int i = 0; i < 3; ++i) {
    first[i] = state->first[i];
    second[i] = state->second[i];
  }
  cpu_device_mrg32k3a_jump(first, second, n, power);
  for (int i = 0; i < 3; ++i) {
    state->first[i] = first[i];
    state->second[i] = second[i];
  }
}
__device__ inline void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
  cpu_device_mrg32k3a_ahead(state, n, 0);
}
__device__ inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  cpu_device_mrg32k3a_ahead(state, n, 76);
}
__device__ inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  cpu_device_mrg32k3a_ahead(state, n, 127);
}

__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                   unsigned long long offset, curandStateMRG32k3a_t* state) {
  constexpr unsigned long long m1 = 4294967087ull, m2 = 4294944443ull, start = 12345;
  const unsigned long long low = static_cast<unsigned int>(seed) ^ 0x55555555u;
  const unsigned long long high = static_cast<unsigned int>(seed >> 32) ^ 0xaaaaaaaau;
  for (int i = 0; i < 3; ++i) {
    const unsigned long long one = seed == 0 ? 1 : i % 2 ? high : low;
    const unsigned long long other = seed == 0 ? 1 : i % 2 ? low : high;
    state->first[i] = static_cast<unsigned int>(one * start % m1);
    state->second[i] = static_cast<unsigned int>(other * start % m2);
  }
  state->normals = {};
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}
