// Wrong: a struct with a member that only the device's pass of the compiler sees. Host and device
// disagree about its size, so the device looks for the second value in the wrong place.
// expect: cpu exit 1 /sample 1 holds .*, the device read/
// expect: gpu exit 1 /sample 1 holds .*, the device read/
#include <cuda_runtime.h>

#include <cstdio>

// [struct]
struct sample {
  int id;
#ifdef __CUDA_ARCH__
  int lane;  // only while device code is compiled
#endif
  int value;
};

__global__ void read_kernel(const sample* samples, int* value, int* size) {
  *value = samples[1].value;
  *size = sizeof(sample);
}
// [/struct]

int main() {
  const sample samples[4] = {{0, 100}, {1, 101}, {2, 102}, {3, 103}};
  sample* d_samples = nullptr;
  int* d_out = nullptr;
  int out[2] = {-1, -1};
  if (cudaMalloc(&d_samples, sizeof samples) != cudaSuccess) return 2;
  if (cudaMalloc(&d_out, sizeof out) != cudaSuccess) return 2;
  cudaMemcpy(d_samples, samples, sizeof samples, cudaMemcpyHostToDevice);
  read_kernel<<<1, 1>>>(d_samples, d_out, d_out + 1);
  if (cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;

  std::printf("sizeof(sample): %zu on the host, %d on the device\n", sizeof(sample), out[1]);
  std::printf("sample 1 holds %d, the device read %d\n", samples[1].value, out[0]);
  return out[0] == samples[1].value ? 0 : 1;
}
