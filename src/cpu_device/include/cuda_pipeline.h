#pragma once
#error "<cuda_pipeline.h> needs asynchronous copies, which the CPU device does not have"
