// Wrong: a texture reference, a variable of the file as older books show it. It is gone since CUDA 12.
// expect: nvcc compile-error /texture is not a template/
// expect: cpu compile-error /no template named 'texture'/

// [broken]
texture<int, 1, cudaReadModeElementType> table;

__global__ void look_up_kernel(int* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = tex1Dfetch(table, i);
}
// [/broken]

int main() {
  return 0;
}
