#include "coalesce/device_json.hpp"

#include "coalesce/format.hpp"

namespace coalesce {
namespace {

template <class T>
void add_known(json_object& object, const char* key, const std::optional<T>& value) {
  if (value) object.add(key, *value);
}

}  // namespace

json_object facts_as_json(const device_facts& f) {
  json_object object;
  object.add("name", f.name).add("slug", f.slug);
  object.add("compute_capability", std::to_string(f.compute_capability / 10) + "." +
                                       std::to_string(f.compute_capability % 10));
  object.add("driver", format_cuda_version(f.driver_version));
  object.add("cuda_runtime", format_cuda_version(f.runtime_version));
  object.add("sms", f.sms).add("memory_bytes", f.memory_bytes);
  add_known(object, "l2_bytes", f.l2_bytes);
  add_known(object, "sm_clock_hz", f.sm_clock_hz);
  add_known(object, "memory_clock_hz", f.memory_clock_hz);
  add_known(object, "memory_bus_bits", f.memory_bus_bits);
  add_known(object, "memory_bandwidth_peak", f.memory_bandwidth_peak);
  add_known(object, "fp32_peak", f.fp32_peak);
  object.add("registers_per_block", f.registers_per_block);
  object.add("shared_per_block", f.shared_per_block);
  add_known(object, "shared_per_block_optin", f.shared_per_block_optin);
  add_known(object, "shared_per_sm", f.shared_per_sm);
  return object;
}

}  // namespace coalesce
