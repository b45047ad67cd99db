#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <optional>

/// \addtogroup chapter
/// @{

namespace coalesce {

/// Parses a program's command line; a mistake is one line on standard error that names the option,
/// the value and what is allowed.
/// \return the exit code to end with: 0 after `--help`, 2 after a mistake; nothing when all is well
std::optional<int> parse_command_line(CLI::App& app, int argc, char** argv);

/// The most that an `int` option can hold.
inline constexpr std::int64_t largest_int = std::numeric_limits<int>::max();

/// Accepts whole numbers from `least` to `most` and names both when it refuses.
CLI::Validator whole_number(std::int64_t least = 0,
                            std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// Accepts finite numbers above 0, and 0 itself where `or_zero` is true.
CLI::Validator amount(bool or_zero = false);

}  // namespace coalesce

/// @}
