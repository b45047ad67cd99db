#pragma once

#include "coalesce/chapter.hpp"

/// \defgroup bench Benchmarks: the steps of a chapter against each other
/// Google Benchmark runs the arms; our part is what a sample is, and whose turn it is.
/// @{

namespace coalesce {

/// The benchmark program of a chapter.
///
///     03-first-gpu-program-bench --out raw.jsonl [--filter REGEX] [--n N …] [--rounds R]
///                                [--budget S] [--thorough] [--resume] [--gpu K]
///
/// For every family and size it makes one problem with fresh random input, checks every step on it
/// with poisoned output, and times only those that were right. Then it takes `R` rounds, or as many
/// (7 at least) as the time budget has room for; in each round every arm (step × cache state × way
/// of launching) gives one sample, in an order shuffled anew, so that samples of one round form
/// pairs. At the end every step is checked once more, on input drawn anew. Steps that the device
/// cannot run and sizes that its memory does not hold are left out, with a sentence on standard
/// error.
///
/// Writes one JSON object a line and flushes each, so an interrupted run keeps what it measured:
/// `context`, `fingerprint`, `row` and `verify` for every arm, `sample` for every sample, `done` behind
/// every family and size, `end` with clock and power. With `--resume` an output file whose
/// fingerprint (program and options) agrees is continued behind its last `done`.
/// \return the exit code: 0 right, 1 a step was wrong, 2 usage, 4 no GPU
/// \par Source
/// Interleaving: Google Benchmark's random interleaving and nvbench issue 310 (an arm heats the next).
int bench_main(int argc, char** argv, const chapter& c);

}  // namespace coalesce

/// @}
