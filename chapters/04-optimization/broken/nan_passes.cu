// Wrong: the check looks for differences above a tolerance, and no comparison with NaN is true.
// expect: cpu exit 1 /first check: right.*second check: wrong/
// expect: gpu exit 1 /first check: right.*second check: wrong/
#include <cmath>
#include <vector>

#include "../../03-first-gpu-program/check.hpp"

int main() {
  const int n = 1000;
  std::vector<float> want(n, 3), got(n);
  float* d_c = nullptr;
  CHECK(cudaMalloc(&d_c, n * sizeof(float)));
  CHECK(cudaMemset(d_c, 0xFF, n * sizeof(float)));  // every float is NaN, and no kernel is launched
  CHECK(cudaMemcpy(got.data(), d_c, n * sizeof(float), cudaMemcpyDeviceToHost));

  // [broken]
  bool right = true;
  for (int i = 0; i < n; ++i)
    if (std::fabs(got[i] - want[i]) > 1e-5) right = false;
  // [/broken]
  std::printf("first check: %s\n", right ? "right" : "wrong");

  bool equal = true;
  for (int i = 0; i < n; ++i)
    if (!(got[i] == want[i])) equal = false;
  std::printf("second check: %s\n", equal ? "right" : "wrong");
  return 1;
}
