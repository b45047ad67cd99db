// Prints the timeline of a pipeline's second run: the first one also waits for what is made at first use.
#include "show_timeline.hpp"

#include <cstdio>

#include "host_problems.hpp"

namespace lab54 {
namespace {

constexpr int chunks = 8, turns = 1200;  // on an H200 the computation is about as long as a copy

const char* in_words(part what) {
  switch (what) {
    case part::copy_in:
      return "copy_in";
    case part::compute:
      return "compute";
    case part::copy_out:
      return "copy_out";
  }
  return "?";
}

}  // namespace

int show_timeline(std::int64_t n) {
  pipeline_problem p(n > 0 ? n : 1 << 20);
  p.prepare(coalesce::fresh_seed());
  p.run(chunks, turns);
  p.run(chunks, turns);
  const coalesce::verdict checked = p.check();
  if (!checked) std::fprintf(stderr, "%s\n", checked.message.c_str());

  std::printf("chunk  part      begin ms    end ms\n");
  for (const span_of_time& s : p.timeline())
    std::printf("%5d  %-8s %9.4f %9.4f\n", s.chunk, in_words(s.what), 1e3 * s.begin, 1e3 * s.end);
  return checked ? 0 : 1;
}

}  // namespace lab54
