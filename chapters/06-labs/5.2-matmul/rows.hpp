#pragma once

#include <thread>
#include <vector>

#include "coalesce/device.hpp"
#include "matmul_problem.hpp"
#include "row_copies.hpp"
#include "shows.hpp"

namespace lab52 {

inline matmul_problem& as_product(coalesce::problem& p) {
  return static_cast<matmul_problem&>(p);
}

/// A row of one version. `threads` of 0: the version has a block of its own.
inline coalesce::step product_row(std::string name, product_on_device* multiply, int threads,
                                  place where, std::string title) {
  coalesce::step s;
  s.name = std::move(name);
  s.family = "matmul_f32";
  s.title = std::move(title);
  s.most_n = coalesce::on_cpu_device() ? 250 : 16384;  // n^3 operations
  if (threads > 0) s.variant = "threads:" + std::to_string(threads);
  s.modes = {coalesce::hot_stream};
  if (where == place::host) {
    s.variant += s.variant.empty() ? "with:copies" : "/with:copies";
    s.timed_by = coalesce::clock_kind::host;
    s.capturable = false;
  }
  s.launch = [=](coalesce::problem& p, cudaStream_t stream) {
    as_product(p).launch(multiply, threads, where, stream);
  };
  s.check = [where](coalesce::problem& p) { return as_product(p).check(where); };
  return s;
}

/// The baseline, by so many threads of the host; above n = 1000 it is timed once.
inline coalesce::step baseline(std::string name, int threads, std::string title) {
  coalesce::step s = product_row(std::move(name), nullptr, 0, place::packed, std::move(title));
  s.kind = coalesce::step_kind::baseline;
  s.rival = true;
  s.once_from = 1001;
  s.launch = [threads](coalesce::problem& p, cudaStream_t) {
    as_product(p).multiply_on_host(threads);
  };
  s.check = [](coalesce::problem& p) { return as_product(p).check_exact(); };
  return s;
}

inline std::vector<coalesce::family> families() {
  return {{.name = "matmul_f32",
           .default_n = 250,
           .bench_sizes = {100, 250, 500, 1000, 2000, 4000},
           .thorough_sizes = {100, 200, 250, 400, 500, 700, 1000, 1500, 2000, 3000, 4000},
           .device_bytes_per_element = 0,  // n counts rows, so the problem itself has to notice
           .make = [](std::int64_t n) { return std::make_unique<matmul_problem>(n); }},
          {.name = "matmul_copies",
           .default_n = 250,
           .bench_sizes = {100, 250, 1000, 4000},
           .thorough_sizes = {100, 250, 1000, 4000},
           .device_bytes_per_element = 0,
           .make = [](std::int64_t n) { return std::make_unique<row_copies>(n); }}};
}

/// Every version, without copies and with them.
inline std::vector<coalesce::step> steps() {
  constexpr int usual = 256;
  std::vector<coalesce::step> all;
  const auto add = [&all](const char* name, product_on_device* multiply, int threads,
                          const char* title) {
    for (const place where : {place::packed, place::host})
      all.push_back(product_row(name, multiply, threads, where, title));
  };
  add("elements", product_elements, 0, "a thread an element of C");
  add("rows", product_rows, usual, "a block a row of C, threads striding over its columns");
  for (const int threads : {16, 32, 64, 128, 512, 1024}) {  // experiment 1
    add("rows", product_rows, threads, "a block a row of C, threads striding over its columns");
    for (auto s = all.end() - 2; s != all.end(); ++s) s->only_at = {250};
  }
  add("kahan", product_kahan, usual, "the same, each sum compensated by Kahan");
  add("double_sum", product_double, usual, "the same, each sum in a double");
  add("shared_row", product_shared_row, usual, "the same, the row of A in dynamic shared memory");
  add("tiles", product_tiles, 0, "tiles of 16 x 16 in shared memory");

  coalesce::step pitch = product_row("pitch", product_rows, usual, place::pitched,
                                     "a block a row, rows as far apart as cudaMallocPitch wants");
  all.push_back(pitch);
  coalesce::step around = product_row("pitch", product_rows, usual, place::host, pitch.title);
  around.launch = [](coalesce::problem& p, cudaStream_t) {
    as_product(p).launch_pitched(product_rows, usual);
  };
  all.push_back(around);

  all.push_back(baseline("matmult", 1, "one thread of the host, in double"));
  all.push_back(baseline("matmult_all_cores",
                         static_cast<int>(std::max(1u, std::thread::hardware_concurrency())),
                         "the same, rows spread over all cores"));
  all.push_back(copy_row("copy_2d", &row_copies::copy_at_once, "all rows by one cudaMemcpy2D"));
  all.push_back(copy_row("copy_each_row", &row_copies::copy_each_row, "a cudaMemcpy for each row"));
  all.push_back(coalesce::make_show("row_limits", row_limits,
                                    "how long a row in shared memory may be, and what it costs"));
  all.push_back(coalesce::make_show("what_kahan_buys", what_kahan_buys,
                                    "errors of a float, of Kahan's sum and of a double"));
  return all;
}

}  // namespace lab52
