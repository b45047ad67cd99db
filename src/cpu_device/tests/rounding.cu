// Each rounded operation on pseudo-random operands: prints name, operands' and result's bits.
#include <cinttypes>
#include <cstdio>
#include <cstring>

constexpr int kCases = 20;

template <class T, class Bits>
__host__ __device__ T read(Bits bits) {
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

struct Line {
  char name[24];
  unsigned long long operand[3], result;
};

// Bits of moderate exponents, so that results stay finite and normal.
__device__ unsigned long long random_bits(unsigned long long& state) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return state ^ (state >> 29);
}
__device__ float random_float(unsigned long long& state) {
  const unsigned bits = static_cast<unsigned>(random_bits(state) >> 20);
  return __uint_as_float((bits & 0x807fffffu) | ((112 + (bits >> 23) % 32) << 23));
}
__device__ double random_double(unsigned long long& state) {
  const unsigned long long bits = random_bits(state);
  return __longlong_as_double(
      static_cast<long long>((bits & 0x800fffffffffffffull) | ((1008 + (bits >> 52) % 32) << 52)));
}
template <class T>
__device__ unsigned long long bits_of(T value) {
  unsigned long long bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}

#define MODES(F, name) F(name##_rn), F(name##_rz), F(name##_ru), F(name##_rd)
#define LINE(name, x, y, z, value)                              \
  out[count++] = Line {                                         \
    #name, {bits_of(x), bits_of(y), bits_of(z)}, bits_of(value) \
  }
#define F2(name) LINE(name, a, b, 0, name(a, b))
#define F1(name) LINE(name, positive, 0, 0, name(positive))
#define F3(name) LINE(name, a, b, c, name(a, b, c))
#define D2(name) LINE(name, d, e, 0, name(d, e))
#define D1(name) LINE(name, positive_double, 0, 0, name(positive_double))
#define D3(name) LINE(name, d, e, f, name(d, e, f))
#define CONVERT(name, x) LINE(name, x, 0, 0, name(x))
#define FROM_INT(name) CONVERT(name, static_cast<int>(whole))
#define FROM_UINT(name) CONVERT(name, static_cast<unsigned>(whole))
#define FROM_LL(name) CONVERT(name, static_cast<long long>(whole))
#define FROM_ULL(name) CONVERT(name, whole)
#define FROM_DOUBLE(name) CONVERT(name, d)
#define FROM_FLOAT(name) CONVERT(name, a)

__global__ void operations(Line* out, int* lines) {
  unsigned long long state = 2026;
  int count = 0;
  for (int i = 0; i < kCases; ++i) {
    const float a = random_float(state), b = random_float(state), c = random_float(state);
    const double d = random_double(state), e = random_double(state), f = random_double(state);
    const float positive = fabsf(a);
    const double positive_double = fabs(d);
    const unsigned long long whole = i ? random_bits(state) >> (i % 40) : 0;
    MODES(F2, __fadd);
    MODES(F2, __fsub);
    MODES(F2, __fmul);
    MODES(F2, __fdiv);
    MODES(F1, __fsqrt);
    MODES(F1, __frcp);
    MODES(F3, __fmaf);
    MODES(D2, __dadd);
    MODES(D2, __dsub);
    MODES(D2, __dmul);
    MODES(D2, __ddiv);
    MODES(D1, __dsqrt);
    MODES(D1, __drcp);
    MODES(D3, __fma);
    MODES(FROM_INT, __int2float);
    MODES(FROM_UINT, __uint2float);
    MODES(FROM_LL, __ll2float);
    MODES(FROM_ULL, __ull2float);
    MODES(FROM_LL, __ll2double);
    MODES(FROM_ULL, __ull2double);
    MODES(FROM_DOUBLE, __double2float);
    MODES(FROM_FLOAT, __float2int);
    MODES(FROM_FLOAT, __float2uint);
    MODES(FROM_FLOAT, __float2ll);
    MODES(FROM_DOUBLE, __double2int);
    MODES(FROM_DOUBLE, __double2ull);
  }
  *lines = count;
}

int main() {
  Line* out;
  int* lines;
  cudaMallocManaged(&out, kCases * 128 * sizeof *out);
  cudaMallocManaged(&lines, sizeof *lines);
  operations<<<1, 1>>>(out, lines);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < *lines; ++i) {
    const Line& l = out[i];
    std::printf("%s %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 "\n", l.name,
                uint64_t{l.operand[0]}, uint64_t{l.operand[1]}, uint64_t{l.operand[2]},
                uint64_t{l.result});
  }
}
