// An image drawn anew from global memory: what the texture unit does, in instructions.
#include "coalesce/launch.hpp"
#include "plain.hpp"

namespace lab54::plain {
namespace {

/// An image in global memory with clamped edges.
struct image_view {
  const float* pixels;
  int width, height;

  __device__ float at(int col, int row) const {
    const int c = min(max(col, 0), width - 1), r = min(max(row, 0), height - 1);
    return pixels[std::int64_t{r} * width + c];
  }
};

__device__ float point(const image_view& image, float x, float y) {
  return image.at(static_cast<int>(floorf(x)), static_cast<int>(floorf(y)));
}

__device__ float linear(const image_view& image, float x, float y) {
  const float left = floorf(x - 0.5f), top = floorf(y - 0.5f);
  const float a = x - 0.5f - left, b = y - 0.5f - top;
  const int col = static_cast<int>(left), row = static_cast<int>(top);
  return (1 - b) * ((1 - a) * image.at(col, row) + a * image.at(col + 1, row)) +
         b * ((1 - a) * image.at(col, row + 1) + a * image.at(col + 1, row + 1));
}

template <cudaTextureFilterMode filter>
__global__ void resample_kernel(image_view image, plane_map where, float* out, int width,
                                int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;
  const float x = where.xx * (col + 0.5f) + where.xy * (row + 0.5f) + where.x0;
  const float y = where.yx * (col + 0.5f) + where.yy * (row + 0.5f) + where.y0;
  const float value = filter == cudaFilterModeLinear ? linear(image, x, y) : point(image, x, y);
  out[std::int64_t{row} * width + col] = value;
}

}  // namespace

void resample(const float* d_image, int image_width, int image_height, cudaTextureFilterMode filter,
              const plane_map& where, float* d_out, int width, int height, cudaStream_t stream) {
  const dim3 block(32, 8);
  const auto kernel = filter == cudaFilterModeLinear ? resample_kernel<cudaFilterModeLinear>
                                                     : resample_kernel<cudaFilterModePoint>;
  coalesce::launch(kernel, {coalesce::grid_for(width, height, block), block, 0, stream},
                   image_view{d_image, image_width, image_height}, where, d_out, width, height);
}

}  // namespace lab54::plain
