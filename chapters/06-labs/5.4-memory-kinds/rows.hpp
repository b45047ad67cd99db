#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coalesce/chapter.hpp"
#include "host_problems.hpp"
#include "image_problem.hpp"
#include "show_timeline.hpp"

namespace lab54 {

template <class Problem>
coalesce::family family_of(std::string name, std::vector<std::int64_t> sizes,
                           std::int64_t bytes_per_element) {
  return {.name = std::move(name),
          .default_n = 1 << 16,
          .bench_sizes = std::move(sizes),
          .thorough_sizes = {},
          .device_bytes_per_element = bytes_per_element,
          .make = [](std::int64_t n) { return std::make_unique<Problem>(n); }};
}

/// A row on the device: `run` enqueues its work. Times are of data that L2 may hold.
template <class Problem>
coalesce::step device_row(std::string family, std::string name, std::string title,
                          void (*run)(Problem&, cudaStream_t)) {
  return {.name = std::move(name),
          .family = std::move(family),
          .title = std::move(title),
          .launch = [run](coalesce::problem& p,
                          cudaStream_t stream) { run(static_cast<Problem&>(p), stream); },
          .modes = {coalesce::hot_stream}};
}

/// A row in which the host has a part: timed by its clock.
template <class Problem, class Run>
coalesce::step host_row(std::string family, std::string name, std::string title,
                        std::string variant, Run run) {
  return {.name = std::move(name),
          .family = std::move(family),
          .title = std::move(title),
          .launch = [run](coalesce::problem& p,
                          cudaStream_t stream) { run(static_cast<Problem&>(p), stream); },
          .capturable = false,
          .variant = std::move(variant),
          .timed_by = coalesce::clock_kind::host};
}

inline coalesce::step image_row(std::string name, overlay how, std::string how_in_words,
                                cudaTextureFilterMode filter, bool texture) {
  coalesce::step s;
  s.name = std::move(name);
  s.family = "image";
  s.title = texture ? "an image drawn anew from a texture" : "the same from global memory";
  s.variant = "overlay:" + how_in_words;
  s.modes = {coalesce::hot_stream};
  s.launch = [=](coalesce::problem& p, cudaStream_t stream) {
    auto& image = static_cast<image_problem&>(p);
    texture ? image.by_texture(how, filter, stream) : image.by_loads(how, filter, stream);
  };
  s.check = [=](coalesce::problem& p) {
    return static_cast<image_problem&>(p).check_overlay(how, filter);
  };
  return s;
}

/// The problems that this lab times, and the solution's functions that solve them.
inline std::vector<coalesce::family> families() {
  return {family_of<polynomial_problem>("polynomial", {1 << 16, 1 << 20, 1 << 24}, 8),
          family_of<look_up_problem>("look_up", {1 << 20, 1 << 24}, 8),
          family_of<image_problem>("image", {1 << 20, 1 << 24, 1 << 26}, 16),
          family_of<to_device_problem>("to_device", {1 << 14, 1 << 18, 1 << 22, 1 << 26}, 4),
          family_of<turns_problem>("turns", {1 << 14, 1 << 20, 1 << 26}, 8),
          family_of<pipeline_problem>("pipeline", {1 << 20, 1 << 24, 1 << 28}, 16),
          family_of<transpose_problem>("transpose", {1 << 20, 1 << 26}, 8),
          family_of<sort_problem>("sort", {1 << 20, 1 << 26}, 8)};
}

inline std::vector<coalesce::step> device_rows() {
  std::vector<coalesce::step> rows = {
      device_row<polynomial_problem>(
          "polynomial", "constant_one_index", "coefficients in constant memory",
          [](polynomial_problem& p, cudaStream_t s) {
            polynomial(p.d_in.data(), p.d_in.size(), degree, p.d_out.data(), s);
          }),
      device_row<polynomial_problem>("polynomial", "global_one_index",
                                     "coefficients in global memory",
                                     [](polynomial_problem& p, cudaStream_t s) {
                                       plain::polynomial(p.d_table.data(), p.d_in.data(),
                                                         p.d_in.size(), degree, p.d_out.data(), s);
                                     }),
      device_row<polynomial_problem>("polynomial", "constant_known_index",
                                     "coefficients in constant memory, compiled for one degree",
                                     [](polynomial_problem& p, cudaStream_t s) {
                                       known::from_constant(p.d_in.data(), p.d_in.size(),
                                                            p.d_out.data(), s);
                                     }),
      device_row<polynomial_problem>("polynomial", "global_known_index",
                                     "coefficients in global memory, compiled for one degree",
                                     [](polynomial_problem& p, cudaStream_t s) {
                                       known::from_global(p.d_table.data(), p.d_in.data(),
                                                          p.d_in.size(), p.d_out.data(), s);
                                     }),
      device_row<look_up_problem>("look_up", "constant_index_a_lane", "a table in constant memory",
                                  [](look_up_problem& p, cudaStream_t s) {
                                    look_up(p.d_in.data(), p.d_in.size(), p.d_out.data(), s);
                                  }),
      device_row<look_up_problem>("look_up", "global_index_a_lane", "a table in global memory",
                                  [](look_up_problem& p, cudaStream_t s) {
                                    plain::look_up(p.d_table.data(), p.d_in.data(), p.d_in.size(),
                                                   p.d_out.data(), s);
                                  }),
      device_row<look_up_problem>(
          "look_up", "texture_index_a_lane", "a table in a texture over linear memory",
          [](look_up_problem& p, cudaStream_t s) {
            fetch(p.texture(), p.d_in.data(), p.d_in.size(), p.d_out.data(), s);
          }),
      device_row<look_up_problem>("look_up", "guarded_index_a_lane",
                                  "the same with a guard in the place of the texture's",
                                  [](look_up_problem& p, cudaStream_t s) {
                                    plain::fetch(p.d_table.data(), p.count, p.d_in.data(),
                                                 p.d_in.size(), p.d_out.data(), s);
                                  }),
      device_row<transpose_problem>("transpose", "transpose_through_tiles",
                                    "a matrix transposed through tiles in shared memory",
                                    [](transpose_problem& p, cudaStream_t s) {
                                      transpose(p.d_in.data(), p.shape.height, p.shape.width,
                                                p.d_out.data(), s);
                                    }),
      device_row<transpose_problem>(
          "transpose", "transpose_straight", "a matrix transposed in global memory",
          [](transpose_problem& p, cudaStream_t s) {
            plain::transpose(p.d_in.data(), p.shape.height, p.shape.width, p.d_out.data(), s);
          }),
      device_row<sort_problem>(
          "sort", "sort_in_registers", "groups of eight sorted in registers",
          [](sort_problem& p, cudaStream_t s) { sort_eights(p.d_out.data(), p.groups(), s); }),
      device_row<sort_problem>("sort", "sort_in_local_memory",
                               "groups of eight sorted in local memory",
                               [](sort_problem& p, cudaStream_t s) {
                                 plain::sort_eights(p.d_out.data(), p.groups(), s);
                               })};
  for (const auto& [how, words] :
       std::vector<std::pair<overlay, std::string>>{{overlay::straight, "straight"},
                                                    {overlay::quarter_turn, "quarter_turn"},
                                                    {overlay::slanted, "slanted"}})
    for (const bool texture : {true, false}) {
      const std::string from = texture ? "texture" : "global";
      rows.push_back(image_row(from + "_point", how, words, cudaFilterModePoint, texture));
      rows.push_back(image_row(from + "_linear", how, words, cudaFilterModeLinear, texture));
    }
  return rows;
}

inline std::vector<coalesce::step> host_rows() {
  std::vector<coalesce::step> rows;
  using copies = to_device_problem;
  for (const auto& [kind, name] :
       std::vector<std::pair<host_kind, std::string>>{{host_kind::pageable, "pageable"},
                                                      {host_kind::pinned, "pinned"},
                                                      {host_kind::write_combined, "write_combined"},
                                                      {host_kind::mapped, "mapped"},
                                                      {host_kind::registered, "registered"}}) {
    rows.push_back(host_row<copies>("to_device", name, "a copy from memory that is there", "",
                                    [kind](copies& p, cudaStream_t s) { p.copy(kind, s); }));
    rows.push_back(host_row<copies>("to_device", name + "_once",
                                    "memory made, filled, copied, given back", "",
                                    [kind](copies& p, cudaStream_t s) { p.copy_once(kind, s); }));
  }
  for (const int staging : {1 << 18, 1 << 20, 1 << 22})
    rows.push_back(
        host_row<copies>("to_device", "staged", "upload(): a pinned buffer in turns",
                         "floats:" + std::to_string(staging),
                         [staging](copies& p, cudaStream_t s) { p.copy_staged(staging, s); }));

  using turns = turns_problem;
  rows.push_back(host_row<turns>("turns", "by_copies", "copied to the device, changed, copied back",
                                 "", [](turns& p, cudaStream_t s) { p.by_copies(s); }));
  rows.push_back(host_row<turns>("turns", "in_mapped_memory", "changed in mapped memory", "",
                                 [](turns& p, cudaStream_t s) { p.in_mapped(s); }));
  rows.push_back(host_row<turns>("turns", "in_unified_memory", "changed in unified memory", "",
                                 [](turns& p, cudaStream_t s) { p.in_unified(false, s); }));
  rows.push_back(host_row<turns>("turns", "in_unified_memory_prefetched", "the same with prefetch",
                                 "", [](turns& p, cudaStream_t s) { p.in_unified(true, s); }));
  return rows;
}

/// A part by itself, as what a pipeline is measured against.
inline coalesce::step part_row(std::string name, std::string title, part what, int turns) {
  coalesce::step s = host_row<pipeline_problem>(
      "pipeline", std::move(name), std::move(title),
      what == part::compute ? "turns:" + std::to_string(turns) : "",
      [=](pipeline_problem& p, cudaStream_t stream) { p.alone(what, turns, stream); });
  s.rival = true;
  return s;
}

inline std::vector<coalesce::step> pipeline_rows() {
  std::vector<coalesce::step> rows = {
      part_row("copy_in", "all words to the device, in one copy", part::copy_in, 0),
      part_row("copy_out", "all words back, in one copy", part::copy_out, 0)};
  rows.push_back(host_row<pipeline_problem>("pipeline", "both_ways",
                                            "both copies at the same time, each in one", "",
                                            [](auto& p, auto stream) { p.both_ways(stream); }));
  rows.back().rival = true;
  const std::vector<int> works = {100, 1200, 1600};
  for (const int turns : works)
    rows.push_back(part_row("compute", "all words computed, in one launch", part::compute, turns));
  for (const int turns : works)
    rows.push_back(host_row<pipeline_problem>(
        "pipeline", "in_order", "one chunk: in, compute, out", "turns:" + std::to_string(turns),
        [turns](pipeline_problem& p, cudaStream_t) { p.run(1, turns); }));
  for (const int turns : works)
    for (const int chunks : {4, 16, 64, 256})
      rows.push_back(host_row<pipeline_problem>(
          "pipeline", "pipelined", "in chunks: the parts overlap",
          "turns:" + std::to_string(turns) + "/chunks:" + std::to_string(chunks),
          [=](pipeline_problem& p, cudaStream_t) { p.run(chunks, turns); }));
  return rows;
}

inline std::vector<coalesce::step> steps() {
  std::vector<coalesce::step> all = device_rows();
  for (const auto& more : {host_rows(), pipeline_rows()})
    all.insert(all.end(), more.begin(), more.end());
  all.push_back(
      coalesce::make_show("timeline", show_timeline, "when the parts of a pipeline's chunks ran"));
  return all;
}

}  // namespace lab54
