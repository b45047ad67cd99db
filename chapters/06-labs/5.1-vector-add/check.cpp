// Checks vector_add(), add_slice() and kernel_milliseconds().
#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "coalesce/statistics.hpp"
#include "coalesce/stream.hpp"
#include "coalesce/verify.hpp"
#include "grading/additions.hpp"
#include "grading/cases.hpp"
#include "lab.hpp"

namespace {

using coalesce::lab::addition_limits;
using coalesce::lab::compare_sums;
using coalesce::lab::draw;
using coalesce::lab::floats;
using coalesce::lab::lab_case;
using coalesce::lab::outcome;
using coalesce::lab::poisoned;
using coalesce::lab::same_bytes;

constexpr std::int64_t guards = 1024;  // elements beside an answer that nobody may touch

std::string element(std::int64_t i) {
  return "element " + std::to_string(i);
}

// Sums of the host's vectors ----------------------------------------------------------------------

/// Vectors of the host, with guards behind the answer.
struct vectors {
  explicit vectors(std::int64_t count)
      : n(count), a(poisoned(count)), b(poisoned(count)), c(poisoned(count + guards)) {}

  /// New numbers at the same addresses.
  void draw_inputs(std::uint64_t seed) {
    coalesce::fill_random_floats(a, -1, 1, seed);
    coalesce::fill_random_floats(b, -1, 1, ~seed);
    coalesce::poison(std::span(c));
  }

  /// Calls the reader's function and looks at all that it may and may not have done.
  outcome add_and_compare() {
    const floats a_before = a, b_before = b;
    lab51::vector_add(a.data(), b.data(), n, c.data());
    const auto behind =
        std::find_if(c.begin() + n, c.end(), [](float x) { return !coalesce::is_poison(x); });
    if (behind != c.end())
      return {"written_past_end", "element " + std::to_string(behind - c.begin()) +
                                      " was written, and c has " + std::to_string(n)};
    if (!same_bytes(a, a_before) || !same_bytes(b, b_before))
      return {"input_changed", "a or b is not what it was before the call"};
    return compare_sums(a, b, std::span(c).first(static_cast<std::size_t>(n)), element);
  }

  std::int64_t n;
  floats a, b, c;
};

outcome check_sizes(std::int64_t n, std::uint64_t seed) {
  vectors v(n);
  v.draw_inputs(seed);
  return v.add_and_compare();
}

outcome check_same_array(std::uint64_t seed) {
  vectors v(250);
  v.draw_inputs(seed);
  lab51::vector_add(v.a.data(), v.a.data(), v.n, v.c.data());
  return compare_sums(v.a, v.a, std::span(v.c).first(250), element);
}

/// Other numbers at the same addresses, and other sizes in between.
outcome check_again(std::uint64_t seed) {
  vectors v(250), longer(5000);
  v.draw_inputs(seed);
  longer.draw_inputs(seed + 1);
  for (vectors* one : {&v, &longer})
    if (const outcome first = one->add_and_compare(); !first.right()) return first;
  const floats before(v.c.begin(), v.c.begin() + v.n);
  v.draw_inputs(seed + 2);
  const outcome second = v.add_and_compare();
  if (!second.right() && std::equal(before.begin(), before.end(), v.c.begin()))
    return {"cached_answer", "the second call gave the answer of the first, for other numbers"};
  return second;
}

outcome check_work(std::int64_t n, std::uint64_t seed) {
  outcome result = check_sizes(n, seed);
  result.counts = addition_limits(n);
  return result;
}

// Slices ----------------------------------------------------------------------------------------

/// Moves the next allocations of the CPU device far from the beginning of its addresses, so that an
/// index that has lost 2^32 elements (16 GiB) still ends among them, and is told as out of bounds.
void leave_addresses_unused() {
#ifdef __CPU_DEVICE__
  for (int i = 0; i < 48; ++i) coalesce::device_buffer<char>(std::int64_t{256} << 20);
#endif
}

/// A slice of a vector that is too long to be there: only its neighbourhood is.
struct device_slice {
  device_slice(std::int64_t first, std::int64_t count)
      : left(std::min(first, guards)), data(left + count + guards), shift(first - left) {}

