#include "coalesce/stream.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "coalesce/device.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/kernels.hpp"

namespace {

using coalesce::device_buffer;
using coalesce::graph_replay;
using coalesce::stream;

TEST(Stream, WorkIsDoneAfterSynchronize) {
  const stream s(coalesce::stream_kind::independent);
  device_buffer<int> buffer(1000);
  coalesce_test::fill(buffer.data(), buffer.size(), 3, s);
  s.synchronize();
  EXPECT_EQ(coalesce::to_host(buffer), std::vector<int>(1000, 3));
}

TEST(Stream, WaitsForAnEventOfAnother) {
  const stream first(coalesce::stream_kind::independent);
  const stream second(coalesce::stream_kind::independent);
  device_buffer<int> buffer(1000);
  const coalesce::event done;
  coalesce_test::fill(buffer.data(), buffer.size(), 1, first);
  done.record(first);
  second.wait_for(done);
  coalesce_test::fill(buffer.data(), buffer.size(), 2, second);
  second.synchronize();
  EXPECT_TRUE(done.passed());
  EXPECT_EQ(coalesce::to_host(buffer), std::vector<int>(1000, 2));
}

TEST(Stream, MovesItsHandle) {
  stream first;
  const cudaStream_t handle = first;
  const stream second(std::move(first));
  EXPECT_EQ(second.get(), handle);
}

TEST(Event, TimeBetweenTwoIsNotNegative) {
  const coalesce::event start, stop;
  start.record();
  stop.record();
  EXPECT_GE(coalesce::seconds_between(start, stop), 0.0);
}

TEST(GraphReplay, DoesTheWorkAtEveryReplay) {
  device_buffer<int> buffer(100);
  const graph_replay graph(
      [&](cudaStream_t s) { coalesce_test::fill(buffer.data(), buffer.size(), 5, s); }, 3);
  EXPECT_EQ(graph.times(), 3);
  EXPECT_EQ(graph.operations(), 3u);
  const stream s;
  for (int replay = 0; replay < 2; ++replay) {
    buffer.fill_bytes(0, s);
    graph.replay(s);
    EXPECT_EQ(coalesce::to_host(buffer, s), std::vector<int>(100, 5));
  }
}

TEST(GraphReplay, CapturingRunsNothing) {
  if (coalesce::on_cpu_device()) GTEST_SKIP() << "the CPU device has no graphs";
  device_buffer<int> buffer(100);
  buffer.fill_bytes(0);
  const graph_replay graph(
      [&](cudaStream_t s) { coalesce_test::fill(buffer.data(), buffer.size(), 5, s); }, 1);
  EXPECT_EQ(coalesce::to_host(buffer), std::vector<int>(100, 0));
}

TEST(GraphReplay, SeesThatNothingWasCaptured) {
  if (coalesce::on_cpu_device()) GTEST_SKIP() << "the CPU device has no graphs";
  const graph_replay graph([](cudaStream_t) {}, 4);
  EXPECT_EQ(graph.operations(), 0u);
}

TEST(GraphReplay, RefusesNoLaunches) {
  EXPECT_THROW(graph_replay([](cudaStream_t) {}, 0), std::invalid_argument);
}

TEST(GraphReplay, AnExceptionInTheLaunchLeavesTheDeviceUsable) {
  EXPECT_THROW(
      graph_replay([](cudaStream_t) { throw std::runtime_error("planted"); }, 1).replay(nullptr),
      std::runtime_error);
  const stream s;
  device_buffer<int> buffer(10);
  coalesce_test::fill(buffer.data(), buffer.size(), 9, s);
  EXPECT_EQ(coalesce::to_host(buffer, s), std::vector<int>(10, 9));
}

TEST(GraphReplay, WaitingInTheLaunchIsAnErrorThatIsExplained) {
  if (coalesce::on_cpu_device()) GTEST_SKIP() << "the CPU device has no graphs";
  try {
    const graph_replay graph([](cudaStream_t s) { COALESCE_CHECK(cudaStreamSynchronize(s)); }, 1);
    FAIL() << "waiting was captured";
  } catch (const coalesce::cuda_error& e) {
    EXPECT_NE(std::string(e.what()).find("cannot be captured"), std::string::npos) << e.what();
  }
}

}  // namespace
