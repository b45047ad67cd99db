// Forms that public programs use and our own had not: old headers, shared memory outside of kernels,
// the device's heap, tiles whose type does not tell their origin, wide shuffles.
#include <channel_descriptor.h>
#include <cooperative_groups.h>
#include <cuda.h>
#include <texture_types.h>

#include <cstdio>

namespace cg = cooperative_groups;

__shared__ int outside[64];
namespace {
__shared__ int unnamed[4];
}
__device__ int mirrored() {
  return outside[63 - threadIdx.x];
}
__global__ void shared_outside(int* out) {
  outside[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 4) unnamed[threadIdx.x] = 100;
  __syncthreads();
  out[threadIdx.x] = mirrored() + unnamed[threadIdx.x % 4];
}

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int n) : side(n) {}
  __device__ int area() const override { return side * side; }
};
__device__ Shape* shapes[32];
__global__ void create() {
  shapes[threadIdx.x] = new Square(threadIdx.x);
}
__global__ void destroy(int* out) {
  out[threadIdx.x] = shapes[threadIdx.x]->area();
  delete shapes[threadIdx.x];
}
__global__ void exhaust(int* out) {  // the heap has 8 MiB
  void* const most = malloc(7 << 20);
  out[0] = most != nullptr;
  out[1] = malloc(2 << 20) != nullptr;
  free(most);
  void* const again = malloc(7 << 20);
  out[2] = again != nullptr;
  free(again);
  free(nullptr);
}

__device__ int place(const cg::thread_block_tile<8>& tile) {
  return static_cast<int>(tile.meta_group_size() * 100 + tile.meta_group_rank() * 10);
}
__global__ void tiles(int* out) {
  const auto block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const int in_warp = place(cg::tiled_partition<8>(warp));
  const int in_block = place(cg::tiled_partition<8>(block));
  const unsigned n = threadIdx.x;
  const uint4 wide = warp.shfl_up(uint4{n, n + 1, n + 2, n + 3}, 1);
  out[n] = in_warp * 1000 + in_block + static_cast<int>(wide.w - wide.x);
  if (warp.shfl(double2{0.5 * n, 1}, 7).x != 3.5 + 16 * (n / 32)) out[n] = -1;
  if (warp.shfl_xor(int4{static_cast<int>(n), 0, 0, 0}, 1).x != static_cast<int>(n ^ 1))
    out[n] = -2;
}

int main() {
  int* out;
  cudaMallocManaged(&out, 64 * sizeof *out);
  shared_outside<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, shared_outside);
  std::printf("outside %d %d, %zu bytes\n", out[0], out[63], attributes.sharedSizeBytes);

  create<<<1, 32>>>();
  destroy<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  std::printf("areas %d %d\n", out[1], out[31]);
  exhaust<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  std::printf("heap %d %d %d\n", out[0], out[1], out[2]);

  tiles<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  std::printf("tiles %d %d\n", out[31], out[63]);

  const float* constant;
  volatile int* changing;
  std::printf("%s %s\n", cudaGetErrorName(cudaMalloc(&constant, 4)),
              cudaGetErrorName(cudaMallocManaged(&changing, 4)));
  int can = 1;
  const cudaError_t itself = cudaDeviceCanAccessPeer(&can, 0, 0);
  std::printf("peers %s %d, %s\n", cudaGetErrorName(itself), can,
              cudaGetErrorName(cudaDeviceCanAccessPeer(&can, 0, 1)));
  cudaGetLastError();
  cudaFree(const_cast<float*>(constant));
  cudaFree(const_cast<int*>(changing));
  cudaFree(out);
}
