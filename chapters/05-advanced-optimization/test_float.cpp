// What chapter 5 claims of sums in float.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "captured.hpp"
#include "chapter_test.hpp"
#include "coalesce/device.hpp"
#include "coalesce/verify.hpp"
#include "float_table.hpp"
#include "float_tree.hpp"

namespace chapter05 {
namespace {

constexpr int threads = deterministic_threads, loads = deterministic_loads,
              chains = deterministic_chains;

std::uint32_t bits(float value) {
  std::uint32_t same;
  std::memcpy(&same, &value, sizeof same);
  return same;
}

/// Floats on the device behind `shift` floats that belong to nobody, and scratch for any step.
class input {
 public:
  explicit input(const std::vector<float>& values, std::int64_t shift = 0)
      : n_(static_cast<std::int64_t>(values.size())),
        shift_(shift),
        d_values_(n_ + shift),
        d_sum_(1),
        d_work_(float_workspace_bytes(n_)) {
    coalesce::poison(d_values_);
    if (n_ > 0)
      COALESCE_CHECK(cudaMemcpy(d_values_.data() + shift, values.data(), values.size() * 4,
                                cudaMemcpyHostToDevice));
    d_work_.fill_bytes(0);
  }

  template <int Threads = threads, int Loads = loads>
  float deterministic_sum(int blocks = chains, int of_chains = chains) {
    poison();
    deterministic<Threads, Loads>(d_values_.data() + shift_, n_, d_sum_.data(), d_work_.data(),
                                  nullptr, of_chains, blocks);
    return coalesce::to_host(d_sum_)[0];
  }

  float sum(float_step* run) {
    poison();
    run(d_values_.data() + shift_, n_, d_sum_.data(), nullptr);
    return coalesce::to_host(d_sum_)[0];
  }

  float sum(float_workspace_step* run) {
    poison();
    run(d_values_.data() + shift_, n_, d_sum_.data(), d_work_.data(), nullptr);
    return coalesce::to_host(d_sum_)[0];
  }

  /// Poisons output and partial sums: an earlier launch left right ones there, which nobody may read.
  void poison() {
    coalesce::poison(d_sum_);
    COALESCE_CHECK(cudaMemset(d_work_.data() + sizeof(float_workspace), 0xFF,
                              d_work_.bytes() - sizeof(float_workspace)));
  }

  unsigned ticket() {
    unsigned value = 0;
    COALESCE_CHECK(cudaMemcpy(&value, d_work_.data(), sizeof value, cudaMemcpyDeviceToHost));
    return value;
  }

