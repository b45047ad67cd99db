// The baselines: the same sum on the host, by one thread and by all cores. Compiled like all host code
// of the course, with -O3 for the processor's base instruction set (Meson's release build).
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <thread>
#include <vector>

#include "reference.hpp"
#include "steps.hpp"

namespace chapter03 {

// [one_thread]
void cpu_one_thread(std::span<const int> values, std::span<std::int64_t> sum) {
  sum[0] = sum_of_squares(values);
}
// [/one_thread]

// [all_cores]
void cpu_all_cores(std::span<const int> values, std::span<std::int64_t> sum) {
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t share = (values.size() + workers - 1) / workers;
  std::vector<std::int64_t> partial(workers, 0);
  std::vector<std::thread> threads;

  for (std::size_t w = 0; w < workers; ++w)
    threads.emplace_back([=, &partial] {
      const std::size_t first = std::min(w * share, values.size());
      partial[w] = sum_of_squares(values.subspan(first, std::min(share, values.size() - first)));
    });
  for (std::thread& thread : threads) thread.join();

  sum[0] = std::accumulate(partial.begin(), partial.end(), std::int64_t{0});
}
// [/all_cores]

}  // namespace chapter03
