#pragma once
#include <nvtx3/nvToolsExt.h>  // where NVTX 3 has moved
