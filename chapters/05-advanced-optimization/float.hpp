#pragma once

#include <cstdint>

namespace chapter05 {}
