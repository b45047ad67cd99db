// Wrong: the array outlives its texture.
// in place of: image_texture.cu
// reject on the CPU device: texture leak
#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab54 {
namespace {

// [kernel]
__global__ void resample_kernel(cudaTextureObject_t image, plane_map where, float* out, int width,
                                int height) {
  // [answer]
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;
  const float x = col + 0.5f, y = row + 0.5f;  // the pixel's centre
  out[std::int64_t{row} * width + col] = tex2D<float>(image, where.xx * x + where.xy * y + where.x0,
                                                      where.yx * x + where.yy * y + where.y0);
  // [/answer]
}
// [/kernel]

}  // namespace

// [make]
image_texture::image_texture(const float* image, int width, int height,
                             cudaTextureFilterMode filter, cudaTextureAddressMode edges) {
  // [answer]
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  COALESCE_CHECK(cudaMallocArray(&array_, &format, width, height));
  const std::size_t row_bytes = width * sizeof(float);
  COALESCE_CHECK(cudaMemcpy2DToArray(array_, 0, 0, image, row_bytes, row_bytes, height,
                                     cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array_;
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = edges;
  how.filterMode = filter;
  how.readMode = cudaReadModeElementType;
  how.normalizedCoords = 0;  // in pixels
  COALESCE_CHECK(cudaCreateTextureObject(&texture_, &resource, &how, nullptr));
  // [/answer]
}

image_texture::~image_texture() {
  // [answer]
  coalesce::report_failure(cudaDestroyTextureObject(texture_),
                           "cudaDestroyTextureObject(texture_)");
  // [/answer]
}
// [/make]

void resample(const image_texture& image, const plane_map& where, float* d_out, int width,
              int height, cudaStream_t stream) {
  // [answer]
  const dim3 block(32, 8);
  coalesce::launch(resample_kernel, {coalesce::grid_for(width, height, block), block, 0, stream},
                   image.get(), where, d_out, width, height);
  // [/answer]
}

}  // namespace lab54
