// The addition beyond the edge sizes of test.cpp: shapes of matrices, offsets, planted faults.
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "captured.hpp"
#include "chapter_test.hpp"
#include "coalesce/device.hpp"
#include "table.hpp"

namespace chapter04 {
namespace {

TEST(shape_of, gives_exactly_n_elements_in_rows_at_least_as_long_as_columns) {
  for (std::int64_t n = 1; n < 5000; ++n) {
    const matrix_shape s = shape_of(n);
    ASSERT_EQ(s.nx * s.ny, n);
    ASSERT_GE(s.nx, s.ny);
    for (std::int64_t ny = s.ny + 1; ny * ny <= n; ++ny) ASSERT_NE(n % ny, 0) << n;
  }
}

TEST(shape_of, is_what_the_page_says) {
  const auto expect = [](std::int64_t n, std::int64_t nx, std::int64_t ny) {
    const matrix_shape s = shape_of(n);
    EXPECT_TRUE(s.nx == nx && s.ny == ny) << n << ": " << s.nx << " x " << s.ny;
  };
  expect(0, 0, 0);
  expect(1, 1, 1);
  expect(1 << 28, 16384, 16384);
  expect(1 << 29, 32768, 16384);
  expect(1025, 41, 25);
  expect(99991, 99991, 1);
  expect(std::int64_t{65535} * 65537, 65537, 65535);
}

TEST(block_shapes, are_the_66_powers_of_two_up_to_1024_threads) {
  std::set<std::pair<unsigned, unsigned>> seen;
  for (const dim3 b : block_shapes()) {
    EXPECT_LE(b.x * b.y, 1024u);
    EXPECT_EQ(b.x & (b.x - 1), 0u);
    EXPECT_EQ(b.y & (b.y - 1), 0u);
    seen.emplace(b.x, b.y);
  }
  EXPECT_EQ(seen.size(), 66u);
  EXPECT_EQ(block_shapes().front().x, 32u);
}

/// A step by its name with its default settings, as a function on matrices of any shape.
using any_add = std::function<add_step>;

const std::vector<std::pair<std::string, any_add>>& all_adds() {
  static const auto with = [](auto step, auto... settings) {
    return [=](const float* a, const float* b, std::int64_t nx, std::int64_t ny, float* c,
               cudaStream_t stream) { step(a, b, nx, ny, c, settings..., stream); };
  };
  static const std::vector<std::pair<std::string, any_add>> adds = {
      {"one_element_a_thread", with(one_element_a_thread, dim3(32, 8))},
      {"one_element_a_thread_1x64", with(one_element_a_thread, dim3(1, 64))},
      {"renumbered", with(renumbered, dim3(16, 16))},
      {"resident_grid", with(resident_grid, 128)},
      {"several_a_thread_2", with(several_a_thread, 2)},
      {"several_a_thread_8", with(several_a_thread, 8)},
      {"float4_a_thread", with(float4_a_thread, 64)},
      {"early_launch", with(early_launch, 128)},
      {"several_float4_a_thread", with(several_float4_a_thread, 4, 0)},
      {"several_float4_a_thread_few_blocks", with(several_float4_a_thread, 2, 2)},
      {"with_hints", with(with_hints, cache_hint::streaming, cache_hint::streaming)},
      {"with_hints_na", with(with_hints, cache_hint::no_allocate, cache_hint::plain)},
      {"with_hints_wt", with(with_hints, cache_hint::l2_only, cache_hint::write_through)},
      {"async_copy", with(async_copy, 1)},
      {"async_copy_4", with(async_copy, 4)},
      {"bulk_copy", with(bulk_copy, bulk_shape{.threads = 64, .tile = 256})},
      {"bulk_ring",
       with(bulk_ring, bulk_shape{.threads = 64, .tile = 256, .stages = 3, .tiles = 0})},
      {"bulk_ring_tiles",
       with(bulk_ring, bulk_shape{.threads = 64, .tile = 128, .stages = 2, .tiles = 3})},
      {"by_size", by_size},
  };
  return adds;
}

bool needs_hopper(const std::string& name) {
  return name.starts_with("bulk");  // by_size uses them from 2^24 elements on
}

bool has_hopper() {
  return !coalesce::on_cpu_device() && coalesce::current_device_facts().compute_capability >= 90;
}

struct shape_case {
  std::int64_t nx, ny;
  int offset;  ///< elements by which all three addresses are off a multiple of 16 bytes
};

class addition : public ::testing::TestWithParam<std::tuple<std::size_t, shape_case>> {};

// Poison lies before and behind C, and is looked for afterwards: nobody writes outside.
TEST_P(addition, is_right_for_any_shape_and_address) {
  const auto& [name, run] = all_adds()[std::get<0>(GetParam())];
  const auto [nx, ny, offset] = std::get<1>(GetParam());
  if (needs_hopper(name) && !has_hopper() && offset == 0)
    GTEST_SKIP() << name << " needs a GPU of compute capability 9.0";
  const std::int64_t n = nx * ny, all = n + offset + 5;
  const auto first = static_cast<std::size_t>(offset);
  const auto a = coalesce::random_floats(all, -1, 1, coalesce::fresh_seed());
  const auto b = coalesce::random_floats(all, -1, 1, coalesce::fresh_seed());
  const auto d_a = coalesce::to_device(a), d_b = coalesce::to_device(b);
  coalesce::device_buffer<float> d_c(all);
  coalesce::poison(d_c);

  run(d_a.data() + offset, d_b.data() + offset, nx, ny, d_c.data() + offset, nullptr);

  const std::vector<float> c = coalesce::to_host(d_c);
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (i >= first && i < first + static_cast<std::size_t>(n))
      ASSERT_EQ(c[i], a[i] + b[i]) << name << ", element " << i - first << " of " << n;
    else
      ASSERT_TRUE(coalesce::is_poison(c[i])) << name << " wrote outside C, at " << i;
  }
}

const std::vector<shape_case> shapes = {
    {1, 1, 0},    {7, 1, 0},    {1, 77, 0},    {33, 31, 0},  {64, 1, 3},
    {100, 41, 1}, {41, 100, 2}, {257, 129, 0}, {3, 4096, 0}, {0, 0, 0},
};

std::string name_of_case(const ::testing::TestParamInfo<addition::ParamType>& info) {
  const shape_case& s = std::get<1>(info.param);
  return all_adds()[std::get<0>(info.param)].first + "_" + std::to_string(s.nx) + "x" +
         std::to_string(s.ny) + (s.offset ? "_off" + std::to_string(s.offset) : "");
}

INSTANTIATE_TEST_SUITE_P(every, addition,
                         ::testing::Combine(::testing::Range(std::size_t{0}, all_adds().size()),
                                            ::testing::ValuesIn(shapes)),
                         name_of_case);

// The sizes of the other tests are below by_size_large.
TEST(by_size, takes_bulk_copies_with_a_rest) {
  if (!has_hopper()) GTEST_SKIP() << "bulk copies need a GPU of compute capability 9.0";
  for (const std::int64_t n : {by_size_large, by_size_large + 1, by_size_large + 767}) {
    matrix_add_problem p(n);
    p.prepare(coalesce::fresh_seed());
    for (int round = 0; round < 3; ++round) {  // launches that may overlap
      p.poison_output();
      p.launch([](const float* a, const float* b, std::int64_t nx, std::int64_t ny, float* c) {
        by_size(a, b, nx, ny, c, nullptr);
        by_size(a, b, nx, ny, c, nullptr);
      });
      const auto v = p.check();
      ASSERT_TRUE(v.ok) << n << ": " << v.message;
    }
  }
}

class block_shape : public ::testing::TestWithParam<dim3> {};

// Several blocks along both axes, and no side a multiple of anything.
TEST_P(block_shape, adds_every_element_of_a_matrix) {
  const std::int64_t nx = 2 * GetParam().x + 3, ny = 2 * GetParam().y + 1;
  const auto a = coalesce::random_floats(nx * ny, -1, 1, coalesce::fresh_seed());
  const auto b = coalesce::random_floats(nx * ny, -1, 1, coalesce::fresh_seed());
  const auto d_a = coalesce::to_device(a), d_b = coalesce::to_device(b);
  coalesce::device_buffer<float> d_c(nx * ny);
  coalesce::poison(d_c);
  one_element_a_thread(d_a.data(), d_b.data(), nx, ny, d_c.data(), GetParam(), nullptr);
  const std::vector<float> c = coalesce::to_host(d_c);
  for (std::size_t i = 0; i < c.size(); ++i) ASSERT_EQ(c[i], a[i] + b[i]) << "element " << i;
}

std::string name_of_shape(const ::testing::TestParamInfo<dim3>& info) {
  return text_of(info.param);
}

INSTANTIATE_TEST_SUITE_P(each, block_shape, ::testing::ValuesIn(block_shapes()), name_of_shape);

std::string output_of(int (*show)(std::int64_t), std::int64_t n) {
  const coalesce::testing::shown seen = coalesce::testing::output_of(show, n);
  EXPECT_EQ(seen.code, 0) << seen.text;
  return seen.text;
}

TEST(show, block_occupancy_prints_66_shapes_and_never_more_than_all_warps) {
  const std::string text = output_of(block_occupancy, 1 << 20);
  std::istringstream words(text);
  int shares = 0;
  for (std::string word, before; words >> word; before = word)
    if (word == "%") {
      ++shares;
      EXPECT_LE(std::stod(before), 100.5) << text;
    }
  EXPECT_EQ(shares, coalesce::on_cpu_device() ? 66 : 132) << text;
}

TEST(show, launch_limits_refuses_what_is_over_them_and_nothing_else) {
  std::istringstream text(output_of(launch_limits, 0));
  std::set<std::string> refused;
  for (std::string line; std::getline(text, line);)
    if (line.find("cudaError") != std::string::npos)
      refused.insert(line.substr(0, line.find("  ")));
  std::set<std::string> want = {"1025 threads",
                                "32 x 64 threads",
                                "block z of 65",
                                "no threads",
                                "no blocks",
                                "grid y of 65536",
                                "grid z of 65536",
                                "grid x of 2147483648",
                                "49 KiB, not asked for",
                                "asking for a byte more"};
  if (!coalesce::on_cpu_device()) want.insert("1024 threads of it");  // it knows no registers
  EXPECT_EQ(refused, want);
}

TEST(show, in_strips_is_right_for_any_number_of_rows) {
  for (const std::int64_t n : {1, 41 * 25, 33 * 31, 99991}) {
    const std::string text = output_of(in_strips, n);
    EXPECT_NE(text.find("right"), std::string::npos) << text;
  }
}

// Planted faults: the family's own check has to see each of them.
coalesce::verdict verdict_on(void (*fault)(const float*, const float*, std::int64_t, std::int64_t,
                                           float*)) {
  matrix_add_problem p(1025);
  p.prepare(coalesce::fresh_seed());
  p.launch([&](const float* a, const float* b, std::int64_t nx, std::int64_t ny, float* c) {
    float4_a_thread(a, b, nx, ny, c, 256, nullptr);
    fault(a, b, nx, ny, c);
  });
  return p.check();
}

void write(float* to, float value) {
  COALESCE_CHECK(cudaMemcpy(to, &value, sizeof value, cudaMemcpyHostToDevice));
}

TEST(check_of_the_addition, passes_what_is_right) {
  EXPECT_TRUE(verdict_on([](auto, auto, auto, auto, auto) {}).ok);
}

TEST(check_of_the_addition, names_the_first_wrong_element) {
  const auto v = verdict_on([](auto, auto, auto, auto, float* c) {
    write(c + 41 * 3 + 5, 7);
    write(c + 1024, 7);
  });
  EXPECT_FALSE(v.ok);
  EXPECT_NE(v.message.find("row 3, column 5: got 7"), std::string::npos) << v.message;
  EXPECT_NE(v.message.find("2 of 1025"), std::string::npos) << v.message;
}

TEST(check_of_the_addition, fails_nan_and_one_bit) {
  EXPECT_FALSE(verdict_on([](auto, auto, auto, auto, float* c) {
                 write(c + 1024, std::numeric_limits<float>::quiet_NaN());
               }).ok);
  EXPECT_FALSE(verdict_on([](const float* a, const float* b, auto, auto, float* c) {
                 float x = 0, y = 0;
                 COALESCE_CHECK(cudaMemcpy(&x, a, sizeof x, cudaMemcpyDeviceToHost));
                 COALESCE_CHECK(cudaMemcpy(&y, b, sizeof y, cudaMemcpyDeviceToHost));
                 write(c, std::nextafter(x + y, 2.0f));
               }).ok);
}

TEST(check_of_the_addition, sees_what_nobody_wrote) {
  matrix_add_problem p(33);
  p.prepare(1);
  p.launch([](const float* a, const float* b, std::int64_t nx, std::int64_t ny, float* c) {
    float4_a_thread(a, b, nx, ny - 1, c, 256, nullptr);
  });
  const auto v = p.check();
  EXPECT_FALSE(v.ok);
  EXPECT_NE(v.message.find("row 2, column 0: got what nobody wrote"), std::string::npos)
      << v.message;
}

}  // namespace
}  // namespace chapter04
