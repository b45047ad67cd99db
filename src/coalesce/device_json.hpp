#pragma once

#include "coalesce/device.hpp"
#include "coalesce/json.hpp"
#include "coalesce/launch.hpp"

/// \addtogroup device
/// @{

namespace coalesce {

/// The facts as a JSON object with SI units, the form of `device.json`; what is unknown is left out.
/// \param facts  facts of a device
/// \param limits its limits on launches
json_object facts_as_json(const device_facts& facts, const launch_limits& limits);

}  // namespace coalesce

/// @}
