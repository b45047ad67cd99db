#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "coalesce/array_family.hpp"
#include "coalesce/device.hpp"
#include "float_reference.hpp"
#include "product_problem.hpp"
#include "steps.hpp"

namespace chapter05 {

/// How far a sum of squares in float may lie from the one in double: 16 units of 2^-23 of the sum. A long
/// chain of additions is farther off, and has a check of its own.
inline coalesce::verdict compare_float_sum(std::span<const float> got,
                                           std::span<const double> want) {
  return coalesce::compare(got, want, {.factor = 1, .terms = 16});
}

inline const coalesce::array_definition<float, float, double> sum_of_squares_f32{
    .name = "sum_of_squares_f32",
    .default_n = 1 << 20,
    .bench_sizes = {1 << 20, 1 << 24, 1 << 28},
    .make_input = [](std::int64_t n,
                     std::uint64_t seed) { return coalesce::random_floats(n, -1, 1, seed); },
    .reference = [](std::span<const float> in,
                    std::span<double> out) { out[0] = sum_of_squares_in_double(in); },
    .compare = compare_float_sum,
    .describe =
        [](std::span<const float> out) {
          char text[64];
          std::snprintf(text, sizeof text, "sum of squares = %.9g (%a)", double{out[0]},
                        double{out[0]});
          return std::string(text);
        },
    .outputs = [](std::int64_t) -> std::int64_t { return 1; },
    .flops = [](std::int64_t n) { return 2.0 * static_cast<double>(n); },
    .workspace_bytes = float_workspace_bytes,
    .thorough_sizes = {1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28, 1 << 30},
};

/// A step of one thread, for sizes at which that is no punishment.
inline coalesce::step make_one_thread(std::string name, float_step* run, std::string title) {
  coalesce::step s =
      coalesce::make_step(sum_of_squares_f32, std::move(name), run, std::move(title));
  s.most_n = 1 << 20;
  return s;
}

/// The check of a sum in one chain. Its error may reach n units in the worst case; a sixteenth of that is
/// more than any input of ours makes.
inline coalesce::verdict check_chain(coalesce::problem& p) {
  auto& sum = static_cast<coalesce::array_problem<float, float, double>&>(p);
  const double want = sum_of_squares_in_double(sum.input());
  const auto n = static_cast<double>(sum.input().size());
  return coalesce::compare(sum.output(), std::span<const double>(&want, 1),
                           {.factor = 1, .terms = n / 16 + 4});
}

/// A setting of the deterministic sum that is timed beside the course's own.
template <int Threads, int Loads, int Chains, int Blocks = Chains>
coalesce::step deterministic_variant() {
  coalesce::step s = coalesce::make_step(
      sum_of_squares_f32, "deterministic",
      [](const float* d_values, std::int64_t n, float* d_sum, void* d_workspace,
         cudaStream_t stream) {
        deterministic<Threads, Loads>(d_values, n, d_sum, d_workspace, stream, Chains, Blocks);
      },
      "the deterministic sum with other constants");
  s.variant = "threads:" + std::to_string(Threads) + "/loads:" + std::to_string(Loads) +
              "/chains:" + std::to_string(Chains);
  if (Blocks != Chains) s.variant += "/blocks:" + std::to_string(Blocks);
  s.least_n = 1 << 28;
  s.only_at = {1 << 28};
  s.modes = {coalesce::cold_stream};
  return s;
}

/// A number of bytes in flight on every multiprocessor.
template <int Blocks, int Loads>
coalesce::step in_flight_variant() {
  coalesce::step s = coalesce::make_step(
      sum_of_squares_f32, "in_flight",
      [](const float* d_values, std::int64_t n, float* d_sum, cudaStream_t stream) {
        in_flight<Loads>(d_values, n, d_sum, stream, Blocks);
      },
      "the sum with so many bytes in flight on each multiprocessor");
  s.variant = "blocks:" + std::to_string(Blocks) + "/loads:" + std::to_string(Loads);
  s.least_n = 1 << 28;
  s.only_at = {1 << 28};
  s.modes = {coalesce::cold_stream};
  return s;
}

template <int Blocks>
coalesce::step limited_variant() {
  coalesce::step s =
      coalesce::make_step(sum_of_squares_f32, "limited_registers", limited_registers<Blocks>,
                          "the sum with 64 sums in each thread, and a promise of blocks");
  s.variant = "blocks:" + std::to_string(Blocks);
  s.modes = {coalesce::cold_stream};
  return s;
}

inline std::vector<coalesce::family> float_families() {
  return {coalesce::make_family(sum_of_squares_f32),
          {.name = "matrix_product_f32",
           .default_n = coalesce::on_cpu_device() ? 64 : 2048,
           .bench_sizes = {2048},
           .thorough_sizes = {2048, 4096},
           .device_bytes_per_element = 0,  // n counts rows, so the problem itself has to notice
           .make = [](std::int64_t n) { return std::make_unique<product_problem>(n); }}};
}

inline std::vector<coalesce::step> float_steps() {
  using namespace coalesce;
  const auto& sum = sum_of_squares_f32;
  return {
      make_show("rounding", rounding, "what one addition rounds away, and what FMA does not"),
      make_show("orders", orders, "the same numbers added in different orders"),
      [] {
        step s = make_one_thread("float_one_thread", float_one_thread, "one thread, one float");
        s.check = check_chain;
        return s;
      }(),
      make_one_thread("float_one_thread_kahan", float_one_thread_kahan,
                      "one thread that keeps what was rounded away"),
      make_step(sum, "float_atomic", float_atomic, "the integer ladder's shape in float"),
      make_show("repeated_sums", repeated_sums, "the same sum many times: how many answers?"),
      make_step(sum, "float_kahan", float_kahan, "compensated sums on the whole GPU"),
      make_step(sum, "pairwise", float_pairwise, "one binary tree over everything"),
      make_step(
          sum, "deterministic",
          [](const float* d_values, std::int64_t n, float* d_sum, void* d_workspace,
             cudaStream_t stream) {
            deterministic<deterministic_threads, deterministic_loads>(
                d_values, n, d_sum, d_workspace, stream, deterministic_chains,
                deterministic_chains);
          },
          "the same bits for any grid, at full bandwidth"),
      deterministic_variant<512, 4, 528>(),
      deterministic_variant<512, 4, 2112>(),
      deterministic_variant<512, 4, 1056, 528>(),
      deterministic_variant<512, 2, 1056>(),
      deterministic_variant<256, 8, 528>(),
      deterministic_variant<256, 8, 1056>(),
      deterministic_variant<256, 8, 2112>(),
      deterministic_variant<256, 4, 792>(),
      deterministic_variant<256, 4, 1056>(),
      deterministic_variant<256, 4, 2112>(),
      deterministic_variant<256, 2, 2112>(),
      deterministic_variant<128, 8, 2112>(),
      deterministic_variant<1024, 2, 528>(),
      make_step(sum, "float_double", float_double, "the same order, with every sum in double"),
      make_show("sum_errors", sum_errors, "the errors of all ways to add, on four kinds of data"),
      make_product("product_plain", product_plain, "a matrix product, one thread an element"),
      make_product("product_tiled", product_tiled, "a matrix product with tiles of 16 x 16"),
      make_show("occupancy", occupancy, "how many blocks fit on a multiprocessor, and why"),
      make_show("little", little, "bytes in flight that this device needs, by Little's law"),
      in_flight_variant<1, 1>(),
      in_flight_variant<2, 1>(),
      in_flight_variant<4, 1>(),
      in_flight_variant<8, 1>(),
      in_flight_variant<1, 4>(),
      in_flight_variant<2, 4>(),
      in_flight_variant<4, 4>(),
      in_flight_variant<8, 4>(),
      limited_variant<1>(),
      limited_variant<2>(),
      limited_variant<4>(),
      make_show("registers_and_spills", registers_and_spills, "what a promise of blocks costs"),
      make_show("launch_cost", launch_cost, "what a launch costs, alone, in a row and in a graph"),
      make_show("l2_and_write_back", l2_and_write_back,
                "what stays in L2, and who pays for writes"),
  };
}

}  // namespace chapter05
