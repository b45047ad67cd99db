/// @file
/// Shuffles, votes, matches and reductions of a warp. A lane that calls one waits until every lane
/// of the mask that has not exited calls it with the same mask; the scheduler then computes all
/// results at once (runtime/warp_operations.cpp).
#pragma once
#pragma GCC system_header

/// Values of `operation` below; runtime/warp_operations.cpp knows the same list.
enum cpu_device_warp_operation {
  cpu_device_warp_sync,
  cpu_device_warp_shuffle_index,
  cpu_device_warp_shuffle_up,
  cpu_device_warp_shuffle_down,
  cpu_device_warp_shuffle_xor,
  cpu_device_warp_ballot,
  cpu_device_warp_match_any,
  cpu_device_warp_match_all,
  cpu_device_warp_add,
  cpu_device_warp_min_signed,
  cpu_device_warp_max_signed,
  cpu_device_warp_min_unsigned,
  cpu_device_warp_max_unsigned,
  cpu_device_warp_and,
  cpu_device_warp_or,
  cpu_device_warp_xor,
  cpu_device_warp_active_mask
};

extern "C" {
/// @param argument  source lane or distance of a shuffle.
/// @param width     segment of a shuffle: 2, 4, 8, 16 or 32 lanes.
__device__ unsigned long long cpu_device_warp(unsigned int mask, int operation,
                                              unsigned long long value, int argument, int width);
}

#define CPU_DEVICE_WARP __device__ inline __attribute__((always_inline))

CPU_DEVICE_WARP void __syncwarp(unsigned int mask = 0xffffffffu) {
  cpu_device_warp(mask, cpu_device_warp_sync, 0, 0, 32);
}
CPU_DEVICE_WARP unsigned int __activemask() {
  return static_cast<unsigned int>(cpu_device_warp(0, cpu_device_warp_active_mask, 0, 0, 32));
}

template <class T>
CPU_DEVICE_WARP T cpu_device_shuffle(unsigned int mask, int operation, T value, int argument,
                                     int width) {
  unsigned long long words[(sizeof(T) + 7) / 8] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (auto& word : words) word = cpu_device_warp(mask, operation, word, argument, width);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
/// The intrinsics take less than cooperative groups do.
template <class T>
CPU_DEVICE_WARP T cpu_device_shuffle_word(unsigned int mask, int operation, T value, int argument,
                                          int width) {
  static_assert(sizeof(T) <= 8, "shuffles move values of at most 8 bytes");
  return cpu_device_shuffle(mask, operation, value, argument, width);
}
template <class T>
CPU_DEVICE_WARP T __shfl_sync(unsigned int mask, T value, int source, int width = 32) {
  return cpu_device_shuffle_word(mask, cpu_device_warp_shuffle_index, value, source, width);
}
template <class T>
CPU_DEVICE_WARP T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width = 32) {
  return cpu_device_shuffle_word(mask, cpu_device_warp_shuffle_up, value, static_cast<int>(delta),
                                 width);
}
template <class T>
CPU_DEVICE_WARP T __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width = 32) {
  return cpu_device_shuffle_word(mask, cpu_device_warp_shuffle_down, value, static_cast<int>(delta),
                                 width);
}
template <class T>
CPU_DEVICE_WARP T __shfl_xor_sync(unsigned int mask, T value, int lanes, int width = 32) {
  return cpu_device_shuffle_word(mask, cpu_device_warp_shuffle_xor, value, lanes, width);
}

CPU_DEVICE_WARP unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return static_cast<unsigned int>(
      cpu_device_warp(mask, cpu_device_warp_ballot, predicate != 0, 0, 32));
}
CPU_DEVICE_WARP int __any_sync(unsigned int mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
CPU_DEVICE_WARP int __all_sync(unsigned int mask, int predicate) {
  return __ballot_sync(mask, predicate == 0) == 0;
}
template <class T>
CPU_DEVICE_WARP unsigned int __match_any_sync(unsigned int mask, T value) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return static_cast<unsigned int>(cpu_device_warp(mask, cpu_device_warp_match_any, bits, 0, 32));
}
template <class T>
CPU_DEVICE_WARP unsigned int __match_all_sync(unsigned int mask, T value, int* same) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  const unsigned long long result = cpu_device_warp(mask, cpu_device_warp_match_all, bits, 0, 32);
  *same = result != 0;
  return static_cast<unsigned int>(result);
}

CPU_DEVICE_WARP unsigned int __reduce_add_sync(unsigned int mask, unsigned int value) {
  return static_cast<unsigned int>(cpu_device_warp(mask, cpu_device_warp_add, value, 0, 32));
}
CPU_DEVICE_WARP int __reduce_add_sync(unsigned int mask, int value) {
  return static_cast<int>(
      cpu_device_warp(mask, cpu_device_warp_add, static_cast<unsigned int>(value), 0, 32));
}
CPU_DEVICE_WARP unsigned int __reduce_min_sync(unsigned int mask, unsigned int value) {
  return static_cast<unsigned int>(
      cpu_device_warp(mask, cpu_device_warp_min_unsigned, value, 0, 32));
}
CPU_DEVICE_WARP int __reduce_min_sync(unsigned int mask, int value) {
  return static_cast<int>(
      cpu_device_warp(mask, cpu_device_warp_min_signed, static_cast<long long>(value), 0, 32));
}
CPU_DEVICE_WARP unsigned int __reduce_max_sync(unsigned int mask, unsigned int value) {
  return static_cast<unsigned int>(
      cpu_device_warp(mask, cpu_device_warp_max_unsigned, value, 0, 32));
}
CPU_DEVICE_WARP int __reduce_max_sync(unsigned int mask, int value) {
  return static_cast<int>(
      cpu_device_warp(mask, cpu_device_warp_max_signed, static_cast<long long>(value), 0, 32));
}
CPU_DEVICE_WARP unsigned int __reduce_and_sync(unsigned int mask, unsigned int value) {
  return static_cast<unsigned int>(cpu_device_warp(mask, cpu_device_warp_and, value, 0, 32));
}
CPU_DEVICE_WARP unsigned int __reduce_or_sync(unsigned int mask, unsigned int value) {
  return static_cast<unsigned int>(cpu_device_warp(mask, cpu_device_warp_or, value, 0, 32));
}
CPU_DEVICE_WARP unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value) {
  return static_cast<unsigned int>(cpu_device_warp(mask, cpu_device_warp_xor, value, 0, 32));
}
#undef CPU_DEVICE_WARP
