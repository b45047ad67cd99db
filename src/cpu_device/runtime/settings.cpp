#include "settings.h"

#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace cpu_device {

void refuse(const std::string& sentence) {
  std::fprintf(stderr, "cpu_device: %s\n", sentence.c_str());
  std::fflush(nullptr);
  _exit(2);  // not exit(): what runs then asks for the settings
}

uint64_t number(const char* name, const char* text, uint64_t low, uint64_t high) {
  uint64_t value = 0;
  const char* end = text + std::strlen(text);
  const auto result = std::from_chars(text, end, value);
  if (result.ec != std::errc() || result.ptr != end || value < low || value > high) {
    refuse(std::string(name) + "=" + text + ": expected a number from " + std::to_string(low) +
           " to " + std::to_string(high));
  }
  return value;
}

namespace {

Settings read() {
  Settings settings;
  const unsigned cores = std::thread::hardware_concurrency();
  settings.threads = cores ? static_cast<int>(cores) : 1;
  if (const char* text = std::getenv("CPU_DEVICE_THREADS")) {
    settings.threads = static_cast<int>(number("CPU_DEVICE_THREADS", text, 1, 1024));
  }
  if (const char* text = std::getenv("CPU_DEVICE_CHECK")) {
    settings.check = number("CPU_DEVICE_CHECK", text, 0, 1) == 1;
  }
  if (const char* text = std::getenv("CPU_DEVICE_SEED")) {
    settings.seed = number("CPU_DEVICE_SEED", text, 0, UINT64_MAX);
  }
  if (const char* text = std::getenv("CPU_DEVICE_REPORT")) settings.report = text;
  if (const char* text = std::getenv("CPU_DEVICE_REQUESTS")) {
    const std::string all = text;
    const size_t at = all.find('@');
    settings.requests = number("CPU_DEVICE_REQUESTS", all.substr(0, at).c_str(), 0, 1 << 20);
    if (at != std::string::npos) {
      settings.request_block =
          number("CPU_DEVICE_REQUESTS", all.substr(at + 1).c_str(), 0, UINT64_MAX);
    }
  }
  if (const char* text = std::getenv("CPU_DEVICE_REGISTERS")) settings.registers = text;
  const char* name = std::getenv("CPU_DEVICE_AS");
  settings.gpu = find_gpu(name ? name : "h200");
  if (!settings.gpu) {
    refuse(std::string("CPU_DEVICE_AS=") + name + ": expected one of " + gpu_names());
  }
  return settings;
}

}  // namespace

const Settings& settings() {
  static const Settings& once = *new Settings(read());  // outlives every static destructor
  return once;
}

}  // namespace cpu_device
