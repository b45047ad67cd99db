/// @file
/// Instructions that treat a 32-bit word as two or four integers, and dot products of these.
#pragma once
#pragma GCC system_header

#define CPU_DEVICE_ONLY __device__ inline __attribute__((always_inline))

// A word as two or four integers. Part: the type of one of them, which gives width and sign.
template <class Part, class Operation>
CPU_DEVICE_ONLY unsigned int cpu_device_parts(unsigned int a, unsigned int b, Operation operation) {
  constexpr int bits = 8 * sizeof(Part);
  constexpr unsigned int mask = (1u << bits) - 1;
  unsigned int result = 0;
  for (int shift = 0; shift < 32; shift += bits) {
    result |= (static_cast<unsigned>(operation(static_cast<int>(static_cast<Part>(a >> shift)),
                                               static_cast<int>(static_cast<Part>(b >> shift)))) &
               mask)
              << shift;
  }
  return result;
}
template <class Part>
CPU_DEVICE_ONLY int cpu_device_saturated(int x) {
  constexpr int bits = 8 * sizeof(Part);
  constexpr int low = static_cast<Part>(-1) < 0 ? -(1 << (bits - 1)) : 0;
  constexpr int high = low + (1 << bits) - 1;
  return x < low ? low : x > high ? high : x;
}
#define CPU_DEVICE_PARTS(Name, Part, expression)                                       \
  CPU_DEVICE_ONLY unsigned int Name(unsigned int a, unsigned int b) {                  \
    return cpu_device_parts<Part>(                                                     \
        a, b, [](int x, int y) __attribute__((always_inline)) { return expression; }); \
  }
#define CPU_DEVICE_PARTS_OF_ONE(Name, Part, expression)                              \
  CPU_DEVICE_ONLY unsigned int Name(unsigned int a) {                                \
    return cpu_device_parts<Part>(                                                   \
        a, a, [](int x, int) __attribute__((always_inline)) { return expression; }); \
  }
#define CPU_DEVICE_SUM(Name, Part, expression)                                        \
  CPU_DEVICE_ONLY unsigned int Name(unsigned int a, unsigned int b) {                 \
    unsigned int sum = 0;                                                             \
    for (int shift = 0; shift < 32; shift += 8 * static_cast<int>(sizeof(Part))) {    \
      const int x = static_cast<Part>(a >> shift), y = static_cast<Part>(b >> shift); \
      sum += static_cast<unsigned>(expression);                                       \
    }                                                                                 \
    return sum;                                                                       \
  }