  /// Where element 0 of the long vector would be.
  float* base() {
    return reinterpret_cast<float*>(reinterpret_cast<std::uintptr_t>(data.data()) -
                                    static_cast<std::uintptr_t>(shift) * sizeof(float));
  }

  std::int64_t left;  ///< elements in front of the slice
  coalesce::device_buffer<float> data;
  std::int64_t shift;
};

outcome check_slice(std::int64_t first, std::int64_t count, std::uint64_t seed) {
  leave_addresses_unused();
  device_slice d_a(first, count), d_b(first, count), d_c(first, count);
  const floats a = draw(d_a.data.size(), seed), b = draw(d_b.data.size(), ~seed);
  d_a.data.copy_from_host(a);
  d_b.data.copy_from_host(b);
  coalesce::poison(d_c.data);

  try {
    lab51::add_slice(d_a.base(), d_b.base(), first, count, d_c.base(), nullptr);
  } catch (const coalesce::cuda_error& e) {
    if (count == 0) return {"empty_grid", e.what()};
    throw;
  }
  COALESCE_CHECK(cudaDeviceSynchronize());

  const floats c = coalesce::to_host(d_c.data);
  const auto begin = d_c.left, end = d_c.left + count;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(c.size()); ++i)
    if ((i < begin || i >= end) && !coalesce::is_poison(c[static_cast<std::size_t>(i)]))
      return {"written_outside",
              "element " + std::to_string(i + d_c.shift) + " was written, and is not in the slice"};
  if (!same_bytes(a, coalesce::to_host(d_a.data)) || !same_bytes(b, coalesce::to_host(d_b.data)))
    return {"input_changed", "d_a or d_b is not what it was before the call"};
  const floats a_slice(a.begin() + begin, a.begin() + end),
      b_slice(b.begin() + begin, b.begin() + end);
  return compare_sums(a_slice, b_slice,
                      std::span(c).subspan(static_cast<std::size_t>(begin), a_slice.size()),
                      [first](std::int64_t i) { return element(first + i); });
}

outcome check_slice_work(std::uint64_t seed) {
  outcome result = check_slice(1000, 5000, seed);
  result.counts = addition_limits(5000);
  return result;
}

outcome check_stream(std::uint64_t seed) {
  constexpr std::int64_t n = 1000;
  return coalesce::lab::check_own_stream(
      n, seed, [](const float* d_a, const float* d_b, float* d_c, cudaStream_t stream) {
        lab51::add_slice(d_a, d_b, 0, n, d_c, stream);
      });
}

// Errors ----------------------------------------------------------------------------------------

std::size_t free_bytes() {
  std::size_t free = 0, total = 0;
  COALESCE_CHECK(cudaMemGetInfo(&free, &total));
  return free;
}

constexpr std::int64_t large = 10 << 20;

/// A device without room for three vectors of length(). The CPU device is filled but for 64 MiB, so that
/// one vector fits and what is lost then is seen. A GPU may be at work for others and is not filled.
#ifdef __CPU_DEVICE__
class no_room {
 public:
  no_room() {
    std::size_t most = free_bytes() - std::min(free_bytes(), std::size_t{64} << 20);
    while (cudaMalloc(&held_, most) != cudaSuccess && most > (std::size_t{64} << 20)) {
      cudaGetLastError();
      most -= std::size_t{16} << 20;
    }
    free_ = free_bytes();
  }
  no_room(const no_room&) = delete;
  ~no_room() { cudaFree(held_); }
  std::int64_t length() const { return large; }
  bool has_leak() const { return free_bytes() < free_; }

