// Wrong: the buffer is filled again while its copy is still on its way.
// in place of: upload.cu
// reject on the CPU device: upload early_host_access
#include <algorithm>

#include "coalesce/error.hpp"
#include "lab.hpp"

namespace lab54 {

// [upload]
void upload(const float* values, std::int64_t n, float* d_to, std::int64_t staging,
            cudaStream_t stream) {
  // [answer]
  if (n == 0) return;
  const host_array buffer(host_kind::pinned, std::min(n, staging));
  for (std::int64_t first = 0; first < n; first += buffer.size()) {
    const std::int64_t piece = std::min(buffer.size(), n - first);
    std::copy_n(values + first, piece, buffer.data());
    COALESCE_CHECK(cudaMemcpyAsync(d_to + first, buffer.data(), piece * sizeof(float),
                                   cudaMemcpyHostToDevice, stream));
  }
  COALESCE_CHECK(cudaStreamSynchronize(stream));
  // [/answer]
}
// [/upload]

}  // namespace lab54
