/// @file
/// CUDA's short vector types, dim3, and their make_ functions: plain aggregates with CUDA's sizes
/// and alignments. That a float4 is moved whole is the IR glue's work (driver/vector_copies.py).
#pragma once
#pragma GCC system_header

#define CPU_DEVICE_MAKE CPU_DEVICE_FUNCTION inline __attribute__((always_inline)) constexpr
#define CPU_DEVICE_VECTORS(Type, Name, align2, align4)                     \
  struct Name##1 {                                                         \
    Type x;                                                                \
  };                                                                       \
  struct __attribute__((aligned(align2))) Name##2 {                        \
    Type x, y;                                                             \
  };                                                                       \
  struct Name##3 {                                                         \
    Type x, y, z;                                                          \
  };                                                                       \
  struct __attribute__((aligned(align4))) Name##4 {                        \
    Type x, y, z, w;                                                       \
  };                                                                       \
  CPU_DEVICE_MAKE Name##1 make_##Name##1(Type x) {                         \
    return {x};                                                            \
  }                                                                        \
  CPU_DEVICE_MAKE Name##2 make_##Name##2(Type x, Type y) {                 \
    return {x, y};                                                         \
  }                                                                        \
  CPU_DEVICE_MAKE Name##3 make_##Name##3(Type x, Type y, Type z) {         \
    return {x, y, z};                                                      \
  }                                                                        \
  CPU_DEVICE_MAKE Name##4 make_##Name##4(Type x, Type y, Type z, Type w) { \
    return {x, y, z, w};                                                   \
  }

CPU_DEVICE_VECTORS(signed char, char, 2, 4)
CPU_DEVICE_VECTORS(unsigned char, uchar, 2, 4)
CPU_DEVICE_VECTORS(short, short, 4, 8)
CPU_DEVICE_VECTORS(unsigned short, ushort, 4, 8)
CPU_DEVICE_VECTORS(int, int, 8, 16)
CPU_DEVICE_VECTORS(unsigned int, uint, 8, 16)
CPU_DEVICE_VECTORS(long, long, 16, 16)
CPU_DEVICE_VECTORS(unsigned long, ulong, 16, 16)
CPU_DEVICE_VECTORS(long long, longlong, 16, 16)
CPU_DEVICE_VECTORS(unsigned long long, ulonglong, 16, 16)
CPU_DEVICE_VECTORS(float, float, 8, 16)
CPU_DEVICE_VECTORS(double, double, 16, 16)
// CUDA 13's names for four values of 8 bytes, by their alignment.
#define CPU_DEVICE_ALIGNED(Type, Name, bytes)                                                    \
  struct __attribute__((aligned(bytes))) Name##4_##bytes##a {                                    \
    Type x, y, z, w;                                                                             \
  };                                                                                             \
  CPU_DEVICE_MAKE Name##4_##bytes##a make_##Name##4_##bytes##a(Type x, Type y, Type z, Type w) { \
    return {x, y, z, w};                                                                         \
  }
CPU_DEVICE_ALIGNED(long, long, 16)
CPU_DEVICE_ALIGNED(long, long, 32)
CPU_DEVICE_ALIGNED(unsigned long, ulong, 16)
CPU_DEVICE_ALIGNED(unsigned long, ulong, 32)
CPU_DEVICE_ALIGNED(long long, longlong, 16)
CPU_DEVICE_ALIGNED(long long, longlong, 32)
CPU_DEVICE_ALIGNED(unsigned long long, ulonglong, 16)
CPU_DEVICE_ALIGNED(unsigned long long, ulonglong, 32)
CPU_DEVICE_ALIGNED(double, double, 16)
CPU_DEVICE_ALIGNED(double, double, 32)
#undef CPU_DEVICE_ALIGNED
#undef CPU_DEVICE_VECTORS
#undef CPU_DEVICE_MAKE

/// A launch extent; missing extents are 1.
struct dim3 {
  unsigned int x, y, z;
  CPU_DEVICE_FUNCTION constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  CPU_DEVICE_FUNCTION constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  CPU_DEVICE_FUNCTION constexpr operator uint3() const { return uint3{x, y, z}; }
};
