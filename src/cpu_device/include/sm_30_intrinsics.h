#pragma once
#include <cuda_runtime.h>  // the CPU device has one header for all of the runtime
