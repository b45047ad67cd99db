#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>

#include "coalesce/array_family.hpp"
#include "reference.hpp"

namespace chapter01 {

/// Every step of the family `add_one_i32`: out[i] = in[i] + 1.
/// \param d_in    n ints on the device
/// \param n       number of elements, 0 included
/// \param d_out   n ints on the device; overwritten; must not overlap d_in
/// \param stream  everything is enqueued here; returns without waiting
/// \throws coalesce::cuda_error when the launch is refused
using add_one_step = void(const int* d_in, std::int64_t n, int* d_out, cudaStream_t stream);

add_one_step is_it_alive;

/// Prints the versions that take part, and which code of this program the device runs.
/// \return 0
int versions(std::int64_t n);

/// "13.0" from the 13000 of cudaDriverGetVersion and CUDART_VERSION; "none" from 0.
std::string version_text(int number);

/// "9.0" from a compute capability written as 90.
std::string capability_text(int number);

/// Which code of a kernel runs, in one sentence. Code made from PTX of an older capability than its
/// own was made by the driver: our build compiles machine code from PTX of the same capability.
/// \param device   compute capability of the device, 90 is 9.0
/// \param binary   cudaFuncAttributes::binaryVersion: capability that the machine code is for
/// \param ptx      cudaFuncAttributes::ptxVersion: capability of the PTX that it was made from
std::string which_code(int device, int binary, int ptx);

inline const coalesce::array_definition<int, int> add_one_i32{
    .name = "add_one_i32",
    .default_n = 1000,
    .bench_sizes = {},
    .make_input = [](std::int64_t n,
                     std::uint64_t seed) { return coalesce::random_ints(n, 0, 9, seed); },
    .reference = add_one,
    .compare = coalesce::expect_equal<int>,
    .describe =
        [](std::span<const int> out) {
          return "1 added to each of " + std::to_string(out.size()) + " numbers";
        },
    .outputs = [](std::int64_t n) { return n; },
};

/// The chapter as data: families and steps, in reading order.
inline const coalesce::chapter& this_chapter() {
  static const coalesce::chapter chapter{
      .slug = "01-environment",
      .families = {make_family(add_one_i32)},
      .steps = {
          make_step(add_one_i32, "is_it_alive", is_it_alive, "the device adds 1 to every number"),
          {.name = "versions",
           .family = {},
           .title = "the versions that take part, and which code runs",
           .kind = coalesce::step_kind::show,
           .show = versions},
      }};
  return chapter;
}

}  // namespace chapter01
