#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "coalesce/chapter.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/error.hpp"
#include "copies.hpp"

namespace chapter04 {

/// Where bytes go.
enum class direction { h2d, d2h, both, d2d };

/// n random bytes on the host and on the device, and room for their copies on both sides.
///
/// Memory of a kind and rings are made when a copy first asks for them, and stay as long as the problem.
class copy_problem final : public coalesce::problem {
 public:
  explicit copy_problem(std::int64_t n)
      : bytes_(static_cast<std::size_t>(n)), d_from_(n), d_to_(n), fetched_(bytes_) {}

  void prepare(std::uint64_t seed) override {
    std::vector<std::int32_t> words = coalesce::random_ints(
        static_cast<std::int64_t>(bytes_ / 4 + 1), INT32_MIN, INT32_MAX, seed);
    side& pageable = side_of(host_memory::pageable);
    std::memcpy(pageable.from.get(), words.data(), bytes_);
    for (auto& [kind, s] : sides_) std::memcpy(s.from.get(), pageable.from.get(), bytes_);
    d_from_.copy_from_host(std::span<const std::byte>(pageable.from.get(), bytes_));
    poison_output();
  }

  void poison_output() override {
    for (auto& [kind, s] : sides_) std::memset(s.to.get(), poison, bytes_);
    d_to_.fill_bytes(poison);
    COALESCE_CHECK(cudaDeviceSynchronize());
  }

  coalesce::verdict check() override { return {false, "a copy has a direction to be checked in"}; }

  /// Compares what arrived with what was sent. Waits for the device.
  coalesce::verdict check(host_memory kind, direction where) {
    COALESCE_CHECK(cudaDeviceSynchronize());
    if (where != direction::d2h)
      if (auto arrived = compare_device(); !arrived) return arrived;
    if (where == direction::h2d || where == direction::d2d) return {true, {}};
    std::byte* to = side_of(kind).to.get();
    if (kind != host_memory::write_combined) return compare({to, bytes_});
    // The host reads this memory badly; the device reads it for us.
    d_to_.copy_from_host(std::span<const std::byte>(to, bytes_));
    return compare_device();
  }

  std::string answer() const override { return std::to_string(bytes_) + " bytes copied"; }

  coalesce::work work_per_launch() const override { return {.bytes = static_cast<double>(bytes_)}; }

  /// Copies by cudaMemcpyAsync, from or to host memory of a kind.
  void copy(host_memory kind, direction where, cudaStream_t stream) {
    if (bytes_ == 0) return;
    side& host = side_of(kind);
    switch (where) {
      case direction::h2d:
        return one_way(d_to_.data(), host.from.get(), cudaMemcpyHostToDevice, stream);
      case direction::d2h:
        return one_way(host.to.get(), d_from_.data(), cudaMemcpyDeviceToHost, stream);
      case direction::d2d:
        return one_way(d_to_.data(), d_from_.data(), cudaMemcpyDeviceToDevice, stream);
      case direction::both:
        return both_.copy(d_to_.data(), host.from.get(), host.to.get(), d_from_.data(), bytes_,
                          stream);
    }
  }

  /// Copies between pageable memory and the device through a ring.
  void copy_by_ring(ring_shape shape, direction where, cudaStream_t stream) {
    side& host = side_of(host_memory::pageable);
    staging_ring& ring = ring_of(shape);
    if (where == direction::h2d)
      ring.to_device(d_to_.data(), host.from.get(), bytes_, stream);
    else
      ring.to_host(host.to.get(), d_from_.data(), bytes_, stream);
  }

 private:
  static constexpr int poison = 0xA5;

  /// Host memory of one kind.
  struct side {
    host_bytes from, to;
  };

  side& side_of(host_memory kind) {
    const auto [place, is_new] = sides_.try_emplace(kind);
    side& s = place->second;
    if (is_new) {
      s = {allocate_host(kind, bytes_), allocate_host(kind, bytes_)};
      if (kind != host_memory::pageable)
        std::memcpy(s.from.get(), side_of(host_memory::pageable).from.get(), bytes_);
      std::memset(s.to.get(), poison, bytes_);
    }
    return s;
  }

  staging_ring& ring_of(const ring_shape& shape) {
    auto& ring = rings_[{shape.threads, shape.chunk_bytes, shape.chunks, shape.streams}];
    if (!ring) ring = std::make_unique<staging_ring>(shape);
    return *ring;
  }

  void one_way(void* to, const void* from, cudaMemcpyKind kind, cudaStream_t stream) const {
    COALESCE_CHECK(cudaMemcpyAsync(to, from, bytes_, kind, stream));
  }

  coalesce::verdict compare(std::span<const std::byte> arrived) {
    const std::byte* sent = side_of(host_memory::pageable).from.get();
    if (std::equal(arrived.begin(), arrived.end(), sent)) return {true, {}};
    const auto i = std::mismatch(arrived.begin(), arrived.end(), sent).first - arrived.begin();
    return {false, "byte " + std::to_string(i) + " of " + std::to_string(bytes_) + " is " +
                       std::to_string(std::to_integer<int>(arrived[static_cast<std::size_t>(i)])) +
                       ", not " + std::to_string(std::to_integer<int>(sent[i]))};
  }

  coalesce::verdict compare_device() {
    d_to_.copy_to_host(std::span(fetched_));
    return compare(fetched_);
  }

  std::size_t bytes_;
  coalesce::device_buffer<std::byte> d_from_, d_to_;
  std::vector<std::byte> fetched_;
  std::map<host_memory, side> sides_;
  std::map<std::tuple<int, std::size_t, int, int>, std::unique_ptr<staging_ring>> rings_;
  both_ways both_;
};

}  // namespace chapter04
