/// @file
/// Programs often include <cuda.h> and use only the runtime. What else it declares is the driver
/// API, which the CPU device does not have: cpucc names the first use.
#pragma once
#define CUDA_VERSION 13000
