/// @file
/// Reductions and scans over tiles and coalesced groups.
#pragma once
#pragma GCC system_header
#include <cooperative_groups.h>

#if defined(__CUDACC__)

namespace cooperative_groups {

template <class T>
struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  __device__ T operator()(T a, T b) const { return a ^ b; }
};

/// Every thread of the group gets the combination of all values, in a tree over the ranks.
template <class Group, class T, class Operation>
__device__ inline T reduce(const Group& group, T value, Operation operation) {
  const unsigned int size = group.num_threads(), rank = group.thread_rank();
  unsigned int half = 1;
  while (half < size) half *= 2;
  for (half /= 2; half > 0; half /= 2) {
    const bool takes = rank < half && rank + half < size;
    const T other = group.shfl(value, takes ? rank + half : rank);
    if (takes) value = operation(value, other);
  }
  return group.shfl(value, 0);
}

template <class Group, class T, class Operation>
__device__ inline T inclusive_scan(const Group& group, T value, Operation operation) {
  for (unsigned int step = 1; step < group.num_threads(); step *= 2) {
    const bool takes = group.thread_rank() >= step;
    const T other = group.shfl(value, takes ? group.thread_rank() - step : group.thread_rank());
    if (takes) value = operation(other, value);
  }
  return value;
}

template <class Group, class T>
__device__ inline T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
/// The first thread of the group gets a value-initialised T.
template <class Group, class T, class Operation>
__device__ inline T exclusive_scan(const Group& group, T value, Operation operation) {
  const unsigned int rank = group.thread_rank();
  const T sum = group.shfl(inclusive_scan(group, value, operation), rank == 0 ? 0 : rank - 1);
  return rank == 0 ? T() : sum;
}
template <class Group, class T>
__device__ inline T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}
}  // namespace cooperative_groups

#endif
