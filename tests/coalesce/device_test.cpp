#include "coalesce/device.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "coalesce/telemetry.hpp"

namespace {

constexpr std::size_t gib = std::size_t{1} << 30;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Facts, OfTheCurrentDeviceAreSound) {
  const coalesce::device_facts f = coalesce::current_device_facts();
  EXPECT_FALSE(f.name.empty());
  EXPECT_EQ(f.slug, coalesce::slug_of(f.name));
  EXPECT_GE(f.compute_capability, 50);
  EXPECT_GT(f.sms, 0);
  EXPECT_EQ(f.warp_size, 32);
  EXPECT_GE(f.max_threads_per_block, 1024);
  EXPECT_GE(f.shared_per_block, 48u << 10);
  EXPECT_GT(f.memory_bytes, 0u);
  EXPECT_LE(f.free_bytes, f.memory_bytes);
  EXPECT_GE(f.runtime_version, 12000);
  if (f.sm_clock_hz) {
    EXPECT_GT(*f.sm_clock_hz, 1e8) << "hertz, not kilohertz";
  }
  if (f.memory_bandwidth_peak) {
    EXPECT_GT(*f.memory_bandwidth_peak, 1e9);
  }
}

TEST(Peak, BandwidthOfTheH200FollowsFromClockAndBus) {
  EXPECT_NEAR(coalesce::peak_bandwidth(3201e6, 6016), 4.814e12, 0.001e12);
}

TEST(Peak, Fp32OfTheH200FollowsFromLanesAndClock) {
  EXPECT_NEAR(coalesce::peak_fp32(90, 132, 1980e6).value(), 66.9e12, 0.1e12);
}

TEST(Peak, UnknownCapabilityGivesNoNumber) {
  EXPECT_FALSE(coalesce::fp32_lanes_per_sm(999).has_value());
  EXPECT_FALSE(coalesce::peak_fp32(999, 100, 1e9).has_value());
}

TEST(Slug, IsLowerCaseWithSingleDashes) {
  EXPECT_EQ(coalesce::slug_of("NVIDIA H200"), "nvidia-h200");
  EXPECT_EQ(coalesce::slug_of("GeForce G 103M"), "geforce-g-103m");
  EXPECT_EQ(coalesce::slug_of("  Tesla (M2070) "), "tesla-m2070");
  EXPECT_EQ(coalesce::slug_of(""), "");
}

TEST(RefuseDevice, TheFirstDeviceIsThere) {
  EXPECT_FALSE(coalesce::refuse_device(0).has_value());
}

TEST(RefuseDevice, ANumberPastTheLastIsRefusedWithTheCount) {
  EXPECT_TRUE(contains(coalesce::refuse_device(999).value_or(""), "no GPU number 999"));
  EXPECT_TRUE(contains(coalesce::refuse_device(-1).value_or(""), "no GPU number -1"));
}

TEST(DefaultElements, AreKeptWhereTheyFit) {
  const auto size = coalesce::default_elements(1000, 12, gib);
  EXPECT_EQ(size.elements, 1000);
  EXPECT_EQ(size.message, "");
}

TEST(DefaultElements, AreReducedToAThirdOfFreeMemoryWithAMessage) {
  const auto size = coalesce::default_elements(std::int64_t{1} << 40, 4, 3 * gib);
  EXPECT_EQ(size.elements, static_cast<std::int64_t>(gib / 4));
  EXPECT_TRUE(contains(size.message, "268 435 456")) << size.message;
  EXPECT_TRUE(contains(size.message, "3 GiB")) << size.message;
}

TEST(RefuseElements, AcceptsZeroAndWhatFits) {
  EXPECT_FALSE(coalesce::refuse_elements(0, 12, 0).has_value());
  EXPECT_FALSE(coalesce::refuse_elements(1000, 4, gib).has_value());
  EXPECT_FALSE(coalesce::refuse_elements(std::int64_t{1} << 40, 0, gib).has_value());
}

TEST(RefuseElements, NamesNeedFreeAndTheLargestSize) {
  const std::string text = coalesce::refuse_elements(gib, 12, 8 * gib).value_or("");
  EXPECT_TRUE(contains(text, "needs 12 GiB")) << text;
  EXPECT_TRUE(contains(text, "8 GiB are free")) << text;
  EXPECT_TRUE(contains(text, "--n 680")) << text;
}

TEST(RefuseElements, DoesNotOverflowForAbsurdSizes) {
  EXPECT_TRUE(contains(coalesce::refuse_elements(INT64_MAX, 12, gib).value_or(""), "over 16 EiB"));
}

TEST(RequireElements, ThrowsTheSentence) {
  EXPECT_NO_THROW(coalesce::require_elements(1, 4));
  EXPECT_THROW(coalesce::require_elements(INT64_MAX, 4), coalesce::does_not_fit);
}

TEST(Format, BytesCountsAndVersions) {
  EXPECT_EQ(coalesce::format_bytes(0), "0 B");
  EXPECT_EQ(coalesce::format_bytes(1023), "1023 B");
  EXPECT_EQ(coalesce::format_bytes(48 << 10), "48 KiB");
  EXPECT_EQ(coalesce::format_bytes(3 * gib / 2), "1.5 GiB");
  EXPECT_EQ(coalesce::format_count(0), "0");
  EXPECT_EQ(coalesce::format_count(999), "999");
  EXPECT_EQ(coalesce::format_count(1048576), "1 048 576");
  EXPECT_EQ(coalesce::format_count(-1000), "-1 000");
  EXPECT_EQ(coalesce::format_cuda_version(12040), "12.4");
}

TEST(Telemetry, ReasonsAreNamedAndIdleIsNone) {
  EXPECT_EQ(coalesce::throttle_reasons_text(0), "none");
  EXPECT_EQ(coalesce::throttle_reasons_text(1), "none");
  EXPECT_EQ(coalesce::throttle_reasons_text(0x24), "power cap, thermal");
}

TEST(Telemetry, RecorderAgreesWithASingleReadingOnWhetherThereIsOne) {
  coalesce::telemetry_recorder recorder(0.005);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  const auto summary = recorder.stop();
  ASSERT_EQ(summary.has_value(), coalesce::read_telemetry().has_value());
  if (!summary) GTEST_SKIP() << "no NVML here";
  EXPECT_GE(summary->readings, 2u);
  if (summary->median_sm_clock_mhz) {
    EXPECT_GT(*summary->median_sm_clock_mhz, 100);
  }
  if (summary->median_power_w) {
    EXPECT_LT(*summary->median_power_w, 2000);
  }
}

TEST(Telemetry, IsAbsentOnTheCpuDevice) {
  if (!coalesce::on_cpu_device()) GTEST_SKIP() << "this is a GPU";
  EXPECT_FALSE(coalesce::read_telemetry().has_value());
}

}  // namespace
