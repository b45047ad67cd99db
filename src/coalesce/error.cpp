#include "coalesce/error.hpp"

#include <dlfcn.h>

#include <cstdio>

#include "coalesce/format.hpp"

namespace coalesce {
namespace {

// Numbers of cudaError that get a sentence of their own. By number, because not every toolkit that
// the course supports (nor the CPU device) has all of the names.
enum code_number : int {
  invalid_value = 1,
  memory_allocation = 2,
  cudart_unloading = 4,
  invalid_configuration = 9,
  stub_library = 34,
  insufficient_driver = 35,
  devices_unavailable = 46,
  invalid_device_function = 98,
  no_device = 100,
  invalid_device = 101,
  no_kernel_image = 209,
  unsupported_ptx_version = 222,
  contained = 226,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  device_assert = 710,
  hardware_stack = 714,
  illegal_instruction = 715,
  misaligned_address = 716,
  invalid_address_space = 717,
  invalid_pc = 718,
  launch_failure = 719,
  tensor_memory_leak = 721,
  system_not_ready = 802,
  system_driver_mismatch = 803,
  compatibility_refused = 804,
  mps_client_terminated = 810,
  stream_capture_first = 900,
  stream_capture_last = 908,
  external_device = 911,
  unknown = 999,
};

int number(cudaError_t code) {
  return static_cast<int>(code);
}

std::string capability(int cc) {
  return std::to_string(cc / 10) + '.' + std::to_string(cc % 10);
}

/// The least driver for a toolkit: it goes by the major version.
std::string least_driver(int runtime_version) {
  switch (runtime_version / 1000) {
    case 11:
      return "450";
    case 12:
      return "525";
    case 13:
      return "580";
    default:
      return {};
  }
}

std::string explain_driver(const machine_state& m) {
  if (m.driver_version == 0 && !m.driver_library)
    return "There is no NVIDIA driver on this machine (libcuda.so.1 cannot be loaded). Install "
           "one where there is an NVIDIA GPU, or use the CPU device (--device cpu).";
  if (m.driver_version == 0)
    return "libcuda.so.1 is on this machine, but no working NVIDIA driver: in a container, start "
           "it with access to the GPU; after an update, restart the machine.";
  std::string text = "The driver is for CUDA " + format_cuda_version(m.driver_version) +
                     " and older than the toolkit, CUDA " + format_cuda_version(m.runtime_version) +
                     ". Install a newer driver";
  if (const std::string least = least_driver(m.runtime_version); !least.empty())
    text += " (" + least + " or newer)";
  return text + ", or build with a toolkit for CUDA " + format_cuda_version(m.driver_version) +
         " or older.";
}

std::string explain_no_image(const machine_state& m) {
  std::string text = "The program holds no code for this GPU";
  if (m.compute_capability != 0)
    text += ", whose compute capability is " + capability(m.compute_capability);
  if (!m.built_for.empty()) text += "; it was built for " + m.built_for;
  if (m.compute_capability == 0)
    return text + ". Set it up again: meson configure build -Dgpu_arch=";
  return text + ". Add it and build again: meson configure build -Dgpu_arch=" +
         std::to_string(m.compute_capability);
}

std::string explain_ptx(const machine_state& m) {
  return "The program holds only PTX for this GPU, written by CUDA " +
         format_cuda_version(m.runtime_version) + ", and the driver, for CUDA " +
         format_cuda_version(m.driver_version) +
         ", cannot translate newer PTX than its own. Build machine code for this GPU (-Dgpu_arch=" +
         (m.compute_capability != 0 ? std::to_string(m.compute_capability) : "<capability>") +
         "), or install a newer driver.";
}

std::string explain_memory(const machine_state& m) {
  std::string text = "The device has too little free memory";
  if (m.free_bytes != 0) text += " (" + format_bytes(m.free_bytes) + " free)";
  return text + ". Choose a smaller size (--n), or close other programs on this GPU.";
}

/// The sentence for `code` alone, without what all sticky errors share.
std::string sentence(int code, const machine_state& m) {
  switch (code) {
    case invalid_value:
    case invalid_configuration:
      return "An argument is out of range. At a launch: check the grid, the block and the shared "
             "memory against the device's limits, or launch through coalesce::launch, which names "
             "the limit.";
    case memory_allocation:
      return explain_memory(m);
    case stub_library:
      return "The program loaded the toolkit's stub of libcuda, which is for linking only. Take "
             "the folder that ends in 'stubs' out of LD_LIBRARY_PATH.";
    case insufficient_driver:
      return explain_driver(m);
    case devices_unavailable:
      return "The GPU is busy: it may be in exclusive mode and in use by another process, or "
             "prohibited. 'nvidia-smi --query-gpu=index,compute_mode --format=csv' shows the mode; "
             "choose another GPU or wait.";
    case no_device:
      return "The driver shows this process no GPU. Look at CUDA_VISIBLE_DEVICES, which may hide "
             "it, and at 'nvidia-smi'.";
    case invalid_device:
      return "There is no GPU of that number; they are counted from 0.";
    case invalid_device_function:
    case no_kernel_image:
      return explain_no_image(m);
    case unsupported_ptx_version:
      return explain_ptx(m);
    case launch_out_of_resources:
      return "A block needs more registers than the device has for one: use smaller blocks, or put "
             "__launch_bounds__ on the kernel. A debug build needs more than a release build.";
    case launch_timeout:
      return "The watchdog ended the kernel: this GPU also drives a display, and a kernel may hold "
             "it for a few seconds only. Split the work into several launches, or use a smaller n.";
    case illegal_address:
      return "A kernel read or wrote an address that is not its own, usually past the end of an "
             "array. 'compute-sanitizer PROGRAM' names kernel and line, and so does the CPU "
             "device.";
    case misaligned_address:
      return "A kernel read or wrote a wide value at an address that is not a multiple of its "
             "size.";
    case device_assert:
      return "An assert() in a kernel was false; its text is printed above.";
    case system_not_ready:
      return "The GPUs of this machine are not ready. On a server with linked GPUs the service "
             "nvidia-fabricmanager must run, in the driver's version: ask the administrator.";
    case system_driver_mismatch:
      return "The driver's library and its kernel module differ in version, as after an update. "
             "Restart the machine.";
    case compatibility_refused:
      return "A driver library of the package cuda-compat stands before the driver's own, and this "
             "GPU cannot use it. Take the folder 'compat' out of LD_LIBRARY_PATH.";
    case unknown:
      return "The driver says no more than that. './course doctor' looks for the usual causes, "
             "among them a kernel module or a device file that is missing.";
    default:
      break;
  }
  if (code >= stream_capture_first && code <= stream_capture_last)
    return "Something that waits, allocates or uses another stream cannot be captured into a "
           "graph.";
  return {};
}

}  // namespace

bool is_sticky(cudaError_t code) noexcept {
  switch (number(code)) {
    case contained:
    case illegal_address:
    case launch_timeout:
    case device_assert:
    case hardware_stack:
    case illegal_instruction:
    case misaligned_address:
    case invalid_address_space:
    case invalid_pc:
    case launch_failure:
    case tensor_memory_leak:
    case mps_client_terminated:
    case external_device:
      return true;
    default:
      return false;
  }
}

machine_state look_at_machine() noexcept {
  machine_state m;
  if (cudaDriverGetVersion(&m.driver_version) != cudaSuccess) m.driver_version = 0;
  if (cudaRuntimeGetVersion(&m.runtime_version) != cudaSuccess) m.runtime_version = 0;
  if (void* library = dlopen("libcuda.so.1", RTLD_LAZY)) {
    m.driver_library = true;
    dlclose(library);
  }
  int device = 0, major = 0, minor = 0;
  if (m.driver_version != 0 && cudaGetDevice(&device) == cudaSuccess &&
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) == cudaSuccess)
    m.compute_capability = major * 10 + minor;
  try {
    m.built_for = detail::built_for();
  } catch (...) {  // no memory for a few letters: the sentence goes without them
  }
  (void)cudaGetLastError();  // whatever the questions left behind
  return m;
}

