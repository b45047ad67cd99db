// Checks blocks_that_fit() against cases worked out by hand, for three generations of multiprocessors.
#include <cstdint>
#include <string>

#include "chapters/exercise.hpp"
#include "exercise.hpp"

namespace {

// From the programming guide's table of technical specifications.
constexpr multiprocessor fermi{1536, 8, 32768, 49152};
constexpr multiprocessor ada{1536, 24, 65536, 102400};
constexpr multiprocessor hopper{2048, 32, 65536, 233472};

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  const struct {
    const char* name;
    multiprocessor sm;
    block_needs block;
    std::int64_t want;
  } cases[] = {
      {"32 x 32 threads, capability 2.0", fermi, {1024, 16, 0}, 1},
      {"32 x 16 threads, capability 2.0", fermi, {512, 16, 0}, 3},
      {"32 threads, capability 2.0: blocks are the limit", fermi, {32, 16, 0}, 8},
      {"32 x 32 threads, capability 8.9", ada, {1024, 16, 1024}, 1},
      {"16 x 16 threads, capability 8.9", ada, {256, 16, 1024}, 6},
      {"32 x 32 threads, capability 9.0", hopper, {1024, 16, 1024}, 2},
      {"32 threads, capability 9.0: blocks are the limit", hopper, {32, 16, 1024}, 32},
      {"33 threads are two warps", hopper, {33, 16, 1024}, 32},
      {"1000 threads are 32 warps", hopper, {1000, 16, 1024}, 2},
      {"65 threads are three warps: 21 blocks", hopper, {65, 16, 1024}, 21},
      {"40 registers: a warp takes 1280", hopper, {256, 40, 1024}, 6},
      {"33 registers count as 40", hopper, {256, 33, 1024}, 6},
      {"1024 threads of 65 registers do not fit", hopper, {1024, 65, 1024}, 0},
      {"48 KiB and the system's own", hopper, {256, 24, 50176}, 4},
      {"one byte takes a piece of 128", hopper, {32, 16, 7297}, 31},
      {"more than there is", hopper, {256, 24, 233473}, 0},
  };
  for (const auto& c : cases)
    report.expect(c.name, [&] {
      const std::int64_t got = blocks_that_fit(c.sm, c.block);
      return coalesce::expect_equal<std::int64_t>(std::span(&got, 1), std::span(&c.want, 1));
    });
  return report.finish();
}
