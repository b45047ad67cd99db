/// @file
/// Integer intrinsics: bits, products' upper halves, averages, shifts of two words.
#pragma once
#pragma GCC system_header

#define CPU_DEVICE_BOTH CPU_DEVICE_FUNCTION inline __attribute__((always_inline))
#define CPU_DEVICE_ONLY __device__ inline __attribute__((always_inline))

CPU_DEVICE_ONLY int __popc(unsigned int x) {
  return __builtin_popcount(x);
}
CPU_DEVICE_ONLY int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
CPU_DEVICE_ONLY int __clz(int x) {
  return x ? __builtin_clz(static_cast<unsigned>(x)) : 32;
}
CPU_DEVICE_ONLY int __clzll(long long x) {
  return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
CPU_DEVICE_ONLY int __ffs(int x) {
  return __builtin_ffs(x);
}
CPU_DEVICE_ONLY int __ffsll(long long x) {
  return __builtin_ffsll(x);
}
CPU_DEVICE_ONLY unsigned int __brev(unsigned int x) {
  return __builtin_bitreverse32(x);
}
CPU_DEVICE_ONLY unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
CPU_DEVICE_ONLY int __mul24(int a, int b) {
  return (a << 8 >> 8) * (b << 8 >> 8);
}
CPU_DEVICE_ONLY unsigned int __umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
CPU_DEVICE_ONLY int __mulhi(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) * b) >> 32);
}
CPU_DEVICE_ONLY unsigned int __umulhi(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(a) * b) >> 32);
}
CPU_DEVICE_ONLY long long __mul64hi(long long a, long long b) {
  return static_cast<long long>((static_cast<__int128>(a) * b) >> 64);
}
CPU_DEVICE_ONLY unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64);
}
CPU_DEVICE_ONLY unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
  const unsigned long long bytes = (static_cast<unsigned long long>(b) << 32) | a;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) {
    result |= static_cast<unsigned int>((bytes >> (8 * ((selector >> (4 * i)) & 7))) & 0xff)
              << (8 * i);
  }
  return result;
}
CPU_DEVICE_ONLY unsigned int __funnelshift_l(unsigned int low, unsigned int high,
                                             unsigned int shift) {
  const unsigned long long both = (static_cast<unsigned long long>(high) << 32) | low;
  return static_cast<unsigned int>((both << (shift & 31)) >> 32);
}
CPU_DEVICE_ONLY unsigned int __funnelshift_r(unsigned int low, unsigned int high,
                                             unsigned int shift) {
  const unsigned long long both = (static_cast<unsigned long long>(high) << 32) | low;
  return static_cast<unsigned int>(both >> (shift & 31));
}
CPU_DEVICE_ONLY unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
  return (a > b ? a - b : b - a) + c;
}

CPU_DEVICE_BOTH unsigned int umin(unsigned int a, unsigned int b) {
  return a < b ? a : b;
}
CPU_DEVICE_BOTH unsigned int umax(unsigned int a, unsigned int b) {
  return a > b ? a : b;
}
CPU_DEVICE_BOTH long long llmin(long long a, long long b) {
  return a < b ? a : b;
}
CPU_DEVICE_BOTH long long llmax(long long a, long long b) {
  return a > b ? a : b;
}
CPU_DEVICE_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
CPU_DEVICE_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}
CPU_DEVICE_ONLY unsigned int __sad(int a, int b, unsigned int c) {
  return (a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b)
                : static_cast<unsigned>(b) - static_cast<unsigned>(a)) +
         c;
}
CPU_DEVICE_ONLY int __hadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b) >> 1);
}
CPU_DEVICE_ONLY int __rhadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
CPU_DEVICE_ONLY unsigned int __uhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b) >> 1);
}
CPU_DEVICE_ONLY unsigned int __urhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}
CPU_DEVICE_ONLY unsigned int __funnelshift_lc(unsigned int low, unsigned int high,
                                              unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
CPU_DEVICE_ONLY unsigned int __funnelshift_rc(unsigned int low, unsigned int high,
                                              unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// Sums and extremes in one step (DPX); the forms in _relu give at least 0.
#define CPU_DEVICE_EXTREMES(Type, ending)                            \
  CPU_DEVICE_BOTH Type __vimax3_##ending(Type a, Type b, Type c) {   \
    return max(max(a, b), c);                                        \
  }                                                                  \
  CPU_DEVICE_BOTH Type __vimin3_##ending(Type a, Type b, Type c) {   \
    return min(min(a, b), c);                                        \
  }                                                                  \
  CPU_DEVICE_BOTH Type __viaddmax_##ending(Type a, Type b, Type c) { \
    return max(a + b, c);                                            \
  }                                                                  \
  CPU_DEVICE_BOTH Type __viaddmin_##ending(Type a, Type b, Type c) { \
    return min(a + b, c);                                            \
  }
CPU_DEVICE_EXTREMES(int, s32)
CPU_DEVICE_EXTREMES(unsigned int, u32)
#undef CPU_DEVICE_EXTREMES
CPU_DEVICE_BOTH int __vimax_s32_relu(int a, int b) {
  return max(max(a, b), 0);
}
CPU_DEVICE_BOTH int __vimin_s32_relu(int a, int b) {
  return max(min(a, b), 0);
}
CPU_DEVICE_BOTH int __vimax3_s32_relu(int a, int b, int c) {
  return max(__vimax3_s32(a, b, c), 0);
}
CPU_DEVICE_BOTH int __vimin3_s32_relu(int a, int b, int c) {
  return max(__vimin3_s32(a, b, c), 0);
}
CPU_DEVICE_BOTH int __viaddmax_s32_relu(int a, int b, int c) {
  return max(__viaddmax_s32(a, b, c), 0);
}
CPU_DEVICE_BOTH int __viaddmin_s32_relu(int a, int b, int c) {
  return max(__viaddmin_s32(a, b, c), 0);
}
#undef CPU_DEVICE_ONLY
#undef CPU_DEVICE_BOTH
