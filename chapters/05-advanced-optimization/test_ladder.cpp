// The integer ladder where random digits at aligned addresses would not find a mistake: sums and squares
// beyond 32 bits, arrays that begin anywhere, scratch memory that is used again, more than 2^31 elements.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "aligned_middle.hpp"
#include "chapter_test.hpp"
#include "coalesce/device.hpp"
#include "ladder_table.hpp"

namespace chapter05 {
namespace {

using any_sum_step = std::function<void(const int*, std::int64_t, std::int64_t*, void*)>;

struct named_sum {
  const char* name;
  any_sum_step run;
};

any_sum_step plain(sum_step* step) {
  return [step](const int* d_values, std::int64_t n, std::int64_t* d_sum, void*) {
    step(d_values, n, d_sum, nullptr);
  };
}

any_sum_step with_workspace(sum_step_with_workspace* step) {
  return [step](const int* d_values, std::int64_t n, std::int64_t* d_sum, void* d_workspace) {
    step(d_values, n, d_sum, d_workspace, nullptr);
  };
}

const std::vector<named_sum> sums = {
    {"many_blocks", plain(many_blocks)},
    {"block_sums", plain(block_sums)},
    {"tree_divergent", plain(tree_divergent)},
    {"tree_bank_conflicts", plain(tree_bank_conflicts)},
    {"tree_sequential", plain(tree_sequential)},
    {"first_add_during_load", plain(first_add_during_load)},
    {"warp_shuffle", plain(warp_shuffle)},
    {"grid_stride", plain(grid_stride)},
    {"wide_loads", plain(wide_loads)},
    {"one_launch", with_workspace(one_launch)},
    {"cooperative_grid", with_workspace(cooperative_grid)},
    {"packed_ticket", with_workspace(packed_ticket)},
    {"tile_a_block", with_workspace(tile_a_block)},
    {"early_launch", with_workspace(early_launch)},
    {"by_size", with_workspace(by_size)},
};

/// Why the device cannot run the step of that name.
std::optional<std::string> refused(const char* name) {
  for (const coalesce::step& s : ladder_steps())
    if (s.name == name) return coalesce::refuse_step(s);
  return std::string("the table has no step ") + name;
}

/// Scratch memory as a family's problem makes it: zeroed once.
coalesce::device_buffer<std::byte> fresh_workspace() {
  coalesce::device_buffer<std::byte> d_workspace(sizeof(sum_workspace));
  d_workspace.fill_bytes(0);
  return d_workspace;
}

class ladder_sum : public ::testing::TestWithParam<named_sum> {
 protected:
  void SetUp() override {
    if (const auto sentence = refused(GetParam().name)) GTEST_SKIP() << *sentence;
  }

  /// The step's answer, with this test's scratch memory, which is never cleared.
  std::int64_t sum_of(const int* d_values, std::int64_t n) {
    coalesce::poison(d_sum_);
    GetParam().run(d_values, n, d_sum_.data(), d_workspace_.data());
    return coalesce::to_host(d_sum_)[0];
  }

  std::int64_t sum_of(const std::vector<int>& values) {
    const auto d_values = coalesce::to_device(values);
    return sum_of(d_values.data(), d_values.size());
  }

