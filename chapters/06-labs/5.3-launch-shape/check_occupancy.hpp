#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "check_kernels.hpp"
#include "coalesce/device.hpp"
#include "coalesce/error.hpp"
#include "grading/cases.hpp"
#include "lab.hpp"

/// The check of occupancy(): on made-up devices, of which one limit is tight, and against the runtime.
namespace lab53::check {

using coalesce::lab::outcome;

/// A device with plenty of everything.
inline cudaDeviceProp plenty() {
  cudaDeviceProp device = {};
  device.major = 9;
  device.maxThreadsPerBlock = 1024;
  device.maxThreadsPerMultiProcessor = 2048;
  device.maxBlocksPerMultiProcessor = 1000;
  device.regsPerMultiprocessor = 1 << 20;
  device.regsPerBlock = 1 << 20;
  device.sharedMemPerMultiprocessor = std::size_t{1} << 30;
  device.sharedMemPerBlock = std::size_t{1} << 20;
  device.reservedSharedMemPerBlock = 1024;
  return device;
}

/// A device, a kernel and a shape, whose occupancy is worked out by hand.
struct example {
  const char* reason;  ///< what is wrong with another answer
  const char* words;
  int threads;
  double want;
  void (*limit)(cudaDeviceProp& device);
  int registers = 16;
  std::size_t static_shared = 0, dynamic_shared = 0;
};

inline const std::vector<example>& examples() {
  static const std::vector<example> all = {
      {"thread_limit", "room for 640 threads, blocks of 256", 256, 16. / 20,
       [](cudaDeviceProp& d) { d.maxThreadsPerMultiProcessor = 640; }},
      {"block_limit", "room for 5 blocks, blocks of 64", 64, 10. / 64,
       [](cudaDeviceProp& d) { d.maxBlocksPerMultiProcessor = 5; }},
      {"whole_warps", "room for 1536 threads, blocks of 33", 33, 1,
       [](cudaDeviceProp& d) { d.maxThreadsPerMultiProcessor = 1536; }},
      {"whole_warps", "room for 768 threads, blocks of 250", 250, 1,
       [](cudaDeviceProp& d) { d.maxThreadsPerMultiProcessor = 768; }},
      {"register_limit", "room for 40960 registers, blocks of 256 with 64 a thread", 256, 16. / 64,
       [](cudaDeviceProp& d) { d.regsPerMultiprocessor = 40960; }, 64},
      {"register_portions", "room for 49152 registers, blocks of 128 with 33 a thread", 128,
       36. / 64, [](cudaDeviceProp& d) { d.regsPerMultiprocessor = 49152; }, 33},
      {"register_parts", "room for 39936 registers, blocks of 32 with 40 a thread", 32, 28. / 64,
       [](cudaDeviceProp& d) { d.regsPerMultiprocessor = 39936; }, 40},
      {"block_does_not_fit", "16384 registers for a block, blocks of 512 with 40 a thread", 512, 0,
       [](cudaDeviceProp& d) { d.regsPerBlock = 16384; }, 40},
      {"shared_limit", "room for 40 KiB of shared memory, blocks of 128 with 7 KiB static", 128,
       20. / 64, [](cudaDeviceProp& d) { d.sharedMemPerMultiprocessor = 40 << 10; }, 16, 7 << 10},
      {"shared_limit", "room for 40 KiB of shared memory, blocks of 128 with 7 KiB dynamic", 128,
       20. / 64, [](cudaDeviceProp& d) { d.sharedMemPerMultiprocessor = 40 << 10; }, 16, 0,
       7 << 10},
      {"reserved_shared", "room for 16 KiB of shared memory, 1 KiB kept in each block of 64", 64,
       32. / 64, [](cudaDeviceProp& d) { d.sharedMemPerMultiprocessor = 16 << 10; }},
      {"shared_portions", "room for 9984 bytes of shared memory, blocks of 128 with 897", 128,
       16. / 64, [](cudaDeviceProp& d) { d.sharedMemPerMultiprocessor = 9984; }, 16, 897},
      {"block_does_not_fit", "8 KiB of shared memory for a block, blocks with 9 KiB", 128, 0,
       [](cudaDeviceProp& d) { d.sharedMemPerBlock = 8 << 10; }, 16, 1 << 10, 8 << 10},
  };
  return all;
}

inline double answer(const example& e, const cudaDeviceProp& device) {
  cudaFuncAttributes kernel = {};
  kernel.numRegs = e.registers;
  kernel.sharedSizeBytes = e.static_shared;
  kernel.maxThreadsPerBlock = 1024;
  return occupancy(kernel, device, dim3(static_cast<unsigned>(e.threads)), e.dynamic_shared);
}

inline double answer(const example& e) {
  cudaDeviceProp device = plenty();
  e.limit(device);
  return answer(e, device);
}

inline bool equal(double got, double want) {
  return std::abs(got - want) < 1e-9;
}

inline std::string in_words(double got, double want) {
  return "the answer is " + std::to_string(got) + ", and it should be " + std::to_string(want);
}

inline outcome check_examples() {
  const auto same_anywhere = [](const example& e) { return equal(answer(e), answer(e, plenty())); };
  for (const example& e : examples()) {
    const double got = answer(e);
    if (equal(got, e.want)) continue;
    const std::string text = std::string(e.words) + ": " + in_words(got, e.want);
    if (std::all_of(examples().begin(), examples().end(), same_anywhere))
      return {"limits_typed_in", text + "; a device with more of everything gets the same answer"};
    if (e.want != 0 && equal(got, 100 * e.want)) return {"percent", text};
    return {e.reason, text};
  }
  return {};
}

/// Every kernel in many shapes, against the runtime's own answer for this device.
inline outcome check_against_runtime() {
  cudaDeviceProp device = {};
  COALESCE_CHECK(cudaGetDeviceProperties(&device, 0));
  const double most_warps = device.maxThreadsPerMultiProcessor / 32;
  for (const void* kernel : kernels()) {
    cudaFuncAttributes attributes = {};
    COALESCE_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    for (const dim3 block : {dim3(1), dim3(32), dim3(33), dim3(8, 8), dim3(128), dim3(16, 10),
                             dim3(16, 16), dim3(5, 67), dim3(32, 16), dim3(1000), dim3(32, 32)})
      for (const std::size_t dynamic : {0, 1000, 7000, 20'000, 60'000}) {
        const int threads = static_cast<int>(block.x * block.y);
        int blocks = 0;
        COALESCE_CHECK(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, dynamic));
        const double want = blocks * ((threads + 31) / 32) / most_warps;
        const double got = occupancy(attributes, device, block, dynamic);
        if (!equal(got, want))
          return {"differs_from_runtime",
                  std::string(device.name) + ", blocks of " + std::to_string(threads) +
                      " threads, " + std::to_string(attributes.numRegs) + " registers a thread, " +
                      std::to_string(attributes.sharedSizeBytes) + " + " + std::to_string(dynamic) +
                      " bytes of shared memory: " + in_words(got, want)};
      }
  }
  return {};
}

inline void add_cases_of_occupancy(std::vector<coalesce::lab::lab_case>& cases) {
  cases.push_back(
      {"occupancy", "devices that do not exist", [](std::uint64_t) { return check_examples(); }});
  if (!coalesce::on_cpu_device()) {
    cases.push_back({"occupancy", "this device, against the runtime",
                     [](std::uint64_t) { return check_against_runtime(); }});
    return;
  }
  for (const std::string gpu : {"h200", "rtx4090", "t4", "m2070"})
    for (const std::string registers : {"24", "40", "63"})
      cases.push_back({"occupancy", gpu + ", " + registers + " registers, against the runtime",
                       [gpu, registers](std::uint64_t) {
                         // Read when the process first asks the CPU device for something.
                         setenv("CPU_DEVICE_AS", gpu.c_str(), 1);
                         setenv("CPU_DEVICE_REGISTERS", registers.c_str(), 1);
                         return check_against_runtime();
                       }});
}

}  // namespace lab53::check
