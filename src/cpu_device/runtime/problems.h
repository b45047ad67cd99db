/// @file
/// What a program did wrong: kept once for each kind and pair of source lines, said on stderr,
/// written into the report, and the cause of exit code 86.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "symbolise.h"

namespace cpu_device {

constexpr int kExitProblems = 86;

/// One side of a problem: where in the code, and by which thread when it was in a kernel.
struct Party {
  std::vector<const void*> frames;  ///< return addresses, the innermost first; empty: no such side
  bool in_kernel = false;
  uint3 thread{}, block{};
};

struct Problem {
  std::string kind;    ///< "race", "out of bounds" ... (report.schema.json has the list)
  std::string kernel;  ///< empty: the host did it
  Party here, there;
  std::string message;  ///< one sentence: what happened and its usual cause
  bool said = false;    ///< stderr has it already
};

/// A problem with the lines found.
struct LocatedProblem {
  Problem problem;
  SourceLine here, there;
};

/// Are faults looked for? Yes when some object was built with --check; CPU_DEVICE_CHECK=1 or 0
/// overrules.
bool checking();
void set_built_for_checking();

/// Keeps a problem, unless its kind at these very instructions is known.
void add_problem(Problem&& problem);
/// Says on stderr what is new, and drops what repeats a pair of lines.
void say_problems();
/// All so far, each pair of lines once, in the order in which they were found.
const std::vector<LocatedProblem>& problems();

size_t problem_count();
/// Writes the report and ends the program with kExitProblems, if there are problems to tell.
void finish_program();

/// The calling lane.
Party this_lane(const void* pc);
/// The host's call of the API: the frames around it.
Party this_call();

}  // namespace cpu_device
