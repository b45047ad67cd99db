// Wrong: One disturbed run moves the mean of all.
// in place of: stopwatch.cpp
// reject: milliseconds no_median
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
  work(stream);  // loads code, fills caches: not timed
  for (int i = 0; i < repeats; ++i) {
    stream.synchronize();
    start.record(stream);
    work(stream);
    stop.record(stream);
    stop.synchronize();
    times.push_back(1e3 * coalesce::seconds_between(start, stop));
  }
  // [/answer]
  double sum = 0;
  for (const double time : times) sum += time;
  return times.empty() ? 0 : sum / static_cast<double>(times.size());
}
// [/stopwatch]

}  // namespace lab52
