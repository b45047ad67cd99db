// Step 4, device query: what this course will need to know of a device, asked one attribute at a
// time, which works in CUDA 12 and 13. (CUDA 13 took the clocks out of cudaDeviceProp.)
#include <cstdio>
#include <optional>

#include "coalesce/device.hpp"
#include "coalesce/error.hpp"
#include "coalesce/json.hpp"
#include "device_attributes.hpp"
#include "steps.hpp"

namespace chapter02 {
namespace {

// [attribute]
std::optional<std::int64_t> ask(cudaDeviceAttr which) {
  int device = 0, value = 0;
  COALESCE_CHECK(cudaGetDevice(&device));
  if (cudaDeviceGetAttribute(&value, which, device) == cudaSuccess) return value;
  cudaGetLastError();  // an attribute this driver does not know is no error of ours
  return std::nullopt;
}
// [/attribute]

// [peaks]
struct peaks {
  std::optional<double> bytes_per_second;
  std::optional<double> flops_per_second;
};

peaks computed_peaks() {
  const double memory_clock = 1e3 * ask(cudaDevAttrMemoryClockRate).value_or(0);  // kHz to Hz
  const double sm_clock = 1e3 * ask(cudaDevAttrClockRate).value_or(0);
  const auto bus_bits = ask(cudaDevAttrGlobalMemoryBusWidth).value_or(0);
  const int sms = static_cast<int>(ask(cudaDevAttrMultiProcessorCount).value_or(0));
  const int capability = static_cast<int>(10 * ask(cudaDevAttrComputeCapabilityMajor).value_or(0) +
                                          ask(cudaDevAttrComputeCapabilityMinor).value_or(0));
  const auto lanes = coalesce::fp32_lanes_per_sm(capability);  // no attribute tells: a table does

  peaks p;
  if (memory_clock > 0) p.bytes_per_second = 2.0 * memory_clock * static_cast<double>(bus_bits) / 8;
  if (sm_clock > 0 && lanes) p.flops_per_second = 2.0 * *lanes * sms * sm_clock;
  return p;
}
// [/peaks]

}  // namespace

int device_query(std::int64_t) {
  for (const device_attribute& a : device_attributes) {
    const auto value = ask(a.which);
    if (value)
      std::printf("%-42s %11lld %s\n", a.title, static_cast<long long>(*value), a.unit);
    else
      std::printf("%-42s %11s\n", a.title, "not told");
  }
  const peaks p = computed_peaks();
  if (p.bytes_per_second)
    std::printf("%-42s %11.0f GB/s\n", "memory, peak", *p.bytes_per_second * 1e-9);
  if (p.flops_per_second)
    std::printf("%-42s %11.1f TFLOP/s\n", "32-bit floating point, peak",
                *p.flops_per_second * 1e-12);
  return 0;
}

int device_query_json(std::int64_t) {
  coalesce::json_object facts;
  for (const device_attribute& a : device_attributes)
    if (const auto value = ask(a.which)) facts.add(a.name, *value);
  const peaks p = computed_peaks();
  if (p.bytes_per_second) facts.add("memory_bandwidth_peak", *p.bytes_per_second);
  if (p.flops_per_second) facts.add("fp32_peak", *p.flops_per_second);
  std::printf("%s\n", facts.text().c_str());
  return 0;
}

}  // namespace chapter02
