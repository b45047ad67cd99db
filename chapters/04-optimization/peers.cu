// The rivals of the addition: the device's own copy, and CUB's transform of two arrays into a third.
#include "peers.hpp"

#include <cub/device/device_transform.cuh>
#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <limits>

#include "coalesce/error.hpp"
#include "matrix_add_problem.hpp"
#include "matrix_add_table.hpp"

namespace chapter04 {
namespace {

/// Copies A to C: two thirds of the addition's bytes, and no arithmetic.
void copy_a_to_c(const float* d_a, const float*, std::int64_t nx, std::int64_t ny, float* d_c,
                 cudaStream_t stream) {
  const auto bytes = static_cast<std::size_t>(nx * ny) * sizeof(float);
  COALESCE_CHECK(cudaMemcpyAsync(d_c, d_a, bytes, cudaMemcpyDeviceToDevice, stream));
}

/// CUB on raw pointers, so that it may choose its bulk copies; 32-bit sizes where they are enough.
/// It works out its tile at the first call of a process and keeps it, so that call should not be a
/// tiny one: the benchmark's sizes begin at 2^18.
template <class Count>
void transform(const float* d_a, const float* d_b, Count n, float* d_c, cudaStream_t stream) {
  COALESCE_CHECK(cub::DeviceTransform::Transform(cuda::std::make_tuple(d_a, d_b), d_c, n,
                                                 cuda::std::plus<float>{}, stream));
}

void cub_transform(const float* d_a, const float* d_b, std::int64_t nx, std::int64_t ny, float* d_c,
                   cudaStream_t stream) {
  const std::int64_t n = nx * ny;
  if (n == 0) return;
  if (n <= std::numeric_limits<int>::max())
    transform(d_a, d_b, static_cast<int>(n), d_c, stream);
  else
    transform(d_a, d_b, n, d_c, stream);
}

coalesce::step as_rival(coalesce::step s) {
  s.rival = true;
  s.cpu_device = false;
  s.modes = {coalesce::hot_stream, coalesce::cold_stream, coalesce::hot_graph,
             coalesce::cold_graph};
  return s;
}

}  // namespace

void add_peers(coalesce::chapter& c) {
  coalesce::step copy =
      as_rival(matrix_add_step("memcpy", "", copy_a_to_c, "the device copies A to C"));
  copy.moves = [](std::int64_t n) { return coalesce::work{2.0 * sizeof(float) * n, 0}; };
  copy.check = [](coalesce::problem& p) {
    return static_cast<matrix_add_problem&>(p).check_copy_of_a();
  };
  c.steps.push_back(std::move(copy));
  c.steps.push_back(as_rival(
      matrix_add_step("cub_transform", "", cub_transform, "cub::DeviceTransform, raw pointers")));
}

}  // namespace chapter04