#define CPU_DEVICE_COMPARE(name, sign, count, Part, operator_)              \
  CPU_DEVICE_PARTS(__vcmp##name##sign##count, Part, x operator_ y ? -1 : 0) \
  CPU_DEVICE_PARTS(__vset##name##sign##count, Part, x operator_ y ? 1 : 0)
#define CPU_DEVICE_WORD(count, Signed, Unsigned)                                                 \
  CPU_DEVICE_PARTS(__vadd##count, Unsigned, x + y)                                               \
  CPU_DEVICE_PARTS(__vsub##count, Unsigned, x - y)                                               \
  CPU_DEVICE_PARTS(__vaddss##count, Signed, cpu_device_saturated<Signed>(x + y))                 \
  CPU_DEVICE_PARTS(__vaddus##count, Unsigned, cpu_device_saturated<Unsigned>(x + y))             \
  CPU_DEVICE_PARTS(__vsubss##count, Signed, cpu_device_saturated<Signed>(x - y))                 \
  CPU_DEVICE_PARTS(__vsubus##count, Unsigned, cpu_device_saturated<Unsigned>(x - y))             \
  CPU_DEVICE_PARTS(__vmaxs##count, Signed, x > y ? x : y)                                        \
  CPU_DEVICE_PARTS(__vmaxu##count, Unsigned, x > y ? x : y)                                      \
  CPU_DEVICE_PARTS(__vmins##count, Signed, x < y ? x : y)                                        \
  CPU_DEVICE_PARTS(__vminu##count, Unsigned, x < y ? x : y)                                      \
  CPU_DEVICE_PARTS(__vabsdiffs##count, Signed, x > y ? x - y : y - x)                            \
  CPU_DEVICE_PARTS(__vabsdiffu##count, Unsigned, x > y ? x - y : y - x)                          \
  CPU_DEVICE_PARTS(__vavgs##count, Signed, (x + y + (x + y >= 0)) >> 1)                          \
  CPU_DEVICE_PARTS(__vavgu##count, Unsigned, (x + y + 1) >> 1)                                   \
  CPU_DEVICE_PARTS(__vhaddu##count, Unsigned, (x + y) >> 1)                                      \
  CPU_DEVICE_PARTS_OF_ONE(__vneg##count, Signed, -x)                                             \
  CPU_DEVICE_PARTS_OF_ONE(__vnegss##count, Signed, cpu_device_saturated<Signed>(-x))             \
  CPU_DEVICE_PARTS_OF_ONE(__vabs##count, Signed, x < 0 ? -x : x)                                 \
  CPU_DEVICE_PARTS_OF_ONE(__vabsss##count, Signed, cpu_device_saturated<Signed>(x < 0 ? -x : x)) \
  CPU_DEVICE_SUM(__vsads##count, Signed, x > y ? x - y : y - x)                                  \
  CPU_DEVICE_SUM(__vsadu##count, Unsigned, x > y ? x - y : y - x)                                \
  CPU_DEVICE_COMPARE(eq, , count, Unsigned, ==)                                                  \
  CPU_DEVICE_COMPARE(ne, , count, Unsigned, !=)                                                  \
  CPU_DEVICE_COMPARE(ge, s, count, Signed, >=)                                                   \
  CPU_DEVICE_COMPARE(gt, s, count, Signed, >)                                                    \
  CPU_DEVICE_COMPARE(le, s, count, Signed, <=)                                                   \
  CPU_DEVICE_COMPARE(lt, s, count, Signed, <)                                                    \
  CPU_DEVICE_COMPARE(ge, u, count, Unsigned, >=)                                                 \
  CPU_DEVICE_COMPARE(gt, u, count, Unsigned, >)                                                  \
  CPU_DEVICE_COMPARE(le, u, count, Unsigned, <=)                                                 \
  CPU_DEVICE_COMPARE(lt, u, count, Unsigned, <)
CPU_DEVICE_WORD(2, short, unsigned short)
CPU_DEVICE_WORD(4, signed char, unsigned char)
#undef CPU_DEVICE_WORD
#undef CPU_DEVICE_COMPARE
#undef CPU_DEVICE_SUM
#undef CPU_DEVICE_PARTS_OF_ONE
#undef CPU_DEVICE_PARTS

// Dot products of the bytes (and halves) of two words.
#define CPU_DEVICE_DOT_2(Name, Result, Half, Byte, first)                                \
  CPU_DEVICE_ONLY Result Name(Result a, Result b, Result c) {                            \
    for (int i = 0; i < 2; ++i) {                                                        \
      c += static_cast<Half>(a >> (16 * i)) * static_cast<Byte>(b >> (8 * (first + i))); \
    }                                                                                    \
    return c;                                                                            \
  }
CPU_DEVICE_DOT_2(__dp2a_lo, int, short, signed char, 0)
CPU_DEVICE_DOT_2(__dp2a_hi, int, short, signed char, 2)
CPU_DEVICE_DOT_2(__dp2a_lo, unsigned int, unsigned short, unsigned char, 0)
CPU_DEVICE_DOT_2(__dp2a_hi, unsigned int, unsigned short, unsigned char, 2)
#undef CPU_DEVICE_DOT_2
CPU_DEVICE_ONLY int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 4; ++i) {
    c += static_cast<signed char>(a >> (8 * i)) * static_cast<signed char>(b >> (8 * i));
  }
  return c;
}
CPU_DEVICE_ONLY unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  for (int i = 0; i < 4; ++i) {
    c += ((a >> (8 * i)) & 0xffu) * ((b >> (8 * i)) & 0xffu);
  }
  return c;
}
#undef CPU_DEVICE_ONLY
