#pragma once

#include <array>

/// Kernels whose theoretical occupancy the check asks of the runtime. They are never launched.
namespace lab53::check {

/// Without shared memory, and with 1000 and 40000 bytes of it.
std::array<const void*, 3> kernels();

}  // namespace lab53::check
