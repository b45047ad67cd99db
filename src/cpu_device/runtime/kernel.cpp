#include "kernel.h"

#include <cxxabi.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <unordered_map>

#include "problems.h"

namespace cpu_device {
namespace {

struct Registry {
  std::unordered_map<const void*, std::unique_ptr<Kernel>> kernels;
  std::unordered_map<const void*, Variable> symbols;
  std::map<uintptr_t, Variable> variables;
};

Registry& registry() {
  static Registry once;
  return once;
}

// What driver/kernels.py and variables.py write: keep the two in step.
struct KernelRecord {
  Thunk thunk;
  const char* symbol;
  size_t shared_count;
  const size_t* shared_bytes;
  SharedPlaces shared_places;
  const char* const* shared_names;
};
struct VariableRecord {
  char* address;
  size_t bytes;
  const char* name;
  int kind;
};

}  // namespace

Kernel* find_kernel(const void* stub) {
  const auto found = registry().kernels.find(stub);
  return found == registry().kernels.end() ? nullptr : found->second.get();
}

const Variable* find_symbol(const void* shadow) {
  const auto found = registry().symbols.find(shadow);
  return found == registry().symbols.end() ? nullptr : &found->second;
}

const Variable* variable_before(uintptr_t address) {
  const auto& variables = registry().variables;
  const auto next = variables.upper_bound(address);
  return next == variables.begin() ? nullptr : &std::prev(next)->second;
}

const Variable* variable_at(uintptr_t address) {
  const Variable* variable = variable_before(address);
  if (!variable) return nullptr;
  return address - reinterpret_cast<uintptr_t>(variable->address) < variable->bytes ? variable
                                                                                    : nullptr;
}

std::string demangle(const char* symbol) {
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : symbol;
}

}  // namespace cpu_device

extern "C" {

void cpu_device_built_for_checking() {
  cpu_device::set_built_for_checking();
}

void cpu_device_register_kernel(const void* stub, const void* description, const size_t* sizes,
                                size_t count) {
  using namespace cpu_device;
  const auto* record = static_cast<const KernelRecord*>(description);
  auto kernel = std::make_unique<Kernel>();
  kernel->thunk = record->thunk;
  kernel->symbol = record->symbol;
  kernel->name = demangle(record->symbol);
  kernel->argument_sizes.assign(sizes, sizes + count);
  kernel->shared_sizes.assign(record->shared_bytes, record->shared_bytes + record->shared_count);
  kernel->shared_places = record->shared_places;
  for (size_t i = 0; i < record->shared_count; ++i) {
    const std::string name = demangle(record->shared_names[i]);  // "kernel(int*)::tile"
    const size_t scope = name.rfind("::");
    kernel->shared_names.push_back(scope == std::string::npos ? name : name.substr(scope + 2));
  }
  for (size_t i = 0; i < record->shared_count; ++i) {
    kernel->static_shared = (kernel->static_shared + 15) / 16 * 16 + record->shared_bytes[i];
  }
  registry().kernels[stub] = std::move(kernel);
}

void cpu_device_register_launch_bounds(const void* stub, int threads) {
  cpu_device::registry().kernels[stub]->max_threads = threads;
}

void cpu_device_register_variable(const void* shadow, const void* description) {
  using namespace cpu_device;
  const auto* record = static_cast<const VariableRecord*>(description);
  const Variable variable{record->address, record->bytes, record->name,
                          static_cast<VariableKind>(record->kind)};
  if (shadow) registry().symbols[shadow] = variable;
  registry().symbols[variable.address] = variable;
  registry().variables[reinterpret_cast<uintptr_t>(variable.address)] = variable;
}

}  // extern "C"
