#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "../../04-optimization/matrix_add_problem.hpp"
#include "../../04-optimization/matrix_add_table.hpp"
#include "coalesce/device.hpp"
#include "coalesce/error.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/statistics.hpp"
#include "coalesce/timer.hpp"
#include "lab.hpp"

namespace lab53 {

/// Tries one shape on a problem: checks the answer, then takes samples.
inline trial try_shape(chapter04::matrix_add_problem& problem, dim3 block) {
  const auto add = [&](cudaStream_t stream) {
    problem.launch([&](const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny,
                       float* d_c) { add_in_blocks(d_a, d_b, ny, nx, d_c, block, stream); });
  };
  trial result;
  try {
    problem.poison_output();
    add(nullptr);
    result.right = static_cast<bool>(problem.check());
    if (result.right) result.seconds = coalesce::measure(add, coalesce::quick_look());
  } catch (const coalesce::cuda_error& e) {
    result.status = e.code();
  } catch (const coalesce::launch_error&) {
    result.status = cudaErrorInvalidConfiguration;
  }
  return result;
}

/// Lets best_shape() choose among the shapes of the map, on this device.
inline int show_best_shape(std::int64_t wanted) {
  if (coalesce::on_cpu_device()) {
    std::printf("The CPU device is never timed: to choose a shape needs a GPU.\n");
    return 0;
  }
  const auto fitted = coalesce::default_elements(std::int64_t{1} << 26, 3 * sizeof(float));
  const std::int64_t n = wanted > 0 ? wanted : fitted.elements;
  chapter04::matrix_add_problem problem(n);
  problem.prepare(coalesce::fresh_seed());

  const std::vector<dim3> shapes = chapter04::block_shapes();
  std::vector<double> medians(shapes.size());
  std::size_t tried = 0;
  const choice best = best_shape(shapes, [&](dim3 block) {
    const trial result = try_shape(problem, block);
    if (!result.seconds.empty()) medians[tried] = coalesce::median(result.seconds);
    ++tried;
    return result;
  });
  if (best.winner < 0) {
    std::printf("No shape ran and was right.\n");
    return 1;
  }

  const auto name = [&](int shape) {
    return chapter04::text_of(shapes[static_cast<std::size_t>(shape)]);
  };
  const double seconds = medians[static_cast<std::size_t>(best.winner)];
  const auto [nx, ny] = chapter04::shape_of(n);
  std::printf("%lld rows of %lld columns, %zu shapes\n", static_cast<long long>(ny),
              static_cast<long long>(nx), shapes.size());
  std::printf("best: %s, %.4g ms, %.4g GB/s\n", name(best.winner).c_str(), 1e3 * seconds,
              1e-9 * static_cast<double>(least_bytes(ny, nx)) / seconds);
  std::printf("as good, as far as these samples tell:%s\n", best.equals.empty() ? " none" : "");
  for (const int equal : best.equals) std::printf("  %s\n", name(equal).c_str());
  return 0;
}

}  // namespace lab53