 private:
  void* held_ = nullptr;
  std::size_t free_ = 0;
};
#else
struct no_room {
  std::int64_t length() const { return std::int64_t{1} << 42; }  // 16 TiB a vector
  bool has_leak() const { return false; }
};
#endif

outcome check_errors(std::uint64_t seed) {
  vectors v(1000), longer(large);
  v.draw_inputs(seed);
  longer.draw_inputs(~seed);
  if (const outcome before = v.add_and_compare(); !before.right()) return before;
  {
    const no_room device;
    bool told = false;
    try {
      lab51::vector_add(longer.a.data(), longer.b.data(), device.length(), longer.c.data());
    } catch (const coalesce::cuda_error&) {
      told = true;
    }
    const bool left_behind = cudaGetLastError() != cudaSuccess;
    if (!told)
      return {"error_swallowed",
              "the device had no room for three vectors, and vector_add() threw no cuda_error"};
    if (device.has_leak())
      return {"leak", "memory of the device is still held after vector_add() has thrown"};
    if (left_behind)
      return {"error_left_behind", "cudaGetLastError() still has the error that was thrown"};
  }
  v.draw_inputs(seed + 1);
  return v.add_and_compare();
}

/// While another stream is being captured, nothing may be launched in the default stream.
outcome check_refused_slice(std::uint64_t seed) {
  constexpr std::int64_t n = 1000;
  const coalesce::device_buffer<float> d_a = coalesce::to_device(draw(n, seed));
  coalesce::device_buffer<float> d_c(n);
  const coalesce::stream captured;
  COALESCE_CHECK(cudaStreamBeginCapture(captured, cudaStreamCaptureModeGlobal));
  bool told = false;
  try {
    lab51::add_slice(d_a.data(), d_a.data(), 0, n, d_c.data(), nullptr);
  } catch (const coalesce::cuda_error&) {
    told = true;
  }
  cudaGetLastError();
  cudaGraph_t graph = nullptr;
  if (cudaStreamEndCapture(captured, &graph) == cudaSuccess) cudaGraphDestroy(graph);
  cudaGetLastError();
  if (told) return {};
  return {"error_swallowed", "the launch was refused, and add_slice() threw no cuda_error"};
}

// Times -----------------------------------------------------------------------------------------

/// Work that takes a known time; its first launch takes far longer. Launching takes a millisecond, so
/// that the time of a launch alone is not taken for seconds.
struct timed_work {
  double milliseconds = 0;
  double first_milliseconds = 800;
  std::vector<double> took = {};  ///< milliseconds that each launch really took

  static void launch(void* self) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    COALESCE_CHECK(cudaLaunchHostFunc(nullptr, work, self));
  }

  static void work(void* self) {
    using clock = std::chrono::steady_clock;
    using milli = std::chrono::duration<double, std::milli>;
    auto& w = *static_cast<timed_work*>(self);
    const auto start = clock::now();
    std::this_thread::sleep_for(milli(w.took.empty() ? w.first_milliseconds : w.milliseconds));
    w.took.push_back(milli(clock::now() - start).count());
  }
};

/// What a right stopwatch may say of launches that took so long: the mean, the median or the shortest
/// of the last ones, however many. What each launch really took is known, so a busy machine excuses
/// no answer; a stopwatch of the host also sees what lies between launches.
bool is_a_time(double got, const std::vector<double>& took) {
  for (auto from = took.begin() + 1; from != took.end(); ++from) {
    const std::vector<double> timed(from, took.end());
    const double mean = std::reduce(timed.begin(), timed.end()) / static_cast<double>(timed.size());
    for (const double right : {mean, coalesce::median(timed), std::ranges::min(timed)})
      if (0.97 * right <= got && got <= 1.05 * right + 2) return true;
  }
  return false;
}

/// A sum of two launches or more, the last ones, is in a time that nobody divided.
bool is_a_sum(double got, const std::vector<double>& took) {
  double sum = 0;
  std::size_t launches = 0;
  for (auto one = took.rbegin(); one + 1 != took.rend(); ++one) {
    sum += *one;
    if (++launches > 1 && got > 0.9 * sum && got < 1.1 * sum + 1) return true;
  }
  return false;
}

