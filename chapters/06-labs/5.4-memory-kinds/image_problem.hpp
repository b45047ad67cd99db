#pragma once

#include <array>
#include <optional>

#include "device_problems.hpp"

namespace lab54 {

/// How an output is laid over its image.
enum class overlay {
  straight,      ///< as it is
  quarter_turn,  ///< a row of the output is a column of the image
  slanted,       ///< neither rows nor columns stay together
};

/// An image drawn anew, of its own size turned or not: from a texture, or from global memory.
class image_problem final : public device_problem<float> {
 public:
  explicit image_problem(std::int64_t n)
      : device_problem(sides(n).count(), sides(n).count()), shape_(n) {}

  void by_texture(overlay how, cudaTextureFilterMode filter, cudaStream_t stream) {
    if (in.empty()) return;
    const sides out = shape_of(how);
    const bool smooth = filter == cudaFilterModeLinear;
    resample(*textures_[smooth], map_of(how), d_out.data(), out.width, out.height, stream);
  }
  void by_loads(overlay how, cudaTextureFilterMode filter, cudaStream_t stream) {
    const sides out = shape_of(how);
    plain::resample(d_in.data(), shape_.width, shape_.height, filter, map_of(how), d_out.data(),
                    out.width, out.height, stream);
  }
  /// The check for one way of drawing.
  coalesce::verdict check_overlay(overlay how, cudaTextureFilterMode filter) {
    const sides out = shape_of(how);
    const plane_map m = map_of(how);
    for (std::int64_t i = 0; i < out.count(); ++i) {
      const float x = static_cast<float>(i % out.width) + 0.5f,
                  y = static_cast<float>(i / out.width) + 0.5f;
      const float at_x = m.xx * x + m.xy * y + m.x0, at_y = m.yx * x + m.yy * y + m.y0;
      want[i] = filter == cudaFilterModeLinear
                    ? filtered(in.data(), shape_.width, shape_.height, at_x, at_y)
                    : pixel(std::floor(at_x), std::floor(at_y));
      allowed[i] = filter == cudaFilterModeLinear ? 1.0 / 128 : 0;
    }
    return check();
  }

 private:
  void draw(std::uint64_t seed) override {
    coalesce::fill_random_floats(in, 1, 2, seed);
    if (in.empty()) return;
    for (const auto filter : {cudaFilterModePoint, cudaFilterModeLinear})
      textures_[filter == cudaFilterModeLinear].emplace(in.data(), shape_.width, shape_.height,
                                                        filter, cudaAddressModeClamp);
  }
  sides shape_of(overlay how) const {
    sides out = shape_;
    if (how == overlay::quarter_turn) std::swap(out.width, out.height);
    return out;
  }
  /// All places are an eighth of a pixel off the edges between pixels, or more.
  plane_map map_of(overlay how) const {
    const auto height = static_cast<float>(shape_.height);
    switch (how) {
      case overlay::straight:
        return {1, 0, 0.125f, 0, 1, 0.125f};
      case overlay::quarter_turn:
        return {0, 1, 0.125f, -1, 0, height - 0.125f};
      case overlay::slanted:
        return {0.75f, 0.25f, 0.125f, -0.25f, 0.75f, 0.125f + height / 4};
    }
    return {};
  }
  double pixel(float col, float row) const {
    const int c = std::clamp(static_cast<int>(col), 0, shape_.width - 1);
    const int r = std::clamp(static_cast<int>(row), 0, shape_.height - 1);
    return in[static_cast<std::size_t>(r) * shape_.width + c];
  }

  sides shape_;
  std::array<std::optional<image_texture>, 2> textures_;  // point, linear
};

}  // namespace lab54
