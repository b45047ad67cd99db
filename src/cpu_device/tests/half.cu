// half and bfloat16: conversions against the compiler's own, arithmetic, pairs, atomics.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>

static int failures = 0;
static void check(const char* name, bool good) {
  printf("%s %s\n", good ? "ok" : "wrong", name);
  failures += !good;
}

static unsigned short bits_of(_Float16 value) {
  unsigned short bits;
  memcpy(&bits, &value, 2);
  return bits;
}
static float float_of(unsigned bits) {
  float value;
  memcpy(&value, &bits, 4);
  return value;
}
static unsigned short bfloat_of(float value) {  // round to nearest even, by the textbook
  unsigned bits;
  memcpy(&bits, &value, 4);
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

template <class T>
static bool directed(T (*down)(float), T (*up)(float), T (*zero)(float), float value) {
  const float low = down(value), high = up(value), near = zero(value);
  if (!(low <= value && value <= high)) return false;
  if (near != (value < 0 ? high : low)) return false;
  unsigned short a, b;  // neighbours, or the same
  const T l = down(value), h = up(value);
  memcpy(&a, &l, 2);
  memcpy(&b, &h, 2);
  const int distance = (a & 0x7fff) - (b & 0x7fff);
  return low == value ? high == value
                      : distance == 1 || distance == -1 || (low == 0 && b == 1) ||
                            (high == 0 && (a & 0x7fff) == 1);
}

static void conversions() {
  bool widen = true, narrow = true, direct = true, brain = true, brain_direct = true;
  for (unsigned i = 0; i < 65536; ++i) {
    const auto bits = static_cast<unsigned short>(i);
    _Float16 reference;
    memcpy(&reference, &bits, 2);
    const float ours = __half2float(__ushort_as_half(bits));
    const float theirs = static_cast<float>(reference);
    widen &= ours == theirs || (ours != ours && theirs != theirs);
    const float b = __bfloat162float(__ushort_as_bfloat16(bits));
    const float expected = float_of(i << 16);
    brain &= b == expected || (b != b && expected != expected);
  }
  std::mt19937 random(1);
  for (int i = 0; i < 300000; ++i) {
    float value = float_of(static_cast<unsigned>(random()));
    if (i % 2) value = float_of((random() & 0x8fffffffu) | 0x30000000u);  // where half has numbers
    if (i % 16 == 3) value = static_cast<float>(static_cast<int>(random() % 4096) - 2048) / 2048;
    if (value != value || std::isinf(value)) continue;
    narrow &= __half_as_ushort(__float2half(value)) == bits_of(static_cast<_Float16>(value));
    if (std::fabs(value) < 65504) {
      direct &= directed(__float2half_rd, __float2half_ru, __float2half_rz, value);
    }
    if (std::fabs(value) < 3.3e38f) {
      brain &= __bfloat16_as_ushort(__float2bfloat16(value)) == bfloat_of(value);
      brain_direct &=
          directed(__float2bfloat16_rd, __float2bfloat16_ru, __float2bfloat16_rz, value);
    }
  }
  check("half to float", widen);
  check("float to half", narrow);
  check("directed half", direct);
  check("bfloat16", brain);
  check("directed bfloat16", brain_direct);
  check("overflow", __half_as_ushort(__float2half(65520.0f)) == 0x7c00 &&
                        __half_as_ushort(__float2half_rz(1e9f)) == 0x7bff &&
                        __half_as_ushort(__float2half_ru(-1e9f)) == 0xfbff &&
                        __half_as_ushort(__float2half(NAN)) == 0x7fff);
}

// Most conversions to integers, and fused operations, are for kernels only.
__global__ void integers(bool* good) {
  *good = __half2int_rn(half(2.5f)) == 2 && __half2int_rz(half(-2.5f)) == -2 &&
          __half2int_ru(half(2.5f)) == 3 && __half2int_rd(half(-2.5f)) == -3 &&
          __half2uint_rz(half(-4.0f)) == 0 && __half2short_rn(half(40000.0f)) == 32767 &&
          float(__int2half_rn(2049)) == 2048 && float(__int2half_ru(2049)) == 2050;
}
__global__ void fused(const half* in, half* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __hfma(in[3 * i], in[3 * i + 1], in[3 * i + 2]);
}

static void arithmetic() {
  constexpr int count = 100000;
  half *in, *sums;
  cudaMallocManaged(&in, 3 * count * sizeof *in);
  cudaMallocManaged(&sums, count * sizeof *sums);
  std::mt19937 random(2);
  for (int i = 0; i < 3 * count; ++i) {
    in[i] = __ushort_as_half(static_cast<unsigned short>(random() & 0xbfff));
  }
  fused<<<(count + 255) / 256, 256>>>(in, sums, count);
  bool good = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < count; ++i) {
    const half x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];
    if (x != x || y != y || z != z) continue;
    _Float16 a, b, c;
    memcpy(&a, &x, 2);
    memcpy(&b, &y, 2);
    memcpy(&c, &z, 2);
    good &= __half_as_ushort(x + y) == bits_of(a + b) && __half_as_ushort(x * y) == bits_of(a * b);
    good &= float(y) == 0 || __half_as_ushort(x / y) == bits_of(a / b);
    const double exact = static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c);
    good &= __half_as_ushort(sums[i]) == bits_of(static_cast<_Float16>(exact));
  }
  check("arithmetic", good);
  cudaFree(in);
  cudaFree(sums);
}

