#pragma once

#include <cstddef>
#include <span>

namespace chapter02 {

/// b[i] = 3 a[i] + 1, by one loop on the host.
// [reference]
inline void scale(std::span<const int> a, std::span<int> b) {
  for (std::size_t i = 0; i < a.size(); ++i) b[i] = 3 * a[i] + 1;
}
// [/reference]

}  // namespace chapter02
