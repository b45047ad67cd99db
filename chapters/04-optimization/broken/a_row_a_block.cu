// Wrong: a block a row, counted along y, where a grid ends at 65535. Nobody asks what became of the launch.
// expect: cpu exit 1 /70000 rows: 70000 wrong/
// expect: gpu exit 1 /70000 rows: 70000 wrong/
#include <vector>

#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void fill(float* column) {
  column[blockIdx.y] = 1;
}

void fill_rows(float* d_column, int ny) {
  fill<<<dim3(1, ny), 1>>>(d_column);
}
// [/broken]

int main() {
  for (const int ny : {60000, 70000}) {
    std::vector<float> column(ny);
    float* d_column = nullptr;
    CHECK(cudaMalloc(&d_column, ny * sizeof(float)));
    CHECK(cudaMemset(d_column, 0, ny * sizeof(float)));
    fill_rows(d_column, ny);
    CHECK(cudaMemcpy(column.data(), d_column, ny * sizeof(float), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (const float value : column) wrong += value != 1;
    std::printf("%d rows: %d wrong\n", ny, wrong);
    if (wrong != 0) return 1;
  }
  return 0;
}
