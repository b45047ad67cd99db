#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

/// What the checks of the labs share: cases, each run in a process of its own, and what they answer.
/// The grader (tools/labs/) runs them, with a time limit, and adds what the CPU device has seen.
namespace coalesce::lab {

/// A limit on what the CPU device counts during a case, over all launches.
struct count_limit {
  /// `launches`, `threads` (of all launches), or, of global memory, `load_lanes`, `store_lanes`,
  /// `load_requests`, `store_requests`, `load_sectors`, `store_sectors`, `atomic_lanes`, and with
  /// `shared_` in front what is known of shared memory: `shared_load_lanes`, `shared_conflicts`, ….
  /// `A/B` is the quotient of two of them.
  std::string count;
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
  std::string reason;   ///< code of the fault when the count lies outside
  std::string message;  ///< the fault in one sentence; the grader adds the count and the limit
};

/// What came of a case.
struct outcome {
  std::string reason;   ///< code of the fault, a key of the hints; empty: right
  std::string message;  ///< one sentence, with index and both values where there is a mismatch
  std::vector<count_limit> counts = {};  ///< looked at when the case is right

  bool right() const { return reason.empty(); }
};

/// One situation in which the reader's functions are called.
struct lab_case {
  std::string property;  ///< one of `[[properties]]` in lab.toml
  std::string name;      ///< "n = 250"
  std::function<outcome(std::uint64_t seed)> run;
};

/// The main function of a check.
///
///     CHECK list                       one JSON object a line: property and name of each case
///     CHECK run NUMBER SEED VERDICT    runs one case and writes its outcome to a new file
///
/// Without a verdict the grader knows that the reader's code left the program early.
/// \return 0 when the case ran to its end, right or wrong; 2 for wrong use
int lab_main(int argc, char** argv, const std::vector<lab_case>& cases);

}  // namespace coalesce::lab
