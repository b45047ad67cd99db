/// @file
/// Launches: the checks that the chosen GPU would make, and the OS threads that run the blocks.
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "checker.h"
#include "errors.h"
#include "faults.h"
#include "functions.h"
#include "handles.h"
#include "kernel.h"
#include "memory.h"
#include "problems.h"
#include "refused_launches.h"
#include "scheduler.h"
#include "settings.h"
#include "streams.h"
#include "trace.h"

namespace cpu_device {
namespace {

/// OS threads that live as long as the program: their fibers are used again by every launch.
class Pool {
 public:
  /// Runs `work` on `count` threads besides the calling one, and returns when all have ended.
  void run(int count, const std::function<void()>& work) {
    {
      std::lock_guard lock(mutex_);
      work_ = &work;
      wanted_ = count;
      while (size_ < count) {
        ++size_;
        std::thread([this] { loop(); }).detach();
      }
    }
    wake_.notify_all();
    work();
    std::unique_lock lock(mutex_);
    wanted_ = 0;  // whoever has not begun yet is not needed any more
    done_.wait(lock, [this] { return busy_ == 0; });
  }

 private:
  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return wanted_ > 0; });
      --wanted_;
      ++busy_;
      const std::function<void()>* work = work_;
      lock.unlock();
      (*work)();
      lock.lock();
      if (--busy_ == 0) done_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void()>* work_ = nullptr;
  int wanted_ = 0, busy_ = 0, size_ = 0;
};

Worker& this_threads_worker() {
  static thread_local std::unique_ptr<Worker> worker;
  if (!worker) worker = std::make_unique<Worker>();
  return *worker;
}

/// A kernel's arguments, copied: the launch may come later, and more than once.
class Arguments {
 public:
  Arguments(const Kernel& kernel, void** given) {
    constexpr size_t kAlignment = 64;
    std::vector<size_t> offsets;
    for (const size_t size : kernel.argument_sizes) {
      offsets.push_back(bytes_);
      bytes_ += (size + kAlignment - 1) / kAlignment * kAlignment;
    }
    values_ = std::shared_ptr<char>(
        static_cast<char*>(::operator new(bytes_ + 1, std::align_val_t{kAlignment})),
        [](char* p) { ::operator delete(p, std::align_val_t{kAlignment}); });
    std::memset(values_.get(), 0, bytes_ + 1);
    for (size_t i = 0; i < offsets.size(); ++i) {
      const size_t size = kernel.argument_sizes[i];
      addresses_.push_back(size ? values_.get() + offsets[i] : given[i]);
      std::memcpy(addresses_.back(), given[i], size);
    }
  }
  void** addresses() { return addresses_.data(); }
  uintptr_t base() const { return reinterpret_cast<uintptr_t>(values_.get()); }
  size_t bytes() const { return bytes_; }
  /// Pinned and managed memory that they point to.
  std::vector<HostMemory> host_memory() const {
    std::vector<HostMemory> result;
    for (size_t at = 0; at + sizeof(void*) <= bytes_; at += sizeof(void*)) {
      void* pointer = nullptr;
      std::memcpy(&pointer, values_.get() + at, sizeof pointer);
      if (!in_arena(reinterpret_cast<uintptr_t>(pointer))) continue;
      const auto found = allocation_of(pointer);
      if (!found || device_only(found->kind)) continue;
      result.push_back({reinterpret_cast<char*>(found->base), 0, found->bytes, 1});
    }
    return result;
  }

 private:
  std::shared_ptr<char> values_;
  std::vector<void*> addresses_;
  size_t bytes_ = 0;
};

/// What a launch asks for, besides its arguments.
struct Request {
  dim3 grid, block;
  size_t dynamic_shared = 0;
  bool cooperative = false;
};

/// Runs a checked launch to its end.
void perform(const Kernel& kernel, const Request& request, Arguments arguments) {
  if (kernel_failed()) return;  // after a failure a GPU runs nothing more
  static std::mutex one_at_a_time;
  std::lock_guard lock(one_at_a_time);
  Launch launch(kernel, request.grid, request.block);
  launch.dynamic_shared = request.dynamic_shared;
  launch.cooperative = request.cooperative;
  launch.arguments = arguments.addresses();
  launch.argument_base = arguments.base();
  launch.argument_bytes = arguments.bytes();
  launch.room = resident_blocks(kernel, request.block, request.dynamic_shared);
  if (tracing()) begin_trace(launch);
  const bool checked = checking() && instrumented();
  if (checked) begin_launch_check(launch);
  const std::function<void()> work = [&] {
    Worker& worker = this_threads_worker();
    const FaultGuard guard;  // turns a fault in a kernel into an error of the launch
    worker.begin(&launch);
    worker.run_blocks();
    if (worker.trace) worker.trace->hand_in();
    worker.end();
  };
  const uint64_t threads =
      checked ? 1
              : std::min<uint64_t>(static_cast<uint64_t>(settings().threads), launch.block_count());
  static Pool& pool = *new Pool;  // never destroyed: its threads run until the process ends
  if (threads <= 1) {
    work();
  } else {
    pool.run(static_cast<int>(threads) - 1, work);
  }
  if (checked) end_launch_check(launch);
  if (tracing()) end_trace();
}

