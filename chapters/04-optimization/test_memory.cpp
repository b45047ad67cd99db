// What the measurements of memory rest on: a chain that visits everything, and reads of all that is said.
#include <gtest/gtest.h>

#include <vector>

#include "memory_table.hpp"

namespace chapter04 {
namespace {

TEST(chain, visits_every_line_once_and_comes_back) {
  for (const std::int64_t n : {1, 31, 32, 33, 64, 65, 1000, 99'991}) {
    const auto next = random_chain(n, coalesce::fresh_seed());
    const std::int64_t lines = (n + chase_line - 1) / chase_line;
    std::vector<bool> visited(static_cast<std::size_t>(n));
    int place = 0;
    for (std::int64_t i = 0; i < lines; ++i) {
      ASSERT_GE(place, 0) << "n = " << n;
      ASSERT_EQ(place % chase_line, 0);
      ASSERT_FALSE(visited[static_cast<std::size_t>(place)]) << "a shorter round, n = " << n;
      visited[static_cast<std::size_t>(place)] = true;
      place = next[static_cast<std::size_t>(place)];
    }
    EXPECT_EQ(place, 0);
  }
  EXPECT_TRUE(random_chain(0, 1).empty());
}

TEST(chain, is_another_for_another_seed) {
  EXPECT_NE(random_chain(4096, 1), random_chain(4096, 2));
}

TEST(check_of_chase, finds_a_wrong_end_and_a_wrong_beginning) {
  const auto next = random_chain(4096, 7);
  int place = 0;
  for (int i = 0; i < chase_loads; ++i) place = next[static_cast<std::size_t>(place)];
  EXPECT_TRUE(check_chase(std::vector<int>{0, place}, next));
  EXPECT_FALSE(check_chase(std::vector<int>{0, next[static_cast<std::size_t>(place)]}, next));
  EXPECT_FALSE(check_chase(std::vector<int>{1, place}, next)) << "place 1 is in no chain";
  EXPECT_FALSE(check_chase(std::vector<int>{-1, place}, next));
}

TEST(reads, are_of_every_vector_in_turn) {
  for (const std::int64_t n : {0, 3, 4, 100, 4096, 4099, 50'000})
    for (const int blocks : {1, 3}) {
      const auto values = coalesce::random_ints(n, 0, 9, coalesce::fresh_seed());
      const auto d_values = coalesce::to_device(values);
      const std::int64_t threads = std::int64_t{blocks} * read_threads, count = n / 4;
      coalesce::device_buffer<int> d_sums(threads + 1);
      auto d_next = coalesce::to_device(std::vector<int>{0});
      std::int64_t first = 0;
      for (int launch = 0; launch < 3; ++launch) {
        coalesce::poison(d_sums);
        read_footprint(d_values.data(), n, d_sums.data(), d_next.data(), blocks, nullptr);
        std::vector<int> want(static_cast<std::size_t>(threads + 1), 0);
        want.back() = static_cast<int>(first);
        for (std::int64_t t = 0; count > 0 && t < threads; ++t)
          for (std::int64_t turn = 0; turn < read_turns; ++turn) {
            const std::int64_t start = first + t / read_threads * count / blocks;
            const std::int64_t i = (start + t % read_threads + turn * read_threads) % count;
            for (std::int64_t k = 4 * i; k < 4 * i + 4; ++k)
              want[static_cast<std::size_t>(t)] += values[static_cast<std::size_t>(k)];
          }
        const auto sums = coalesce::to_host(d_sums);
        EXPECT_EQ(sums, want) << "n = " << n << ", " << blocks << " blocks, launch " << launch;
        EXPECT_TRUE(check_reads(sums, values, blocks))
            << "n = " << n << ", " << blocks << " blocks";
        if (blocks == 1 && count > 0) first = (first + read_turns * read_threads) % count;
      }
    }
}

TEST(check_of_reads, finds_a_read_too_few) {
  const auto values = coalesce::random_ints(4096, 1, 9, 7);
  std::vector<int> sums(read_threads + 1, 0);
  sums[0] = static_cast<int>(sum_of_reads(values, 1, 0));
  EXPECT_TRUE(check_reads(sums, values, 1));
  sums[1] -= values[0];
  EXPECT_FALSE(check_reads(sums, values, 1));
  sums.back() = -1;
  EXPECT_FALSE(check_reads(sums, values, 1));
}

}  // namespace
}  // namespace chapter04
