// The standard library in kernels, as nvcc's --expt-relaxed-constexpr allows it: tuples, arrays,
// optionals, limits, algorithms; tuples also as kernel parameters with deduced types.
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

__global__ void use(int* p) {
  const std::tuple<int, float, char> whole{1, 2.5f, 'c'};
  auto [a, b, c] = whole;
  const std::array<int, 4> values{1, 2, 3, 4};
  const auto pair = std::make_tuple(3, 4.0);
  int sum = a + static_cast<int>(b) + c + values[2] + std::get<0>(pair);
  std::optional<int> maybe;
  if (!maybe) maybe = 5;
  sum += *maybe + std::apply([](int x, double y) { return x + static_cast<int>(y); }, pair);
  sum += std::get<3>(std::tuple_cat(whole, pair)) + std::clamp(5, 1, 3) + std::max({1, 2, 9});
  for (const int value : values) sum += std::plus<int>()(value, 1);
  *p = sum + a + std::numeric_limits<short>::max();
}

template <class... Ts>
__global__ void unpack(std::tuple<Ts...> values, double* out) {
  *out = std::apply([](auto... each) { return (static_cast<double>(each) + ...); }, values);
}

template <class F, class... Ts>
__global__ void call(F function, double* out, Ts... values) {
  *out = function(values...);
}

int main() {
  double* out;
  cudaMallocManaged(&out, sizeof *out);
  int* sum = reinterpret_cast<int*>(out);
  use<<<1, 1>>>(sum);
  cudaDeviceSynchronize();
  printf("use %d\n", *sum - 32767);
  unpack<<<1, 1>>>(std::make_tuple(4, 2.5, 'x', 1ull << 40), out);
  cudaDeviceSynchronize();
  printf("unpack %.1f\n", *out - static_cast<double>(1ull << 40));
  call<<<1, 1>>>(
      [] __device__(int a, float b, std::pair<int, short> c) { return a + b * c.first + c.second; },
      out, 3, 0.5f, std::pair<int, short>(8, 100));
  cudaDeviceSynchronize();
  printf("call %.1f\n", *out);
}
