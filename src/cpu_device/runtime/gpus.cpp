#include "gpus.h"

namespace cpu_device {
namespace {

constexpr Gpu kGpus[] = {
#include "gpus.inc"
};

}  // namespace

const Gpu* find_gpu(const std::string& slug) {
  for (const Gpu& gpu : kGpus) {
    if (slug == gpu.slug) return &gpu;
  }
  return nullptr;
}

std::string gpu_names() {
  std::string names;
  for (const Gpu& gpu : kGpus) names += (names.empty() ? "" : ", ") + std::string(gpu.slug);
  return names;
}

}  // namespace cpu_device
