#pragma once

#include <algorithm>

#include "check_support.hpp"
#include "coalesce/launch.hpp"

namespace lab54::checks {

inline outcome check_transpose(int rows, int cols, std::uint64_t seed) {
  const std::int64_t n = std::int64_t{rows} * cols;
  const auto in = coalesce::random_floats(n, 1, 2, seed);
  const auto d_in = coalesce::to_device(in);
  output<float> out(n);
  const coalesce::stream stream = own_stream();
  transpose(d_in.data(), rows, cols, out.data(), stream);
  const auto got = out.read(stream);
  if (coalesce::to_host(d_in) != in) return {"input_changed", "the input was changed"};

  auto counts = one_store_an_element(n, std::int64_t{cols} * coalesce::ceil_div(rows, 32));
  const auto elements = static_cast<double>(n);
  counts.push_back({.count = "shared_store_lanes",
                    .least = elements,
                    .reason = "shared_not_used",
                    .message = "not all elements went through shared memory"});
  if (rows % 32 == 0 && cols % 32 == 0) {
    for (const std::string what : {"load", "store"})
      counts.push_back({.count = what + "_sectors/" + what + "_requests",
                        .most = 4,
                        .reason = "uncoalesced_" + what + "s",
                        .message = "the lanes of a warp lie far apart in global memory"});
    counts.push_back({.count = "shared_conflicts",
                      .most = 0,
                      .reason = "bank_conflicts",
                      .message = "lanes of a warp met in the same bank of shared memory"});
  }
  const auto swapped = [&](std::int64_t i) {
    return double{in[static_cast<std::size_t>(i % rows * cols + i / rows)]};
  };
  return with_counts(compare(std::span<const float>(got), {n, swapped},
                             {{"not_transposed", "the matrix was copied as it is",
                               [&](auto i) { return double{in[i]}; }}}),
                     counts);
}

inline outcome check_sort(std::int64_t groups, std::uint64_t seed) {
  const auto in = coalesce::random_floats(8 * groups, -1, 1, seed);
  auto want = in;
  std::vector<float> eight(8), rows = in;
  for (std::int64_t g = 0; g < groups; ++g) {
    for (int k = 0; k < 8; ++k) eight[k] = in[k * groups + g];
    std::sort(eight.begin(), eight.end());
    for (int k = 0; k < 8; ++k) want[k * groups + g] = eight[k];
    std::sort(rows.begin() + 8 * g, rows.begin() + 8 * g + 8);
  }
  output<float> d(8 * groups);
  COALESCE_CHECK(
      cudaMemcpy(d.data(), in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
  COALESCE_CHECK(cudaDeviceSynchronize());
  const coalesce::stream stream = own_stream();
  sort_eights(d.data(), groups, stream);
  auto counts = one_store_an_element(8 * groups, 8);
  return with_counts(
      compare(std::span<const float>(d.read(stream)),
              {8 * groups, [&](auto i) { return double{want[i]}; }},
              {{"descending", "the groups are in falling order",
                [&](auto i) { return double{want[(7 - i / groups) * groups + i % groups]}; }},
               {"groups_by_rows", "groups of eight neighbours were sorted",
                [&](auto i) { return double{rows[i]}; }}}),
      counts);
}

inline outcome check_local(std::uint64_t) {
  const std::size_t bytes = sort_local_bytes();
  if (bytes > 0)
    return {"local_memory_used",
            "a thread of the kernel has " + to_string(bytes) + " bytes of local memory"};
  return {};
}

inline void add_on_chip(std::vector<lab_case>& cases) {
  for (const auto& [rows, cols] : std::vector<std::pair<int, int>>{
           {64, 96}, {1, 1}, {15, 16}, {17, 1}, {1, 257}, {33, 31}, {250, 257}, {0, 5}})
    cases.push_back({"shared", to_string(rows) + " rows of " + to_string(cols),
                     [rows, cols](auto seed) { return check_transpose(rows, cols, seed); }});
  for (const std::int64_t groups : sizes)
    cases.push_back({"local", to_string(groups) + " groups",
                     [groups](auto seed) { return check_sort(groups, seed); }});
  cases.push_back({"local", "no local memory", check_local});
}

}  // namespace lab54::checks
