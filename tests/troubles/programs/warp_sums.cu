// Right: sums of every width of a warp, by shared memory with __syncwarp and by shuffles with the full mask,
// against a plain sum.
// expect: cpu exit 0 /\A6 widths, 2 ways: all right\s*\Z/
// expect: gpu exit 0 /\A6 widths, 2 ways: all right\s*\Z/
// expect: racecheck exit 0
// expect: nogpu exit 77 /\ASKIP: no GPU/
#include <cuda_runtime.h>

#include <cstdio>

constexpr unsigned all_lanes = 0xffffffffu;

/// Sums of the first `width` lanes of each part of that width, by both ways, one number a lane each.
__global__ void sums(const int* values, int width, int* by_memory, int* by_shuffle) {
  __shared__ int part[32];
  const int lane = threadIdx.x;
  int mine = values[lane];
  for (int apart = width / 2; apart > 0; apart /= 2) {
    part[lane] = mine;
    __syncwarp();  // all have written
    mine += part[lane ^ apart];
    __syncwarp();  // all have read
  }
  by_memory[lane] = mine;
  mine = values[lane];
  for (int apart = width / 2; apart > 0; apart /= 2)
    mine += __shfl_xor_sync(all_lanes, mine, apart, width);
  by_shuffle[lane] = mine;
}

int main() {
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    std::puts("SKIP: no GPU");
    return 77;
  }
  int values[32], got[2][32], *d = nullptr, wrong = 0;
  for (int lane = 0; lane < 32; ++lane) values[lane] = 3 * lane * lane - 100;
  if (cudaMalloc(&d, 3 * sizeof values) != cudaSuccess) return 1;
  if (cudaMemcpy(d, values, sizeof values, cudaMemcpyHostToDevice) != cudaSuccess) return 1;
  for (int width = 1; width <= 32; width *= 2) {
    sums<<<1, 32>>>(d, width, d + 32, d + 64);
    if (cudaGetLastError() != cudaSuccess) return 1;
    if (cudaMemcpy(got, d + 32, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    for (int lane = 0; lane < 32; ++lane) {
      int want = 0;
      for (int i = lane / width * width; i < lane / width * width + width; ++i) want += values[i];
      wrong += (got[0][lane] != want) + (got[1][lane] != want);
    }
  }
  cudaFree(d);
  std::printf("6 widths, 2 ways: %s\n", wrong == 0 ? "all right" : "wrong");
  return wrong == 0 ? 0 : 1;
}
