#pragma once

// One header a part of the chapter.
#include "copies.hpp"
#include "matrix_add.hpp"
#include "memory.hpp"
#include "one_block.hpp"
