/// @file
/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011):
/// ten rounds that turn a counter and a key into four numbers. The upper half of the counter is
/// the subsequence, the lower half counts fours within it.
#pragma once
#pragma GCC system_header
#include <cpu_device/random/jump.h>

struct curandStatePhilox4_32_10_t {
  uint4 counter, output;
  uint2 key;
  unsigned int used;  ///< numbers of `output` that have been handed out
  cpu_device_spare_normals normals;
};

__device__ inline uint4 cpu_device_philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xd2511f53ull * counter.x, b = 0xcd9e8d57ull * counter.z;
    counter =
        uint4{static_cast<unsigned int>(b >> 32) ^ counter.y ^ key.x, static_cast<unsigned int>(b),
              static_cast<unsigned int>(a >> 32) ^ counter.w ^ key.y, static_cast<unsigned int>(a)};
    key = uint2{key.x + 0x9e3779b9u, key.y + 0xbb67ae85u};
  }
  return counter;
}

/// Adds to the counter, whose words stand for one number of 128 bits, and computes its output.
__device__ inline void cpu_device_philox_ahead(curandStatePhilox4_32_10_t* state,
                                               unsigned long long fours,
                                               unsigned long long subsequences) {
  const uint4 old = state->counter;
  const unsigned long long low = (static_cast<unsigned long long>(old.y) << 32 | old.x) + fours;
  const unsigned long long high =
      (static_cast<unsigned long long>(old.w) << 32 | old.z) + subsequences + (low < fours ? 1 : 0);
  state->counter = uint4{static_cast<unsigned int>(low), static_cast<unsigned int>(low >> 32),
                         static_cast<unsigned int>(high), static_cast<unsigned int>(high >> 32)};
  state->output = cpu_device_philox(state->counter, state->key);
}

__device__ inline unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const unsigned int place = state->used;
  const uint4 four = state->output;
  state->used = (place + 1) % 4;
  if (place == 3) cpu_device_philox_ahead(state, 1, 0);
  return place == 0 ? four.x : place == 1 ? four.y : place == 2 ? four.z : four.w;
}
__device__ inline uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const uint4 a = state->output;
  cpu_device_philox_ahead(state, 1, 0);
  const uint4 b = state->output;
  switch (state->used) {
    case 1:
      return uint4{a.y, a.z, a.w, b.x};
    case 2:
      return uint4{a.z, a.w, b.x, b.y};
    case 3:
      return uint4{a.w, b.x, b.y, b.z};
    default:
      return a;
  }
}
__device__ inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned int used = state->used + static_cast<unsigned int>(n % 4);
  state->used = used % 4;
  cpu_device_philox_ahead(state, n / 4 + used / 4, 0);
}
__device__ inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  cpu_device_philox_ahead(state, 0, n);
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                                   unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  state->counter = uint4{0, 0, 0, 0};
  state->key = uint2{static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)};
  state->used = 0;
  state->normals = {};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
