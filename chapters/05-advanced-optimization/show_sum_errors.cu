// Shows the relative error of every way to add, against double, on data that are kind and data that are not.
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "coalesce/device.hpp"
#include "coalesce/verify.hpp"
#include "float_reference.hpp"
#include "float_tree.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

// [data]
std::vector<float> data_set(int which, std::int64_t n) {
  if (which == 0) return coalesce::random_floats(n, -1, 1, 5);
  std::vector<float> values(static_cast<std::size_t>(n), which == 1 ? 0.1f : 1.0f);
  if (which == 2) values.front() = 4096;  // its square is 2^24, and 2^24 + 1 is no float
  if (which == 3) {                       // from 10^-4 to 10^4, even on a logarithmic scale
    const auto exponents = coalesce::random_floats(n, -4, 4, 5);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::pow(10.0f, exponents[i]);
  }
  return values;
}
// [/data]

void deterministic_default(const float* d_values, std::int64_t n, float* d_sum, void* d_work,
                           cudaStream_t stream) {
  deterministic<deterministic_threads, deterministic_loads>(
      d_values, n, d_sum, d_work, stream, deterministic_chains, deterministic_chains);
}

struct way {
  const char* name;
  float_step* plain;
  float_workspace_step* with_workspace;
};

}  // namespace

int sum_errors(std::int64_t wanted) {
  const std::int64_t n = wanted > 0 ? wanted : 1 << 20;
  std::printf("%-22s %10s %10s %14s %12s\n", "relative error of", "[-1, 1)", "all 0.1",
              "4096, 1, 1 ...", "1e-4 to 1e4");
  coalesce::device_buffer<float> d_sum(1);
  coalesce::device_buffer<std::byte> d_work(float_workspace_bytes(n));
  d_work.fill_bytes(0);
  bool right = true;
  for (const auto& [name, plain, with_workspace] :
       {way{"float_one_thread", float_one_thread, nullptr},
        way{"float_one_thread_kahan", float_one_thread_kahan, nullptr},
        way{"float_atomic", float_atomic, nullptr}, way{"float_kahan", nullptr, float_kahan},
        way{"pairwise", nullptr, float_pairwise},
        way{"deterministic", nullptr, deterministic_default},
        way{"float_double", nullptr, float_double}}) {
    std::printf("%-22s", name);
    for (int which = 0; which < 4; ++which) {
      const auto values = data_set(which, n);
      const auto d_values = coalesce::to_device(values);
      coalesce::poison(d_sum);
      if (plain) plain(d_values.data(), n, d_sum.data(), nullptr);
      if (!plain) with_workspace(d_values.data(), n, d_sum.data(), d_work.data(), nullptr);
      const double want = sum_of_squares_in_double(values);
      const double error = std::fabs(double{coalesce::to_host(d_sum)[0]} - want) / want;
      right = right && (plain || error < 1e-6);
      std::printf("  %*.0e", which < 2 ? 9 : which == 2 ? 13 : 11, error);
    }
    std::printf("\n");
  }
  return right ? 0 : 1;
}

}  // namespace chapter05
