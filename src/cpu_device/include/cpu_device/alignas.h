/// @file
/// Lets `__shared__ alignas(16) float tile[64];` compile, as it does with nvcc: since __shared__
/// holds a keyword here, a standard alignas may not follow it, while a GNU attribute may. Must be
/// included last.
#pragma once
#pragma GCC system_header

#if defined(__CUDA__)
template <class T>
CPU_DEVICE_FUNCTION constexpr size_t cpu_device_alignment() {
  return alignof(T);
}
template <size_t Bytes>
CPU_DEVICE_FUNCTION constexpr size_t cpu_device_alignment() {
  return Bytes ? Bytes : 1;
}
#define alignas(...) __attribute__((aligned(cpu_device_alignment<__VA_ARGS__>())))
#endif
