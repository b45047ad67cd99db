// first_check.cu: is there a device, and does it do what we ask?
// Adds 1 to every element of an array on the device, checks every element on the host, and says
// which device did it. A complete program: it needs no other file of the course.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

// [kernel]
__global__ void add_one_kernel(int* values, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

  if (i < n) values[i] = values[i] + 1;
}
// [/kernel]

namespace {

// [worked]
bool worked(cudaError_t answer, const char* what) {
  if (answer == cudaSuccess) return true;
  std::printf("%s failed: %s (%d), %s\n", what, cudaGetErrorName(answer), int{answer},
              cudaGetErrorString(answer));
  return false;
}
// [/worked]

// [launch]
bool add_one_on_the_device(std::vector<int>& values) {
  const int n = static_cast<int>(values.size());
  const std::size_t bytes = values.size() * sizeof(int);
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  int* d_values = nullptr;

  if (!worked(cudaMalloc(&d_values, bytes), "cudaMalloc")) return false;
  bool fine =
      worked(cudaMemcpy(d_values, values.data(), bytes, cudaMemcpyHostToDevice), "copying there");
  if (fine) {
    add_one_kernel<<<blocks, threads>>>(d_values, n);
    fine =
        worked(cudaGetLastError(), "launching the kernel") &&
        worked(cudaDeviceSynchronize(), "running the kernel") &&
        worked(cudaMemcpy(values.data(), d_values, bytes, cudaMemcpyDeviceToHost), "copying back");
  }
  return worked(cudaFree(d_values), "cudaFree") && fine;
}
// [/launch]

}  // namespace

// [main]
int main() {
  cudaDeviceProp device{};
  if (!worked(cudaGetDeviceProperties(&device, 0), "asking for device 0")) return 1;

  std::vector<int> values(1000);
  for (int i = 0; i < 1000; ++i) values[i] = 10 * i;
  if (!add_one_on_the_device(values)) return 1;

  for (int i = 0; i < 1000; ++i) {
    if (values[i] == 10 * i + 1) continue;
    std::printf("values[%d] is %d and should be %d\n", i, values[i], 10 * i + 1);
    return 1;
  }
  std::printf("%s (compute capability %d.%d) added 1 to 1000 numbers, all of them right\n",
              device.name, device.major, device.minor);
  return 0;
}
// [/main]
