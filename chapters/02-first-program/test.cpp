#include <cctype>
#include <cstdio>
#include <regex>

#include "chapter_test.hpp"
#include "coalesce/device.hpp"
#include "coalesce/launch.hpp"
#include "device_attributes.hpp"
#include "table.hpp"

using namespace chapter02;

COALESCE_TEST_EVERY_STEP(this_chapter());

namespace {

std::vector<const coalesce::step*> shown_steps() {
  std::vector<const coalesce::step*> steps;
  for (const coalesce::step& s : this_chapter().steps)
    if (s.kind == coalesce::step_kind::show) steps.push_back(&s);
  return steps;
}

/// What a shown step prints; what it says must be true.
std::string printed_by(show_step* run) {
  ::testing::internal::CaptureStdout();
  const int code = run(0);
  std::fflush(stdout);
  const std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(code, 0) << text;
  return text;
}

int attribute(cudaDeviceAttr which) {
  int device = 0, value = -1;
  COALESCE_CHECK(cudaGetDevice(&device));
  COALESCE_CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

class shown : public ::testing::TestWithParam<const coalesce::step*> {};

/// Twice: a step must leave nothing behind that changes what it shows.
TEST_P(shown, says_what_is_true) {
  for (int round = 0; round < 2; ++round) {
    ::testing::internal::CaptureStdout();
    const int code = GetParam()->show(0);
    std::fflush(stdout);
    const std::string text = ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(code, 0) << text;
    EXPECT_FALSE(text.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(chapter, shown, ::testing::ValuesIn(shown_steps()),
                         [](const auto& info) { return info.param->name; });

TEST(hello_threads, first_and_last_lane_of_each_warp_speak) {
  const std::string text = printed_by(hello_threads);
  for (const char* line : {"block 0 of 2, thread  0 of 40: warp 0, lane  0",
                           "block 0 of 2, thread 32 of 40: warp 1, lane  0",
                           "block 0 of 2, thread 39 of 40: warp 1, lane  7",
                           "block 1 of 2, thread 39 of 40: warp 1, lane  7"})
    EXPECT_NE(text.find(line), std::string::npos) << line << " is missing in\n" << text;
}

TEST(asynchronous_launch, the_host_goes_on) {
  const std::string text = printed_by(asynchronous_launch);
  EXPECT_NE(text.find("has returned, the kernel is still running"), std::string::npos) << text;
  EXPECT_NE(text.find("after the synchronise, the kernel is finished"), std::string::npos) << text;
}

TEST(device_query, agrees_with_the_support_library) {
  const coalesce::device_facts facts = coalesce::current_device_facts();
  const std::string json = printed_by(device_query_json);
  const auto value = [&json](const std::string& name) {
    std::smatch found;
    const std::regex member('"' + name + "\": ([-+.e0-9]+)");
    return std::regex_search(json, found, member) ? std::stod(found[1]) : -1.0;
  };
  EXPECT_EQ(value("sms"), facts.sms);
  EXPECT_EQ(value("warp_size"), 32);
  EXPECT_EQ(value("max_threads_per_sm"), facts.max_threads_per_sm);
  EXPECT_EQ(10 * value("capability_major") + value("capability_minor"), facts.compute_capability);
  if (facts.memory_bandwidth_peak)
    EXPECT_NEAR(value("memory_bandwidth_peak") / *facts.memory_bandwidth_peak, 1, 1e-6);
  else
    EXPECT_EQ(value("memory_bandwidth_peak"), -1);
  if (facts.fp32_peak)
    EXPECT_NEAR(value("fp32_peak") / *facts.fp32_peak, 1, 1e-6);
  else
    EXPECT_EQ(value("fp32_peak"), -1);
}

TEST(device_query, prints_a_line_for_each_attribute) {
  const std::string text = printed_by(device_query);
  for (const device_attribute& a : device_attributes)
    EXPECT_NE(text.find(std::string(a.title) + " "), std::string::npos) << a.title << " is missing";
}

TEST(device_query, peak_bandwidth_is_two_transfers_a_clock_over_the_bus) {
  EXPECT_EQ(coalesce::peak_bandwidth(3.201e9, 6016), 2 * 3.201e9 * 752);  // H200
  EXPECT_EQ(coalesce::peak_bandwidth(5e8, 64), 8e9);                      // GeForce G 103M
}

// What the text says of the limits of a launch.

TEST(limits, of_a_block) {
  EXPECT_EQ(attribute(cudaDevAttrMaxThreadsPerBlock), 1024);
  EXPECT_EQ(attribute(cudaDevAttrMaxBlockDimX), 1024);
  EXPECT_EQ(attribute(cudaDevAttrMaxBlockDimY), 1024);
  EXPECT_EQ(attribute(cudaDevAttrMaxBlockDimZ), 64);
}

TEST(limits, of_a_grid) {
  EXPECT_EQ(attribute(cudaDevAttrMaxGridDimX), 2147483647);
  EXPECT_EQ(attribute(cudaDevAttrMaxGridDimY), 65535);
  EXPECT_EQ(attribute(cudaDevAttrMaxGridDimZ), 65535);
}

TEST(limits, an_sm_keeps_more_threads_than_it_has_lanes) {
  const coalesce::device_facts facts = coalesce::current_device_facts();
  const auto lanes = coalesce::fp32_lanes_per_sm(facts.compute_capability);
  ASSERT_TRUE(lanes) << "no entry for capability " << facts.compute_capability;
  EXPECT_GT(facts.max_threads_per_sm, *lanes);
}

// The grid of the grid-stride step, as the text describes it.
TEST(grid_stride, visits_each_element_of_a_size_larger_than_the_device) {
  const std::int64_t threads = std::int64_t{attribute(cudaDevAttrMultiProcessorCount)} *
                               attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  const std::int64_t n = 3 * threads + 17;
  const auto p = make_family(scale_i32).make(n);
  for (const coalesce::step& s : this_chapter().steps)
    if (s.name == "grid_stride") {
      const coalesce::verdict checked = coalesce::run_checked(s, *p, coalesce::fresh_seed());
      EXPECT_TRUE(checked.ok) << checked.message;
    }
}

}  // namespace
