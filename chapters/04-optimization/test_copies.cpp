// Copies through the staging ring: every size around its chunks, both ways, and what it does with errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "captured.hpp"
#include "coalesce/device.hpp"
#include "copies_table.hpp"

namespace chapter04 {
namespace {

constexpr std::byte untouched{0xA5};

std::vector<std::byte> random_bytes(std::size_t count) {
  const auto ints =
      coalesce::random_ints(static_cast<std::int64_t>(count), 0, 255, coalesce::fresh_seed());
  std::vector<std::byte> bytes(count);
  std::transform(ints.begin(), ints.end(), bytes.begin(), [](int i) { return std::byte(i); });
  return bytes;
}

/// Sends `sent` to the device and back by the ring, at an odd offset, and looks at the bytes around.
void expect_round_trip(staging_ring& ring, std::size_t bytes, std::size_t offset) {
  SCOPED_TRACE(std::to_string(bytes) + " bytes at offset " + std::to_string(offset));
  const auto sent = random_bytes(bytes);
  std::vector<std::byte> around(bytes + 2 * offset + 1, untouched);
  auto d_bytes = coalesce::to_device(around);

  ring.to_device(d_bytes.data() + offset, sent.data(), bytes);
  std::vector<std::byte> want = around;
  std::copy(sent.begin(), sent.end(), want.begin() + static_cast<std::ptrdiff_t>(offset));
  EXPECT_EQ(coalesce::to_host(d_bytes), want);

  ring.to_host(around.data() + offset, d_bytes.data() + offset, bytes);
  EXPECT_EQ(around, want);
}

TEST(staging_ring, copies_any_size_both_ways) {
  for (const ring_shape shape :
       {ring_shape{1, 64, 1, 1, 1}, ring_shape{1, 64, 3, 1, 1}, ring_shape{2, 64, 1, 1, 1},
        ring_shape{3, 64, 2, 1, 1}, ring_shape{8, 64, 2, 3, 1}, ring_shape{8, 64, 2, 1, 100}}) {
    SCOPED_TRACE(std::to_string(shape.threads) + " threads of " + std::to_string(shape.chunks));
    staging_ring ring(shape);
    for (const std::size_t bytes :
         {0, 1, 63, 64, 65, 127, 128, 129, 191, 192, 193, 1000, 4096, 4097})
      expect_round_trip(ring, bytes, bytes % 4);
  }
}

TEST(staging_ring, copies_more_than_it_holds) {
  staging_ring ring({.threads = 4, .chunk_bytes = 1 << 12, .chunks = 2, .least_share = 1});
  expect_round_trip(ring, (1 << 20) + 4321, 3);
}

TEST(staging_ring, is_refused_without_threads_chunks_or_bytes) {
  EXPECT_THROW(staging_ring({.threads = 0}), std::invalid_argument);
  EXPECT_THROW(staging_ring({.threads = -1}), std::invalid_argument);
  EXPECT_THROW(staging_ring({.chunk_bytes = 0}), std::invalid_argument);
  EXPECT_THROW(staging_ring({.chunks = 0}), std::invalid_argument);
  EXPECT_THROW(staging_ring({.streams = 0}), std::invalid_argument);
  EXPECT_THROW(staging_ring({.least_share = 0}), std::invalid_argument);
  EXPECT_THROW(staging_ring({.chunk_bytes = SIZE_MAX}), std::invalid_argument);
}

// A null pointer is refused by the call; an address behind the end too, once the pieces get there.
TEST(staging_ring, tells_of_an_error_and_can_be_used_again) {
  staging_ring ring({.threads = 3, .chunk_bytes = 64, .chunks = 2, .least_share = 1});
  std::vector<std::byte> bytes(1000);
  for (int round = 0; round < 3; ++round) {
    EXPECT_THROW(ring.to_device(nullptr, bytes.data(), bytes.size()), coalesce::cuda_error);
    EXPECT_THROW(ring.to_host(bytes.data(), nullptr, bytes.size()), coalesce::cuda_error);
    EXPECT_THROW(ring.to_device(nullptr, bytes.data(), 10), coalesce::cuda_error);
    expect_round_trip(ring, 1000, 1);
  }
}

TEST(staging_ring, begins_after_the_work_in_the_stream) {
  staging_ring ring({.threads = 4, .chunk_bytes = 1 << 12, .chunks = 2, .least_share = 1});
  const coalesce::stream stream;
  coalesce::device_buffer<std::byte> d_bytes(1 << 22);
  std::vector<std::byte> bytes(1 << 22);
  for (int round = 1; round <= 20; ++round) {
    for (int i = 0; i < 20; ++i) d_bytes.fill_bytes(0, stream);
    d_bytes.fill_bytes(round, stream);
    ring.to_host(bytes.data(), d_bytes.data(), bytes.size(), stream);
    EXPECT_EQ(std::count(bytes.begin(), bytes.end(), std::byte(round)), 1 << 22);
  }
}

TEST(ring_of_the_table, copies_what_is_larger_than_a_chunk) {
  copy_problem p((1 << 22) + 5);
  for (const auto where : {direction::h2d, direction::d2h}) {
    const coalesce::step s = ring_step({}, where);
    const coalesce::verdict v = coalesce::run_checked(s, p, coalesce::fresh_seed());
    EXPECT_TRUE(v.ok) << v.message;
  }
}

TEST(check_of_copies, finds_what_did_not_arrive) {
  copy_problem p(1000);
  p.prepare(1);
  for (const auto kind : {host_memory::pageable, host_memory::pinned, host_memory::write_combined})
    for (const auto where : {direction::h2d, direction::d2h, direction::both, direction::d2d}) {
      p.poison_output();
      EXPECT_FALSE(p.check(kind, where)) << "nothing was copied";
      p.copy(kind, where, nullptr);
      EXPECT_TRUE(p.check(kind, where)) << p.check(kind, where).message;
    }
  p.prepare(2);
  p.copy(host_memory::pinned, direction::h2d, nullptr);
  EXPECT_TRUE(p.check(host_memory::pinned, direction::h2d)) << "the new bytes, not the old ones";
  p.copy(host_memory::pinned, direction::h2d, nullptr);
  EXPECT_FALSE(p.check(host_memory::pinned, direction::both)) << "one way is not both";
}

TEST(when_copies_return_step, gets_back_what_was_sent) {
  const auto [code, text] = coalesce::testing::output_of(when_copies_return, 1000);
  EXPECT_EQ(code, 0) << text;
  EXPECT_EQ(text.find("needs a GPU") != std::string::npos, coalesce::on_cpu_device()) << text;
}

}  // namespace
}  // namespace chapter04
