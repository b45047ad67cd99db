#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "coalesce/format.hpp"

/// \defgroup device Devices: facts, peaks and sizes that fit
/// What a device is, asked in ways that CUDA 12 and CUDA 13 both have.
/// @{

namespace coalesce {

/// True in a program built for the CPU device, where nothing is timed.
constexpr bool on_cpu_device() {
#ifdef __CPU_DEVICE__
  return true;
#else
  return false;
#endif
}

/// Facts of a device. A value that the driver does not tell is empty, never 0.
struct device_facts {
  std::string name;                                   ///< as the driver spells it, "NVIDIA H200"
  std::string slug;                                   ///< name for files and keys, "nvidia-h200"
  int compute_capability = 0;                         ///< 90 is 9.0
  int sms = 0;                                        ///< multiprocessors
  int warp_size = 32;                                 ///< threads
  int max_threads_per_block = 0;                      ///< threads
  int max_threads_per_sm = 0;                         ///< threads
  std::optional<int> max_blocks_per_sm;               ///< blocks
  int registers_per_block = 0;                        ///< 32-bit registers
  std::optional<int> registers_per_sm;                ///< 32-bit registers
  std::size_t shared_per_block = 0;                   ///< bytes without opting in
  std::optional<std::size_t> shared_per_block_optin;  ///< bytes after opting in
  std::optional<std::size_t> shared_per_sm;           ///< bytes
  std::optional<std::size_t> l2_bytes;                ///< bytes
  std::size_t memory_bytes = 0;                       ///< bytes on the device
  std::size_t free_bytes = 0;                         ///< bytes free when asked
  std::optional<double> sm_clock_hz;                  ///< peak clock of the multiprocessors
  std::optional<double> memory_clock_hz;              ///< peak clock of the memory
  std::optional<int> memory_bus_bits;                 ///< width of the bus
  std::optional<double> memory_bandwidth_peak;        ///< bytes a second, by peak_bandwidth()
  std::optional<double> fp32_peak;                    ///< flop a second, by peak_fp32()
  int driver_version = 0;                             ///< newest CUDA of the driver; 13000 is 13.0
  int runtime_version = 0;                            ///< CUDA that the program was built with
};

/// Facts of the current device.
/// \par Stream behaviour
/// None; makes the device's context when there is none yet.
/// \throws cuda_error when there is no usable device
/// \par Source
/// cudaDeviceGetAttribute: CUDA 13 took the clocks out of cudaDeviceProp but not out of there.
device_facts current_device_facts();

/// One sentence when GPU number `device` cannot be used here, with the next step; else nothing.
std::optional<std::string> refuse_device(int device);

/// Name for files and keys: lower case, runs of other characters than a-z and 0-9 become "-"; a leading
/// "nvidia-" goes where a product line follows: "geforce-rtx-4090", but "nvidia-h200".
std::string slug_of(const std::string& name);

/// Peak bandwidth of the memory in bytes a second: two transfers a clock, times the bus in bytes.
/// \param clock_hz memory clock \param bus_bits width of the bus
/// \par Source
/// CUDA C++ Best Practices Guide, section Theoretical Bandwidth Calculation.
constexpr double peak_bandwidth(double clock_hz, int bus_bits) {
  return 2.0 * clock_hz * (bus_bits / 8.0);
}

/// 32-bit floating-point results a clock and multiprocessor; nothing for an unknown capability.
/// \param compute_capability 90 is 9.0
/// \par Source
/// CUDA C++ Programming Guide, Arithmetic Instructions, table of throughput, row "32-bit
/// floating-point add, multiply, multiply-add".
std::optional<int> fp32_lanes_per_sm(int compute_capability);

/// Peak rate in flop a second: a multiply-add is two.
/// \param compute_capability 90 is 9.0 \param sms multiprocessors \param clock_hz their clock
/// \return nothing for an unknown capability
std::optional<double> peak_fp32(int compute_capability, int sms, double clock_hz);

/// A default size, made to fit.
struct fitted_size {
  std::int64_t elements = 0;  ///< `wanted`, or fewer
  std::string message;        ///< says what was reduced and why; empty when nothing was
};

/// The wanted number of elements, or as many as a third of the free memory holds.
/// \param wanted            elements
/// \param bytes_per_element device memory that one element needs, over all buffers
/// \param free_bytes        free device memory
fitted_size default_elements(std::int64_t wanted, std::size_t bytes_per_element,
                             std::size_t free_bytes);

/// The same for the current device. \throws cuda_error
fitted_size default_elements(std::int64_t wanted, std::size_t bytes_per_element);

/// One sentence with need, free memory and the largest size when n elements do not fit; else
/// nothing. A twentieth of the free memory is left to the driver.
/// \param n                 elements, 0 or more
/// \param bytes_per_element device memory that one element needs, over all buffers
/// \param free_bytes        free device memory
std::optional<std::string> refuse_elements(std::int64_t n, std::size_t bytes_per_element,
                                           std::size_t free_bytes);

/// The same for the current device. \throws cuda_error
std::optional<std::string> refuse_elements(std::int64_t n, std::size_t bytes_per_element);

/// A size does not fit on the device.
class does_not_fit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws unless n elements fit on the current device.
/// \throws does_not_fit with the sentence of refuse_elements()
/// \throws cuda_error
void require_elements(std::int64_t n, std::size_t bytes_per_element);

}  // namespace coalesce

/// @}
