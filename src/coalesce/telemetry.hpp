#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

/// \addtogroup device
/// @{

namespace coalesce {

/// State of the GPU at one moment. What the driver does not tell is empty.
struct telemetry_reading {
  std::optional<double> sm_clock_mhz;             ///< clock of the multiprocessors, MHz
  std::optional<double> power_w;                  ///< power of the board, W
  std::optional<double> temperature_c;            ///< temperature of the chip, degrees Celsius
  std::optional<std::uint64_t> throttle_reasons;  ///< NVML's bit mask; see throttle_reasons_text()
};

/// State of the GPU over a time.
struct telemetry_summary {
  std::size_t readings = 0;                       ///< how many
  std::optional<double> median_sm_clock_mhz;      ///< MHz
  std::optional<double> median_power_w;           ///< W
  std::optional<double> max_temperature_c;        ///< degrees Celsius
  std::optional<std::uint64_t> throttle_reasons;  ///< all reasons seen, bits or-ed
};

/// Reads clock, power, temperature and throttle reasons of the current device once.
///
/// Loads libnvidia-ml.so.1, which comes with the driver; changes no setting.
/// \return nothing on the CPU device, or where that library or the device's entry is missing
/// \par Source
/// NVML API Reference, device queries.
std::optional<telemetry_reading> read_telemetry();

/// Release of the installed driver, for example "580.65.06".
/// \return nothing where NVML is missing and on the CPU device
/// \par Source
/// NVML API Reference, system queries.
std::optional<std::string> driver_release();

/// NVML's throttle reasons in words, "power cap, thermal"; "none" when no bit is set. Idle is not a
/// reason.
std::string throttle_reasons_text(std::uint64_t reasons);

/// Samples the current device in a thread of its own while something is being timed.
class telemetry_recorder {
 public:
  /// Starts sampling. Where there is no NVML it records nothing.
  /// \param period_seconds time between two readings
  explicit telemetry_recorder(double period_seconds = 0.02);
  telemetry_recorder(const telemetry_recorder&) = delete;
  telemetry_recorder& operator=(const telemetry_recorder&) = delete;
  /// Stops sampling.
  ~telemetry_recorder();

  /// The last reading so far; nothing before the first one.
  std::optional<telemetry_reading> latest() const;

  /// Stops sampling. \return the summary; nothing when nothing could be read
  std::optional<telemetry_summary> stop();

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace coalesce

/// @}
