// Shows every call of a GPU program in order, what it is told, and what it answers. Unlike the other steps
// it calls the runtime itself, so that nothing is hidden; n elements, 2^20 unless the reader says otherwise.
#include <cstdio>
#include <vector>

#include "coalesce/verify.hpp"
#include "reference.hpp"
#include "steps.hpp"

namespace chapter03 {
namespace {

__global__ void sum_of_squares_kernel(const int* values, std::int64_t n, std::int64_t* sum) {
  std::int64_t partial = 0;
  for (std::int64_t i = 0; i < n; ++i) partial += std::int64_t{values[i]} * values[i];
  *sum = partial;
}

/// Prints one call and its answer. \return true when the answer is cudaSuccess
bool answered(const char* call, cudaError_t answer) {
  std::printf("%-74s %s\n", call, cudaGetErrorName(answer));
  return answer == cudaSuccess;
}

}  // namespace

int allocate_copy_free(std::int64_t wanted) {
  const std::int64_t n = wanted > 0 ? wanted : 1 << 20;
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(int);
  const std::vector<int> values = coalesce::random_ints(n, 0, 9, coalesce::fresh_seed());
  int* d_values = nullptr;
  std::int64_t* d_sum = nullptr;
  std::int64_t sum = -1;
  std::printf("n = %lld elements, bytes = %zu\n", static_cast<long long>(n), bytes);

  // [calls]
  bool ok = answered("cudaMalloc(&d_values, bytes)", cudaMalloc(&d_values, bytes));
  ok = ok && answered("cudaMalloc(&d_sum, sizeof(std::int64_t))",
                      cudaMalloc(&d_sum, sizeof(std::int64_t)));
  ok = ok && answered("cudaMemcpy(d_values, values.data(), bytes, cudaMemcpyHostToDevice)",
                      cudaMemcpy(d_values, values.data(), bytes, cudaMemcpyHostToDevice));
  if (ok) sum_of_squares_kernel<<<1, 1>>>(d_values, n, d_sum);
  ok = ok && answered("cudaGetLastError()         was the launch accepted?", cudaGetLastError());
  ok = ok &&
       answered("cudaDeviceSynchronize()    did the kernel end well?", cudaDeviceSynchronize());
  ok = ok && answered("cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost)",
                      cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  ok = answered("cudaFree(d_values)", cudaFree(d_values)) && ok;
  ok = answered("cudaFree(d_sum)", cudaFree(d_sum)) && ok;
  // [/calls]

  const bool right = ok && sum == sum_of_squares(values);
  std::printf("sum of squares = %lld, %s\n", static_cast<long long>(sum),
              right ? "right" : "wrong");
  return right ? 0 : 1;
}

}  // namespace chapter03
