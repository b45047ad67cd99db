#include "coalesce/device_buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "coalesce/kernels.hpp"
#include "coalesce/stream.hpp"

namespace {

using coalesce::device_buffer;
using coalesce::pinned_buffer;

static_assert(!std::is_copy_constructible_v<device_buffer<int>>);
static_assert(std::is_nothrow_move_constructible_v<device_buffer<int>>);
static_assert(!std::is_copy_constructible_v<pinned_buffer<int>>);

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "nothing was thrown";
}

class DeviceBufferSizes : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(DeviceBufferSizes, EveryElementSurvivesTheRoundTrip) {
  std::vector<double> values(static_cast<std::size_t>(GetParam()));
  std::iota(values.begin(), values.end(), 0.5);
  const auto buffer = coalesce::to_device(values);
  EXPECT_EQ(buffer.size(), GetParam());
  EXPECT_EQ(buffer.bytes(), values.size() * sizeof(double));
  EXPECT_EQ(coalesce::to_host(buffer), values);
}

TEST_P(DeviceBufferSizes, KernelWritesEveryElement) {
  device_buffer<int> buffer(GetParam());
  buffer.fill_bytes(0xA5);
  coalesce_test::fill(buffer.data(), buffer.size(), 7);
  EXPECT_EQ(coalesce::to_host(buffer), std::vector<int>(static_cast<std::size_t>(GetParam()), 7));
}

TEST_P(DeviceBufferSizes, PinnedMemoryIsCopiedInAStream) {
  pinned_buffer<int> source(GetParam()), target(GetParam());
  std::iota(source.span().begin(), source.span().end(), 1);
  const coalesce::stream stream;
  device_buffer<int> buffer(GetParam());
  buffer.copy_from_host_async(source, stream);
  buffer.copy_to_host_async(target, stream);
  stream.synchronize();
  for (std::size_t i = 0; i < target.span().size(); ++i)
    ASSERT_EQ(target.span()[i], static_cast<int>(i) + 1);
}

INSTANTIATE_TEST_SUITE_P(Edges, DeviceBufferSizes,
                         ::testing::Values(0, 1, 31, 32, 33, 1023, 1024, 1025, 10007, 1 << 20));

TEST(DeviceBuffer, OfNoElementsOwnsNothing) {
  device_buffer<int> buffer(0);
  EXPECT_EQ(buffer.data(), nullptr);
  EXPECT_EQ(buffer.bytes(), 0u);
  EXPECT_NO_THROW(buffer.fill_bytes(1));
}

TEST(DeviceBuffer, FillSetsBytesNotElements) {
  device_buffer<std::uint32_t> buffer(3);
  buffer.fill_bytes(0x01);
  EXPECT_EQ(coalesce::to_host(buffer), std::vector<std::uint32_t>(3, 0x01010101u));
}

TEST(DeviceBuffer, MovingLeavesTheSourceEmpty) {
  device_buffer<int> first(4);
  int* const address = first.data();
  device_buffer<int> second(std::move(first));
  EXPECT_EQ(second.data(), address);
  EXPECT_EQ(second.size(), 4);
  EXPECT_EQ(first.data(), nullptr);  // NOLINT(bugprone-use-after-move): what is tested
  EXPECT_EQ(first.size(), 0);
}

TEST(DeviceBuffer, RefusesANegativeCount) {
  EXPECT_NE(message_of([] { device_buffer<int> b(-1); }).find("-1 elements"), std::string::npos);
}

TEST(DeviceBuffer, RefusesACountWhoseBytesOverflow) {
  EXPECT_THROW(device_buffer<double> b(INT64_MAX), std::length_error);
}

TEST(DeviceBuffer, RefusesACopyOfAnotherSizeAndNamesBoth) {
  device_buffer<int> buffer(8);
  const std::vector<int> host(7);
  const std::string text = message_of([&] { buffer.copy_from_host(host); });
  EXPECT_NE(text.find("8 elements"), std::string::npos) << text;
  EXPECT_NE(text.find(" 7"), std::string::npos) << text;
}

TEST(DeviceBuffer, TooLargeAnAllocationNamesAskedFreeAndTheLargestCount) {
  std::size_t free = 0, total = 0;
  COALESCE_CHECK(cudaMemGetInfo(&free, &total));
  const auto too_many = static_cast<std::int64_t>((total + (std::size_t{1} << 30)) / sizeof(int));
  try {
    device_buffer<int> buffer(too_many);
    FAIL() << "a buffer larger than the device was made";
  } catch (const coalesce::out_of_memory& e) {
    EXPECT_EQ(e.asked_bytes(), static_cast<std::size_t>(too_many) * sizeof(int));
    EXPECT_NE(std::string(e.what()).find("are free"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("device_buffer_test.cpp"), std::string::npos) << e.what();
  }
  EXPECT_NO_THROW(device_buffer<int> small(1024));  // the error does not linger
}

}  // namespace
