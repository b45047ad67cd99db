#pragma once

#include <stdexcept>

#include "check_data.hpp"
#include "coalesce/error.hpp"

/// Checks of matmult_cuda and matmult_pitched, with a version of our own that looks at what arrives.
namespace lab52::check {

using matmult_function = void(const float* a, const float* b, float* c, const shape& s,
                              product_on_device* multiply, int threads);

/// What the last call of `watching` saw.
struct seen {
  int calls = 0;
  shape s;
  int threads = 0;
  matrix<float> a{0, 0, 1, 0}, b{0, 0, 1, 0};
};
inline seen last_seen;

/// Multiplies on the host what lies on the device.
inline void watching(const float* d_a, const float* d_b, float* d_c, const shape& s, int threads,
                     cudaStream_t stream) {
  const auto copy = [](float* to, std::int64_t ld_to, const float* from, std::int64_t ld_from,
                       std::int64_t cols, std::int64_t rows) {
    if (rows * cols > 0)
      COALESCE_CHECK(cudaMemcpy2D(to, ld_to * sizeof(float), from, ld_from * sizeof(float),
                                  cols * sizeof(float), rows, cudaMemcpyDefault));
  };
  COALESCE_CHECK(cudaStreamSynchronize(stream));
  factors f{{s.m, s.n, s.n, 0}, {s.n, s.p, s.p, 0}};
  copy(f.a.values.data(), s.n, d_a, s.lda, s.n, s.m);
  copy(f.b.values.data(), s.p, d_b, s.ldb, s.p, s.n);
  shape packed = s;
  packed.ldc = s.p;
  const matrix<float> c = product_of(f, packed);
  copy(d_c, s.ldc, c.values.data(), s.p, s.p, s.m);
  last_seen = {last_seen.calls + 1, s, threads, f.a, f.b};
}

inline void failing(const float*, const float*, float*, const shape&, int, cudaStream_t) {
  throw std::runtime_error("this version fails");
}

/// Where a factor that arrived differs from the one that was sent.
inline outcome compare_arrived(const char* name, const matrix<float>& sent,
                               const matrix<float>& arrived) {
  for (std::int64_t row = 0; row < sent.rows; ++row)
    for (std::int64_t col = 0; col < sent.cols; ++col)
      if (arrived.at(row, col) != sent.at(row, col))
        return {"wrong_factor", is_not(std::string("on the device ") + name + place(row, col),
                                       arrived.at(row, col), sent.at(row, col))};
  return {};
}

inline outcome check_copies(matmult_function* matmult, const shape& s, std::uint64_t seed) {
  matrix<float> last(s.m, s.p, s.ldc, before);
  for (int call = 0; call < 2; ++call) {
    const factors f = make_factors(s, seed + static_cast<std::uint64_t>(call)), same = f;
    matrix<float> c(s.m, s.p, s.ldc, before);
    last_seen = {};
    matmult(f.a.values.data(), f.b.values.data(), c.values.data(), s, watching, 96);
    if (s.m * s.p == 0) return {};
    const matrix<float> want = product_of(f, s);
    if (call > 0 && c.values != want.values && c.values == last.values)
      return {"cached_answer", "C is the product of the call before"};
    last = c;
    if (last_seen.calls != 1)
      return {"not_called", is_not("the number of calls of `multiply`", last_seen.calls, 1)};
    if (last_seen.s.m != s.m || last_seen.s.n != s.n || last_seen.s.p != s.p ||
        last_seen.threads != 96)
      return {"wrong_arguments", "`multiply` was called with another shape or number of threads"};
    for (const outcome& found :
         {compare_arrived("A", f.a, last_seen.a), compare_arrived("B", f.b, last_seen.b),
          compare_exactly(c, want, usual_faults(f, s))})
      if (!found.right())
        return found.reason == "nothing_written"
                   ? outcome{"not_copied_back", found.message + ": nothing came back"}
                   : found;
    if (std::memcmp(f.a.values.data(), same.a.values.data(), f.a.values.size() * 4) != 0 ||
        std::memcmp(f.b.values.data(), same.b.values.data(), f.b.values.size() * 4) != 0)
      return {"input_changed", "A or B of the host is not what it was before"};
  }
  return {};
}

/// Rows as far apart as cudaMallocPitch puts them.
inline outcome check_pitch(std::uint64_t seed) {
  const shape s = with_padding(5, 250, 40);
  if (const outcome found = check_copies(matmult_pitched, s, seed); !found.right()) return found;
  const auto pitch_of = [](std::int64_t rows, std::int64_t cols) {
    void* data = nullptr;
    std::size_t pitch = 0;
    COALESCE_CHECK(cudaMallocPitch(&data, &pitch, cols * sizeof(float), rows));
    COALESCE_CHECK(cudaFree(data));
    return static_cast<std::int64_t>(pitch / sizeof(float));
  };
  const std::int64_t want[] = {pitch_of(s.m, s.n), pitch_of(s.n, s.p), pitch_of(s.m, s.p)};
  const std::int64_t got[] = {last_seen.s.lda, last_seen.s.ldb, last_seen.s.ldc};
  for (int i = 0; i < 3; ++i)
    if (got[i] != want[i])
      return {"no_pitch", is_not(std::string("the leading dimension of ") + "ABC"[i],
                                 static_cast<double>(got[i]), static_cast<double>(want[i])) +
                              " floats, which is cudaMallocPitch's pitch"};
  return {};
}

/// Matrices that no device can hold, and a version that throws; then a product that works.
inline outcome check_failures(matmult_function* matmult, std::uint64_t seed) {
  const std::int64_t n = std::int64_t{1} << 20;  // 4 TiB each
  float nothing = before;
  try {
    matmult(&nothing, &nothing, &nothing, {.m = n, .n = n, .p = n, .lda = n, .ldb = n, .ldc = n},
            watching, 32);
    return {"error_swallowed",
            "matrices of 4 TiB were asked for, and nobody said that there is no room"};
  } catch (const coalesce::cuda_error&) {
    static_cast<void>(cudaGetLastError());
  }
  const shape s = with_padding(3, 4, 5);
  const factors f = make_factors(s, seed);
  matrix<float> c(s.m, s.p, s.ldc, before);
  try {
    matmult(f.a.values.data(), f.b.values.data(), c.values.data(), s, failing, 32);
    return {"error_swallowed", "`multiply` threw an exception, and nobody heard of it"};
  } catch (const std::runtime_error&) {
  }
  return check_copies(matmult, s, seed);
}

/// Rows of the host that lie 8 GiB apart.
inline outcome check_far_host(matmult_function* matmult, std::uint64_t seed) {
  const shape s = with_padding(3, 2, 2);
  const factors f = make_factors(s, seed);
  const sparse<float> a(2 * huge_ld + 2), b(huge_ld + 2), c(2 * huge_ld + 2);
  for (std::int64_t i = 0; i < 6; ++i) a[i / 2 * huge_ld + i % 2] = f.a.at(i / 2, i % 2);
  for (std::int64_t i = 0; i < 4; ++i) b[i / 2 * huge_ld + i % 2] = f.b.at(i / 2, i % 2);
  matmult(a.data(), b.data(), c.data(),
          {.m = 3, .n = 2, .p = 2, .lda = huge_ld, .ldb = huge_ld, .ldc = huge_ld}, watching, 32);
  matrix<float> got(s.m, s.p, s.ldc, before);
  for (std::int64_t i = 0; i < 6; ++i) got.at(i / 2, i % 2) = c[i / 2 * huge_ld + i % 2];
  const outcome found = compare_exactly(got, product_of(f, s), {});
  return found.right() ? found : outcome{"index_wrap", found.message};
}

}  // namespace lab52::check
