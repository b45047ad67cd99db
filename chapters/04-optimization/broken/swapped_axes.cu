// Wrong: rows are ny elements apart in this program, and nx in memory. A square matrix would not show it.
// expect: cpu exit 1 /square: right.*360 wrong/
// expect: gpu exit 1 /square: right.*360 wrong/
#include <vector>

#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void add(const float* a, const float* b, int nx, int ny, float* c) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < nx && row < ny) c[row * ny + col] = a[row * ny + col] + b[row * ny + col];
}
// [/broken]

int wrong_elements(int nx, int ny) {
  const std::size_t n = nx * ny, bytes = n * sizeof(float);
  std::vector<float> a(n, 1), b(n, 2), c(n, 0);
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  for (float** d : {&d_a, &d_b, &d_c}) CHECK(cudaMalloc(d, bytes));
  CHECK(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_c, 0, bytes));
  add<<<dim3((nx + 15) / 16, (ny + 15) / 16), dim3(16, 16)>>>(d_a, d_b, nx, ny, d_c);
  CHECK(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (const float sum : c) wrong += sum != 3;
  return wrong;
}

int main() {
  std::printf("square: %s\n", wrong_elements(40, 40) == 0 ? "right" : "wrong");
  const int wrong = wrong_elements(40, 25);
  std::printf("40 columns, 25 rows: %d wrong\n", wrong);
  return wrong != 0;
}
