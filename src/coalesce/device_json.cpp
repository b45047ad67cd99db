#include "coalesce/device_json.hpp"

#include "coalesce/format.hpp"
#include "coalesce/telemetry.hpp"

namespace coalesce {
namespace {

template <class T>
void add_known(json_object& object, const char* key, const std::optional<T>& value) {
  if (value) object.add(key, *value);
}

}  // namespace

json_object facts_as_json(const device_facts& f, const launch_limits& limits) {
  json_object object;
  object.add("name", f.name).add("slug", f.slug);
  object.add("compute_capability", std::to_string(f.compute_capability / 10) + "." +
                                       std::to_string(f.compute_capability % 10));
  object.add("driver", driver_release().value_or(""));
  object.add("driver_cuda", format_cuda_version(f.driver_version));
  object.add("cuda_runtime", format_cuda_version(f.runtime_version));
  object.add("sms", f.sms).add("memory_bytes", f.memory_bytes);
  add_known(object, "l2_bytes", f.l2_bytes);
  add_known(object, "sm_clock_hz", f.sm_clock_hz);
  add_known(object, "memory_clock_hz", f.memory_clock_hz);
  add_known(object, "memory_bus_bits", f.memory_bus_bits);
  add_known(object, "memory_bandwidth_peak", f.memory_bandwidth_peak);
  add_known(object, "fp32_peak", f.fp32_peak);
  add_known(object, "fp32_lanes_per_sm", fp32_lanes_per_sm(f.compute_capability));
  object.add("warp_size", f.warp_size);
  object.add("max_threads_per_block", f.max_threads_per_block);
  object.add("max_threads_per_sm", f.max_threads_per_sm);
  add_known(object, "max_blocks_per_sm", f.max_blocks_per_sm);
  object.add("max_block_x", limits.block_x).add("max_block_y", limits.block_y);
  object.add("max_block_z", limits.block_z).add("max_grid_x", limits.grid_x);
  object.add("max_grid_y", limits.grid_y).add("max_grid_z", limits.grid_z);
  object.add("registers_per_block", f.registers_per_block);
  add_known(object, "registers_per_sm", f.registers_per_sm);
  object.add("shared_per_block", f.shared_per_block);
  add_known(object, "shared_per_block_optin", f.shared_per_block_optin);
  add_known(object, "shared_per_sm", f.shared_per_sm);
  return object;
}

}  // namespace coalesce
