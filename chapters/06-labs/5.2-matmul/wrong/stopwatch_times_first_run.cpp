// Wrong: The first run, which loads code and fills caches, is timed.
// in place of: stopwatch.cpp
// reject: milliseconds first_run_timed
#include <algorithm>
#include <vector>

#include "coalesce/stream.hpp"
#include "lab.hpp"

namespace lab52 {

// [stopwatch]
double milliseconds(const std::function<void(cudaStream_t)>& work, int repeats) {
  std::vector<double> times;
  const coalesce::stream stream;
  // [answer]
  const coalesce::event start, stop;
  for (int i = 0; i < repeats; ++i) {
    stream.synchronize();
    start.record(stream);
    work(stream);
    stop.record(stream);
    stop.synchronize();
    times.push_back(1e3 * coalesce::seconds_between(start, stop));
  }
  // [/answer]
  std::sort(times.begin(), times.end());
  return times.empty() ? 0 : times[times.size() / 2];
}
// [/stopwatch]

}  // namespace lab52
