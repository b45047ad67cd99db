/// @file
/// What instrumented device code reports: memory accesses, basic blocks, calls. Every access is
/// checked against the allocations; it is counted only when a report is wanted, and its order is
/// checked (checker.h) only when faults are looked for.
#pragma once

#include <cstddef>

namespace cpu_device {

/// An atomic function is about to touch `bytes` bytes at `address`.
/// @param overwrites  what was there has no part in what will be: a store, an exchange.
void on_atomic(const volatile void* address, size_t bytes, const void* pc, bool overwrites = false);

}  // namespace cpu_device
