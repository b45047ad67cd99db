// Wrong: indices are moved into the list before they are used.
// in place of: list_texture.cu
// reject: list wrong_value
#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab54 {
namespace {

// [kernel]
__global__ void fetch_kernel(cudaTextureObject_t list, const int* index, std::int64_t n,
                             float* ys) {
  // [answer]
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) ys[i] = tex1Dfetch<float>(list, index[i] < 0 ? 0 : index[i]);
  // [/answer]
}
// [/kernel]

}  // namespace

// [make]
cudaTextureObject_t make_list_texture(const float* d_list, std::int64_t count) {
  cudaTextureObject_t texture = 0;
  // [answer]
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<float*>(d_list);
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = static_cast<std::size_t>(count) * sizeof(float);
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  COALESCE_CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  // [/answer]
  return texture;
}
// [/make]

void fetch(cudaTextureObject_t list, const int* d_index, std::int64_t n, float* d_y,
           cudaStream_t stream) {
  // [answer]
  const int block = 256;
  coalesce::launch(fetch_kernel, {coalesce::grid_for(n, block), block, 0, stream}, list, d_index, n,
                   d_y);
  // [/answer]
}

}  // namespace lab54
