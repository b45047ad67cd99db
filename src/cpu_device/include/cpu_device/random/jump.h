/// @file
/// Jumps far ahead in a sequence, computed by the runtime (runtime/random_jump.cpp).
#pragma once
#pragma GCC system_header

extern "C" {
/// Moves n * 2^power steps ahead. `words`: the five shift registers of an XORWOW.
__device__ void cpu_device_xorwow_jump(unsigned int* words, unsigned long long n, int power);
/// `first` and `second`: the three last values of both parts of an MRG32k3a.
__device__ void cpu_device_mrg32k3a_jump(unsigned int* first, unsigned int* second,
                                         unsigned long long n, int power);
}

enum cpu_device_spare_kind {
  cpu_device_no_spare,
  cpu_device_spare_normal,
  cpu_device_spare_log_normal
};
/// The second number of a pair, kept for the next call.
struct cpu_device_spare_normals {
  cpu_device_spare_kind kept, kept_double;
  float spare;
  double spare_double;
};
