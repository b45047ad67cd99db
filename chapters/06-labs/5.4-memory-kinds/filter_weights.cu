// Linear filtering as the texture unit does it, on the host: weights have 8 bits behind the point.
#include <algorithm>
#include <cmath>

#include "lab.hpp"

namespace lab54 {

// [filtered]
float filtered(const float* image, int width, int height, float x, float y) {
  float value = 0;
  // [answer]
  const float left = std::floor(x - 0.5f), top = std::floor(y - 0.5f);  // centres before (x, y)
  const float right = std::round((x - 0.5f - left) * 256) / 256;  // weight of the right column
  const float bottom = std::round((y - 0.5f - top) * 256) / 256;  // and of the lower row
  const auto pixel = [=](float col, float row) {
    const int c = std::clamp(static_cast<int>(col), 0, width - 1);
    const int r = std::clamp(static_cast<int>(row), 0, height - 1);
    return image[static_cast<std::size_t>(r) * width + c];
  };
  value = (1 - bottom) * ((1 - right) * pixel(left, top) + right * pixel(left + 1, top)) +
          bottom * ((1 - right) * pixel(left, top + 1) + right * pixel(left + 1, top + 1));
  // [/answer]
  return value;
}
// [/filtered]

}  // namespace lab54
