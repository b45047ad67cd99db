// Wrong: looks at threads and registers only.
#include <algorithm>

#include "exercise.hpp"

int blocks_that_fit(const multiprocessor& sm, const block_needs& block) {
  const auto in_pieces = [](int amount, int piece) { return (amount + piece - 1) / piece * piece; };
  const int warps = (block.threads + 31) / 32;
  const int registers = warps * in_pieces(32 * block.registers_per_thread, 256);
  const int shared = in_pieces(block.shared, 128);

  const int by_threads = sm.threads / (32 * warps);
  const int by_registers = registers == 0 ? sm.blocks : sm.registers / registers;
  const int by_shared = shared == 0 ? sm.blocks : sm.shared / shared;
  (void)by_shared;
  return std::min({sm.blocks, by_threads, by_registers});
}
