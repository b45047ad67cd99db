/// @file
/// XORWOW (Marsaglia, "Xorshift RNGs", 2003). A subsequence is 2^67 numbers long.
#pragma once
#pragma GCC system_header
#include <cpu_device/random/jump.h>

struct curandStateXORWOW_t {
  unsigned int d, v[5];
  cpu_device_spare_normals normals;
};

__device__ inline unsigned int curand(curandStateXORWOW_t* state) {
  const unsigned int t = state->v[0] ^ (state->v[0] >> 2), last = state->v[4];
  for (int i = 0; i < 4; ++i) state->v[i] = state->v[i + 1];
  state->v[4] = (last ^ (last << 4)) ^ (t ^ (t << 1));
  state->d += 362437u;
  return state->v[4] + state->d;
}

/// The counter d of a whole subsequence comes back to where it was.
__device__ inline void cpu_device_xorwow_ahead(curandStateXORWOW_t* state, unsigned long long n,
                                               int power) {
  if (n == 0) return;
  unsigned int words[5];
  for (int i = 0; i < 5; ++i) words[i] = state->v[i];
  cpu_device_xorwow_jump(words, n, power);
  for (int i = 0; i < 5; ++i) state->v[i] = words[i];
  if (power == 0) state->d += 362437u * static_cast<unsigned int>(n);
}
__device__ inline void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  cpu_device_xorwow_ahead(state, n, 0);
}
__device__ inline void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  cpu_device_xorwow_ahead(state, n, 67);
}

__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                   unsigned long long offset, curandStateXORWOW_t* state) {
  const unsigned int low = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
  const unsigned int high = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  state->normals = {};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
