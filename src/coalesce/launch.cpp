#include "coalesce/launch.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "coalesce/format.hpp"

namespace coalesce {
namespace {

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  COALESCE_CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

launch_limits limits_of(int device) {
  launch_limits l;
  l.threads_per_block = attribute(cudaDevAttrMaxThreadsPerBlock, device);
  l.block_x = attribute(cudaDevAttrMaxBlockDimX, device);
  l.block_y = attribute(cudaDevAttrMaxBlockDimY, device);
  l.block_z = attribute(cudaDevAttrMaxBlockDimZ, device);
  l.grid_x = attribute(cudaDevAttrMaxGridDimX, device);
  l.grid_y = attribute(cudaDevAttrMaxGridDimY, device);
  l.grid_z = attribute(cudaDevAttrMaxGridDimZ, device);
  l.registers_per_block = attribute(cudaDevAttrMaxRegistersPerBlock, device);
  l.shared_default =
      static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlock, device));
  l.shared_optin =
      static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  if (l.shared_optin < l.shared_default) l.shared_optin = l.shared_default;
  return l;
}

/// Source name of a kernel without its parameters; empty where the runtime cannot tell.
std::string name_of([[maybe_unused]] const void* kernel) {
#if CUDART_VERSION >= 12030 && !defined(__CPU_DEVICE__)
  const char* mangled = nullptr;
  if (cudaFuncGetName(&mangled, kernel) != cudaSuccess || mangled == nullptr) {
    (void)cudaGetLastError();
    return {};
  }
  int status = 0;
  char* readable = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = status == 0 ? readable : mangled;
  std::free(readable);
  const std::string unnamed = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(unnamed)) != std::string::npos;)
    name.erase(at, unnamed.size());
  name.erase(std::min(name.find('('), name.size()));  // its parameters
  if (name.starts_with("void ")) name.erase(0, 5);    // written for templates only
  return name;
#else
  return {};
#endif
}

kernel_facts ask_facts(const void* kernel) {
  cudaFuncAttributes attributes{};
  COALESCE_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  kernel_facts facts;
  facts.name = name_of(kernel);
  facts.registers = attributes.numRegs;
  facts.max_threads_per_block = attributes.maxThreadsPerBlock;
  facts.static_shared = attributes.sharedSizeBytes;
  facts.local_bytes = attributes.localSizeBytes;
  return facts;
}

int current_device() {
  int device = 0;
  COALESCE_CHECK(cudaGetDevice(&device));
  return device;
}

/// What was asked once; the references stay valid as long as the program.
template <class Key, class Value>
class cache {
 public:
  template <class Ask>
  const Value& get(const Key& key, Ask ask) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(key);
    return found != known_.end() ? found->second : known_.emplace(key, ask()).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<Key, Value> known_;
};

const launch_limits& known_limits(int device) {
  static cache<int, launch_limits> known;
  return known.get(device, [&] { return limits_of(device); });
}

const kernel_facts& known_facts(const void* kernel, int device) {
  static cache<std::pair<const void*, int>, kernel_facts> known;
  return known.get({kernel, device}, [&] { return ask_facts(kernel); });
}

std::string count(std::int64_t value) {
  return std::to_string(value);
}

std::string in_words(dim3 block) {
  std::string text = count(block.x);
  if (block.y != 1 || block.z != 1) text += " × " + count(block.y);
  if (block.z != 1) text += " × " + count(block.z);
  return text;
}

std::optional<std::string> refuse_block(dim3 block, const launch_limits& limits) {
  const std::int64_t threads = static_cast<std::int64_t>(block.x) * block.y * block.z;
  if (threads == 0) return "block " + in_words(block) + " has no threads; the least is 1";
  const struct {
    const char* axis;
    unsigned value;
    int limit;
  } axes[] = {{"x", block.x, limits.block_x},
              {"y", block.y, limits.block_y},
              {"z", block.z, limits.block_z}};
  for (const auto& a : axes)
    if (static_cast<std::int64_t>(a.value) > a.limit)
      return std::string("block.") + a.axis + " " + count(a.value) + ", limit " + count(a.limit);
  if (threads > limits.threads_per_block)
    return "block " + in_words(block) + " = " + count(threads) + " threads, limit " +
           count(limits.threads_per_block);
  return std::nullopt;
}

std::optional<std::string> refuse_grid(dim3 grid, const launch_limits& limits) {
  const struct {
    const char* axis;
    unsigned value;
    std::int64_t limit;
  } axes[] = {
      {"x", grid.x, limits.grid_x}, {"y", grid.y, limits.grid_y}, {"z", grid.z, limits.grid_z}};
  for (const auto& a : axes)
    if (static_cast<std::int64_t>(a.value) > a.limit)
      return std::string("grid.") + a.axis + " " + count(a.value) + ", limit " + count(a.limit);
  return std::nullopt;
}

