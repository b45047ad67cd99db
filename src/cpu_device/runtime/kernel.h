/// @file
/// Kernels and device variables as the objects register them at program start.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cpu_device {

using Thunk = void (*)(void** arguments);
/// Stores where the kernel's static shared variables lie on the calling OS thread.
using SharedPlaces = void (*)(void** places);

struct Kernel {
  Thunk thunk = nullptr;
  const char* symbol = "";
  std::string name;                    ///< demangled, with parameters
  std::vector<size_t> argument_sizes;  ///< bytes; 0: not known (passed by hidden reference)
  size_t static_shared = 0;            ///< bytes of static shared memory
  std::vector<size_t> shared_sizes;    ///< bytes of each static shared variable ...
  std::vector<std::string> shared_names;
  SharedPlaces shared_places = nullptr;  ///< ... and where they are
  size_t max_dynamic_shared = 0;         ///< bytes, by cudaFuncSetAttribute; 0: not set
  int carveout = -1;                     ///< percent, by cudaFuncSetAttribute
  cudaFuncCache cache = cudaFuncCachePreferNone;
  int max_threads = 0;  ///< a block, by __launch_bounds__; 0: it has none
};

enum class VariableKind { kDevice = 0, kConstant = 1, kManaged = 2 };

struct Variable {
  char* address = nullptr;
  size_t bytes = 0;
  const char* name = "";
  VariableKind kind = VariableKind::kDevice;
};

/// The kernel whose host stub (or `function` pointer as the host sees it) this is, or null.
Kernel* find_kernel(const void* stub);
/// The variable of a host shadow (or of a device address), or null.
const Variable* find_symbol(const void* shadow);
/// The variable that holds a device address, or null.
const Variable* variable_at(uintptr_t address);
/// The variable that begins at or before an address, or null.
const Variable* variable_before(uintptr_t address);
/// A readable name of a mangled symbol.
std::string demangle(const char* symbol);

}  // namespace cpu_device
