#include "coalesce/telemetry.hpp"

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "coalesce/device.hpp"
#include "coalesce/statistics.hpp"

namespace coalesce {
namespace {

// The few entries of NVML that are used, declared here because nvml.h is not part of every toolkit.
using nvml_device = struct nvmlDevice_st*;
constexpr int nvml_success = 0;
constexpr int nvml_clock_sm = 1;
constexpr int nvml_temperature_gpu = 0;

/// The library, loaded and initialised once for the process; never unloaded.
class nvml {
 public:
  static const nvml* get() {
    static const nvml library;
    return library.ready_ ? &library : nullptr;
  }

  int (*by_bus_id)(const char*, nvml_device*) = nullptr;
  int (*driver)(char*, unsigned) = nullptr;
  int (*clock)(nvml_device, int, unsigned*) = nullptr;
  int (*power)(nvml_device, unsigned*) = nullptr;
  int (*temperature)(nvml_device, int, unsigned*) = nullptr;
  int (*reasons)(nvml_device, unsigned long long*) = nullptr;

 private:
  nvml() {
    if (on_cpu_device()) return;
    handle_ = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (handle_ == nullptr) return;
    int (*init)() = nullptr;
    ready_ = find(init, "nvmlInit_v2") && init() == nvml_success &&
             find(by_bus_id, "nvmlDeviceGetHandleByPciBusId_v2");
    find(clock, "nvmlDeviceGetClockInfo");
    find(driver, "nvmlSystemGetDriverVersion");
    find(power, "nvmlDeviceGetPowerUsage");
    find(temperature, "nvmlDeviceGetTemperature");
    if (!find(reasons, "nvmlDeviceGetCurrentClocksEventReasons"))
      find(reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");  // its name before driver 535
  }

  template <class Function>
  bool find(Function& entry, const char* name) {
    entry = reinterpret_cast<Function>(dlsym(handle_, name));
    return entry != nullptr;
  }

  void* handle_ = nullptr;
  bool ready_ = false;
};

/// NVML's handle of the current CUDA device; they number devices differently, the bus does not.
nvml_device current_nvml_device(const nvml& library) {
  int device = 0;
  char bus_id[32] = "";
  nvml_device handle = nullptr;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, device) != cudaSuccess ||
      library.by_bus_id(bus_id, &handle) != nvml_success)
    return nullptr;
  return handle;
}

telemetry_reading read(const nvml& library, nvml_device device) {
  telemetry_reading r;
  unsigned value = 0;
  unsigned long long bits = 0;
  if (library.clock && library.clock(device, nvml_clock_sm, &value) == nvml_success)
    r.sm_clock_mhz = value;
  if (library.power && library.power(device, &value) == nvml_success) r.power_w = 1e-3 * value;
  if (library.temperature &&
      library.temperature(device, nvml_temperature_gpu, &value) == nvml_success)
    r.temperature_c = value;
  if (library.reasons && library.reasons(device, &bits) == nvml_success) r.throttle_reasons = bits;
  return r;
}

}  // namespace

std::optional<std::string> driver_release() {
  const nvml* library = nvml::get();
  char text[96] = "";
  if (!library || !library->driver || library->driver(text, sizeof text) != nvml_success) return {};
  return text;
}

std::optional<telemetry_reading> read_telemetry() {
  const nvml* library = nvml::get();
  const nvml_device device = library ? current_nvml_device(*library) : nullptr;
  return device ? std::optional(read(*library, device)) : std::nullopt;
}

std::string throttle_reasons_text(std::uint64_t reasons) {
  constexpr struct {
    std::uint64_t bit;
    const char* text;
  } names[] = {
      {0x02, "clocks set by an application"},
      {0x04, "power cap"},
      {0x08, "hardware slowdown"},
      {0x10, "sync boost"},
      {0x20, "thermal"},
      {0x40, "hardware thermal slowdown"},
      {0x80, "power brake"},
      {0x100, "display clocks"},
  };
  std::string text;
  for (const auto& n : names)
    if (reasons & n.bit) text += (text.empty() ? "" : ", ") + std::string(n.text);
  return text.empty() ? "none" : text;
}

struct telemetry_recorder::parts {
  std::mutex mutex;
  std::condition_variable wake;
  bool ending = false;
  std::vector<telemetry_reading> readings;
  std::thread thread;

  void run(const nvml& library, nvml_device device, double period) {
    std::unique_lock lock(mutex);
    do readings.push_back(read(library, device));
    while (!wake.wait_for(lock, std::chrono::duration<double>(period), [&] { return ending; }));
  }
};

telemetry_recorder::telemetry_recorder(double period_seconds) : parts_(std::make_unique<parts>()) {
  const nvml* library = nvml::get();
  const nvml_device device = library ? current_nvml_device(*library) : nullptr;
  if (device != nullptr)
    parts_->thread = std::thread([p = parts_.get(), library, device, period_seconds] {
      p->run(*library, device, period_seconds);
    });
}

telemetry_recorder::~telemetry_recorder() {
  stop();
}

std::optional<telemetry_reading> telemetry_recorder::latest() const {
  const std::lock_guard lock(parts_->mutex);
  return parts_->readings.empty() ? std::nullopt : std::optional(parts_->readings.back());
}

std::optional<telemetry_summary> telemetry_recorder::stop() {
  if (parts_->thread.joinable()) {
    {
      const std::lock_guard lock(parts_->mutex);
      parts_->ending = true;
    }
    parts_->wake.notify_one();
    parts_->thread.join();
  }
  if (parts_->readings.empty()) return std::nullopt;
  telemetry_summary s;
  s.readings = parts_->readings.size();
  std::vector<double> clocks, powers;
  for (const telemetry_reading& r : parts_->readings) {
    if (r.sm_clock_mhz) clocks.push_back(*r.sm_clock_mhz);
    if (r.power_w) powers.push_back(*r.power_w);
    if (r.temperature_c)
      s.max_temperature_c = std::max(s.max_temperature_c.value_or(0), *r.temperature_c);
    if (r.throttle_reasons)
      s.throttle_reasons = s.throttle_reasons.value_or(0) | *r.throttle_reasons;
  }
  if (!clocks.empty()) s.median_sm_clock_mhz = median(clocks);
  if (!powers.empty()) s.median_power_w = median(powers);
  return s;
}

}  // namespace coalesce