/// What the chosen GPU answers to a launch of this shape.
cudaError_t check_shape(const Kernel& kernel, const Request& request) {
  const Gpu& gpu = *settings().gpu;
  const dim3 grid = request.grid, block = request.block;
  const uint64_t threads = uint64_t{block.x} * block.y * block.z;
  const unsigned g[] = {grid.x, grid.y, grid.z}, b[] = {block.x, block.y, block.z};
  bool fits = threads > 0 && threads <= static_cast<uint64_t>(max_threads(kernel));
  for (int i = 0; i < 3; ++i) {
    fits = fits && g[i] > 0 && g[i] <= static_cast<unsigned>(gpu.max_grid_dim[i]) &&
           b[i] <= static_cast<unsigned>(gpu.max_block_dim[i]);
  }
  // CUDA 13 on an H200 says "invalid argument" here, where documents promise another error.
  if (!fits) return cudaErrorInvalidValue;
  if (request.dynamic_shared > max_dynamic_shared(kernel)) return cudaErrorInvalidValue;
  const uint64_t room = resident_blocks(kernel, block, request.dynamic_shared);
  if (room == 0) return cudaErrorLaunchOutOfResources;  // a block needs too many registers
  if (!request.cooperative) return cudaSuccess;
  if (gpu.major < 6) return cudaErrorNotSupported;
  return uint64_t{grid.x} * grid.y * grid.z > room ? cudaErrorCooperativeLaunchTooLarge
                                                   : cudaSuccess;
}

bool has_hidden_arguments(const Kernel& kernel) {
  for (const size_t size : kernel.argument_sizes) {
    if (!size) return true;
  }
  return false;
}

cudaError_t launch(const void* function, const Request& request, void** arguments,
                   cudaStream_t stream) {
  if (const cudaError_t error = context_error()) return error;
  Kernel* kernel = find_kernel(function);
  if (!kernel) return cudaErrorInvalidDeviceFunction;
  if (kernel->static_shared > static_cast<size_t>(settings().gpu->shared_per_block)) {
    return cudaErrorInvalidValue;
  }
  if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = check_shape(*kernel, request)) {
    return is_capturing(stream) ? invalidate(stream->captured, error) : error;
  }
  if (is_capturing(stream) && has_hidden_arguments(*kernel)) return cudaErrorNotSupported;
  const Arguments values(*kernel, arguments);
  Operation operation([=] { perform(*kernel, request, values); });
  operation.uses = values.host_memory();
  operation.is_kernel = true;
  if (const cudaError_t error = submit(stream, std::move(operation))) return error;
  // Arguments that lie with the caller do not outlive the call.
  if (has_hidden_arguments(*kernel)) perform_early(queue_of(stream));
  return cudaSuccess;
}

struct Configuration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
  const void* place;
};
thread_local std::vector<Configuration> configurations;
thread_local const void* chevrons = nullptr;  // where the launch that comes next is written

}  // namespace
}  // namespace cpu_device

using cpu_device::record;

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream) {
  cpu_device::configurations.push_back(
      {grid, block, shared_bytes, stream, __builtin_return_address(0)});
  return 0;
}

unsigned __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  if (cpu_device::configurations.empty()) return cudaErrorMissingConfiguration;
  const auto& top = cpu_device::configurations.back();
  *grid = top.grid;
  *block = top.block;
  *shared_bytes = top.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = top.stream;
  cpu_device::chevrons = top.place;
  cpu_device::configurations.pop_back();
  return 0;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  const cudaError_t error =
      cpu_device::launch(function, {grid, block, shared_bytes, false}, arguments, stream);
  if (const void* place = std::exchange(cpu_device::chevrons, nullptr)) {
    cpu_device::note_launch(function, place, error);
  }
  return record(error);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  return record(cpu_device::launch(function, {grid, block, shared_bytes, true}, arguments, stream));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  if (!config) return record(cudaErrorInvalidValue);
  cpu_device::Request request{config->gridDim, config->blockDim, config->dynamicSmemBytes, false};
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    const auto cluster = attribute.val.clusterDim;
    if (attribute.id == cudaLaunchAttributeCooperative) {
      request.cooperative = attribute.val.cooperative;
    } else if (attribute.id == cudaLaunchAttributeClusterDimension &&
               uint64_t{cluster.x} * cluster.y * cluster.z > 1) {
      return record(cudaErrorNotSupported);
    }
  }
  return record(cpu_device::launch(function, request, arguments, config->stream));
}

}  // extern "C"
