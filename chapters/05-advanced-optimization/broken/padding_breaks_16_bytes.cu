// Wrong: a pitch of 33 ints ends the bank conflicts of 4-byte accesses, but row 1 then begins at a multiple
// of 4 bytes only, and an access of 16 bytes wants a multiple of 16.
// expect: cpu exit 86 /misaligned load of 16 bytes.*16_bytes\.cu:14.*cudaErrorMisalignedAddress/
// expect: gpu exit 1 /cudaErrorMisalignedAddress/
#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void sum_kernel(int* sum) {
  constexpr int pitch = 33;
  alignas(16) __shared__ int tile[32 * pitch];
  const int t = threadIdx.x;
  for (int row = 0; row < 32; ++row) tile[row * pitch + t] = row;
  __syncthreads();
  const int4 four = *reinterpret_cast<const int4*>(&tile[t * pitch]);  // row t
  atomicAdd(sum, four.x + four.y + four.z + four.w);
}
// [/broken]

int main() {
  int sum = 0, *d_sum = nullptr;
  CHECK(cudaMalloc(&d_sum, sizeof sum));
  CHECK(cudaMemset(d_sum, 0, sizeof sum));
  sum_kernel<<<1, 32>>>(d_sum);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_sum));
  std::printf("sum %d\n", sum);
  return 0;
}
