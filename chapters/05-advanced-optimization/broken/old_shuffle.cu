// Wrong: the shuffle of older books, without _sync and without a mask. It is gone from compute capability 7.0 on.
// expect: nvcc compile-error /identifier "__shfl_down" is undefined/
// expect: cpu compile-error /undeclared identifier '__shfl_down'/

// [broken]
__global__ void sum_kernel(int* values) {
  int mine = values[threadIdx.x];
  for (int apart = 16; apart > 0; apart /= 2) mine += __shfl_down(mine, apart);
  values[threadIdx.x] = mine;
}
// [/broken]

int main() {
  return 0;
}
