// Wrong: The clock is stopped when the work is enqueued, not when it is done.
// in place of: stopwatch.cpp
// reject: milliseconds not_waited
#include <algorithm>
#include <chrono>
#include <vector>

#include "coalesce/stream.hpp"
#include "lab.hpp"

namespace lab52 {

// [stopwatch]
double milliseconds(const std::function<void(cudaStream_t)>& work, int repeats) {
  std::vector<double> times;
  const coalesce::stream stream;
  // [answer]
  work(stream);  // loads code, fills caches: not timed
  for (int i = 0; i < repeats; ++i) {
    stream.synchronize();
    const auto start = std::chrono::steady_clock::now();
    work(stream);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    times.push_back(1e3 * taken.count());
  }
  // [/answer]
  std::sort(times.begin(), times.end());
  return times.empty() ? 0 : times[times.size() / 2];
}
// [/stopwatch]

}  // namespace lab52
