#include "coalesce/launch.hpp"

#include <gtest/gtest.h>

#include <string>

#include "coalesce/device.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/index.hpp"
#include "coalesce/kernels.hpp"

namespace {

using coalesce::ceil_div;
using coalesce::grid_for;
using coalesce::kernel_facts;
using coalesce::launch_error;
using coalesce::launch_limits;
using coalesce::launch_shape;
using coalesce::refuse_launch;

static_assert(ceil_div(0, 32) == 0);
static_assert(ceil_div(31, 32) == 1 && ceil_div(32, 32) == 1 && ceil_div(33, 32) == 2);
static_assert(ceil_div(INT64_MAX, INT64_C(1)) == INT64_MAX, "no overflow near the end");
static_assert(ceil_div(std::int64_t{1} << 40, 256) == std::int64_t{1} << 32);

// Block 2^22 of 1024 threads, its last thread: the product leaves 32 bits.
static_assert(coalesce::widened_index(1u << 22, 1024, 1023) == INT64_C(4294968319));
static_assert((1u << 22) * 1024u + 1023u == 1023u, "what the unwidened product gives");

/// What refuse_launch says, or "" when the launch can be.
std::string refusal(dim3 grid, dim3 block, std::size_t shared = 0, const kernel_facts& kernel = {},
                    launch_limits limits = {}) {
  return refuse_launch({grid, block, shared}, kernel, limits).value_or("");
}

std::string message_of(const launch_shape& shape) {
  coalesce::device_buffer<int> flag(1);
  flag.fill_bytes(0);
  std::string text;
  try {
    coalesce_test::touch(flag.data(), shape);
  } catch (const launch_error& e) {
    text = e.what();
  }
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "refused before the runtime was asked";
  EXPECT_EQ(coalesce::to_host(flag)[0], 0) << "the kernel must not have run";
  return text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(GridFor, RoundsUp) {
  EXPECT_EQ(grid_for(0, 256).x, 0u);
  EXPECT_EQ(grid_for(1, 256).x, 1u);
  EXPECT_EQ(grid_for(1000, 256).x, 4u);
  EXPECT_EQ(grid_for(1024, 256).x, 4u);
  EXPECT_EQ(grid_for(1025, 256).x, 5u);
  EXPECT_EQ(grid_for((INT64_C(1) << 31) + 1, 1024).x, (1u << 21) + 1);
}

TEST(GridFor, TakesColumnsAsXAndRowsAsY) {
  const dim3 grid = grid_for(100, 33, dim3(32, 16));
  EXPECT_EQ(grid.x, 4u);
  EXPECT_EQ(grid.y, 3u);
  EXPECT_EQ(grid.z, 1u);
}

TEST(GridFor, RefusesWhatADim3CannotHold) {
  EXPECT_THROW(grid_for(-1, 256), launch_error);
  EXPECT_THROW(grid_for(1, 0), launch_error);
  EXPECT_THROW(grid_for(INT64_C(1) << 40, 256), launch_error);  // 2^32 blocks would wrap to 0
  EXPECT_NO_THROW(grid_for(INT64_C(2147483647) * 256, 256));
}

TEST(RefuseLaunch, AcceptsTheLimitsThemselves) {
  EXPECT_EQ(refusal(1, 1024), "");
  EXPECT_EQ(refusal(1, dim3(32, 32)), "");
  EXPECT_EQ(refusal(1, dim3(1, 1, 64)), "");
  EXPECT_EQ(refusal(dim3(2147483647, 65535, 65535), 1), "");
  EXPECT_EQ(refusal(1, 32, 48 << 10), "");
}

TEST(RefuseLaunch, NamesProductAndLimitOfABlock) {
  EXPECT_EQ(refusal(1, dim3(33, 32)), "block 33 × 32 = 1056 threads, limit 1024");
  EXPECT_EQ(refusal(1, dim3(16, 16, 8)), "block 16 × 16 × 8 = 2048 threads, limit 1024");
}

TEST(RefuseLaunch, NamesTheAxis) {
  EXPECT_EQ(refusal(1, 1025), "block.x 1025, limit 1024");
  EXPECT_EQ(refusal(1, dim3(1, 1, 65)), "block.z 65, limit 64");
  EXPECT_EQ(refusal(dim3(1, 65536), 32), "grid.y 65536, limit 65535");
  EXPECT_EQ(refusal(dim3(1, 1, 65536), 32), "grid.z 65536, limit 65535");
  EXPECT_EQ(refusal(2147483648u, 32), "grid.x 2147483648, limit 2147483647");
}

TEST(RefuseLaunch, ABlockOfNoThreadsIsAnError) {
  EXPECT_TRUE(contains(refusal(1, dim3(32, 0)), "has no threads"));
}

TEST(RefuseLaunch, AnEmptyGridIsLegal) {
  EXPECT_EQ(refusal(0, 256), "");
}

TEST(RefuseLaunch, NamesRegistersThreadsAndLimit) {
  kernel_facts kernel;
  kernel.registers = 96;
  kernel.max_threads_per_block = 640;
  const std::string text = refusal(1, 1024, 0, kernel);
  EXPECT_TRUE(contains(text, "1024 threads of 96 registers")) << text;
  EXPECT_TRUE(contains(text, "98304")) << text;
  EXPECT_TRUE(contains(text, "limit 65536")) << text;
}

TEST(RefuseLaunch, NamesWhatAKernelWasCompiledFor) {
  kernel_facts kernel;
  kernel.registers = 16;
  kernel.max_threads_per_block = 256;
  EXPECT_TRUE(contains(refusal(1, 512, 0, kernel), "compiled for at most 256"));
}

TEST(RefuseLaunch, CountsStaticAndDynamicSharedMemory) {
  launch_limits limits;
  limits.shared_optin = 100 << 10;
  kernel_facts kernel;
  kernel.static_shared = 1024;
  EXPECT_EQ(refusal(1, 32, 99 << 10, kernel, limits), "");
  const std::string text = refusal(1, 32, (99 << 10) + 4, kernel, limits);
  EXPECT_TRUE(contains(text, "101380 bytes of dynamic shared memory and 1024 static")) << text;
  EXPECT_TRUE(contains(text, "this GPU allows 102400 per block")) << text;
}

TEST(Launch, RefusesABlockOf1056ThreadsBeforeTheRuntimeDoes) {
  EXPECT_TRUE(contains(message_of({1, dim3(33, 32)}), "33 × 32 = 1056 threads, limit 1024"));
}

TEST(Launch, RefusesTooManyBlockRows) {
  EXPECT_TRUE(contains(message_of({dim3(1, 65536), dim3(8, 8)}), "grid.y 65536, limit 65535"));
}

TEST(Launch, NothingIsLaunchedForAnEmptyGrid) {
  EXPECT_EQ(message_of({0, 256}), "");
}

TEST(Launch, AnEmptyGridDoesNotExcuseABadBlock) {
  EXPECT_TRUE(contains(message_of({0, 2000}), "limit 1024"));
}

TEST(Launch, OptsInToLargeSharedMemory) {
  const std::size_t limit = coalesce::current_launch_limits().shared_optin;
  coalesce::device_buffer<int> out(1);
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{48} << 10, (std::size_t{48} << 10) + 4, limit}) {
    if (bytes > limit) continue;
    out.fill_bytes(0);
    coalesce_test::use_dynamic_shared(out.data(), bytes);
    EXPECT_EQ(coalesce::to_host(out)[0], static_cast<int>((bytes - 1) % 251) + 1) << bytes;
  }
}

