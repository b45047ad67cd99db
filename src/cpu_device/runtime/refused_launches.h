/// @file
/// Launches that were refused, and whose error nobody has asked for. Only when faults are looked
/// for.
#pragma once

#include <cuda_runtime.h>

namespace cpu_device {

/// A launch by <<<>>> at this place has ended so; it returns nothing that the program could look at.
void note_launch(const void* function, const void* place, cudaError_t error);
/// The program has asked for the last error.
void error_was_read();
/// At the end of the program: tells of those that it never asked for.
void report_refused_launches();

}  // namespace cpu_device