std::string explain(cudaError_t code, const machine_state& machine) {
  std::string text = sentence(number(code), machine);
  if (is_sticky(code))
    text += std::string(text.empty() ? "" : " ") +
            "This error stays with the process: later calls will repeat it; the failing kernel is "
            "an earlier one, the last that was launched before the first report.";
  if (!text.empty())
    text += " More: chapters/01-environment/troubleshooting.html#error-" +
            std::to_string(number(code)) + ".";
  return text;
}

std::string explain(cudaError_t code) {
  machine_state machine = look_at_machine();
  std::size_t free = 0, total = 0;
  if (number(code) == memory_allocation && cudaMemGetInfo(&free, &total) == cudaSuccess)
    machine.free_bytes = free;
  return explain(code, machine);
}

namespace {

std::string compose(cudaError_t code, std::string_view happened, call_site where,
                    std::string_view advice) {
  std::string text = where.file;
  text += ':' + std::to_string(where.line) + ": ";
  text += happened;
  text += std::string(": ") + cudaGetErrorName(code) + " (" + std::to_string(number(code)) + "), " +
          cudaGetErrorString(code) + '.';
  const std::string next = advice.empty() ? explain(code) : std::string(advice);
  return next.empty() ? text : text + '\n' + next;
}

}  // namespace

