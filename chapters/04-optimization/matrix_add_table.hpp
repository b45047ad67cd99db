#pragma once

#include <string>
#include <vector>

#include "matrix_add_problem.hpp"
#include "steps.hpp"

namespace chapter04 {

/// "32x16": columns times rows of a block, as in the rows' keys.
inline std::string text_of(dim3 block) {
  return std::to_string(block.x) + "x" + std::to_string(block.y);
}

/// The shapes of a block whose sides are powers of two and that have at most 1024 threads: 66 of them,
/// the one that an older text began with first.
// [shapes]
inline std::vector<dim3> block_shapes() {
  std::vector<dim3> shapes{{32, 32}};
  for (unsigned x = 1; x <= 1024; x *= 2)
    for (unsigned y = 1; x * y <= 1024; y *= 2)
      if (x != 32 || y != 32) shapes.push_back({x, y});
  return shapes;
}
// [/shapes]

inline std::string text_of(cache_hint hint) {
  return hint == cache_hint::plain         ? "plain"
         : hint == cache_hint::streaming   ? "cs"
         : hint == cache_hint::l2_only     ? "cg"
         : hint == cache_hint::no_allocate ? "na"
                                           : "wt";
}

inline std::string text_of(const bulk_shape& s, bool ring) {
  std::string text = "threads:" + std::to_string(s.threads) + "/tile:" + std::to_string(s.tile);
  if (!ring) return text;
  text += "/stages:" + std::to_string(s.stages);
  text +=
      s.tiles == 0 ? "/blocks:" + std::to_string(s.blocks) : "/tiles:" + std::to_string(s.tiles);
  return text;
}

inline std::vector<coalesce::family> matrix_add_families() {
  return {matrix_add_family()};
}

// The parameters that every row's function is given.
#define CHAPTER04_ADD_PARAMETERS                                                    \
  const float *d_a, const float *d_b, std::int64_t nx, std::int64_t ny, float *d_c, \
      cudaStream_t stream

inline std::vector<coalesce::step> matrix_add_steps() {
  std::vector<coalesce::step> steps;
  const auto add = [&](coalesce::step s) -> coalesce::step& {
    steps.push_back(std::move(s));
    return steps.back();
  };
  const std::vector<coalesce::measure_mode> all_modes = {
      coalesce::hot_stream, coalesce::cold_stream, coalesce::hot_graph, coalesce::cold_graph};

  for (const dim3 block : block_shapes())
    add(matrix_add_step(
            "one_element_a_thread", "block:" + text_of(block),
            [block](CHAPTER04_ADD_PARAMETERS) {
              one_element_a_thread(d_a, d_b, nx, ny, d_c, block, stream);
            },
            "one thread an element, in blocks of this shape"))
        .modes = {coalesce::hot_stream};

  for (const dim3 block : {dim3(16, 16), dim3(32, 32), dim3(1, 256), dim3(128, 1)})
    add(matrix_add_step(
            "renumbered", "block:" + text_of(block),
            [block](CHAPTER04_ADD_PARAMETERS) { renumbered(d_a, d_b, nx, ny, d_c, block, stream); },
            "the same blocks, threads numbered along the array"))
        .modes = {coalesce::hot_stream};

  for (const int threads : {256, 512, 1024})
    add(matrix_add_step(
            "resident_grid", "threads:" + std::to_string(threads),
            [threads](CHAPTER04_ADD_PARAMETERS) {
              resident_grid(d_a, d_b, nx, ny, d_c, threads, stream);
            },
            "as many blocks as fit, each walks along the array"))
        .modes = {coalesce::hot_stream};

  for (const int elements : {2, 4, 8})
    add(matrix_add_step(
            "several_a_thread", "elements:" + std::to_string(elements),
            [elements](CHAPTER04_ADD_PARAMETERS) {
              several_a_thread(d_a, d_b, nx, ny, d_c, elements, stream);
            },
            "several elements a thread, all loads first"))
        .modes = {coalesce::hot_stream};

  for (const int threads : {256, 128, 512, 768, 1024})
    add(matrix_add_step(
            "float4_a_thread", "threads:" + std::to_string(threads),
            [threads](CHAPTER04_ADD_PARAMETERS) {
              float4_a_thread(d_a, d_b, nx, ny, d_c, threads, stream);
            },
            "one load of 16 bytes a matrix and thread"))
        .modes = all_modes;

  for (const int threads : {256, 128, 512})
    add(matrix_add_step(
            "early_launch", "threads:" + std::to_string(threads),
            [threads](CHAPTER04_ADD_PARAMETERS) {
              early_launch(d_a, d_b, nx, ny, d_c, threads, stream);
            },
            "may begin before the launch in front of it has ended"))
        .modes = all_modes;

  for (const int vectors : {2, 4, 8})
    for (const int blocks : {0, 1, 2, 4}) {
      if (blocks * vectors > 8 || (vectors == 2 && blocks == 1)) continue;
      add(matrix_add_step(
              "several_float4_a_thread",
              "vectors:" + std::to_string(vectors) +
                  (blocks == 0 ? "" : "/blocks:" + std::to_string(blocks)),
              [vectors, blocks](CHAPTER04_ADD_PARAMETERS) {
                several_float4_a_thread(d_a, d_b, nx, ny, d_c, vectors, blocks, stream);
              },
              "several loads of 16 bytes a matrix and thread"))
          .modes = blocks == 0 && vectors < 8 ? all_modes : std::vector{coalesce::hot_stream};
    }

  for (const cache_hint load :
       {cache_hint::streaming, cache_hint::plain, cache_hint::l2_only, cache_hint::no_allocate})
    for (const cache_hint store :
         {cache_hint::streaming, cache_hint::plain, cache_hint::write_through}) {
      if (load == cache_hint::plain && store == cache_hint::plain) continue;
      add(matrix_add_step(
              "with_hints", "load:" + text_of(load) + "/store:" + text_of(store),
              [load, store](CHAPTER04_ADD_PARAMETERS) {
                with_hints(d_a, d_b, nx, ny, d_c, load, store, stream);
              },
              "loads and stores tell the caches what to keep"))
          .modes = {coalesce::hot_stream};
    }

  for (const int vectors : {1, 2, 4})
    add(matrix_add_step(
            "async_copy", "vectors:" + std::to_string(vectors),
            [vectors](CHAPTER04_ADD_PARAMETERS) {
              async_copy(d_a, d_b, nx, ny, d_c, vectors, stream);
            },
            "copies to shared memory, past the registers"))
        .modes = {coalesce::hot_stream};

  const auto on_hopper = [](coalesce::step& s) {
    s.least_capability = 90;
    s.cpu_device = false;
  };
  const std::vector<std::pair<int, int>> threads_and_tiles = {
      {256, 768},  {256, 512},  {256, 640}, {256, 704}, {256, 832},  {256, 896},  {256, 1024},
      {256, 2048}, {256, 4096}, {128, 384}, {128, 512}, {512, 1536}, {1024, 3072}};
  for (const auto& [threads, tile] : threads_and_tiles) {
    const bulk_shape shape{.threads = threads, .tile = tile};
    coalesce::step& s = add(matrix_add_step(
        "bulk_copy", text_of(shape, false),
        [shape](CHAPTER04_ADD_PARAMETERS) { bulk_copy(d_a, d_b, nx, ny, d_c, shape, stream); },
        "bulk copies bring a tile of each matrix to the block"));
    on_hopper(s);
    s.modes = tile == 768 ? all_modes : std::vector{coalesce::hot_stream};
  }

  const std::vector<bulk_shape> rings = {
      {.threads = 256, .tile = 1024, .stages = 4, .blocks = 2, .tiles = 0},
      {.threads = 256, .tile = 2048, .stages = 3, .blocks = 4, .tiles = 0},
      {.threads = 512, .tile = 8192, .stages = 3, .blocks = 1, .tiles = 0},
      {.threads = 256, .tile = 1024, .stages = 2, .tiles = 4},
      {.threads = 256, .tile = 768, .stages = 2, .tiles = 2},
  };
  for (const bulk_shape& shape : rings) {
    coalesce::step& s = add(matrix_add_step(
        "bulk_ring", text_of(shape, true),
        [shape](CHAPTER04_ADD_PARAMETERS) { bulk_ring(d_a, d_b, nx, ny, d_c, shape, stream); },
        "a ring of bulk copies: the next tiles are under way"));
    on_hopper(s);
    s.modes = {coalesce::hot_stream};
  }

  coalesce::step& best = add(matrix_add_step(
      "by_size", "", by_size, "early launches: float4 for small matrices, bulk copies for large"));
  on_hopper(best);
  best.modes = all_modes;

  add(coalesce::make_show("block_occupancy", block_occupancy,
                          "the share of a multiprocessor's warps, for every shape"));
  add(coalesce::make_show("waves", waves, "one block more than fits at once"));
  add(coalesce::make_show("launch_limits", launch_limits, "what comes back over each limit"));
  add(coalesce::make_show("in_strips", in_strips, "matrices that do not fit on the device"));
  add(matrix_add_baseline("cpu_one_thread", false, "one thread of the CPU"));
  add(matrix_add_baseline("cpu_all_cores", true, "all cores of the CPU"));
  // The steps that are compared with the rivals are timed at all sizes, the settings of the others at one.
  for (coalesce::step& s : steps)
    if (s.modes.size() < all_modes.size() || (s.name == "several_float4_a_thread") ||
        (s.variant.starts_with("threads:") && !s.variant.starts_with("threads:256")))
      s.only_at = {std::int64_t{1} << 28};
  return steps;
}

#undef CHAPTER04_ADD_PARAMETERS

}  // namespace chapter04
