#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <utility>

#include "coalesce/array_family.hpp"
#include "reference.hpp"

namespace chapter02 {

/// Every step of the family `scale_i32`: b[i] = 3 a[i] + 1 for n ints.
/// \param d_a     n ints on the device, any alignment of int, not overlapping d_b
/// \param n       number of elements, 0 included; up to 2^31 - 1 blocks of 256
/// \param d_b     n ints on the device; overwritten
/// \param stream  everything is enqueued here; returns without waiting
/// \throws coalesce::cuda_error when the launch is refused
using scale_step = void(const int* d_a, std::int64_t n, int* d_b, cudaStream_t stream);

scale_step one_block, one_thread_each, grid_stride;

/// Every step that only shows something: prints, and checks what it says.
/// \return 0 when what it prints is true, 1 when it is not
/// \throws coalesce::cuda_error
using show_step = int(std::int64_t);

show_step hello_threads, asynchronous_launch, default_stream, device_query, device_query_json,
    built_in_variables, launch_parameters, function_kinds, variable_kinds;

/// Evidence against claims of older texts; the same contract as the other shown steps.
show_step grid_limits, function_pointer, diverging_lanes, more_threads_than_lanes,
    blocks_communicate, shared_on_chip, bytes_not_bits, ieee_arithmetic;

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
  const auto show = [](std::string name, show_step* run, std::string title) {
    coalesce::step s;
    s.name = std::move(name);
    s.title = std::move(title);
    s.kind = coalesce::step_kind::show;
    s.show = run;
    return s;
  };
  static const coalesce::chapter chapter{
      .slug = "02-first-program",
      .families = {make_family(scale_i32)},
      .steps = {
          show("hello_threads", hello_threads, "threads of a kernel say where they are"),
          show("asynchronous_launch", asynchronous_launch,
               "the host goes on while the kernel runs"),
          show("default_stream", default_stream,
               "launches and copies in the order they were given"),
          show("device_query", device_query, "what the course needs to know of a device"),
          show("device_query_json", device_query_json, "the same for programs, as JSON"),
          make_step(scale_i32, "one_block", one_block, "one block of 1024 threads walks over all"),
          make_step(scale_i32, "one_thread_each", one_thread_each, "one thread for each element"),
          make_step(scale_i32, "grid_stride", grid_stride,
                    "a device full of threads walks over all"),
          show("built_in_variables", built_in_variables,
               "gridDim, blockDim, blockIdx, threadIdx, warpSize"),
          show("launch_parameters", launch_parameters, "all four launch parameters"),
          show("function_kinds", function_kinds, "__global__, __device__, __host__ and both"),
          show("variable_kinds", variable_kinds,
               "__device__, __constant__, __managed__, __shared__"),
          show("shared_on_chip", shared_on_chip, "evidence: shared memory is on the chip"),
          show("grid_limits", grid_limits,
               "evidence: how large a grid may be, and in three dimensions"),
          show("function_pointer", function_pointer,
               "evidence: calls through pointers in a kernel"),
          show("more_threads_than_lanes", more_threads_than_lanes,
               "evidence: no thread owns a core"),
          show("diverging_lanes", diverging_lanes, "evidence: lanes of a warp may part and meet"),
          show("blocks_communicate", blocks_communicate,
               "evidence: blocks of a launch exchange data"),
          show("bytes_not_bits", bytes_not_bits, "evidence: cudaMalloc counts bytes"),
          show("ieee_arithmetic", ieee_arithmetic, "evidence: float arithmetic as in IEEE 754"),
      }};
  return chapter;
}

}  // namespace chapter02