 private:
  coalesce::device_buffer<std::int64_t> d_sum_{1};
  coalesce::device_buffer<std::byte> d_workspace_ = fresh_workspace();
};

INSTANTIATE_TEST_SUITE_P(chapter, ladder_sum, ::testing::ValuesIn(sums),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ladder, tests_every_sum_of_the_table) {
  std::vector<std::string> tested, listed;
  for (const named_sum& sum : sums) tested.emplace_back(sum.name);
  for (const coalesce::step& s : ladder_steps()) listed.push_back(s.name);
  EXPECT_EQ(tested, listed);
}

TEST(ladder_reference, agrees_with_closed_forms) {
  EXPECT_EQ(sum_of_squares({}), 0);
  EXPECT_EQ(sum_of_squares(std::vector<int>{-3, 4}), 25);
  EXPECT_EQ(sum_of_squares(std::vector<int>(1000, 100'000)), 10'000'000'000'000);
  EXPECT_EQ(sum_of_squares(std::vector<int>{INT32_MIN}), std::int64_t{1} << 62);
}

TEST(ladder_split, covers_every_array_once) {
  alignas(16) static const int values[64] = {};
  for (int begin = 0; begin < 8; ++begin)
    for (std::int64_t n = 0; n + begin <= 40; ++n) {
      const aligned_middle m = split(values + begin, n);
      EXPECT_EQ(m.head + 4 * m.count + m.tail, n) << "from " << begin << ", n = " << n;
      EXPECT_TRUE(m.head <= 3 && m.tail <= 3) << "from " << begin << ", n = " << n;
      EXPECT_EQ(reinterpret_cast<const int*>(m.data), values + begin + m.head);
      EXPECT_TRUE(m.count == 0 || reinterpret_cast<std::uintptr_t>(m.data) % 16 == 0);
    }
}

TEST_P(ladder_sum, holds_squares_beyond_32_bits) {
  EXPECT_EQ(sum_of(std::vector<int>(1000, 100'000)), 10'000'000'000'000);
  EXPECT_EQ(sum_of({-46341, 46341, -1}), 2 * std::int64_t{46341} * 46341 + 1);
  EXPECT_EQ(sum_of({INT32_MIN}), std::int64_t{1} << 62);
}

TEST_P(ladder_sum, holds_sums_that_turn_large_in_one_block_only) {
  std::vector<int> values(100'000, 3);
  values[77'777] = INT32_MAX;
  EXPECT_EQ(sum_of(values), sum_of_squares(values));
}

TEST_P(ladder_sum, takes_arrays_that_begin_and_end_anywhere) {
  const std::vector<int> values =
      coalesce::random_ints(70'000, -1000, 1000, coalesce::fresh_seed());
  const auto d_values = coalesce::to_device(values);
  for (const std::int64_t begin : {0, 1, 2, 3, 5})
    for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 7, 8, 255, 256, 1021, 1024, 4099, 69'993}) {
      const std::span<const int> part(values.data() + begin, static_cast<std::size_t>(n));
      EXPECT_EQ(sum_of(d_values.data() + begin, n), sum_of_squares(part))
          << "from element " << begin << ", n = " << n;
    }
}

TEST_P(ladder_sum, uses_its_scratch_memory_again_and_again) {
  const std::vector<int> values = coalesce::random_ints(60'000, 0, 9, coalesce::fresh_seed());
  const auto d_values = coalesce::to_device(values);
  for (const std::int64_t n : {60'000, 1, 60'000, 0, 5000, 59'999, 60'000}) {
    const std::span<const int> part(values.data(), static_cast<std::size_t>(n));
    EXPECT_EQ(sum_of(d_values.data(), n), sum_of_squares(part)) << "n = " << n;
  }
}

// Steps share the family's scratch memory, so each has to leave it as the others need it.
TEST(ladder_workspace, is_left_ready_for_every_other_step) {
  const std::vector<int> values = coalesce::random_ints(50'000, 0, 1000, coalesce::fresh_seed());
  const auto d_values = coalesce::to_device(values);
  coalesce::device_buffer<std::int64_t> d_sum(1);
  auto d_workspace = fresh_workspace();
  for (int round = 0; round < 2; ++round)
    for (const named_sum& sum : sums) {
      if (refused(sum.name)) continue;
      coalesce::poison(d_sum);
      sum.run(d_values.data(), d_values.size(), d_sum.data(), d_workspace.data());
      EXPECT_EQ(coalesce::to_host(d_sum)[0], sum_of_squares(values)) << sum.name;
    }
}

// A pattern of odd length over and over, so that a part read twice or never is found. On a GPU only: it
// takes 8 GiB.
TEST_P(ladder_sum, counts_beyond_2_to_the_31) {
  if (coalesce::on_cpu_device()) GTEST_SKIP() << "8 GiB are too many for the CPU device";
  constexpr std::int64_t n = (std::int64_t{1} << 31) + 12'347;
  if (const auto sentence = coalesce::refuse_elements(n, sizeof(int))) GTEST_SKIP() << *sentence;

  const std::vector<int> pattern = coalesce::random_ints(99'991, 0, 9, coalesce::fresh_seed());
  const auto period = static_cast<std::int64_t>(pattern.size());
  static coalesce::device_buffer<int> d_values(n);
  COALESCE_CHECK(cudaMemcpy(d_values.data(), pattern.data(), pattern.size() * sizeof(int),
                            cudaMemcpyHostToDevice));
  for (std::int64_t filled = period; filled < n; filled *= 2)
    COALESCE_CHECK(cudaMemcpy(d_values.data() + filled, d_values.data(),
                              static_cast<std::size_t>(std::min(filled, n - filled)) * sizeof(int),
                              cudaMemcpyDeviceToDevice));

  const std::span<const int> rest(pattern.data(), static_cast<std::size_t>(n % period));
  EXPECT_EQ(sum_of(d_values.data(), n),
            n / period * sum_of_squares(pattern) + sum_of_squares(rest));
}

}  // namespace
}  // namespace chapter05
