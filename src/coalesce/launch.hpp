#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "coalesce/error.hpp"

/// \defgroup launch Launching: grids, limits and thread numbers
/// A launch over a limit is refused here, by name and value, before the runtime refuses it without.
/// @{

namespace coalesce {

/// A launch asks for more than the device or the kernel allows.
class launch_error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// `n / size` rounded up.
/// \param n    how many, 0 or more
/// \param size how many a piece, 1 or more
template <class N, class S>
__host__ __device__ constexpr std::common_type_t<N, S> ceil_div(N n, S size) {
  static_assert(std::is_integral_v<N> && std::is_integral_v<S>);
  using wide = std::common_type_t<N, S>;
  return static_cast<wide>(n) / static_cast<wide>(size) +
         (static_cast<wide>(n) % static_cast<wide>(size) != 0 ? 1 : 0);
}

/// Blocks along x for `n` elements, one thread each; 0 elements give an empty grid.
/// \param n     elements
/// \param block threads in a block
/// \throws launch_error when n is negative, block is not positive, or more blocks are needed than
/// a dim3 can count
dim3 grid_for(std::int64_t n, int block);

/// Blocks for a matrix, x along the columns and y along the rows; an empty matrix gives an empty
/// grid.
/// \param cols  columns
/// \param rows  rows
/// \param block shape of a block; z is not used
/// \throws launch_error as grid_for(n, block), for each axis
dim3 grid_for(std::int64_t cols, std::int64_t rows, dim3 block);

/// Where and in what shape a kernel runs: what stands between the chevrons.
struct launch_shape {
  dim3 grid;                       ///< blocks; an axis of 0 means that nothing is launched
  dim3 block;                      ///< threads in a block
  std::size_t dynamic_shared = 0;  ///< bytes of dynamic shared memory a block
  cudaStream_t stream = nullptr;   ///< stream that the kernel is enqueued on
};

/// Limits of a device on launches.
struct launch_limits {
  int threads_per_block = 1024;           ///< product of the three axes
  int block_x = 1024;                     ///< threads along x
  int block_y = 1024;                     ///< threads along y
  int block_z = 64;                       ///< threads along z
  std::int64_t grid_x = 2147483647;       ///< blocks along x
  std::int64_t grid_y = 65535;            ///< blocks along y
  std::int64_t grid_z = 65535;            ///< blocks along z
  int registers_per_block = 65536;        ///< 32-bit registers
  std::size_t shared_default = 48 << 10;  ///< bytes a block without asking
  std::size_t shared_optin = 48 << 10;    ///< bytes a block after opting in
};

/// What the compiler made of a kernel.
struct kernel_facts {
  std::string name;                  ///< for messages; may be empty
  int registers = 0;                 ///< 32-bit registers a thread
  int max_threads_per_block = 1024;  ///< with these registers, or by __launch_bounds__
  std::size_t static_shared = 0;     ///< bytes of `__shared__` variables of fixed size
  std::size_t local_bytes = 0;       ///< bytes of local memory a thread: spills and arrays
};

/// Limits of the current device; asked once a device.
/// \throws cuda_error when there is no device
launch_limits current_launch_limits();

/// What the compiler made of `kernel`, for the current device.
/// \param kernel address of a `__global__` function
/// \throws cuda_error for instance when the program holds no code for this device
kernel_facts facts_of(const void* kernel);

/// The reason why a launch cannot be, in one sentence with limit and value; nothing when it can.
///
/// An empty grid is legal. Dynamic shared memory is judged against the opt-in limit.
/// \par Source
/// Limits: CUDA C++ Programming Guide, technical specifications per compute capability; values:
/// cudaDeviceGetAttribute and cudaFuncGetAttributes.
std::optional<std::string> refuse_launch(const launch_shape& shape, const kernel_facts& kernel,
                                         const launch_limits& limits);

/// \cond internal
namespace detail {
/// Refuses or prepares (opt-in to large shared memory). \return false when nothing is to launch
bool prepare_launch(const void* kernel, const launch_shape& shape);
/// Throws when the runtime refused the launch just made.
void finish_launch(const void* kernel, const launch_shape& shape);
}  // namespace detail
/// \endcond

#if defined(__CUDACC__) || defined(__CUDA__)

/// Launches a kernel after checking every limit.
///
///     launch(add_kernel, {grid_for(n, 256), 256}, d_a, d_b, d_c, n);
/// \par Stream behaviour
/// Enqueued on shape.stream; returns at once. Errors while it runs appear at the next call that
/// waits. May be captured into a graph.
/// \param kernel    a `__global__` function, or an instance of a template
/// \param shape     grid, block, dynamic shared memory, stream; an empty grid launches nothing
/// \param arguments the kernel's arguments, converted to its parameter types
/// \throws launch_error naming limit and value when the shape is over a limit
/// \throws cuda_error when the runtime refuses the launch all the same
template <class... Parameters>
void launch(void (*kernel)(Parameters...), const launch_shape& shape,
            std::type_identity_t<Parameters>... arguments) {
  const void* address = reinterpret_cast<const void*>(kernel);
  if (!detail::prepare_launch(address, shape)) return;
  kernel<<<shape.grid, shape.block, shape.dynamic_shared, shape.stream>>>(arguments...);
  detail::finish_launch(address, shape);
}

#endif

}  // namespace coalesce

/// @}
