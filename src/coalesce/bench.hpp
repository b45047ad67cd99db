#pragma once

#include "coalesce/chapter.hpp"

/// \defgroup bench Benchmarks: the steps of a chapter against each other
/// Google Benchmark runs the arms; our part is what a sample is, and whose turn it is.
/// @{

namespace coalesce {

/// The benchmark program of a chapter.
///
///     03-first-gpu-program-bench --out raw.jsonl [--filter REGEX] [--n N …] [--rounds R] [--gpu K]
///
/// For every family and size it makes one problem, checks every step on it with fresh random input
/// and poisoned output, and times only those that were right. Then it takes `R` rounds; in each
/// round every arm (step × cache state × way of launching) gives one sample, in an order shuffled
/// anew, so that samples of one round form pairs. At the end every step is checked once more.
///
/// Writes one JSON object a line and flushes each, so an interrupted run keeps what it measured:
/// `context`, `row` and `verify` for every arm, `sample` for every sample, `end` with clock and power.
/// \return the exit code: 0 right, 1 a step was wrong, 2 usage, 4 no GPU
/// \par Source
/// Interleaving: Google Benchmark's random interleaving and nvbench issue 310 (an arm heats the next).
int bench_main(int argc, char** argv, const chapter& c);

}  // namespace coalesce

/// @}
