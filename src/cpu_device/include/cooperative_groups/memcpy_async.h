/// @file
/// Copies by all threads of a group, performed at once; wait() is the group's barrier.
#pragma once
#pragma GCC system_header
#include <cooperative_groups.h>

#if defined(__CUDACC__)
#include <cpu_device/copies.h>
#define CPU_DEVICE_COPY __device__ inline __attribute__((always_inline))

namespace cooperative_groups {

template <class Group, class T, class Size>
CPU_DEVICE_COPY void memcpy_async(const Group& group, T* target, const T* source, Size bytes) {
  cpu_device_copy(target, source, static_cast<size_t>(bytes),
                  static_cast<unsigned int>(group.thread_rank()),
                  static_cast<unsigned int>(group.size()));
}
/// As many elements as both layouts have.
template <class Group, class T, class TargetLayout, class SourceLayout>
CPU_DEVICE_COPY void memcpy_async(const Group& group, T* target, TargetLayout target_elements,
                                  const T* source, SourceLayout source_elements) {
  const size_t a = target_elements, b = source_elements;
  memcpy_async(group, target, source, (a < b ? a : b) * sizeof(T));
}
template <class Group>
CPU_DEVICE_COPY void wait(const Group& group) {
  group.sync();
}
template <unsigned int Stages, class Group>
CPU_DEVICE_COPY void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups
#undef CPU_DEVICE_COPY
#endif
