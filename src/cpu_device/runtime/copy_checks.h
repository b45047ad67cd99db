/// @file
/// What --check says of copies and fills.
#pragma once

#include <cstddef>
#include <string>

#include "problems.h"

namespace cpu_device {

/// A copy or fill that CUDA refuses, when faults are looked for.
void report_wrong_copy(std::string&& text);
/// What is wrong with one side of it.
std::string wrong_side(const void* pointer, size_t bytes, bool device_expected);
/// Tells of a copy to the host of what nothing wrote.
void check_written(const void* source, size_t pitch, size_t width, size_t height,
                   const Party& caller);

}  // namespace cpu_device
