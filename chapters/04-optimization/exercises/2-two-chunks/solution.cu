// Two chunks take turns; an event behind each copy says when its chunk may be filled again.
#include <algorithm>
#include <cstring>

#include "coalesce/stream.hpp"
#include "exercise.hpp"

// [copy]
void copy_by_two_chunks(std::byte* d_to, const std::byte* from, std::size_t bytes,
                        std::byte* const chunks[2], std::size_t chunk_bytes, cudaStream_t stream) {
  // [answer]
  coalesce::event sent[2];
  std::size_t turn = 0;

  for (std::size_t first = 0; first < bytes; first += chunk_bytes, turn = 1 - turn) {
    const std::size_t piece = std::min(chunk_bytes, bytes - first);
    sent[turn].synchronize();  // an event that was never recorded is passed
    std::memcpy(chunks[turn], from + first, piece);
    COALESCE_CHECK(
        cudaMemcpyAsync(d_to + first, chunks[turn], piece, cudaMemcpyHostToDevice, stream));
    sent[turn].record(stream);
  }

  COALESCE_CHECK(cudaStreamSynchronize(stream));
  // [/answer]
}
// [/copy]