__global__ void pairs(const half2* a, const half2* b, half2* sum, half* total, half2* both,
                      __nv_bfloat16* brain, float* plain) {
  const int t = threadIdx.x;
  const half2 x = a[t], y = b[t];  // LINE pairs
  sum[t] = __hfma2(x, y, __float2half2_rn(1.0f));
  atomicAdd(total, __low2half(x));
  atomicAdd(both, x);
  atomicAdd(brain, __float2bfloat16(0.5f));
  half warp = x.x;
  for (int k = 16; k > 0; k /= 2) warp = __hadd(warp, __shfl_xor_sync(0xffffffffu, warp, k));
  const __nv_bfloat162 pair = __floats2bfloat162_rn(1.0f, 2.0f) * __float2bfloat162_rn(3.0f);
  if (t == 0) {
    plain[0] = warp;
    plain[1] = pair.y;
    plain[2] = hsqrt(half(9.0f));
    plain[3] = __hgt(x.y, x.x) && __hbeq2(x, x) && x < y ? 1.0f : 0.0f;
    plain[4] = __half22float2(y).y;
    plain[5] = __ldg(&a[3]).y;
  }
}

int main() {
  conversions();
  bool* whole;
  cudaMallocManaged(&whole, sizeof *whole);
  integers<<<1, 1>>>(whole);
  check("integers", cudaDeviceSynchronize() == cudaSuccess && *whole);
  arithmetic();
  half2* m;
  cudaMallocManaged(&m, 4096);
  memset(m, 0, 4096);
  half2 *a = m, *b = m + 32, *sum = m + 64;
  for (int i = 0; i < 32; ++i) {
    a[i] = half2(half(i), half(i + 1));
    b[i] = __floats2half2_rn(40.0f, 50.0f + i);
  }
  half* total = reinterpret_cast<half*>(m + 100);
  half2* both = m + 101;
  auto* brain = reinterpret_cast<__nv_bfloat16*>(m + 102);
  float* plain = reinterpret_cast<float*>(m + 110);
  pairs<<<1, 32>>>(a, b, sum, total, both, brain, plain);
  check("kernel", cudaDeviceSynchronize() == cudaSuccess);
  check("fused pairs", float(sum[2].x) == 81 && float(sum[2].y) == 157);
  check("atomics", float(*total) == 496 && float(both->x) == 496 && float(both->y) == 528 &&
                       float(*brain) == 16);
  check("in the kernel", plain[0] == 496 && plain[1] == 6 && plain[2] == 3 && plain[3] == 1 &&
                             plain[4] == 50 && plain[5] == 4);
  return failures != 0;
}
