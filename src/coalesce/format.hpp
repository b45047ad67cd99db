#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// \addtogroup device
/// @{

namespace coalesce {

/// Bytes for reading: "512 B", "48 KiB", "1.5 GiB"; binary units, at most one decimal.
std::string format_bytes(std::size_t bytes);

/// A count for reading, digits in groups of three: "1 048 576".
std::string format_count(std::int64_t count);

/// A version number of the runtime's form: 12040 becomes "12.4".
std::string format_cuda_version(int version);

}  // namespace coalesce

/// @}
