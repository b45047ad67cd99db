// Step 2, versions: four version numbers take part when a CUDA program runs. This step prints them,
// and says whether the device runs machine code from the program or code the driver made from PTX.
#include <cstdio>

#include "coalesce/device.hpp"
#include "coalesce/error.hpp"
#include "steps.hpp"

namespace chapter01 {
namespace {

__global__ void any_kernel() {}

std::string compiler_text() {
#ifdef __CPU_DEVICE__
  return "clang " + std::to_string(__clang_major__);
#else
  return "nvcc " + version_text(__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10);
#endif
}

}  // namespace

std::string version_text(int number) {
  if (number == 0) return "none";
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string capability_text(int number) {
  return std::to_string(number / 10) + "." + std::to_string(number % 10);
}

// [which]
std::string which_code(int device, int binary, int ptx) {
  if (ptx < binary)
    return "made by the driver for " + capability_text(binary) + " from PTX " +
           capability_text(ptx);
  const std::string text = "machine code for " + capability_text(binary) + " from the program";
  return binary == device ? text : text + ", which a " + capability_text(device) + " runs too";
}
// [/which]

// [versions]
int versions(std::int64_t) {
  int driver = 0;
  int runtime = 0;
  cudaFuncAttributes kernel{};
  COALESCE_CHECK(cudaDriverGetVersion(&driver));
  COALESCE_CHECK(cudaRuntimeGetVersion(&runtime));
  COALESCE_CHECK(cudaFuncGetAttributes(&kernel, any_kernel));

  const int device = coalesce::current_device_facts().compute_capability;
  const std::string code = coalesce::on_cpu_device()
                               ? "machine code for this CPU"
                               : which_code(device, kernel.binaryVersion, kernel.ptxVersion);

  std::printf("driver      %-10s the newest CUDA that it can serve\n",
              version_text(driver).c_str());
  std::printf("runtime     %-10s the library inside this program\n", version_text(runtime).c_str());
  std::printf("headers     %-10s what it was compiled against\n",
              version_text(CUDART_VERSION).c_str());
  std::printf("compiler    %-10s what compiled it\n", compiler_text().c_str());
  std::printf("capability  %-10s what the device can do\n", capability_text(device).c_str());
  std::printf("code        %s\n", code.c_str());
  return 0;
}
// [/versions]

}  // namespace chapter01
