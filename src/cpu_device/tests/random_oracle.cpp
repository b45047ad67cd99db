// The toolkit's own generators, run on the host: prints what tests/random_numbers.txt holds.
#include <cuda_runtime.h>
#define QUALIFIERS static inline
#include <curand_kernel.h>
// (the toolkit's first)
#include "random_numbers.h"

template <class State>
void all(const char* name) {
  for (const auto& start : kStarts) {
    Numbers numbers{};
    draw<State>(&numbers, start[0], start[1], start[2]);
    print(name, numbers);
  }
}

int main() {
  all<curandStateXORWOW_t>("xorwow");
  all<curandStatePhilox4_32_10_t>("philox");
  all<curandStateMRG32k3a_t>("mrg32k3a");
}