TEST(Launch, RefusesMoreSharedMemoryThanTheDeviceHas) {
  const std::size_t limit = coalesce::current_launch_limits().shared_optin;
  coalesce::device_buffer<int> out(1);
  try {
    coalesce_test::use_dynamic_shared(out.data(), limit + 1024);
    FAIL() << "a launch over the limit passed";
  } catch (const launch_error& e) {
    EXPECT_TRUE(contains(e.what(), "asked for " + std::to_string(limit + 1024))) << e.what();
    EXPECT_TRUE(contains(e.what(), "allows " + std::to_string(limit))) << e.what();
  }
}

TEST(Launch, LimitsAreThoseOfTheDevice) {
  const launch_limits limits = coalesce::current_launch_limits();
  EXPECT_EQ(limits.threads_per_block, 1024);
  EXPECT_EQ(limits.grid_y, 65535);
  EXPECT_GE(limits.shared_optin, limits.shared_default);
}

TEST(Launch, FactsOfAKernelAreKnown) {
  const kernel_facts facts = coalesce::facts_of(coalesce_test::touch_address());
  EXPECT_GE(facts.max_threads_per_block, 1024);
  if (!facts.name.empty()) {
    EXPECT_EQ(facts.name, "coalesce_test::touch_kernel");
  }
}

// Host code shows the same two values without four thousand million threads.
static_assert(static_cast<std::int64_t>(((1u << 22) * 1024u) + 1023u) == 1023);
static_assert(coalesce::widened_index(1u << 22, 1024, 1023) == INT64_C(4294968319));

TEST(GlobalIndex, DoesNotWrapWhereTheNaiveProductDoes) {
  if (coalesce::on_cpu_device()) GTEST_SKIP() << "four thousand million threads: a GPU's work";
  coalesce::device_buffer<std::int64_t> out(2);
  coalesce_test::last_indices(out.data());
  const auto got = coalesce::to_host(out);
  EXPECT_EQ(got[0], 1023);
  EXPECT_EQ(got[1], INT64_C(4294968319));
}

}  // namespace
