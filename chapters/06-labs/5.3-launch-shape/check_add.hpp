#pragma once

#include <vector>

#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/verify.hpp"
#include "grading/additions.hpp"
#include "grading/cases.hpp"
#include "lab.hpp"

/// The check of add_in_blocks().
namespace lab53::check {

using coalesce::lab::floats;
using coalesce::lab::outcome;

inline constexpr std::int64_t guards = 4096;  // floats before and behind the sums

inline std::string in_words(dim3 block) {
  return std::to_string(block.x) + " x " + std::to_string(block.y);
}

/// Two matrices and their sum on the device, with guards around the sum.
struct matrices {
  matrices(std::int64_t rows_, std::int64_t cols_, std::uint64_t seed)
      : rows(rows_),
        cols(cols_),
        a(coalesce::lab::draw(rows * cols, seed)),
        b(coalesce::lab::draw(rows * cols, ~seed)),
        d_a(coalesce::to_device(a)),
        d_b(coalesce::to_device(b)),
        d_c(rows * cols + 2 * guards) {}

  outcome add_and_compare(dim3 block) {
    coalesce::poison(d_c);
    add_in_blocks(d_a.data(), d_b.data(), rows, cols, d_c.data() + guards, block, nullptr);
    COALESCE_CHECK(cudaDeviceSynchronize());
    outcome found = compare();
    if (!found.right()) found.message = "blocks of " + in_words(block) + ": " + found.message;
    return found;
  }

  outcome compare() const {
    const floats all = coalesce::to_host(d_c);
    const std::int64_t n = rows * cols;
    for (std::int64_t i = 0; i < n + 2 * guards; ++i)
      if ((i < guards || i >= guards + n) && !coalesce::is_poison(all[i]))
        return {"written_outside", "float " + std::to_string(i - guards) +
                                       " of c was written, and c has " + std::to_string(n)};
    if (!coalesce::lab::same_bytes(a, coalesce::to_host(d_a)) ||
        !coalesce::lab::same_bytes(b, coalesce::to_host(d_b)))
      return {"input_changed", "d_a or d_b is not what it was before the call"};
    return coalesce::lab::compare_sums(
        a, b, std::span(all).subspan(guards, static_cast<std::size_t>(n)), [this](std::int64_t i) {
          return "row " + std::to_string(i / cols) + ", column " + std::to_string(i % cols);
        });
  }

  std::int64_t rows, cols;
  floats a, b;
  coalesce::device_buffer<float> d_a, d_b, d_c;
};

/// Shapes whose sides are powers of two, and some that no matrix is a multiple of.
inline outcome check_shapes(std::uint64_t seed) {
  matrices m(37, 53, seed);
  std::vector<dim3> shapes = {{3, 5}, {7, 1}, {31, 33}, {1, 1000}, {1000, 1}};
  for (unsigned x = 1; x <= 1024; x *= 2)
    for (unsigned y = 1; x * y <= 1024; y *= 4) shapes.push_back({x, y});
  for (const dim3 block : shapes)
    if (const outcome found = m.add_and_compare(block); !found.right()) return found;
  return {};
}

inline outcome check_sectors(std::uint64_t seed) {
  constexpr std::int64_t rows = 37, cols = 256;
  outcome result = matrices(rows, cols, seed).add_and_compare({32, 8});
  result.counts = coalesce::lab::addition_limits(rows * cols);
  result.counts.insert(result.counts.begin(),
                       {.count = "load_sectors/load_requests",
                        .most = 6,
                        .reason = "axes_swapped",
                        .message = "the lanes of a warp load from many places of the memory"});
  return result;
}

inline outcome check_threads(std::uint64_t seed) {
  const dim3 block(5, 3);
  outcome result = matrices(7, 11, seed).add_and_compare(block);
  result.counts = {{.count = "threads",
                    .least = 3 * 3 * 15,
                    .most = 3 * 3 * 15,
                    .reason = "shape_ignored",
                    .message = "3 by 3 blocks of 5 x 3 threads cover 7 rows of 11 columns"}};
  return result;
}

/// More rows than a grid has blocks along y.
inline outcome check_tall(std::uint64_t seed) {
  constexpr std::int64_t rows = 70'000, cols = 3;
  matrices m(rows, cols, seed);
  try {
    outcome result = m.add_and_compare({4, 1});
    result.counts = {{.count = "store_lanes",
                      .most = rows * cols,
                      .reason = "each_block_does_all",
                      .message = "elements of c were stored more than once"}};
    return result;
  } catch (const coalesce::launch_error& e) {
    return {"grid_over_limit", e.what()};
  } catch (const coalesce::cuda_error& e) {
    return {"grid_over_limit", e.what()};
  }
}

inline outcome check_refused(std::uint64_t seed) {
  matrices m(40, 70, seed);
  try {
    m.add_and_compare({64, 32});
  } catch (const std::exception&) {
    cudaGetLastError();
    if (const outcome after = m.add_and_compare({32, 32}); !after.right()) return after;
    return {};
  }
  cudaGetLastError();
  return {"error_swallowed",
          "a block of 64 x 32 threads cannot be launched, and nothing was thrown"};
}

inline outcome check_stream(std::uint64_t seed) {
  return coalesce::lab::check_own_stream(
      30 * 40, seed, [](const float* d_a, const float* d_b, float* d_c, cudaStream_t stream) {
        add_in_blocks(d_a, d_b, 30, 40, d_c, {16, 16}, stream);
      });
}

inline void add_cases_of_addition(std::vector<coalesce::lab::lab_case>& cases) {
  const std::pair<std::int64_t, std::int64_t> sizes[] = {{16, 16},  {1, 1},    {15, 17}, {17, 15},
                                                         {16, 250}, {250, 17}, {257, 1}, {1, 257},
                                                         {0, 5},    {5, 0}};
  for (const auto& [rows, cols] : sizes)
    cases.push_back({"sizes",
                     std::to_string(rows) + " rows of " + std::to_string(cols) + " columns",
                     [rows, cols](std::uint64_t seed) {
                       return matrices(rows, cols, seed).add_and_compare({16, 16});
                     }});
  cases.push_back({"shapes", "37 rows of 53 columns", check_shapes});
  cases.push_back({"work", "the sectors of a request", check_sectors});
  cases.push_back({"work", "the number of threads", check_threads});
  cases.push_back({"tall", "70,000 rows", check_tall});
  cases.push_back({"errors", "a block that is too large", check_refused});
  cases.push_back({"stream", "work in front of the addition", check_stream});
}

}  // namespace lab53::check
