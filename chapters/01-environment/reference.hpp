#pragma once

#include <cstddef>
#include <span>

namespace chapter01 {

/// Every number of `in`, plus one, by one loop on the host.
// [reference]
inline void add_one(std::span<const int> in, std::span<int> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] + 1;
}
// [/reference]

}  // namespace chapter01
