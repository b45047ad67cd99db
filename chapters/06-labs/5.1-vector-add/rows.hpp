#pragma once

#include <memory>
#include <vector>

#include "coalesce/chapter.hpp"
#include "lab.hpp"
#include "vector_problem.hpp"

namespace lab51 {

/// The problems that this lab times, and the solution's functions that solve them.
inline std::vector<coalesce::family> families() {
  return {{.name = "vector_add",
           .default_n = 1 << 20,
           .bench_sizes = {1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 26},
           .device_bytes_per_element = 6 * sizeof(float),  // ours, and those of vector_add()
           .make = [](std::int64_t n) { return std::make_unique<vector_problem>(n); }}};
}

inline std::vector<coalesce::step> steps() {
  const coalesce::step kernel = {.name = "add_slice",
                                 .family = "vector_add",
                                 .title = "the kernel alone: the vectors lie on the device",
                                 .launch =
                                     [](coalesce::problem& p, cudaStream_t stream) {
                                       static_cast<vector_problem&>(p).on_device(
                                           [stream](auto d_a, auto d_b, auto n, auto d_c) {
                                             add_slice(d_a, d_b, 0, n, d_c, stream);
                                           });
                                     },
                                 .modes = {coalesce::hot_stream}};
  const coalesce::step with_copies = {
      .name = "vector_add",
      .family = "vector_add",
      .title = "all of it: allocate, copy, launch, copy back, free",
      .launch = [](coalesce::problem& p,
                   cudaStream_t) { static_cast<vector_problem&>(p).on_host(vector_add); },
      .capturable = false,
      .timed_by = coalesce::clock_kind::host};
  const coalesce::step cpu = {
      .name = "cpu_one_thread",
      .family = "vector_add",
      .title = "a loop on one thread of the CPU",
      .kind = coalesce::step_kind::baseline,
      .launch = [](coalesce::problem& p, cudaStream_t) {
        static_cast<vector_problem&>(p).on_host([](auto a, auto b, auto n, auto c) {
          for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
        });
      }};
  return {kernel, with_copies, cpu};
}

}  // namespace lab51
