#pragma once
#error "<cuda.h> needs the driver API, which the CPU device does not have"
