/// @file
/// Registers a thread of a kernel needs on a GPU. No register allocation takes place here, so they
/// are known only when CPU_DEVICE_REGISTERS says them.
#pragma once

#include <optional>
#include <string>

namespace cpu_device {

/// What small kernels need; assumed where nothing is known.
constexpr int kAssumedRegisters = 32;

/// @param symbol  the kernel's mangled name.
std::optional<int> known_registers(const std::string& symbol);

}  // namespace cpu_device
