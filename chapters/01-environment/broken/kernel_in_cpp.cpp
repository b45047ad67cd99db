// Wrong: a kernel in a file that ends in .cpp. It goes to the C++ compiler, which knows no kernels.
// expect: g++ compile-error /__global__.* does not name a type/
// expect: nvcc compile-error /__global__.* does not name a type/

// [kernel]
__global__ void nothing_kernel() {}

int main() {
  nothing_kernel<<<1, 1>>>();
}
// [/kernel]