outcome check_time(double milliseconds) {
  timed_work work{.milliseconds = milliseconds};
  const double got = lab51::kernel_milliseconds(timed_work::launch, &work);
  COALESCE_CHECK(cudaDeviceSynchronize());
  const std::vector<double>& took = work.took;
  if (took.empty()) return {"nothing_launched", "launch() was never called"};

  const std::string text = std::to_string(got) + " ms, and each launch but the first took about " +
                           std::to_string(milliseconds) + " ms";
  if (took.size() == 1)
    return {"first_launch_timed", "there was one launch, and so the first was timed: " + text};
  if (is_a_time(got, took)) return {};
  if (is_a_time(1e3 * got, took)) return {"seconds_for_milliseconds", text};
  if (is_a_time(got / 1e3, took)) return {"wrong_unit", text};
  if (got < milliseconds / 2) return {"timed_without_waiting", text};
  if (is_a_sum(got, took)) return {"not_divided", text};
  if (got > 0.9 * took.front() / static_cast<double>(took.size()))
    return {"first_launch_timed", text + "; the first one took " + std::to_string(took.front())};
  return {"launches_miscounted", text};
}

outcome check_refused_launch() {
  const auto refused = [](void*) {  // a block of 4096 threads
    static_cast<void>(cudaLaunchKernel(nullptr, dim3(1), dim3(4096), nullptr, 0, nullptr));
  };
  try {
    lab51::kernel_milliseconds(refused, nullptr);
  } catch (const coalesce::cuda_error&) {
    cudaGetLastError();
    return {};
  }
  cudaGetLastError();
  return {"error_swallowed",
          "the launch was refused, and kernel_milliseconds() threw no cuda_error"};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<lab_case> cases;
  for (const std::int64_t n : {16, 1, 15, 17, 250, 257, 5000, 0})
    cases.push_back({"sizes", "n = " + std::to_string(n),
                     [n](std::uint64_t seed) { return check_sizes(n, seed); }});
  cases.push_back({"sizes", "a and b are the same array", check_same_array});
  cases.push_back({"again", "three calls, other numbers", check_again});
  for (const std::int64_t n : {5000, 300000})
    cases.push_back({"work", "n = " + std::to_string(n),
                     [n](std::uint64_t seed) { return check_work(n, seed); }});

  const struct {
    const char* name;
    std::int64_t first, count;
  } slices[] = {
      {"from 0, 1000 elements", 0, 1000},
      {"from 17, 250 elements", 17, 250},
      {"from 2^31 - 100, 257 elements", (std::int64_t{1} << 31) - 100, 257},
      {"from 2^32 - 16, 1000 elements", (std::int64_t{1} << 32) - 16, 1000},
      {"from 5 * 2^30, 15 elements", std::int64_t{5} << 30, 15},
      {"no element", 5, 0},
  };
  for (const auto& s : slices)
    cases.push_back({"slices", s.name,
                     [s](std::uint64_t seed) { return check_slice(s.first, s.count, seed); }});
  cases.push_back({"slices", "the work of 5000 elements", check_slice_work});
  cases.push_back({"stream", "work in front of the slice", check_stream});
  cases.push_back({"errors", "no room for three vectors", check_errors});
  cases.push_back({"errors", "a slice whose launch is refused", check_refused_slice});
  for (const double milliseconds : {10.0, 60.0})
    cases.push_back({"time",
                     "launches of " + std::to_string(static_cast<int>(milliseconds)) + " ms",
                     [milliseconds](std::uint64_t) { return check_time(milliseconds); }});
  cases.push_back(
      {"time", "a launch that is refused", [](std::uint64_t) { return check_refused_launch(); }});
  return coalesce::lab::lab_main(argc, argv, cases);
}
