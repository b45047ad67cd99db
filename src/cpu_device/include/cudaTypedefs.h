#pragma once
#error "<cudaTypedefs.h> needs driver entry points, which the CPU device does not have"
