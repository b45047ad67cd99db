/// @file
/// Output of printf in kernels: kept in order of execution, shown at synchronising calls only.
#pragma once

namespace cpu_device {

/// Writes everything kept so far to stdout.
void flush_printf();
/// Forgets it, as the end of a program does on a GPU.
void drop_printf();

}  // namespace cpu_device
