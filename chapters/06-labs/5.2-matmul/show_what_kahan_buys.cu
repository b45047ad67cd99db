// Shows the errors of three sums, a float, Kahan's and a double, on random data and on data where a float
// stops growing: 2^24, and then ones.
#include <cstdio>
#include <vector>

#include "lab.hpp"
#include "shows.hpp"

namespace lab52 {
namespace {

struct way {
  const char* name;
  product_on_device* multiply;
};
constexpr way ways[] = {
    {"float", product_rows}, {"Kahan", product_kahan}, {"double", product_double}};

void compare(const char* data, const std::vector<float>& a, const std::vector<float>& b,
             const shape& s) {
  std::vector<double> want(static_cast<std::size_t>(s.m * s.p));
  matmult(a.data(), b.data(), want.data(), s);
  std::printf("%s\n", data);
  for (const way& one : ways) {
    std::vector<float> got(want.size());
    matmult_cuda(a.data(), b.data(), got.data(), s, one.multiply, 64);
    const errors found = compare_mat(got.data(), s.ldc, want.data(), s.ldc, s.m, s.p);
    std::printf("  %-7s mean error %-10.3g largest %.3g\n", one.name, found.mean, found.largest);
  }
}

}  // namespace

int what_kahan_buys(std::int64_t) {
  const shape s{.m = 4, .n = 4001, .p = 16, .lda = 4001, .ldb = 16, .ldc = 16};
  std::vector<float> a(static_cast<std::size_t>(s.m * s.n)), b(static_cast<std::size_t>(s.n * s.p));
  matgen(a.data(), s.m, s.n, s.lda, 1);
  matgen(b.data(), s.n, s.p, s.ldb, 2);
  compare("4001 terms, random factors from 0 to 1", a, b, s);

  a.assign(a.size(), 1);
  b.assign(b.size(), 1);
  for (std::int64_t col = 0; col < s.p; ++col) b[static_cast<std::size_t>(col)] = 0x1p24f;
  compare("2^24, then 4000 ones", a, b, s);
  return 0;
}

}  // namespace lab52
