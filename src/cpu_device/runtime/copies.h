/// @file
/// Fills, as memset nodes of graphs want them.
#pragma once

#include <cuda_runtime.h>

namespace cpu_device {

/// Fills rows of `width` bytes with a value of `element` bytes: 1, 2 or 4.
cudaError_t fill(void* target, size_t pitch, unsigned int value, size_t element, size_t width,
                 size_t height, cudaStream_t stream);

}  // namespace cpu_device
