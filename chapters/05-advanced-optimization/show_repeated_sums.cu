// Shows how many different answers the same sum has: a hundred runs with one atomic addition a block, and
// the deterministic sum on many grids, and at an address that takes no vectors.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <set>

#include "coalesce/device.hpp"
#include "coalesce/verify.hpp"
#include "float_tree.hpp"
#include "steps.hpp"

namespace chapter05 {
namespace {

constexpr int threads = deterministic_threads, loads = deterministic_loads;

/// The different answers of `runs` runs.
std::set<float> answers(int runs, const std::function<void(int run, float* d_sum)>& sum) {
  std::set<float> found;
  coalesce::device_buffer<float> d_sum(1);
  for (int run = 0; run < runs; ++run) {
    coalesce::poison(d_sum);
    sum(run, d_sum.data());
    found.insert(coalesce::to_host(d_sum)[0]);
  }
  return found;
}

void show(const char* what, const std::set<float>& found) {
  std::printf("%-44s %3zu different, from %.9g to %.9g\n", what, found.size(),
              double{*found.begin()}, double{*found.rbegin()});
}

}  // namespace

int repeated_sums(std::int64_t wanted) {
  const std::int64_t n = wanted > 0 ? wanted : coalesce::on_cpu_device() ? 1 << 20 : 1 << 26;
  const auto values = coalesce::random_floats(n, -1, 1, 5);
  const auto d_values = coalesce::to_device(values);
  coalesce::device_buffer<float> d_shifted(n + 1);
  COALESCE_CHECK(
      cudaMemcpy(d_shifted.data() + 1, values.data(), d_values.bytes(), cudaMemcpyHostToDevice));
  coalesce::device_buffer<std::byte> d_work(float_workspace_bytes(n));
  d_work.fill_bytes(0);

  // [runs]
  const auto atomic =
      answers(100, [&](int, float* d_sum) { float_atomic(d_values.data(), n, d_sum, nullptr); });
  const auto same_grid = answers(100, [&](int, float* d_sum) {
    deterministic<threads, loads>(d_values.data(), n, d_sum, d_work.data(), nullptr,
                                  deterministic_chains, deterministic_chains);
  });
  const auto any_grid = answers(30, [&](int run, float* d_sum) {
    deterministic<threads, loads>(d_values.data(), n, d_sum, d_work.data(), nullptr,
                                  deterministic_chains, 1 + run * 36);
  });
  const auto any_address = answers(2, [&](int run, float* d_sum) {
    const float* from = run == 0 ? d_values.data() : d_shifted.data() + 1;
    deterministic<threads, loads>(from, n, d_sum, d_work.data(), nullptr, deterministic_chains,
                                  deterministic_chains);
  });
  // [/runs]

  show("one atomic addition a block, 100 runs:", atomic);
  show("deterministic, 100 runs:", same_grid);
  show("deterministic, 30 grids, 1 to 1045 blocks:", any_grid);
  show("deterministic, two addresses:", any_address);
  return same_grid.size() == 1 && any_grid == same_grid && any_address == same_grid ? 0 : 1;
}

}  // namespace chapter05