std::optional<std::string> refuse_registers(dim3 block, const kernel_facts& kernel,
                                            const launch_limits& limits) {
  // Registers are handed out to whole warps in pieces of 256 (8 a thread).
  const std::int64_t threads = static_cast<std::int64_t>(block.x) * block.y * block.z;
  const std::int64_t granted = ceil_div(threads, 32) * 32 * (ceil_div(kernel.registers, 8) * 8);
  if (granted > limits.registers_per_block)
    return count(threads) + " threads of " + count(kernel.registers) + " registers need " +
           count(granted) + " registers, limit " + count(limits.registers_per_block) +
           " per block; use smaller blocks or __launch_bounds__(" + count(threads) + ")";
  if (threads > kernel.max_threads_per_block)
    return "block " + in_words(block) + " = " + count(threads) +
           " threads, but the kernel was compiled for at most " +
           count(kernel.max_threads_per_block) + " (" + count(kernel.registers) +
           " registers a thread, or its __launch_bounds__)";
  return std::nullopt;
}

std::optional<std::string> refuse_shared(std::size_t dynamic, const kernel_facts& kernel,
                                         const launch_limits& limits) {
  const std::size_t room =
      limits.shared_optin > kernel.static_shared ? limits.shared_optin - kernel.static_shared : 0;
  if (dynamic <= room) return std::nullopt;
  std::string text = "asked for " + std::to_string(dynamic) + " bytes of dynamic shared memory";
  if (kernel.static_shared != 0) text += " and " + std::to_string(kernel.static_shared) + " static";
  return text + ", this GPU allows " + std::to_string(limits.shared_optin) + " per block";
}

unsigned blocks_for(std::int64_t n, std::int64_t block, const char* what) {
  if (n < 0) throw launch_error(std::string(what) + " " + count(n) + " is negative");
  if (block < 1) throw launch_error("block of " + count(block) + " threads; the least is 1");
  const std::int64_t blocks = ceil_div(n, block);
  if (blocks > std::numeric_limits<std::int32_t>::max())
    throw launch_error(format_count(n) + " " + what + " in blocks of " + count(block) + " need " +
                       format_count(blocks) +
                       " blocks, limit 2147483647; give each thread several elements");
  return static_cast<unsigned>(blocks);
}

}  // namespace

dim3 grid_for(std::int64_t n, int block) {
  return {blocks_for(n, block, "elements"), 1, 1};
}

dim3 grid_for(std::int64_t cols, std::int64_t rows, dim3 block) {
  return {blocks_for(cols, block.x, "columns"), blocks_for(rows, block.y, "rows"), 1};
}

launch_limits current_launch_limits() {
  return known_limits(current_device());
}

kernel_facts facts_of(const void* kernel) {
  return known_facts(kernel, current_device());
}

std::optional<std::string> refuse_launch(const launch_shape& shape, const kernel_facts& kernel,
                                         const launch_limits& limits) {
  if (auto reason = refuse_block(shape.block, limits)) return reason;
  if (auto reason = refuse_grid(shape.grid, limits)) return reason;
  if (auto reason = refuse_registers(shape.block, kernel, limits)) return reason;
  return refuse_shared(shape.dynamic_shared, kernel, limits);
}

namespace detail {

bool prepare_launch(const void* kernel, const launch_shape& shape) {
  const int device = current_device();
  const kernel_facts& facts = known_facts(kernel, device);
  const launch_limits& limits = known_limits(device);
  if (const auto reason = refuse_launch(shape, facts, limits))
    throw launch_error((facts.name.empty() ? "kernel" : facts.name) + " not launched: " + *reason);
  if (shape.grid.x == 0 || shape.grid.y == 0 || shape.grid.z == 0) return false;
  if (shape.dynamic_shared + facts.static_shared > limits.shared_default)
    COALESCE_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(shape.dynamic_shared)));
  return true;
}

void finish_launch(const void* kernel, const launch_shape& shape) {
  const cudaError_t code = cudaGetLastError();
  if (code == cudaSuccess) return;
  std::string name = name_of(kernel);
  if (name.empty()) name = "a kernel";
  const std::string text = is_sticky(code) ? "found an earlier error at the launch of " + name
                                           : "the launch of " + name + " was refused";
  throw cuda_error(code,
                   text + ", grid " + in_words(shape.grid) + ", block " + in_words(shape.block),
                   call_site::current());
}

}  // namespace detail
}  // namespace coalesce
