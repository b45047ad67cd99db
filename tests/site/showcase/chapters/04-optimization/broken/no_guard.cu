// [kernel]
__global__ void add_one(int* values) {
  values[blockIdx.x * blockDim.x + threadIdx.x] += 1;  // no guard
}
// [/kernel]
