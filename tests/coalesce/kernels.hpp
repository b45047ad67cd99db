#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "coalesce/launch.hpp"

/// Small kernels of the support library's tests, behind plain functions so that the tests are .cpp.
namespace coalesce_test {

/// Writes `value` to n elements.
void fill(int* d_out, std::int64_t n, int value, cudaStream_t stream = nullptr);

/// Writes `value` to all elements but the last: a kernel whose grid rounds down.
void fill_all_but_last(float* d_out, std::int64_t n, float value);

/// One thread writes 1; launched in whatever shape is asked.
void touch(int* d_flag, const coalesce::launch_shape& shape);
/// Address of the kernel behind touch().
const void* touch_address();

/// A block writes and reads its whole dynamic shared memory; `*d_out` becomes the last byte plus 1.
void use_dynamic_shared(int* d_out, std::size_t bytes);

/// The last of (2^22 + 1) blocks of 1024 threads writes its number, wrapped and widened.
void last_indices(std::int64_t* d_out);

/// A kernel that ends in a trap, launched without any check.
void trap_unchecked();

/// Every thread of a full GPU does `steps` dependent multiply-adds; takes time in proportion.
void work(float* d_out, int steps, cudaStream_t stream);

}  // namespace coalesce_test
