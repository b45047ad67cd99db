/// @file
/// Names of what a CPU cannot have, so that their use is refused with a sentence.
#pragma once
#pragma GCC system_header

#if defined(__CUDA__)
#define CPU_DEVICE_UNAVAILABLE(why) __attribute__((unavailable("the CPU device has " why)))

namespace cooperative_groups {
template <class... Arguments>
CPU_DEVICE_FUNCTION int this_cluster(Arguments&&...)
    CPU_DEVICE_UNAVAILABLE("no clusters of blocks");
struct CPU_DEVICE_UNAVAILABLE("no launches on several devices") multi_grid_group {};
}  // namespace cooperative_groups

namespace cuda {
namespace device {
template <class... Arguments>
CPU_DEVICE_FUNCTION void memcpy_async_tx(Arguments&&...)
    CPU_DEVICE_UNAVAILABLE("no bulk copy engine");
template <class... Arguments>
CPU_DEVICE_FUNCTION unsigned long long barrier_arrive_tx(Arguments&&...)
    CPU_DEVICE_UNAVAILABLE("no bulk copy engine");
template <class... Arguments>
CPU_DEVICE_FUNCTION void barrier_expect_tx(Arguments&&...)
    CPU_DEVICE_UNAVAILABLE("no bulk copy engine");
namespace experimental {
template <class... Arguments>
CPU_DEVICE_FUNCTION void cp_async_bulk_tensor_1d_global_to_shared(Arguments&&...)
    CPU_DEVICE_UNAVAILABLE("no bulk copy engine");
template <class... Arguments>
CPU_DEVICE_FUNCTION void cp_async_bulk_tensor_2d_global_to_shared(Arguments&&...)
    CPU_DEVICE_UNAVAILABLE("no bulk copy engine");
template <class... Arguments>
CPU_DEVICE_FUNCTION void cp_async_bulk_tensor_3d_global_to_shared(Arguments&&...)
    CPU_DEVICE_UNAVAILABLE("no bulk copy engine");
}  // namespace experimental
}  // namespace device
}  // namespace cuda
#undef CPU_DEVICE_UNAVAILABLE
#endif
