#pragma once

#include "coalesce/array_family.hpp"
#include "reference.hpp"
#include "steps.hpp"

namespace chapter02 {

inline const coalesce::array_definition<int, int> scale_i32{
    .name = "scale_i32",
    .default_n = 1 << 20,
    .bench_sizes = {1 << 20, 1 << 26},
    .make_input =
        [](std::int64_t n, std::uint64_t seed) {
          return coalesce::random_ints(n, -1'000'000, 1'000'000, seed);
        },
    .reference = scale,
    .compare = coalesce::expect_equal<int>,
    .describe = [](std::span<const int> b) -> std::string {
      if (b.empty()) return "no elements";
      return "b[0] = " + std::to_string(b.front()) + ", b[" + std::to_string(b.size() - 1) +
             "] = " + std::to_string(b.back());
    },
    .outputs = [](std::int64_t n) { return n; },
};

/// The chapter as data: families and steps, in reading order.
inline const coalesce::chapter& this_chapter() {
  using namespace coalesce;
  static const chapter data{
      .slug = "02-first-program",
      .families = {make_family(scale_i32)},
      .steps = {
          make_show("hello_threads", hello_threads, "threads of a kernel say where they are"),
          make_show("asynchronous_launch", asynchronous_launch,
                    "the host goes on while the kernel runs"),
          make_show("default_stream", default_stream,
                    "launches and copies in the order they were given"),
          make_show("device_query", device_query, "what the course needs to know of a device"),
          make_show("device_query_json", device_query_json, "the same for programs, as JSON"),
          make_step(scale_i32, "one_block", one_block, "one block of 1024 threads walks over all"),
          make_step(scale_i32, "one_thread_each", one_thread_each, "one thread for each element"),
          make_step(scale_i32, "grid_stride", grid_stride,
                    "a device full of threads walks over all"),
          make_show("built_in_variables", built_in_variables,
                    "gridDim, blockDim, blockIdx, threadIdx, warpSize"),
          make_show("launch_parameters", launch_parameters, "all four launch parameters"),
          make_show("function_kinds", function_kinds, "__global__, __device__, __host__ and both"),
          make_show("variable_kinds", variable_kinds,
                    "__device__, __constant__, __managed__, __shared__"),
          make_show("shared_on_chip", shared_on_chip, "evidence: shared memory is on the chip"),
          make_show("grid_limits", grid_limits,
                    "evidence: how large a grid may be, and in three dimensions"),
          make_show("function_pointer", function_pointer,
                    "evidence: calls through pointers in a kernel"),
          make_show("more_threads_than_lanes", more_threads_than_lanes,
                    "evidence: no thread owns a core"),
          make_show("diverging_lanes", diverging_lanes,
                    "evidence: lanes of a warp may part and meet"),
          make_show("blocks_communicate", blocks_communicate,
                    "evidence: blocks of a launch exchange data"),
          make_show("bytes_not_bits", bytes_not_bits, "evidence: cudaMalloc counts bytes"),
          make_show("ieee_arithmetic", ieee_arithmetic,
                    "evidence: float arithmetic as in IEEE 754"),
      }};
  return data;
}

}  // namespace chapter02
