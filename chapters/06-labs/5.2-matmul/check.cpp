// Checks lab 5.2: what runs on the host, each version on the device, and the copies around them.
#include "check_copies.hpp"
#include "check_host.hpp"
#include "check_products.hpp"

namespace lab52::check {
namespace {

using coalesce::lab::lab_case;

double times(std::int64_t a, std::int64_t b, std::int64_t c = 1) {
  return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
}
std::int64_t tiles(std::int64_t n) {
  return (n + 15) / 16;
}

/// What all versions have in common. Each case multiplies twice.
std::vector<count_limit> common_counts(const shape& s, double threads, const std::string& shape) {
  std::vector<count_limit> limits = {
      {.count = "store_lanes",
       .least = 2 * times(s.m, s.p),
       .reason = "computed_on_host",
       .message = "the kernels stored fewer elements than C has"},
      {.count = "store_lanes",
       .most = 2 * times(s.m, s.p),
       .reason = "each_block_does_all",
       .message = "the kernels stored elements of C more than once"},
      {.count = "threads",
       .least = 2 * threads,
       .most = 2 * threads,
       .reason = "wrong_shape",
       .message = "the grid times the block is not " + shape},
  };
  if (s.m * s.p >= 256)  // the work of a thread
    limits.push_back({.count = "store_lanes/store_requests",
                      .least = s.p >= 16 ? 7.0 : 2.0,
                      .reason = "one_thread",
                      .message = "few threads of a warp had anything to store"});
  return limits;
}

std::vector<count_limit> rows_counts(const shape& s, int threads) {
  return common_counts(s, times(s.m, threads), "a block of `threads` for each row of C");
}

std::vector<count_limit> block_counts(const shape& s, int) {
  auto limits = common_counts(s, 256 * times(tiles(s.m), tiles(s.p)),
                              "a block of 16 × 16 for each tile of C");
  limits.push_back({.count = "load_sectors/load_requests",
                    .most = 6,
                    .reason = "uncoalesced",
                    .message = "the threads of a warp read places far apart"});
  return limits;
}

std::vector<count_limit> shared_row_counts(const shape& s, int threads) {
  auto limits = rows_counts(s, threads);
  limits.push_back({.count = "load_lanes",
                    .most = 2 * (times(s.m, s.n, s.p) + times(s.m, s.n)),
                    .reason = "not_shared",
                    .message = "A was read from global memory more than once"});
  limits.push_back({.count = "shared_load_lanes",
                    .least = 2 * times(s.m, s.n, s.p),
                    .reason = "not_shared",
                    .message = "A was not read from shared memory"});
  return limits;
}

std::vector<count_limit> tile_counts(const shape& s, int threads) {
  auto limits = block_counts(s, threads);
  limits.push_back(
      {.count = "load_lanes",
       .most = 2 * 2 * 256 * times(tiles(s.m), tiles(s.p), tiles(s.n)),
       .reason = "not_shared",
       .message = "A and B were read from global memory more than once for each tile"});
  return limits;
}

std::string name_of(const shape& s, int threads) {
  return std::to_string(s.m) + " × " + std::to_string(s.n) + " × " + std::to_string(s.p) + ", " +
         std::to_string(threads) + " threads";
}

/// The cases of one version.
void add_version(std::vector<lab_case>& cases, const version& v) {
  const auto add = [&](const std::string& name, std::function<outcome(std::uint64_t)> run) {
    cases.push_back({v.property, name, std::move(run)});
  };
  struct size {
    std::int64_t m, n, p;
    int threads;
  };
  for (const auto& [m, n, p, threads] : {size{42, 42, 42, 32},
                                         {1, 1, 1, 16},
                                         {15, 15, 15, 16},
                                         {16, 16, 16, 64},
                                         {17, 17, 17, 32},
                                         {33, 50, 70, 32},
                                         {4, 250, 257, 256},
                                         {257, 17, 5, 64},
                                         {250, 35, 20, 16},
                                         {3, 3000, 4, 1024},
                                         {0, 5, 5, 32},
                                         {5, 5, 0, 32},
                                         {5, 0, 5, 32}}) {
    const shape s = with_padding(m, n, p);
    add(name_of(s, threads),
        [v, s, threads](std::uint64_t seed) { return check_size(v, s, threads, seed); });
  }
  add("fractions", [v](std::uint64_t seed) { return check_fractions(v, seed); });
  add("in a stream", [v](std::uint64_t seed) { return check_stream(v, seed); });
  for (const char which : {'A', 'B', 'C'})
    add(std::string("leading dimension of ") + which + ": 2^30",
        [v, which](std::uint64_t seed) { return check_far(v, which, seed); });
}

void add_host(std::vector<lab_case>& cases) {
  for (const std::int64_t n : {1, 15, 16, 17, 250, 257, 0})
    cases.push_back({"matgen", "n = " + std::to_string(n),
                     [n](std::uint64_t seed) { return check_matgen(n, n, seed); }});
  cases.push_back({"matgen", "lda = 2^31", check_matgen_far});

  for (const auto& [m, n, p] : {std::array<std::int64_t, 3>{42, 42, 42},
                                {1, 1, 1},
                                {15, 15, 15},
                                {16, 16, 16},
                                {17, 17, 17},
                                {5, 250, 257},
                                {3, 3000, 4},
                                {5, 0, 5},
                                {0, 5, 5}})
    cases.push_back(
        {"matmult", std::to_string(m) + " × " + std::to_string(n) + " × " + std::to_string(p),
         [s = with_padding(m, n, p)](std::uint64_t seed) { return check_matmult(s, seed); }});
  cases.push_back({"matmult", "fractions", check_double});
  cases.push_back({"matmult", "leading dimensions of 2^31", check_matmult_far});

  cases.push_back({"compare_mat", "known errors", check_errors});
  cases.push_back({"compare_mat", "a reference of 0", check_zero});
  cases.push_back({"compare_mat", "NaN", check_nan});
  cases.push_back({"compare_mat", "no error", check_no_error});
  cases.push_back({"compare_mat", "one row, and one column", check_vectors});

  cases.push_back(
      {"gflops", "n = 100", [](std::uint64_t) { return check_gflops(100, 100, 100, 2.5); }});
  cases.push_back(
      {"gflops", "2 × 30 × 4000", [](std::uint64_t) { return check_gflops(2, 30, 4000, 0.5); }});
  cases.push_back(
      {"gflops", "n = 4000", [](std::uint64_t) { return check_gflops(4000, 4000, 4000, 100); }});
  cases.push_back({"milliseconds", "a slow first run",
                   [](std::uint64_t) { return check_stopwatch(1, 0, "first_run_timed"); }});
  cases.push_back({"milliseconds", "a disturbed run",
                   [](std::uint64_t) { return check_stopwatch(5, 3, "no_median"); }});
}

void add_copies(std::vector<lab_case>& cases, const std::string& property,
                matmult_function* matmult) {
  for (const auto& [m, n, p] : {std::array<std::int64_t, 3>{42, 42, 42},
                                {1, 1, 1},
                                {15, 16, 17},
                                {17, 17, 17},
                                {5, 250, 257},
                                {257, 3, 250},
                                {5, 0, 5},
                                {0, 5, 5},
                                {5, 5, 0}})
    cases.push_back({property,
                     std::to_string(m) + " × " + std::to_string(n) + " × " + std::to_string(p),
                     [matmult, s = with_padding(m, n, p)](std::uint64_t seed) {
                       return check_copies(matmult, s, seed);
                     }});
  cases.push_back({property, "failures",
                   [matmult](std::uint64_t seed) { return check_failures(matmult, seed); }});
  cases.push_back({property, "leading dimensions of 2^31",
                   [matmult](std::uint64_t seed) { return check_far_host(matmult, seed); }});
}

std::vector<lab_case> all_cases() {
  std::vector<lab_case> cases;
  add_host(cases);
  add_copies(cases, "matmult_cuda", matmult_cuda);
  add_copies(cases, "matmult_pitched", matmult_pitched);
  cases.push_back({"matmult_pitched", "the pitch", check_pitch});

  const version elements{"elements", product_elements, block_counts},
      rows{"rows", product_rows, rows_counts}, kahan{"kahan", product_kahan, rows_counts},
      in_double{"double", product_double, rows_counts},
      shared_row{"shared_row", product_shared_row, shared_row_counts},
      by_tiles{"tiles", product_tiles, tile_counts};
  for (const version& v : {elements, rows, kahan, in_double, shared_row, by_tiles})
    add_version(cases, v);
  for (const version& v : {rows, kahan, in_double, shared_row})
    cases.push_back(
        {v.property, "2048 threads", [v](std::uint64_t seed) { return check_refusal(v, seed); }});
  cases.push_back({"kahan", "2^24, then ones",
                   [kahan](std::uint64_t seed) { return check_kahan(kahan, seed); }});
  cases.push_back({"kahan", "large terms", [kahan](std::uint64_t) {
                     return check_large_terms(kahan, 0, "not_kahan",
                                              ", if floats are added by Kahan's rule");
                   }});
  cases.push_back({"double", "large terms", [in_double](std::uint64_t) {
                     return check_large_terms(in_double, 2, "float_for_double", " in a double");
                   }});
  for (const std::int64_t n : {12288, 12289})
    cases.push_back(
        {"shared_row", "a row of " + std::to_string(n) + " floats",
         [shared_row, n](std::uint64_t seed) { return check_long_row(shared_row, n, seed); }});
  cases.push_back({"shared_row", "the longest row",
                   [shared_row](std::uint64_t seed) { return check_row_limit(shared_row, seed); }});
  return cases;
}

}  // namespace
}  // namespace lab52::check

int main(int argc, char** argv) {
  // The CPU device shuffles blocks, warps and lanes; it reads this when it is first used.
  if (argc > 3) setenv("CPU_DEVICE_SEED", argv[3], 0);
  return coalesce::lab::lab_main(argc, argv, lab52::check::all_cases());
}
