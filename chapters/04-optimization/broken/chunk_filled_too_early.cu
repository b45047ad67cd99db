// Wrong: one pinned chunk for all pieces, filled again while the copy of the piece before still reads it.
// expect: gpu exit 1 /[1-9]\d* of 8 pieces arrived with the bytes of a later one/
// expect: cpu not-run: the CPU device copies inside the call
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

int main() {
  constexpr std::size_t piece = std::size_t{32} << 20, pieces = 8;
  unsigned char *d_bytes = nullptr, *chunk = nullptr;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&d_bytes, pieces * piece);
  cudaMallocHost(&chunk, piece);

  // [broken]
  for (std::size_t i = 0; i < pieces; ++i) {
    std::memset(chunk, static_cast<int>(i), piece);  // stands for the copy from the pageable array
    cudaMemcpyAsync(d_bytes + i * piece, chunk, piece, cudaMemcpyHostToDevice, stream);
    // waiting for this copy, or filling another chunk meanwhile, was meant here
  }
  // [/broken]

  cudaStreamSynchronize(stream);
  std::vector<unsigned char> arrived(pieces * piece);
  cudaMemcpy(arrived.data(), d_bytes, arrived.size(), cudaMemcpyDeviceToHost);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    bool right = true;
    for (std::size_t k = i * piece; k < (i + 1) * piece; ++k) right = right && arrived[k] == i;
    wrong += !right;
  }
  std::printf("%zu of %zu pieces arrived with the bytes of a later one\n", wrong, pieces);
  return wrong == 0 ? 0 : 1;
}
