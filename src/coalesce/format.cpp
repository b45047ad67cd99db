#include "coalesce/format.hpp"

#include <cmath>
#include <cstdio>

namespace coalesce {

std::string format_bytes(std::size_t bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = 0;
  double value = static_cast<double>(bytes);
  for (; value >= 1024 && unit < 6; ++unit) value /= 1024;
  const bool whole = value == std::floor(value);
  char text[32];
  std::snprintf(text, sizeof text, "%.*f %s", whole ? 0 : 1, value, units[unit]);
  return text;
}

std::string format_count(std::int64_t count) {
  std::string digits = std::to_string(count);
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3;) digits.insert(i -= 3, 1, ' ');
  return digits;
}

std::string format_cuda_version(int version) {
  return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

}  // namespace coalesce