 private:
  std::int64_t n_, shift_;
  coalesce::device_buffer<float> d_values_, d_sum_;
  coalesce::device_buffer<std::byte> d_work_;
};

/// The deterministic sum as it is defined, in plain C++ and without blocks or warps.
float by_definition(const std::vector<float>& values, std::int64_t of_chains = chains) {
  const auto n = static_cast<std::int64_t>(values.size());
  const std::int64_t size = tile_floats(threads, loads);
  const std::int64_t tiles = (n + size - 1) / size;
  const auto element = [&](std::int64_t i) {
    return i < n ? values[static_cast<std::size_t>(i)] : 0.0f;
  };
  // Adds 2^k values: the first half to the second, until one is left. With 32 that is a warp's order.
  const auto halving = [](auto of) {
    for (std::size_t half = of.size() / 2; half > 0; half /= 2)
      for (std::size_t i = 0; i < half; ++i) of[i] += of[i + half];
    return of[0];
  };
  const auto block = [&](const auto& of_thread) {
    using value = std::decay_t<decltype(of_thread[0])>;
    std::vector<value> of_warp(32);
    for (std::size_t w = 0; w < of_thread.size() / 32; ++w)
      of_warp[w] =
          halving(std::vector<value>(of_thread.begin() + static_cast<std::ptrdiff_t>(32 * w),
                                     of_thread.begin() + static_cast<std::ptrdiff_t>(32 * w + 32)));
    return halving(of_warp);
  };
  std::vector<double> of_thread(threads);
  for (std::int64_t chain = 0; chain < std::min<std::int64_t>(tiles, of_chains); ++chain) {
    std::vector<float> sums(threads);
    for (std::int64_t t = 0; t < threads; ++t) {
      float of[4] = {};
      for (std::int64_t tile = chain; tile < tiles; tile += of_chains)
        for (std::int64_t c = 0; c < 4; ++c) {
          float squares = 0;
          for (std::int64_t k = 0; k < loads; ++k) {
            const float x = element(tile * size + 4 * (t + k * threads) + c);
            squares = std::fma(x, x, squares);
          }
          of[c] += squares;
        }
      sums[static_cast<std::size_t>(t)] = (of[0] + of[1]) + (of[2] + of[3]);
    }
    of_thread[static_cast<std::size_t>(chain % threads)] += double{block(sums)};
  }
  return static_cast<float>(block(of_thread));
}

const std::vector<std::int64_t> sizes = {0,    1,    3,    4,    31,    4095,
                                         4096, 4097, 8191, 8193, 99991, 300001};

// This is the claim: the bits are those of a definition that knows neither grid nor device.
TEST(deterministic, has_the_bits_of_its_definition) {
  for (const std::int64_t n : sizes) {
    const auto values = coalesce::random_floats(n, -1, 1, coalesce::fresh_seed());
    EXPECT_EQ(bits(input(values).deterministic_sum()), bits(by_definition(values))) << "n = " << n;
  }
}

TEST(deterministic, has_the_bits_of_its_definition_when_chains_have_several_tiles) {
  const auto values = coalesce::random_floats(300001, -1, 1, coalesce::fresh_seed());
  for (const int of_chains : {1, 2, 7, 36, 37})
    EXPECT_EQ(bits(input(values).deterministic_sum(of_chains, of_chains)),
              bits(by_definition(values, of_chains)))
        << of_chains << " chains";
}

TEST(deterministic, has_the_bits_of_its_definition_at_full_size) {
  const std::int64_t n = 2 * chains * tile_floats(threads, loads) + 4097;
  if (coalesce::on_cpu_device()) GTEST_SKIP() << "too many elements for a CPU: " << n;
  const auto values = coalesce::random_floats(n, -1, 1, coalesce::fresh_seed());
  EXPECT_EQ(bits(input(values).deterministic_sum()), bits(by_definition(values)));
}

// Bits of three inputs, written down once: every device, compiler and day has to give them. In each the sum
// is not the float that lies nearest to the truth, which another order might find as well.
TEST(deterministic, gives_on_every_device_the_bits_written_here) {
  const auto sum = [](std::int64_t n, std::uint64_t seed, int of_chains) {
    const auto values = coalesce::random_floats(n, -1, 1, seed);
    const float got = input(values).deterministic_sum(of_chains, of_chains);
    EXPECT_NE(got, static_cast<float>(sum_of_squares_in_double(values)));
    return bits(got);
  };
  EXPECT_EQ(sum(300001, 11, chains), 0x47c37dbeu);
  EXPECT_EQ(sum(300001, 3, 5), 0x47c327a3u);
  EXPECT_EQ(sum(1 << 20, 4, 5), 0x48aa7c06u);
}

TEST(deterministic, does_not_depend_on_the_grid) {
  for (const std::int64_t n : sizes) {
    input data(coalesce::random_floats(n, -1, 1, coalesce::fresh_seed()));
    // Few chains, so that even a short input has several tiles in each.
    const std::uint32_t want = bits(data.deterministic_sum(7, 7));
    for (const int blocks : {1, 2, 3, 5, 6})
      EXPECT_EQ(bits(data.deterministic_sum(blocks, 7)), want) << "n = " << n << ", " << blocks;
  }
}

TEST(deterministic, does_not_depend_on_the_run) {
  input data(coalesce::random_floats(300001, -1, 1, coalesce::fresh_seed()));
  const std::uint32_t want = bits(data.deterministic_sum());
  for (int run = 0; run < 20; ++run) EXPECT_EQ(bits(data.deterministic_sum()), want);
}

TEST(deterministic, does_not_depend_on_the_address) {
  for (const std::int64_t n : sizes) {
    const auto values = coalesce::random_floats(n, -1, 1, coalesce::fresh_seed());
    const std::uint32_t want = bits(input(values).deterministic_sum());
    for (const std::int64_t shift : {1, 2, 3, 4})
      EXPECT_EQ(bits(input(values, shift).deterministic_sum()), want)
          << "n = " << n << ", shifted by " << shift;
  }
}

// The order is part of the definition: with other constants other bits are right.
TEST(deterministic, depends_on_its_constants) {
  int other_bits = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    input data(coalesce::random_floats(99991, -1, 1, seed));
    other_bits += bits(data.deterministic_sum(3, 3)) != bits(data.deterministic_sum(2, 2));
  }
  EXPECT_GT(other_bits, 0);
}

TEST(deterministic, is_right_with_every_constant) {
  const auto values = coalesce::random_floats(99991, -1, 1, coalesce::fresh_seed());
  const double want = sum_of_squares_in_double(values);
  input data(values);
  for (const float got : {data.deterministic_sum<128, 4>(), data.deterministic_sum<128, 8>(),
                          data.deterministic_sum<256, 2>(), data.deterministic_sum<256, 8>(),
                          data.deterministic_sum<512, 2>(), data.deterministic_sum<512, 4>(),
                          data.deterministic_sum<1024, 2>()})
    EXPECT_LT(std::fabs(double{got} - want), 1e-6 * want);
}

// Sums of squares of -1, 0 and 1 are exact in any order, so a lost or doubled element cannot hide.
class every_float_sum : public ::testing::TestWithParam<int> {
 protected:
  static float run(input& data) {
    switch (GetParam()) {
      case 0:
        return data.sum(float_one_thread);
      case 1:
        return data.sum(float_one_thread_kahan);
      case 2:
        return data.sum(float_atomic);
      case 3:
        return data.sum(float_kahan);
      case 4:
        return data.sum(float_pairwise);
      case 5:
        return data.sum(float_double);
      case 6:
        return data.sum(limited_registers<1>);
      case 7:
        return data.sum(limited_registers<4>);
      case 8:
        return data.sum(+[](const float* d, std::int64_t n, float* d_sum, cudaStream_t stream) {
          in_flight<1>(d, n, d_sum, stream, 2);
        });
      case 9:
        return data.sum(+[](const float* d, std::int64_t n, float* d_sum, cudaStream_t stream) {
          in_flight<4>(d, n, d_sum, stream, 1);
        });
      case 10:
        return data.sum(limited_registers<2>);
      default:
        return data.deterministic_sum();
    }
  }
};

TEST_P(every_float_sum, misses_and_repeats_no_element) {
  for (const std::int64_t n : sizes)
    for (const std::int64_t shift : {0, 1}) {
      const auto whole = coalesce::random_ints(n, -1, 1, coalesce::fresh_seed());
      const std::vector<float> values(whole.begin(), whole.end());
      input data(values, shift);
      EXPECT_EQ(run(data), static_cast<float>(sum_of_squares_in_double(values)))
          << "n = " << n << ", shifted by " << shift;
      EXPECT_EQ(data.ticket(), 0u);
    }
}

TEST_P(every_float_sum, passes_nan_on) {
  std::vector<float> values(5000, 1.0f);
  values[4321] = NAN;
  input data(values);
  EXPECT_TRUE(std::isnan(run(data)));
}

INSTANTIATE_TEST_SUITE_P(chapter, every_float_sum, ::testing::Range(0, 12));

// 2^24 and then ones: no single float can count on. What was rounded away has to be kept.
TEST(kahan, counts_where_one_float_stands_still) {
  std::vector<float> values(1 << 16, 1.0f);
  values[0] = 4096;
  input data(values);
  const float want = static_cast<float>(sum_of_squares_in_double(values));
  EXPECT_EQ(data.sum(float_one_thread), 0x1p24f);
  EXPECT_EQ(data.sum(float_one_thread_kahan), want);
  EXPECT_EQ(data.sum(float_kahan), want);
  EXPECT_EQ(data.sum(float_double), want);
}

TEST(kahan, is_right_to_the_last_bits) {
  const auto values = coalesce::random_floats(300001, -1, 1, coalesce::fresh_seed());
  const double want = sum_of_squares_in_double(values);
  input data(values);
  for (float_workspace_step* run : {float_kahan, float_double})
    EXPECT_LT(std::fabs(double{data.sum(run)} - want), 1.2e-7 * want);
  EXPECT_LT(std::fabs(double{data.sum(float_one_thread_kahan)} - want), 1.2e-7 * want);
}

TEST(float_check, notices_a_wrong_sum) {
  const double want = 1000;
  const auto judged = [&](float got) {
    return compare_float_sum(std::span<const float>(&got, 1), std::span<const double>(&want, 1)).ok;
  };
  EXPECT_TRUE(judged(1000.0f));
  EXPECT_FALSE(judged(1000.01f));
  EXPECT_FALSE(judged(NAN));
}

TEST(float_steps, fit_into_the_workspace_they_ask_for) {
  for (const std::int64_t n :
       {std::int64_t{1}, std::int64_t{1} << 20, (std::int64_t{1} << 31) + 1}) {
    const std::int64_t tiles = coalesce::ceil_div(n, tile_floats(float_threads, float_loads));
    EXPECT_LE(256 + 4 * tiles, float_workspace_bytes(n));
    EXPECT_LE(256 + 8 * 4224, float_workspace_bytes(n));
  }
  EXPECT_EQ(sizeof(float_workspace), 256u);
}

// More elements than 32 bits count. Needs 8.6 GB on the device, and is for GPUs.
TEST(deterministic, adds_more_than_2_31_elements) {
  const std::int64_t n = (std::int64_t{1} << 31) + 4097;
  if (coalesce::on_cpu_device()) GTEST_SKIP() << "2^31 elements are too many for a CPU";
  if (const auto sentence = coalesce::refuse_elements(n, sizeof(float))) GTEST_SKIP() << *sentence;
  coalesce::device_buffer<float> d_values(n), d_sum(1);
  coalesce::device_buffer<std::byte> d_work(float_workspace_bytes(n));
  d_values.fill_bytes(0);
  d_work.fill_bytes(0);
  const float marks[] = {3, 4};  // at the very end
  COALESCE_CHECK(cudaMemcpy(d_values.data() + n - 2, marks, sizeof marks, cudaMemcpyHostToDevice));
  for (const int run : {0, 1, 2}) {
    coalesce::poison(d_sum);
    if (run == 0)
      deterministic<threads, loads>(d_values.data(), n, d_sum.data(), d_work.data(), nullptr,
                                    chains, chains);
    if (run == 1) float_pairwise(d_values.data(), n, d_sum.data(), d_work.data(), nullptr);
    if (run == 2) float_kahan(d_values.data(), n, d_sum.data(), d_work.data(), nullptr);
    EXPECT_EQ(coalesce::to_host(d_sum)[0], 25.0f) << run;
  }
}

class product : public ::testing::TestWithParam<product_step*> {};

// Whole numbers: every product and sum is exact, so the answers have to be equal.
TEST_P(product, is_exact_for_whole_numbers) {
  for (const int n : {1, 15, 16, 17, 50}) {
    const auto whole = coalesce::random_ints(2 * n * n, -4, 4, coalesce::fresh_seed());
    const auto d_ab = coalesce::to_device(std::vector<float>(whole.begin(), whole.end()));
    coalesce::device_buffer<float> d_c(n * n);
    coalesce::poison(d_c);
    GetParam()(d_ab.data(), n, d_c.data(), nullptr);
    const auto c = coalesce::to_host(d_c);
    for (int row = 0; row < n; ++row)
      for (int col = 0; col < n; ++col) {
        int want = 0;
        for (int k = 0; k < n; ++k)
          want += whole[static_cast<std::size_t>(row * n + k)] *
                  whole[static_cast<std::size_t>(n * n + k * n + col)];
        ASSERT_EQ(c[static_cast<std::size_t>(row * n + col)], static_cast<float>(want))
            << "n = " << n << ", row " << row << ", col " << col;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(chapter, product, ::testing::Values(product_plain, product_tiled));

using coalesce::testing::output_of;

TEST(float_show, says_what_the_page_says_or_why_not) {
  for (float_show* step : {rounding, orders, sum_errors, occupancy, registers_and_spills, little,
                           launch_cost, l2_and_write_back}) {
    const auto seen = output_of(step, step == orders || step == sum_errors ? 20000 : 0);
    EXPECT_EQ(seen.code, 0) << seen.text;
  }
}

TEST(float_show, finds_one_answer_of_the_deterministic_sum) {
  const auto seen = output_of(repeated_sums, coalesce::on_cpu_device() ? 20000 : 1 << 24);
  EXPECT_EQ(seen.code, 0) << seen.text;
  EXPECT_NE(seen.text.find("two addresses:                  1 different"), std::string::npos)
      << seen.text;
}

}  // namespace
}  // namespace chapter05
