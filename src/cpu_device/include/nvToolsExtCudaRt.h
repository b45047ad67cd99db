#pragma once
#include <nvtx3/nvToolsExtCudaRt.h>  // where NVTX 3 has moved
