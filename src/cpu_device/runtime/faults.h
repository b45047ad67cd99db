/// @file
/// Faults of lanes: illegal addresses, failed asserts, traps. The launch ends, the host's next
/// synchronising call reports the error, and stderr says which thread did what and where.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace cpu_device {

/// While alive on an OS thread, memory faults of its kernels become errors.
class FaultGuard {
 public:
  FaultGuard();
};

/// Ends the running lane's launch.
/// @param what  "load of 4 bytes"
[[noreturn]] void illegal_access(const char* what, uintptr_t address, const void* pc);
/// The same for an array of a block or a thread.
/// @param what  "load of 4 bytes of shared memory"
/// @param where  the end of the sentence.
[[noreturn]] void access_beside_array(const std::string& what, const std::string& where,
                                      const void* pc);
/// An access of another thread's stack, which that thread alone has on a GPU.
[[noreturn]] void foreign_local_access(const std::string& what, const void* pc);
[[noreturn]] void misaligned_access(const std::string& what, uintptr_t address, const void* pc);

}  // namespace cpu_device
