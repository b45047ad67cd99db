#pragma once

// One header a part of the chapter.
#include "float.hpp"
#include "ladder.hpp"
#include "tools.hpp"
