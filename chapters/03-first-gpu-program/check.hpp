#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// The smallest useful check: which call failed, and the runtime's name and words for it.
// The course's own programs use COALESCE_CHECK, which also says what to do next.
// [check]
inline void check(cudaError_t code, const char* call) {
  if (code == cudaSuccess) return;
  std::printf("%s: %s (%s)\n", call, cudaGetErrorName(code), cudaGetErrorString(code));
  std::exit(1);
}

#define CHECK(call) check((call), #call)
// [/check]
