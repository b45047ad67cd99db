#pragma once
#error "<mma.h> needs tensor cores, which the CPU device does not have"
