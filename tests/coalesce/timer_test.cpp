#include "coalesce/timer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <stdexcept>

#include "coalesce/device.hpp"
#include "coalesce/kernels.hpp"
#include "coalesce/statistics.hpp"

namespace {

using coalesce::cache_state;
using coalesce::event_timer;
using coalesce::launch_mode;
using coalesce::measure_options;

// Times are true of a GPU only.
class GpuTiming : public ::testing::Test {
 protected:
  void SetUp() override {
    if (coalesce::on_cpu_device()) GTEST_SKIP() << "the CPU device is never timed";
  }
};

TEST(EventTimer, CannotBeReadBeforeItIsStopped) {
  event_timer timer;
  EXPECT_THROW((void)timer.seconds(), std::logic_error);
  EXPECT_THROW(timer.stop(), std::logic_error);
  timer.start();
  EXPECT_THROW((void)timer.seconds(), std::logic_error);
  timer.stop();
  EXPECT_GE(timer.seconds(), 0.0);
}

TEST(Measure, RefusesOptionsOutOfRange) {
  if (coalesce::on_cpu_device()) GTEST_SKIP() << "the CPU device refuses for another reason";
  const auto nothing = [](cudaStream_t) {};
  EXPECT_THROW(coalesce::measure(nothing, {.inner = 513}), std::invalid_argument);
  EXPECT_THROW(coalesce::measure(nothing, {.samples = 0}), std::invalid_argument);
}

TEST(Measure, RefusesTheCpuDevice) {
  if (!coalesce::on_cpu_device()) GTEST_SKIP() << "this is a GPU";
  EXPECT_THROW(coalesce::measure([](cudaStream_t) {}), std::logic_error);
}

TEST_F(GpuTiming, TimerWaitsForTheKernel) {
  coalesce::detail::spin_for(1e-6, nullptr);
  const auto host_start = std::chrono::steady_clock::now();
  event_timer timer;
  timer.start();
  coalesce::detail::spin_for(20e-3, nullptr);
  const auto launched = std::chrono::steady_clock::now();
  timer.stop();
  const double seconds = timer.seconds();
  EXPECT_NEAR(seconds, 20e-3, 4e-3);
  EXPECT_LT(std::chrono::duration<double>(launched - host_start).count(), 2e-3)
      << "the launch alone is not the kernel";
}

TEST_F(GpuTiming, TheHoldKeepsTheHostOutOfTheTime) {
  coalesce::device_buffer<float> out(1);
  coalesce::sampler one([&](cudaStream_t s) { coalesce_test::work(out.data(), 10, s); },
                        {.warm_up_seconds = 0.05, .inner = 100});
  const double seconds = one.sample();
  EXPECT_TRUE(one.held());
  EXPECT_LT(seconds, 8e-6) << "a kernel of nothing takes a microsecond or two, back to back";
}

TEST_F(GpuTiming, ALaunchThatWaitsIsFoundOut) {
  coalesce::device_buffer<float> out(1);
  coalesce::sampler one(
      [&](cudaStream_t s) {
        coalesce_test::work(out.data(), 10, s);
        COALESCE_CHECK(cudaStreamSynchronize(s));
      },
      {.warm_up_seconds = 0.01, .inner = 2});
  EXPECT_GT(one.sample(), 0.0);
  EXPECT_FALSE(one.held());
}

TEST_F(GpuTiming, AGraphThatCapturedNothingIsRefused) {
  EXPECT_THROW(coalesce::measure(
                   [](cudaStream_t) {},
                   {.warm_up_seconds = 0, .samples = 1, .launch = launch_mode::graph, .inner = 4}),
               std::logic_error);
}

TEST_F(GpuTiming, ColdReadsTakeLongerThanHotOnes) {
  const auto l2 = coalesce::current_device_facts().l2_bytes;
  if (!l2) GTEST_SKIP() << "the size of L2 is not known";
  coalesce::device_buffer<std::uint32_t> data(static_cast<std::int64_t>(*l2 / 4 / 4));
  coalesce::device_buffer<std::uint32_t> sink(1);
  data.fill_bytes(0);
  const auto read = [&](cudaStream_t s) {
    coalesce::detail::read_all(data.data(), data.size(), sink.data(), s);
  };
  const double hot = coalesce::median(coalesce::measure(read, {.warm_up_seconds = 0.1}));
  const double cold = coalesce::median(
      coalesce::measure(read, {.warm_up_seconds = 0.1, .cache = cache_state::cold}));
  EXPECT_GT(cold, 1.2 * hot) << "hot " << hot << " s, cold " << cold << " s";
}

/// Interleaved pairs of two amounts of work, in random order within a round.
coalesce::ratio rivals(int their_steps, int our_steps, launch_mode mode) {
  coalesce::device_buffer<float> out(1);
  const measure_options options{.warm_up_seconds = 0.2, .launch = mode};
  coalesce::sampler theirs([&](cudaStream_t s) { coalesce_test::work(out.data(), their_steps, s); },
                           options);
  coalesce::sampler ours([&](cudaStream_t s) { coalesce_test::work(out.data(), our_steps, s); },
                         options);
  std::mt19937 order(std::random_device{}());
  std::vector<double> t, o;
  for (int round = 0; round < 31; ++round) {
    const bool first = order() % 2 == 0;
    if (first) t.push_back(theirs.sample());
    o.push_back(ours.sample());
    if (!first) t.push_back(theirs.sample());
  }
  return coalesce::median_ratio_by_pairs(t, o);
}

class GpuRivals : public GpuTiming, public ::testing::WithParamInterface<launch_mode> {};

TEST_P(GpuRivals, AKernelIsItsOwnEqual) {
  // A 95 % interval misses the truth once in 20 by design, so a bias must miss three times.
  for (int attempt = 1;; ++attempt) {
    const coalesce::ratio r = rivals(20000, 20000, GetParam());
    ASSERT_TRUE(r.range.has_value());
    EXPECT_LT(r.range->high - r.range->low, 0.01);
    if (r.range->contains(1.0)) break;
    ASSERT_LT(attempt, 3) << "from " << r.range->low << " to " << r.range->high;
  }
}

TEST_P(GpuRivals, APlantedSlowdownOfThreePercentIsFound) {
  const coalesce::ratio r = rivals(20600, 20000, GetParam());
  ASSERT_TRUE(r.range.has_value());
  EXPECT_GT(r.range->low, 1.0);
  EXPECT_NEAR(r.value, 1.03, 0.01);
}

INSTANTIATE_TEST_SUITE_P(Modes, GpuRivals,
                         ::testing::Values(launch_mode::stream, launch_mode::graph),
                         [](const auto& mode) {
                           return mode.param == launch_mode::stream ? "stream" : "graph";
                         });

}  // namespace
