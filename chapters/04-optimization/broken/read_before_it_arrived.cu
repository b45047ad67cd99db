// Wrong: an asynchronous copy has only begun when the call returns, and the host reads at once.
// expect: gpu exit 1 /the last byte is 0, and 7 once the copy is done/
// expect: cpu not-run: the CPU device copies inside the call
#include <cstddef>
#include <cstdio>
#include <cstring>

int main() {
  constexpr std::size_t bytes = std::size_t{256} << 20;
  unsigned char *d_bytes = nullptr, *bytes_here = nullptr;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&d_bytes, bytes);
  cudaMallocHost(&bytes_here, bytes);
  cudaMemset(d_bytes, 7, bytes);
  std::memset(bytes_here, 0, bytes);
  cudaDeviceSynchronize();

  // [broken]
  cudaMemcpyAsync(bytes_here, d_bytes, bytes, cudaMemcpyDeviceToHost, stream);
  const int seen = bytes_here[bytes - 1];  // cudaStreamSynchronize(stream) was meant before this
  // [/broken]

  cudaStreamSynchronize(stream);
  std::printf("the last byte is %d, and %d once the copy is done\n", seen, bytes_here[bytes - 1]);
  return seen == 7 ? 0 : 1;
}
