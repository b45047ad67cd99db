#pragma once

#include "coalesce/device.hpp"
#include "coalesce/json.hpp"

/// \addtogroup device
/// @{

namespace coalesce {

/// The facts as a JSON object with SI units, the form of `device.json`; what is unknown is left out.
json_object facts_as_json(const device_facts& facts);

}  // namespace coalesce

/// @}
