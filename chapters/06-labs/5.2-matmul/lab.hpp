#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>

/// Lab 5.2: what is asked for.
///
/// All matrices are in row-major order with a leading dimension: element (row, col) of A is
/// a[row * lda + col]. What lies between the last column and the next row is padding: it may hold
/// anything, and nobody writes it. A matrix ends with its last element.
namespace lab52 {

/// The shape of a product C = A B.
struct shape {
  std::int64_t m = 0, n = 0, p = 0;        ///< A is m × n, B is n × p, C is m × p; any may be 0
  std::int64_t lda = 0, ldb = 0, ldc = 0;  ///< floats from one row to the next: n or p, or more
};

/// \name matrices.cpp: on the host
/// @{

/// Fills a matrix with random floats, evenly from 0 (included) to 1 (not included). Equal seeds give
/// equal matrices.
void matgen(float* a, std::int64_t rows, std::int64_t cols, std::int64_t lda, std::uint64_t seed);

/// C = A B with one thread of the host, multiplied and added in double: reference and baseline.
void matmult(const float* a, const float* b, double* c, const shape& s);

/// How far a matrix lies from the reference.
struct errors {
  double mean = 0, largest = 0;
};

/// The error of an element is |got - want| / |want|; where want is 0, it is |got|. Both errors are
/// infinite when an element of `got` is not a number. An empty matrix has no error.
errors compare_mat(const float* got, std::int64_t ld_got, const double* want, std::int64_t ld_want,
                   std::int64_t rows, std::int64_t cols);

/// 10^9 operations a second of a product that took so long: a multiplication and an addition count
/// as two.
double gflops(const shape& s, double milliseconds);
/// @}

/// stopwatch.cpp: time of `work`, in milliseconds, until all that it enqueues on the stream is done.
/// It is run once without being timed, then `repeats` times, each timed alone.
/// \return the median
double milliseconds(const std::function<void(cudaStream_t)>& work, int repeats);

/// One version of the product, in device memory.
/// \param threads threads in a block
/// \par Stream behaviour
/// Enqueued on `stream`; returns at once.
/// \throws std::exception when the launch is refused; cuda_error is one
using product_on_device = void(const float* d_a, const float* d_b, float* d_c, const shape& s,
                               int threads, cudaStream_t stream);

product_on_device product_elements;  ///< a thread an element, 16 × 16 a block; `threads` is unused
product_on_device product_rows;      ///< a block a row of C, threads striding over its columns
product_on_device product_kahan;     ///< the same, each sum compensated by Kahan, in floats
product_on_device product_double;    ///< the same, each sum in a double
product_on_device product_shared_row;  ///< the same, the row of A in dynamic shared memory
product_on_device product_tiles;       ///< tiles of 16 × 16 in shared memory; `threads` is unused

/// Most columns of A that product_shared_row takes on this device. Beyond them it throws
/// std::length_error with a sentence that names this number.
std::int64_t most_columns_of_shared_row();

/// C = A B of matrices of the host by a version: allocates, copies, runs, copies back. A row on the
/// device follows the one before it without padding.
/// \par Stream behaviour
/// Synchronous: C is complete when it returns.
/// \throws coalesce::cuda_error when a call of CUDA fails; what the version throws
void matmult_cuda(const float* a, const float* b, float* c, const shape& s,
                  product_on_device* multiply, int threads);

/// The same; rows on the device are as far apart as cudaMallocPitch wants.
void matmult_pitched(const float* a, const float* b, float* c, const shape& s,
                     product_on_device* multiply, int threads);

}  // namespace lab52
