#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Lab 5.3: what is asked for.
namespace lab53 {

// shape_add.cu

/// Adds two matrices, stored row by row: c[row][col] = a[row][col] + b[row][col].
///
/// One thread an element, x along the columns. Blocks of this shape cover the columns, and the rows
/// up to 65535 blocks, which is all that a grid has along y; threads walk on to the rows behind.
/// \param d_a, d_b    rows * cols floats each, on the device; not changed
/// \param rows, cols  from 0 on
/// \param d_c         rows * cols floats on the device; overwritten; none of the inputs
/// \param block       any shape with z = 1 and at most 1024 threads
/// \par Stream behaviour
/// Enqueued on `stream` and nowhere else.
/// \throws coalesce::launch_error, coalesce::cuda_error when the launch is refused
void add_in_blocks(const float* d_a, const float* d_b, std::int64_t rows, std::int64_t cols,
                   float* d_c, dim3 block, cudaStream_t stream);

// occupancy.cpp

/// How a multiprocessor deals out what it has. No property of a device tells this.
struct portions {
  int registers;  ///< what a warp gets is a multiple of this
  int parts;  ///< the multiprocessor has so many parts, each with an equal share of the registers;
              ///< a warp lives in one part
  std::size_t shared;  ///< what a block gets is a multiple of so many bytes
};

/// \par Source
/// cuda_occupancy.h of the CUDA toolkit: allocation granularities by compute capability.
inline portions portions_of(const cudaDeviceProp& device) {
  if (device.major < 3) return {64, 2, 128};
  return {256, 4, device.major < 8 ? std::size_t{256} : std::size_t{128}};
}

/// Theoretical occupancy: the warps that can be resident on a multiprocessor at once, divided by the
/// warps that it has room for. 0 when not even one block fits.
///
/// A block takes whole warps, a place for a block, registers and shared memory: its own, static and
/// dynamic, and what the system keeps in each block (reservedSharedMemPerBlock). It may have at most
/// sharedMemPerBlock bytes of its own, and regsPerBlock registers with its warps counted up to a
/// multiple of the parts.
/// \param kernel          what the compiler made of the kernel: numRegs, sharedSizeBytes
/// \param device          the only source of limits
/// \param block           shape of a block, of 1 to maxThreadsPerBlock threads
/// \param dynamic_shared  bytes that the launch asks for
/// \return 0 to 1
double occupancy(const cudaFuncAttributes& kernel, const cudaDeviceProp& device, dim3 block,
                 std::size_t dynamic_shared);

// best_shape.cpp

/// The least number of bytes that an addition of two matrices of floats moves through the device's
/// memory. \param rows, cols  from 0 on; the answer may be larger than 2^32
std::int64_t least_bytes(std::int64_t rows, std::int64_t cols);

/// What came of a shape.
struct trial {
  cudaError_t status = cudaSuccess;  ///< of its allocations, of its launch, and of its execution
  bool right = false;                ///< the answer was compared with the reference
  std::vector<double> seconds;  ///< samples; without meaning unless the launch ran and was right
};

/// What is known after all trials.
struct choice {
  int winner = -1;  ///< the shape with the least median, the first of equal ones; -1: none
  std::vector<int>
      equals;  ///< other shapes, in order, that the samples do not tell from the winner
};

/// Tries every shape once and names the best.
///
/// Only shapes count that ran, were right and gave at least 6 samples: with fewer there is no 95 %
/// interval of the median. A shape equals the winner when their intervals have a value in common.
/// \param shapes   candidates
/// \param measure  tries one of them
choice best_shape(std::span<const dim3> shapes, const std::function<trial(dim3 block)>& measure);

}  // namespace lab53
