#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coalesce/timer.hpp"
#include "coalesce/verify.hpp"

/// \defgroup chapter Chapters: families, steps and the program that runs them
/// A chapter is data: a slug, a few families of problems, and the steps that solve them.
/// @{

namespace coalesce {

/// What one launch has to do: the basis of every bandwidth and rate the course prints.
struct work {
  double bytes = 0;  ///< least bytes moved through device memory, reads plus writes
  double flops = 0;  ///< floating-point operations; 0 where the problem is about bytes alone
};

/// One instance of a family's problem: n elements with inputs, output and reference answer.
///
/// A problem is prepared once for a seed; any step of its family may then be launched on it, and
/// the answer checked. All steps of a family share one instance, so rivals read the same bytes.
class problem {
 public:
  virtual ~problem() = default;

  /// Draws fresh random inputs from `seed`, copies them to the device and computes the reference.
  /// \par Stream behaviour
  /// Synchronous: the inputs are in place when it returns.
  virtual void prepare(std::uint64_t seed) = 0;

  /// Overwrites the output on the device, so that an element nobody writes is found.
  /// \par Stream behaviour
  /// Synchronous.
  virtual void poison_output() = 0;

  /// Compares the output on the device with the reference. Waits for the device.
  /// \throws cuda_error when the step's launch or execution failed.
  virtual verdict check() = 0;

  /// The answer in words, for the reader: "sum of squares = 29884416".
  virtual std::string answer() const = 0;

  /// Least bytes and operations of one launch.
  virtual work work_per_launch() const = 0;

  /// Mean relative error of what the last check looked at; nothing where a problem has none.
  virtual std::optional<double> mean_error() const { return {}; }
};

/// Where a step runs and what can be said of it.
enum class step_kind {
  measure,   ///< runs on the device, is checked and timed
  baseline,  ///< runs on the host, is checked, and timed with the host's clock
  show,      ///< prints something and is not timed
};

/// A cache state and a way to the device: what one row of results says of its measurement.
struct measure_mode {
  cache_state cache = cache_state::hot;
  launch_mode launch = launch_mode::stream;
};
inline constexpr measure_mode hot_stream{cache_state::hot, launch_mode::stream};
inline constexpr measure_mode cold_stream{cache_state::cold, launch_mode::stream};
inline constexpr measure_mode hot_graph{cache_state::hot, launch_mode::graph};
inline constexpr measure_mode cold_graph{cache_state::cold, launch_mode::graph};

/// Whose clock times a step.
enum class clock_kind {
  device,  ///< events around device work
  host,    ///< the host's clock, from the call to the end of the stream's work: copies
};

/// One idea of a chapter. Names are ideas without numbers, so that an inserted step breaks no key.
struct step {
  std::string name;    ///< for example "one_thread"
  std::string family;  ///< name of its family; empty for kind `show`
  std::string title;   ///< one line for `list`
  step_kind kind = step_kind::measure;
  bool rival = false;  ///< a library's answer to the same problem (lives in peers.cu)
  /// Enqueues the whole work of the step on `stream` and nothing else: this is what is timed.
  std::function<void(problem&, cudaStream_t)> launch = {};
  /// For kind `show`: prints, and returns the exit code. `n` is the reader's choice, or 0.
  std::function<int(std::int64_t n)> show = {};
  std::int64_t least_n = 0;         ///< smaller sizes are refused with a sentence
  std::int64_t most_n = INT64_MAX;  ///< larger sizes are refused with a sentence
  bool capturable = true;           ///< may be captured into a graph
  /// Settings of this row, `key:value[/key:value…]`, for example "block:32x32": the end of its key.
  /// Rows of one name differ in it; the first one is the step's default.
  std::string variant = {};
  std::vector<std::int64_t> only_at = {};          ///< sizes that are timed; empty: the family\'s
  std::vector<measure_mode> modes = {};            ///< rows that are timed; empty: the family's
  clock_kind timed_by = clock_kind::device;        ///< `host`: one row, without cache and launch
  int least_capability = 0;                        ///< 90 for 9.0: left out on an older GPU
  bool cpu_device = true;                          ///< runs on the CPU device
  std::function<verdict(problem&)> check = {};     ///< instead of the problem's: another answer
  std::function<work(std::int64_t n)> moves = {};  ///< instead of the problem's: another amount
  /// A baseline that takes so long: from this size on it runs once, which is both checked and timed.
  std::int64_t once_from = INT64_MAX;

  /// Name and variant, as `list` shows them: "strided/threads:64".
  std::string full_name() const { return variant.empty() ? name : name + "/" + variant; }
};

/// A problem that several steps solve in different ways.
struct family {
  std::string name;            ///< for example "sum_of_squares_i32"
  std::int64_t default_n = 0;  ///< elements, when the reader names no size
  std::vector<std::int64_t> bench_sizes =
      {};  ///< elements a run of the benchmark covers; default_n if empty
  std::vector<std::int64_t> thorough_sizes =
      {};                                     ///< the same for `--thorough`; bench_sizes if empty
  std::int64_t device_bytes_per_element = 0;  ///< device memory a problem needs, to refuse in time
  bool short_kernels = false;                 ///< the benchmark also times replays of a graph
  std::function<std::unique_ptr<problem>(std::int64_t n)> make;
};

/// Everything a chapter's program, test and benchmark need to know.
struct chapter {
  std::string slug;  ///< for example "03-first-gpu-program"
  std::vector<family> families;
  std::vector<step> steps;

  /// The family of a step. \throws std::out_of_range when the chapter has none of that name.
  const family& family_of(const step& s) const;
};

/// A step that prints something and is not timed.
/// \param name  of the step \param run  prints, and returns the exit code \param title  for `list`
step make_show(std::string name, int (*run)(std::int64_t n), std::string title);

/// Why the current device cannot run a step, in one sentence; nothing when it can.
std::optional<std::string> refuse_step(const step& s);

/// What one launch of a step on a problem of n elements has to do: the step's word, or the problem's.
work work_of(const step& s, const problem& p, std::int64_t n);

/// Runs one step on the problem's present input: poisoned output, launch, check.
/// \return the verdict of the check
verdict run_again(const step& s, problem& p);

/// Runs one step on one size: fresh input, poisoned output, launch, check.
/// \param s     a step of kind `measure` or `baseline`
/// \param p     a problem of the step's family
/// \param seed  any number; the same seed draws the same input
/// \return the verdict of the check
verdict run_checked(const step& s, problem& p, std::uint64_t seed);

/// The program of a chapter: `list [--json]` and `run STEP [--n N] [--seed S] [--json FILE] [--gpu K]`.
/// \return the exit code: 0 right, 1 wrong or failed, 2 usage, 4 no GPU
int chapter_main(int argc, char** argv, const chapter& c);

}  // namespace coalesce

/// @}
