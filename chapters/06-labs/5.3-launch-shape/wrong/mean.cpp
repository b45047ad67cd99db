// Wrong: the mean is compared, which a few long samples move.
// in place of: best_shape.cpp
// reject: best mean_for_median
#include <numeric>
#include <optional>

#include "coalesce/statistics.hpp"
#include "lab.hpp"

namespace lab53 {
std::int64_t least_bytes(std::int64_t rows, std::int64_t cols) {
  std::int64_t bytes = 0;
  bytes = 3 * rows * cols * static_cast<std::int64_t>(sizeof(float));  // a and b in, c out
  return bytes;
}
choice best_shape(std::span<const dim3> shapes, const std::function<trial(dim3 block)>& measure) {
  choice best;
  struct measured {
    int shape;
    double median;
    coalesce::interval range;
  };
  std::vector<measured> all;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const trial t = measure(shapes[i]);
    if (t.status != cudaSuccess || !t.right) continue;
    if (const auto range = coalesce::median_interval_95(t.seconds))
      all.push_back({static_cast<int>(i),
                     std::accumulate(t.seconds.begin(), t.seconds.end(), 0.0) / t.seconds.size(),
                     *range});
  }

  const measured* winner = nullptr;
  for (const measured& m : all)
    if (winner == nullptr || m.median < winner->median) winner = &m;
  if (winner == nullptr) return best;

  best.winner = winner->shape;
  for (const measured& m : all)
    if (&m != winner && m.range.low <= winner->range.high && winner->range.low <= m.range.high)
      best.equals.push_back(m.shape);
  return best;
}

}  // namespace lab53
