#pragma once

#include <chrono>
#include <set>
#include <thread>

#include "check_host.hpp"

namespace lab54::checks {

/// A fault that was seen while a pipeline ran: the run is given up.
struct fault_seen {
  outcome found;
};

/// What a pipeline asked of its work, and what could be seen of it meanwhile. The "computation" copies
/// its words and sets the lowest byte of each, which needs no kernel.
class watched_work {
 public:
  watched_work(std::int64_t n, int tag) : left_(n), tag_(tag) {}

  void operator()(const word* d_in, word* d_out, std::int64_t n, cudaStream_t stream) {
    if (n <= 0) give_up("empty_chunk", "work was called for a chunk without words");
    if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
      give_up("default_stream", "work was asked for in the default stream");
    if (d_in == d_out) give_up("one_buffer", "work was to read and write the same buffer");
    if (!buffers_.empty() && buffers_.back() == d_in)
      give_up("one_buffer", "two chunks, one after the other, had the same buffer");
    if (!marks_.empty() && marks_.back().passed()) ++found_done_;
    buffers_.push_back(d_in);
    streams_.insert(stream);
    left_ -= n;
    if (left_ < 0) give_up("too_many_words", "work was called for more words than there are");
    COALESCE_CHECK(
        cudaMemcpyAsync(d_out, d_in, n * sizeof(word), cudaMemcpyDeviceToDevice, stream));
    COALESCE_CHECK(cudaMemset2DAsync(d_out, sizeof(word), tag_, 1, n, stream));
    if (on_gpu) COALESCE_CHECK(cudaLaunchHostFunc(stream, take_a_while, nullptr));
    marks_.emplace_back(coalesce::event_kind::order).record(stream);
  }

  word applied_to(word value) const { return (value & ~word{255}) | static_cast<word>(tag_); }

  /// Whether all chunks went through one stream, where there are several.
  bool one_stream() const { return calls() > 1 && streams_.size() == 1; }
  /// Whether each chunk was done before the next one was asked for. The CPU device performs nothing
  /// before somebody waits; on a GPU the work takes far longer than to ask for more.
  bool waited() const { return calls() > 1 && found_done_ == calls() - 1; }
  std::size_t calls() const { return buffers_.size(); }

 private:
  static void give_up(std::string reason, std::string message) {
    COALESCE_CHECK(cudaDeviceSynchronize());  // nothing is under way when the pipeline goes
    throw fault_seen{{std::move(reason), std::move(message)}};
  }

  static void take_a_while(void*) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); }

  std::int64_t left_;
  int tag_;
  std::vector<const word*> buffers_;
  std::set<cudaStream_t> streams_;
  std::vector<coalesce::event> marks_;
  std::size_t found_done_ = 0;  // chunks that were done when the next one came
};

inline outcome check_run(pipeline& p, std::int64_t n, int chunks, int tag, std::uint64_t seed) {
  const auto values = coalesce::random_ints(n, 0, INT32_MAX, seed);
  std::copy(values.begin(), values.end(), p.in());
  coalesce::poison(std::span<word>(p.out(), n));
  watched_work work(n, tag);
  try {
    p.run(std::ref(work));
  } catch (const fault_seen& seen) {
    return seen.found;
  }
  if (work.waited())
    return {"waited_between_chunks",
            "each chunk was done before work was asked for the next one: nothing can overlap"};
  if (work.one_stream()) return {"one_stream", "all chunks went through one stream"};

  const std::vector<word> got(p.out(), p.out() + n);
  if (!std::equal(values.begin(), values.end(), p.in(),
                  [](int a, word b) { return static_cast<word>(a) == b; }))
    return {"input_changed", "in() was changed"};
  const outcome found = compare(
      std::span<const word>(got),
      {n,
       [&](auto i) { return static_cast<double>(work.applied_to(static_cast<word>(values[i]))); }});
  const std::int64_t chunk = n > 0 ? (n + chunks - 1) / chunks : 1, whole = n / chunk * chunk;
  std::int64_t good = 0;
  while (good < n && got[good] == work.applied_to(static_cast<word>(values[good]))) ++good;
  if (found.reason == "not_written" && n % chunk != 0 && good == whole)
    return {"tail_lost", "the last, shorter chunk is missing: " + found.message};
  return found;
}

inline outcome check_pipeline(std::int64_t n, int chunks, std::uint64_t seed) {
  pipeline p(n, chunks);
  if (n > 0 && (p.in() == nullptr || p.out() == nullptr))
    return {"not_allocated", "in() or out() is a null pointer"};
  for (const word* host : {p.in(), p.out()})
    if (n > 0 && type_of(host) != cudaMemoryTypeHost)
      return {"pageable_memory", host == p.in() ? "in() is not pinned" : "out() is not pinned"};
  for (const int tag : {17, 203})
    if (const outcome found = check_run(p, n, chunks, tag, seed + tag); !found.right())
      return found;
  return {};
}

/// Three spans a chunk, in order, and in seconds.
inline outcome check_timeline(std::int64_t n, int chunks, std::uint64_t seed) {
  using clock = std::chrono::steady_clock;
  pipeline p(n, chunks);
  const auto values = coalesce::random_ints(n, 0, INT32_MAX, seed);
  std::copy(values.begin(), values.end(), p.in());
  watched_work work(n, 1);
  const auto start = clock::now();
  p.run(std::ref(work));
  const double wall = std::chrono::duration<double>(clock::now() - start).count();
  const std::vector<span_of_time> spans = p.timeline();
  if (spans.size() != 3 * work.calls())
    return {"timeline_incomplete", "there are " + to_string(spans.size()) + " spans for " +
                                       to_string(work.calls()) + " chunks"};
  double last = 0;
  for (const span_of_time& s : spans) last = std::max(last, s.end);
  if (last > wall + 1e-3)
    return {last > 20 * wall ? "milliseconds_as_seconds" : "timeline_too_long",
            "the last part ends at " + to_string(last) + " s, and the whole run took " +
                to_string(wall)};
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const span_of_time& s = spans[i];
    const std::string place = "span " + to_string(i);
    if (s.chunk != static_cast<int>(i / 3) || s.what != static_cast<part>(i % 3))
      return {"timeline_mixed_up", place + " is not the one of its place in the order"};
    if (!(s.begin >= 0 && s.end >= s.begin))
      return {"timeline_backwards", place + " ends before it begins, or begins before the run"};
    if (i % 3 > 0 && s.begin < spans[i - 1].end)
      return {"timeline_backwards", place + " begins before the part that it needs has ended"};
  }
  return {};
}

inline void add_pipeline(std::vector<lab_case>& cases) {
  for (const auto& [n, chunks] : std::vector<std::pair<int, int>>{{257, 4},
                                                                  {1, 1},
                                                                  {15, 2},
                                                                  {16, 4},
                                                                  {17, 4},
                                                                  {250, 3},
                                                                  {1, 4},
                                                                  {10, 7},
                                                                  {4096, 16},
                                                                  {5000, 7},
                                                                  {5000, 1},
                                                                  {0, 3}})
    cases.push_back({"pipeline", to_string(n) + " words in " + to_string(chunks) + " chunks",
                     [n, chunks](auto seed) { return check_pipeline(n, chunks, seed); }});
  for (const auto& [n, chunks] : std::vector<std::pair<int, int>>{{100000, 1}, {100001, 8}, {0, 2}})
    cases.push_back({"timeline", to_string(n) + " words in " + to_string(chunks) + " chunks",
                     [n, chunks](auto seed) { return check_timeline(n, chunks, seed); }});
}

}  // namespace lab54::checks