cuda_error::cuda_error(cudaError_t code, std::string_view happened, call_site where,
                       std::string_view advice)
    : std::runtime_error(compose(code, happened, where, advice)), code_(code) {}

bool cuda_error::sticky() const noexcept {
  return is_sticky(code_);
}

out_of_memory::out_of_memory(std::size_t asked, std::size_t free, std::size_t element_bytes,
                             call_site where)
    : cuda_error(
          static_cast<cudaError_t>(memory_allocation),
          "allocating " + format_bytes(asked) + " of device memory failed", where,
          format_bytes(free) + " are free, which is room for " +
              format_count(static_cast<std::int64_t>(free / (element_bytes ? element_bytes : 1))) +
              " elements of " + format_bytes(element_bytes) +
              " at most. Choose a smaller size (--n), or close other programs on this GPU."),
      asked_(asked),
      free_(free) {}

void check_launch(std::string_view what, launch_check extent, call_site where) {
  if (const cudaError_t code = cudaGetLastError(); code != cudaSuccess) {
    // A sticky error found here is the work of a kernel before this launch.
    const std::string happened =
        is_sticky(code) ? "found an earlier error at the launch of " + std::string(what)
                        : "the launch of " + std::string(what) + " was refused";
    throw cuda_error(code, happened, where);
  }
  if (extent == launch_check::accepted) return;
  if (const cudaError_t code = cudaDeviceSynchronize(); code != cudaSuccess) {
    (void)cudaGetLastError();
    throw cuda_error(code, std::string(what) + " failed while it ran", where);
  }
}

bool report_failure(cudaError_t code, std::string_view call, call_site where) noexcept {
  if (code == cudaSuccess) return true;
  (void)cudaGetLastError();
  if (number(code) != cudart_unloading)
    std::fprintf(stderr, "%s:%d: %.*s failed: %s (%d), %s.\n", where.file, where.line,
                 static_cast<int>(call.size()), call.data(), cudaGetErrorName(code), number(code),
                 cudaGetErrorString(code));
  return false;
}

namespace detail {

void check(cudaError_t code, const char* call, const char* file, int line) {
  if (code == cudaSuccess) return;
  (void)cudaGetLastError();  // forget it, unless it is sticky: the exception carries it now
  throw cuda_error(code, std::string(call) + " failed", {file, line});
}

}  // namespace detail
}  // namespace coalesce
