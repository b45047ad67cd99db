#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 750
#error "Coalesce needs compute capability 7.5 or newer: name your GPU's, for example -arch=sm_75."
#endif

/// \defgroup error Errors: checked calls, and sentences that say what to do next
/// Every call of the CUDA runtime in the course is checked; a failure becomes an exception.
/// @{

namespace coalesce {

/// Where in the sources something is called; a default argument `= call_site::current()` fills it
/// with the caller's place. (std::source_location is not in every nvcc that the course supports.)
struct call_site {
  const char* file;  ///< name of the source file
  int line;          ///< line in it, counted from 1

  /// The place where this function is called, or the caller's when it is a default argument.
  static constexpr call_site current(const char* file = __builtin_FILE(),
                                     int line = __builtin_LINE()) {
    return {file, line};
  }
};

/// A call of the CUDA runtime failed.
///
/// `what()` reads: file and line, the text of the call, the error's name, number and message, and
/// a sentence with the next step (see explain()).
class cuda_error : public std::runtime_error {
 public:
  /// \param code     what the runtime answered; not cudaSuccess
  /// \param happened what failed, "cudaMalloc(&p, 4) failed"
  /// \param where    source file and line of the call
  /// \param advice   sentence appended to the message; explain(code) where it is empty
  cuda_error(cudaError_t code, std::string_view happened, call_site where,
             std::string_view advice = {});

  /// The runtime's error code.
  cudaError_t code() const noexcept { return code_; }

  /// True when the error stays with the process (see is_sticky()).
  bool sticky() const noexcept;

 private:
  cudaError_t code_;
};

/// An allocation failed for lack of memory.
class out_of_memory : public cuda_error {
 public:
  /// \param asked         bytes asked for
  /// \param free          bytes free on the device when it failed
  /// \param element_bytes size of one element, to name the largest count that would fit
  /// \param where         source file and line of the request
  out_of_memory(std::size_t asked, std::size_t free, std::size_t element_bytes, call_site where);

  /// Bytes asked for.
  std::size_t asked_bytes() const noexcept { return asked_; }
  /// Bytes that were free on the device.
  std::size_t free_bytes() const noexcept { return free_; }

 private:
  std::size_t asked_;
  std::size_t free_;
};

/// What is known of the machine when an error is explained. Filled by look_at_machine(); tests
/// fill it by hand.
struct machine_state {
  int driver_version = 0;       ///< cudaDriverGetVersion: 12040 is 12.4; 0: there is no driver
  int runtime_version = 0;      ///< cudaRuntimeGetVersion, same form
  bool driver_library = false;  ///< libcuda.so.1 can be loaded
  int compute_capability = 0;   ///< 90 is 9.0; 0: not known
  std::string built_for;  ///< capabilities the program holds code for, "8.0, 9.0"; may be empty
  std::size_t free_bytes = 0;  ///< device memory free; 0: not known
};

/// Asks the machine for what explain() needs. Starts no context, so it works after any error.
/// \par Stream behaviour
/// None.
machine_state look_at_machine() noexcept;

/// One or two sentences for the reader: what `code` means here, and the next step.
///
/// It tells error 35 "no NVIDIA driver" from "driver older than the toolkit" by the driver's
/// version, which is 0 without a driver; names the card and the architectures built for error 209;
/// says of a sticky error that an earlier kernel is the culprit; and ends with the entry of the
/// troubleshooting page that tells more.
/// \param code    what the runtime answered
/// \param machine facts that decide between readings of the code
/// \par Source
/// Codes and meanings: CUDA Runtime API, Data types used by CUDA Runtime, enumeration cudaError.
std::string explain(cudaError_t code, const machine_state& machine);

/// The same for the machine this runs on.
std::string explain(cudaError_t code);

/// True for errors that a kernel leaves in the process for good: every later call repeats them,
/// and only a new process helps.
/// \par Source
/// CUDA Runtime API, enumeration cudaError: the codes described with "the process must be
/// terminated and relaunched".
bool is_sticky(cudaError_t code) noexcept;

/// Whether check_launch() only asks if the launch was accepted, or waits for the kernel to end.
enum class launch_check {
  accepted,  ///< asks cudaGetLastError and returns at once: finds launch errors
  finished,  ///< also waits for the device: finds execution errors
};

/// Checks the kernel launch just made.
/// \par Stream behaviour
/// `accepted` does not wait. `finished` waits for the whole device, and is an error while a stream
/// is being captured.
/// \param what  what was launched, for the message
/// \param extent how far to check
/// \param where the launch, filled in by the compiler
/// \throws cuda_error with "the launch of … was refused" when the launch failed, with "… failed
/// while it ran" when execution failed
void check_launch(std::string_view what, launch_check extent = launch_check::accepted,
                  call_site where = call_site::current());

/// Reports a failed call on standard error and carries on: for destructors, which must not throw.
///
/// Says nothing when the process is ending and the runtime has already shut down.
/// \param code  what the runtime answered
/// \param call  text of the call
/// \param where the call, filled in by the compiler
/// \return true when the call succeeded
bool report_failure(cudaError_t code, std::string_view call,
                    call_site where = call_site::current()) noexcept;

/// \cond internal
namespace detail {
/// Capabilities that the device code of this program was built for: "9.0, 10.0". In timer.cu.
const char* built_for();
/// Throws cuda_error unless `code` is cudaSuccess; clears the runtime's last error first.
void check(cudaError_t code, const char* call, const char* file, int line);
}  // namespace detail
/// \endcond

/// Evaluates a call of the CUDA runtime once and throws coalesce::cuda_error when it failed.
///
/// The only macro of the course: nothing else knows the text of the call and its line.
#define COALESCE_CHECK(...) \
  ::coalesce::detail::check((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

}  // namespace coalesce

/// @}
