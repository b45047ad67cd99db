#include "additions.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "coalesce/error.hpp"
#include "coalesce/stream.hpp"
#include "coalesce/verify.hpp"

namespace coalesce::lab {
namespace {

/// Holds a stream until a call has returned, or half a second has passed.
struct hold {
  std::atomic<bool> returned = false, waited_in_vain = false;

  static void wait(void* self) {
    auto& h = *static_cast<hold*>(self);
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    while (!h.returned && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!h.returned) h.waited_in_vain = true;
  }
};

}  // namespace

floats draw(std::int64_t n, std::uint64_t seed) {
  return random_floats(n, -1, 1, seed);
}

floats poisoned(std::int64_t n) {
  floats values(static_cast<std::size_t>(n));
  poison(std::span(values));
  return values;
}

bool same_bytes(const floats& x, const floats& y) {
  return x.size() == y.size() &&
         (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0);
}

outcome compare_sums(std::span<const float> a, std::span<const float> b, std::span<const float> c,
                     const std::function<std::string(std::int64_t i)>& place) {
  if (!c.empty() && std::all_of(c.begin(), c.end(), [](float x) { return is_poison(x); }))
    return {"nothing_came_back", "no element of c was written"};
  for (std::size_t i = 0; i < c.size(); ++i) {
    const float want = a[i] + b[i];
    if (c[i] == want) continue;
    const std::string text = place(static_cast<std::int64_t>(i)) + " of c is " +
                             (is_poison(c[i]) ? "what was there before" : std::to_string(c[i])) +
                             ", and a + b is " + std::to_string(want);
    if (is_poison(c[i])) return {"not_written", text};
    if (c[i] == 0) return {"left_zero", text};
    if (c[i] == a[i] || c[i] == b[i]) return {"not_added", text};
    for (std::size_t j = 0; j < c.size(); ++j)
      if (c[i] == a[j] + b[j])
        return {"wrong_place", text + "; it is the sum of " + place(static_cast<std::int64_t>(j))};
    return {"wrong_value", text};
  }
  return {};
}

std::vector<count_limit> addition_limits(std::int64_t n) {
  const auto elements = static_cast<double>(n);
  return {{.count = "store_sectors",
           .least = elements * sizeof(float) / 32,
           .reason = "computed_on_host",
           .message = "the kernels stored fewer bytes than c has"},
          {.count = "store_lanes",
           .most = elements,
           .reason = "each_block_does_all",
           .message = "elements of c were stored more than once"},
          {.count = "load_lanes",
           .most = 2 * elements,
           .reason = "loads_too_often",
           .message = "elements of a and b were loaded more than once"},
          {.count = "store_lanes/store_requests",
           .least = 16,
           .reason = "one_thread",
           .message = "few lanes of a warp store at the same time"}};
}

outcome check_own_stream(std::int64_t n, std::uint64_t seed, const stream_addition& add) {
  const floats a = draw(n, seed), b = draw(n, ~seed);
  pinned_buffer<float> late(n);
  std::copy(a.begin(), a.end(), late.data());
  device_buffer<float> d_a(n), d_b(n), d_c(n);
  d_a.fill_bytes(0);
  d_b.copy_from_host(b);

  const stream own(stream_kind::independent);
  add(d_a.data(), d_b.data(), d_c.data(), own);  // a first launch loads the kernel, and may wait
  COALESCE_CHECK(cudaDeviceSynchronize());
  poison(d_c);
  COALESCE_CHECK(cudaDeviceSynchronize());

  hold held;
  COALESCE_CHECK(cudaLaunchHostFunc(own, hold::wait, &held));
  COALESCE_CHECK(
      cudaMemcpyAsync(d_a.data(), late.data(), d_a.bytes(), cudaMemcpyHostToDevice, own));
  add(d_a.data(), d_b.data(), d_c.data(), own);
  held.returned = true;
  COALESCE_CHECK(cudaDeviceSynchronize());
  if (held.waited_in_vain)
    return {"waits_for_device", "the call returned only when the stream had done all its work"};

  const floats c = to_host(d_c);
  if (c == b)
    return {"wrong_stream", "the sums were made before the work that is in front in the stream"};
  return compare_sums(a, b, c, [](std::int64_t i) { return "element " + std::to_string(i); });
}

}  // namespace coalesce::lab
