/// @file
/// CUDA arrays: here ordinary device memory, row after row.
#pragma once

#include <cuda_runtime.h>

struct cudaArray {
  char* memory = nullptr;
  cudaChannelFormatDesc format{};
  cudaExtent extent{};  ///< in elements; 0: the array lacks that dimension
  size_t element_bytes = 0;
  size_t pitch = 0;  ///< bytes from row to row
  unsigned int flags = 0;

  size_t rows() const { return extent.height ? extent.height : 1; }
  size_t slices() const { return extent.depth ? extent.depth : 1; }
  char* at(size_t x_bytes, size_t y, size_t z) const {
    return memory + (z * rows() + y) * pitch + x_bytes;
  }
};

namespace cpu_device {

/// Bytes of an element, or 0 for a format that CUDA does not have.
size_t element_bytes(const cudaChannelFormatDesc& format);
bool is_array(const cudaArray* array);

}  // namespace cpu_device
