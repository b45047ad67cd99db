#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cases.hpp"
#include "coalesce/device_buffer.hpp"

/// What the checks of additions share: c = a + b, by whatever kernel.
namespace coalesce::lab {

using floats = std::vector<float>;

/// n random floats from -1 to 1.
floats draw(std::int64_t n, std::uint64_t seed);

/// n elements that nobody has written.
floats poisoned(std::int64_t n);

bool same_bytes(const floats& x, const floats& y);

/// What is wrong with the sums `c`, and which mistake leaves such a value.
/// \param c     as long as a and b, and poisoned before
/// \param place of an element, in words: "element 5"
outcome compare_sums(std::span<const float> a, std::span<const float> b, std::span<const float> c,
                     const std::function<std::string(std::int64_t i)>& place);

/// Limits on the work of launches that add n elements, each once and by neighbours.
std::vector<count_limit> addition_limits(std::int64_t n);

/// An addition of n elements of the device, enqueued on a stream.
using stream_addition =
    std::function<void(const float* d_a, const float* d_b, float* d_c, cudaStream_t stream)>;

/// Finds an addition that leaves its stream, and one that waits: the stream is held until `add` has
/// returned, and brings its input only then.
outcome check_own_stream(std::int64_t n, std::uint64_t seed, const stream_addition& add);

}  // namespace coalesce::lab
