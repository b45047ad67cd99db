#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>

namespace chapter01 {

/// Every step of the family `add_one_i32`: out[i] = in[i] + 1.
/// \param d_in    n ints on the device
/// \param n       number of elements, 0 included
/// \param d_out   n ints on the device; overwritten; must not overlap d_in
/// \param stream  everything is enqueued here; returns without waiting
/// \throws coalesce::cuda_error when the launch is refused
using add_one_step = void(const int* d_in, std::int64_t n, int* d_out, cudaStream_t stream);

add_one_step is_it_alive;

/// Prints the versions that take part, and which code of this program the device runs.
/// \return 0
int versions(std::int64_t n);

/// "13.0" from the 13000 of cudaDriverGetVersion and CUDART_VERSION; "none" from 0.
std::string version_text(int number);

/// "9.0" from a compute capability written as 90.
std::string capability_text(int number);

/// Which code of a kernel runs, in one sentence. Code made from PTX of an older capability than its
/// own was made by the driver: our build compiles machine code from PTX of the same capability.
/// \param device   compute capability of the device, 90 is 9.0
/// \param binary   cudaFuncAttributes::binaryVersion: capability that the machine code is for
/// \param ptx      cudaFuncAttributes::ptxVersion: capability of the PTX that it was made from
std::string which_code(int device, int binary, int ptx);

}  // namespace chapter01
