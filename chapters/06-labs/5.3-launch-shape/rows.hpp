#pragma once

#include <vector>

#include "../../04-optimization/matrix_add_problem.hpp"
#include "../../04-optimization/matrix_add_table.hpp"
#include "coalesce/chapter.hpp"
#include "lab.hpp"
#include "show_best_shape.hpp"

namespace lab53 {

/// The problems that this lab times: chapter 4's addition, at a size that no cache holds.
inline std::vector<coalesce::family> families() {
  coalesce::family map = chapter04::matrix_add_family();
  map.name = "shape_map";
  map.default_n = std::int64_t{1} << (coalesce::on_cpu_device() ? 16 : 26);
  map.bench_sizes = map.thorough_sizes = {std::int64_t{1} << 26};
  return {map};
}

/// A row a shape: the map.
inline std::vector<coalesce::step> steps() {
  std::vector<coalesce::step> steps;
  for (const dim3 block : chapter04::block_shapes()) {
    coalesce::step& s = steps.emplace_back(chapter04::matrix_add_step(
        "add_in_blocks", "block:" + chapter04::text_of(block),
        [block](const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
                cudaStream_t stream) { add_in_blocks(d_a, d_b, ny, nx, d_c, block, stream); },
        "one thread an element, in blocks of this shape"));
    s.family = "shape_map";
    s.modes = {coalesce::hot_stream};
    if (coalesce::on_cpu_device()) s.most_n = 1 << 16;
  }
  steps.push_back(coalesce::make_show("best_shape", show_best_shape,
                                      "lets best_shape() choose among these shapes"));
  return steps;
}

}  // namespace lab53
