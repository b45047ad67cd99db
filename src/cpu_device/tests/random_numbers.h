// What is asked of each generator, of ours in a kernel and of the toolkit's on the host.
#pragma once
#include <cstdio>

struct Numbers {
  unsigned int bits[14];
  double uniform[5], normal[8];
};

template <class State>
__host__ __device__ inline void draw(Numbers* out, unsigned long long seed,
                                     unsigned long long subsequence, unsigned long long offset) {
  State state;
  curand_init(seed, subsequence, offset, &state);
  int bits = 0, uniform = 0, normal = 0;
  while (bits < 9) out->bits[bits++] = curand(&state);
  for (int i = 0; i < 3; ++i) out->uniform[uniform++] = curand_uniform(&state);
  for (int i = 0; i < 2; ++i) out->uniform[uniform++] = curand_uniform_double(&state);
  for (int i = 0; i < 3; ++i) out->normal[normal++] = curand_normal(&state);
  for (int i = 0; i < 3; ++i) out->normal[normal++] = curand_normal_double(&state);
  out->normal[normal++] = curand_normal2(&state).y;
  out->normal[normal++] = curand_log_normal(&state, 1.0f, 0.5f);
  State copy = state;
  skipahead(1000003, &copy);
  out->bits[bits++] = curand(&copy);
  skipahead_sequence(9, &copy);
  out->bits[bits++] = curand(&copy);
  while (bits < 14) out->bits[bits++] = curand(&state);
}

constexpr unsigned long long kStarts[][3] = {{0, 0, 0},
                                             {1234, 0, 0},
                                             {1234, 5, 7},
                                             {0xfedcba9876543210ull, 123456789012345ull, 3},
                                             {42, 1ull << 50, 0xfffffffffffffff2ull}};
constexpr int kCount = sizeof kStarts / sizeof *kStarts;

inline void print(const char* name, const Numbers& numbers) {
  std::printf("%s bits", name);
  for (const unsigned int x : numbers.bits) std::printf(" %08x", x);
  std::printf("\n%s uniform", name);
  for (const double x : numbers.uniform) std::printf(" %a", x);
  std::printf("\n%s normal", name);
  for (const double x : numbers.normal) std::printf(" %.5g", x);
  std::printf("\n");
}
