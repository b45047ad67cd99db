#include "coalesce/device.hpp"

#include <cuda_runtime.h>

#include <cctype>

#include "coalesce/error.hpp"

namespace coalesce {
namespace {

/// An attribute of a device, or nothing when the driver does not tell (it answers 0 then).
std::optional<int> ask(cudaDeviceAttr which, int device) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, device) != cudaSuccess) {
    (void)cudaGetLastError();
    return std::nullopt;
  }
  return value > 0 ? std::optional(value) : std::nullopt;
}

std::optional<std::size_t> as_size(std::optional<int> value) {
  return value ? std::optional(static_cast<std::size_t>(*value)) : std::nullopt;
}

std::optional<double> as_hertz(std::optional<int> kilohertz) {
  return kilohertz ? std::optional(1e3 * *kilohertz) : std::nullopt;
}

std::string name_of(int device) {
  cudaDeviceProp properties;  // only the name is read: other fields differ by toolkit
  COALESCE_CHECK(cudaGetDeviceProperties(&properties, device));
  return properties.name;
}

std::size_t free_memory() {
  std::size_t free = 0, total = 0;
  COALESCE_CHECK(cudaMemGetInfo(&free, &total));
  return free;
}

void add_peaks(device_facts& f) {
  if (f.memory_clock_hz && f.memory_bus_bits)
    f.memory_bandwidth_peak = peak_bandwidth(*f.memory_clock_hz, *f.memory_bus_bits);
  if (f.sm_clock_hz) f.fp32_peak = peak_fp32(f.compute_capability, f.sms, *f.sm_clock_hz);
}

std::int64_t most_elements(std::size_t bytes, std::size_t bytes_per_element) {
  return bytes_per_element == 0 ? INT64_MAX : static_cast<std::int64_t>(bytes / bytes_per_element);
}

}  // namespace

device_facts current_device_facts() {
  int d = 0;
  COALESCE_CHECK(cudaGetDevice(&d));
  device_facts f;
  f.name = name_of(d);
  f.slug = slug_of(f.name);
  f.compute_capability = ask(cudaDevAttrComputeCapabilityMajor, d).value_or(0) * 10 +
                         ask(cudaDevAttrComputeCapabilityMinor, d).value_or(0);
  f.sms = ask(cudaDevAttrMultiProcessorCount, d).value_or(0);
  f.warp_size = ask(cudaDevAttrWarpSize, d).value_or(32);
  f.max_threads_per_block = ask(cudaDevAttrMaxThreadsPerBlock, d).value_or(0);
  f.max_threads_per_sm = ask(cudaDevAttrMaxThreadsPerMultiProcessor, d).value_or(0);
  f.max_blocks_per_sm = ask(cudaDevAttrMaxBlocksPerMultiprocessor, d);
  f.registers_per_block = ask(cudaDevAttrMaxRegistersPerBlock, d).value_or(0);
  f.registers_per_sm = ask(cudaDevAttrMaxRegistersPerMultiprocessor, d);
  f.shared_per_block = as_size(ask(cudaDevAttrMaxSharedMemoryPerBlock, d)).value_or(0);
  f.shared_per_block_optin = as_size(ask(cudaDevAttrMaxSharedMemoryPerBlockOptin, d));
  f.shared_per_sm = as_size(ask(cudaDevAttrMaxSharedMemoryPerMultiprocessor, d));
  f.l2_bytes = as_size(ask(cudaDevAttrL2CacheSize, d));
  f.sm_clock_hz = as_hertz(ask(cudaDevAttrClockRate, d));
  f.memory_clock_hz = as_hertz(ask(cudaDevAttrMemoryClockRate, d));
  f.memory_bus_bits = ask(cudaDevAttrGlobalMemoryBusWidth, d);
  COALESCE_CHECK(cudaMemGetInfo(&f.free_bytes, &f.memory_bytes));
  COALESCE_CHECK(cudaDriverGetVersion(&f.driver_version));
  COALESCE_CHECK(cudaRuntimeGetVersion(&f.runtime_version));
  add_peaks(f);
  return f;
}

std::optional<std::string> refuse_device(int device) {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess || count == 0) {
    (void)cudaGetLastError();
    return "No GPU can be used here. " + explain(code != cudaSuccess ? code : cudaErrorNoDevice);
  }
  if (device >= 0 && device < count) return std::nullopt;
  return "There is no GPU number " + std::to_string(device) + ": this machine has " +
         std::to_string(count) + ", counted from 0.";
}

std::string slug_of(const std::string& name) {
  std::string slug;
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    if (letter < 128 && std::isalnum(letter))
      slug += static_cast<char>(std::tolower(letter));
    else if (!slug.empty() && slug.back() != '-')
      slug += '-';
  }
  if (!slug.empty() && slug.back() == '-') slug.pop_back();
  for (const char* line : {"nvidia-geforce-", "nvidia-tesla-", "nvidia-quadro-"})
    if (slug.starts_with(line)) return slug.substr(std::string("nvidia-").size());
  return slug;
}

std::optional<int> fp32_lanes_per_sm(int compute_capability) {
  switch (compute_capability) {
    case 60:
    case 70:
    case 72:
    case 75:
    case 80:
      return 64;
    case 50:
    case 52:
    case 53:
    case 61:
    case 62:
    case 86:
    case 87:
    case 89:
    case 90:
    case 100:
    case 103:
    case 110:
    case 120:
    case 121:
      return 128;
    default:
      return std::nullopt;
  }
}

std::optional<double> peak_fp32(int compute_capability, int sms, double clock_hz) {
  const auto lanes = fp32_lanes_per_sm(compute_capability);
  return lanes ? std::optional(2.0 * *lanes * sms * clock_hz) : std::nullopt;
}

fitted_size default_elements(std::int64_t wanted, std::size_t bytes_per_element,
                             std::size_t free_bytes) {
  const std::int64_t most = most_elements(free_bytes / 3, bytes_per_element);
  if (wanted <= most) return {wanted, {}};
  return {most, "n reduced from " + format_count(wanted) + " to " + format_count(most) +
                    ": a third of the free device memory, " + format_bytes(free_bytes) +
                    ", holds no more."};
}

fitted_size default_elements(std::int64_t wanted, std::size_t bytes_per_element) {
  return default_elements(wanted, bytes_per_element, free_memory());
}

std::optional<std::string> refuse_elements(std::int64_t n, std::size_t bytes_per_element,
                                           std::size_t free_bytes) {
  const std::int64_t most = most_elements(free_bytes - free_bytes / 20, bytes_per_element);
  if (n <= most) return std::nullopt;
  // In floating point: the product may be more than 64 bits count.
  const double need = static_cast<double>(n) * static_cast<double>(bytes_per_element);
  const std::string needed =
      need < 1.8e19 ? format_bytes(static_cast<std::size_t>(need)) : "over 16 EiB";
  return "n = " + format_count(n) + " needs " + needed + " of device memory, " +
         format_bytes(free_bytes) + " are free: the largest n is " + format_count(most) + " (--n " +
         std::to_string(most) + ").";
}

std::optional<std::string> refuse_elements(std::int64_t n, std::size_t bytes_per_element) {
  return refuse_elements(n, bytes_per_element, free_memory());
}

void require_elements(std::int64_t n, std::size_t bytes_per_element) {
  if (const auto sentence = refuse_elements(n, bytes_per_element)) throw does_not_fit(*sentence);
}

}  // namespace coalesce
