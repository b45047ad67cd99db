#pragma once

#include <memory>
#include <string>
#include <vector>

#include "coalesce/chapter.hpp"
#include "coalesce/format.hpp"
#include "copies_problem.hpp"
#include "steps.hpp"

namespace chapter04 {

inline std::string in_words(direction where) {
  switch (where) {
    case direction::h2d:
      return "h2d";
    case direction::d2h:
      return "d2h";
    case direction::both:
      return "both";
    case direction::d2d:
      return "d2d";
  }
  return "?";
}

/// A row of copies: timed by the host's clock, but on the device, where the host has no part in them.
inline coalesce::step copy_step(std::string name, host_memory kind, direction where,
                                std::string title) {
  coalesce::step s;
  s.name = std::move(name);
  s.family = "copy";
  s.title = std::move(title);
  s.variant = "direction:" + in_words(where);
  s.timed_by = where == direction::d2d ? coalesce::clock_kind::device : coalesce::clock_kind::host;
  s.capturable = false;
  s.launch = [kind, where](coalesce::problem& p, cudaStream_t stream) {
    static_cast<copy_problem&>(p).copy(kind, where, stream);
  };
  s.check = [kind, where](coalesce::problem& p) {
    return static_cast<copy_problem&>(p).check(kind, where);
  };
  if (where == direction::both || where == direction::d2d)  // two ways; read and written
    s.moves = [](std::int64_t n) { return coalesce::work{.bytes = 2.0 * static_cast<double>(n)}; };
  return s;
}

/// The same through a staging ring.
inline coalesce::step ring_step(ring_shape shape, direction where) {
  coalesce::step s = copy_step("staging_ring", host_memory::pageable, where,
                               "pageable memory, copied by several threads through pinned chunks");
  s.launch = [shape, where](coalesce::problem& p, cudaStream_t stream) {
    static_cast<copy_problem&>(p).copy_by_ring(shape, where, stream);
  };
  return s;
}

/// A row of the map of rings: other threads and chunks, at the size where the map is drawn.
inline coalesce::step ring_map_step(ring_shape shape, direction where) {
  coalesce::step s = ring_step(shape, where);
  s.name = "staging_ring_map";
  s.variant +=
      "/threads:" + std::to_string(shape.threads) + "/chunk:" + std::to_string(shape.chunk_bytes) +
      "/chunks:" + std::to_string(shape.chunks) + "/streams:" + std::to_string(shape.streams);
  s.least_n = s.most_n = std::int64_t{1} << 28;
  return s;
}

inline std::vector<coalesce::family> copies_families() {
  return {{.name = "copy",
           .default_n = 1 << 24,
           .bench_sizes = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24,
                           1 << 26, 1 << 28},
           .thorough_sizes = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22,
                              1 << 24, 1 << 26, 1 << 28, 1 << 30},
           .device_bytes_per_element = 2,
           .make = [](std::int64_t n) { return std::make_unique<copy_problem>(n); }}};
}

inline std::vector<coalesce::step> copies_steps() {
  using enum direction;
  std::vector<coalesce::step> steps;
  for (const auto where : {h2d, d2h, both}) {
    steps.push_back(copy_step("pageable", host_memory::pageable, where,
                              "ordinary host memory: the driver copies it twice"));
    steps.push_back(
        copy_step("pinned", host_memory::pinned, where, "host memory whose pages stay in place"));
    steps.push_back(copy_step("write_combined", host_memory::write_combined, where,
                              "pinned host memory that the caches do not see"));
  }
  for (coalesce::step& s : steps) s.rival = s.name != "write_combined";
  steps.push_back(
      copy_step("device", host_memory::pageable, d2d, "from device memory to device memory"));
  for (const auto where : {h2d, d2h}) steps.push_back(ring_step({}, where));
  for (const int threads : {1, 2, 4, 8, 12, 16})
    for (const std::size_t chunk : {1 << 18, 1 << 20, 1 << 21, 1 << 22})
      steps.push_back(ring_map_step({.threads = threads, .chunk_bytes = chunk}, h2d));
  for (const int streams : {4, 16}) steps.push_back(ring_map_step({.streams = streams}, h2d));
  for (const int chunks : {1, 4}) steps.push_back(ring_map_step({.chunks = chunks}, h2d));
  steps.push_back(coalesce::make_show("when_copies_return", when_copies_return,
                                      "how long the host waits for each kind of copy"));
  return steps;
}

}  // namespace chapter04
