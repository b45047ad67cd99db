/// @file
/// Copies by all threads of a group; each is a batch of its own. wait() is the group's barrier too.
#pragma once
#pragma GCC system_header
#include <cooperative_groups.h>

#if defined(__CUDACC__)
#include <cpu_device/copies.h>
#define CPU_DEVICE_COPY __device__ inline __attribute__((always_inline))

namespace cooperative_groups {

template <class Group, class T, class Size>
CPU_DEVICE_COPY void memcpy_async(const Group& group, T* target, const T* source, Size bytes) {
  cpu_device_copy_async(target, source, static_cast<size_t>(bytes),
                        static_cast<unsigned int>(group.thread_rank()),
                        static_cast<unsigned int>(group.size()));
  cpu_device_async_commit();
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
  cpu_device_async_wait(0);
  group.sync();
}
template <unsigned int Stages, class Group>
CPU_DEVICE_COPY void wait_prior(const Group& group) {
  cpu_device_async_wait(Stages);
  group.sync();
}

}  // namespace cooperative_groups
#undef CPU_DEVICE_COPY
#endif
