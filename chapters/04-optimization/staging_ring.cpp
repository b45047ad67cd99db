// Pageable memory made fast: several threads copy through pinned chunks.
#include "staging_ring.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "coalesce/error.hpp"

namespace chapter04 {
namespace {

constexpr std::size_t least_piece = 128
                                    << 10;  // below it the start of a copy costs more than the copy
constexpr int least_helpers = 4;

}  // namespace

staging_ring::staging_ring(ring_shape shape) : shape_(shape) {
  if (shape.threads < 1 || shape.chunks < 1 || shape.chunk_bytes < 1 || shape.streams < 1 ||
      shape.least_share < 1)
    throw std::invalid_argument("a staging ring needs a thread, a chunk, a byte and a stream");
  const std::int64_t chunks = std::int64_t{shape.threads} * shape.chunks;
  if (shape.chunk_bytes > static_cast<std::size_t>(INT64_MAX / chunks))
    throw std::invalid_argument("the chunks of a staging ring are too large to count");
  COALESCE_CHECK(cudaGetDevice(&device_));
  memory_ =
      coalesce::pinned_buffer<std::byte>(chunks * static_cast<std::int64_t>(shape.chunk_bytes));

  streams_.resize(static_cast<std::size_t>(shape.streams));
  workers_.resize(static_cast<std::size_t>(shape.threads));
  std::byte* next = memory_.data();
  for (std::size_t w = 0; w < workers_.size(); ++w) {
    workers_[w].way = &streams_[w % streams_.size()];
    for (int i = 0; i < shape.chunks; ++i, next += shape.chunk_bytes)
      workers_[w].chunks.push_back({.data = next});
  }
  for (worker& w : workers_)
    threads_.emplace_back([this, &w](const std::stop_token& stop) { live(stop, w); });
}

void staging_ring::to_device(void* d_to, const void* from, std::size_t bytes, cudaStream_t stream) {
  copy(d_to, from, bytes, cudaMemcpyHostToDevice, stream);
}

void staging_ring::to_host(void* to, const void* d_from, std::size_t bytes, cudaStream_t stream) {
  copy(to, d_from, bytes, cudaMemcpyDeviceToHost, stream);
}

// [copy]
void staging_ring::copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                        cudaStream_t stream) {
  const auto helpers =
      static_cast<int>(std::min<std::size_t>(bytes / shape_.least_share, workers_.size()));
  if (helpers < std::min(least_helpers, shape_.threads)) {  // so small: the driver alone is as fast
    if (bytes > 0) COALESCE_CHECK(cudaMemcpyAsync(to, from, bytes, kind, stream));
    COALESCE_CHECK(cudaStreamSynchronize(stream));
    return;
  }
  before_.record(stream);
  for (const shared_stream& s : streams_) s.stream.wait_for(before_);

  std::unique_lock lock(mutex_);
  to_ = static_cast<std::byte*>(to);
  from_ = static_cast<const std::byte*>(from);
  bytes_ = bytes;
  piece_bytes_ = size_of_pieces(bytes, helpers);
  kind_ = kind;
  given_out_ = 0;
  places_ = busy_ = helpers;
  for (int i = 0; i < helpers; ++i) begun_.notify_one();
  ended_.wait(lock, [this] { return busy_ == 0; });
  lock.unlock();

  for (const shared_stream& s : streams_)
    if (failure_)
      (void)cudaStreamSynchronize(s.stream);
    else
      s.stream.synchronize();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}
// [/copy]

/// Four pieces for each helper, but neither very small ones nor more than a chunk holds.
std::size_t staging_ring::size_of_pieces(std::size_t bytes, int helpers) const {
  const std::size_t even = bytes / (4 * static_cast<std::size_t>(helpers));
  const std::size_t pages = (even + 4095) / 4096 * 4096;
  return std::min(std::max(pages, least_piece), shape_.chunk_bytes);
}

// [next_piece]
std::optional<staging_ring::piece> staging_ring::next_piece() {
  const std::scoped_lock lock(mutex_);
  if (failure_ || given_out_ == bytes_) return std::nullopt;
  const std::size_t first = given_out_;
  given_out_ += std::min(piece_bytes_, bytes_ - first);
  return piece{first, given_out_ - first};
}
// [/next_piece]

// [enqueue]
void staging_ring::enqueue(worker& mine, chunk& c, void* to, const void* from, std::size_t bytes) {
  const std::scoped_lock lock(mine.way->mutex);
  COALESCE_CHECK(cudaMemcpyAsync(to, from, bytes, kind_, mine.way->stream));
  c.last_copy.record(mine.way->stream);
}
// [/enqueue]

// [send]
void staging_ring::send(worker& mine) {
  for (std::size_t turn = 0; const auto piece = next_piece(); ++turn) {
    chunk& c = mine.chunks[turn % mine.chunks.size()];
    c.last_copy.synchronize();  // what was in it has been sent
    std::memcpy(c.data, from_ + piece->first, piece->bytes);
    enqueue(mine, c, to_ + piece->first, c.data, piece->bytes);
  }
}
// [/send]

// [receive]
void staging_ring::receive(worker& mine) {
  std::vector<piece> pieces(mine.chunks.size());
  std::size_t asked = 0, arrived = 0;
  for (;;) {
    while (asked - arrived < mine.chunks.size()) {
      const auto piece = next_piece();
      if (!piece) break;
      chunk& c = mine.chunks[asked % mine.chunks.size()];
      enqueue(mine, c, c.data, from_ + piece->first, piece->bytes);
      pieces[asked++ % mine.chunks.size()] = *piece;
    }
    if (arrived == asked) return;
    const chunk& c = mine.chunks[arrived % mine.chunks.size()];
    const piece& p = pieces[arrived++ % mine.chunks.size()];
    c.last_copy.synchronize();
    std::memcpy(to_ + p.first, c.data, p.bytes);
  }
}
// [/receive]

void staging_ring::take_part(worker& mine) {
  try {
    COALESCE_CHECK(cudaSetDevice(device_));
    kind_ == cudaMemcpyHostToDevice ? send(mine) : receive(mine);
  } catch (...) {
    (void)cudaStreamSynchronize(mine.way->stream);  // what was sent before may use the chunks
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

void staging_ring::live(const std::stop_token& stop, worker& mine) {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (!begun_.wait(lock, stop, [&] { return places_ > 0; })) return;
      --places_;
    }
    take_part(mine);
    const std::scoped_lock lock(mutex_);
    if (--busy_ == 0) ended_.notify_one();
  }
}

}  // namespace chapter04
