#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace lab91 {

/// d_out[i] = d_in[i] / 2, n elements on the device each.
void halve(const float* d_in, std::int64_t n, float* d_out, cudaStream_t stream);

}  // namespace lab91
