// Checks copy_by_two_chunks() at every size around its chunks, with guards on the device and behind the
// chunks. Large pieces find a chunk that is filled while it is still being sent, on a GPU.
#include <algorithm>
#include <cstring>
#include <vector>

#include "chapters/exercise.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/stream.hpp"
#include "exercise.hpp"

namespace {

constexpr std::size_t guards = 64;
constexpr std::byte untouched{0xA5};

coalesce::verdict check(std::size_t bytes, std::size_t chunk_bytes) {
  const auto ints = coalesce::random_ints(static_cast<std::int64_t>(bytes / 4 + 1), INT32_MIN,
                                          INT32_MAX, coalesce::fresh_seed());
  std::vector<std::byte> from(bytes), want(bytes + guards, untouched);
  std::memcpy(from.data(), ints.data(), bytes);
  std::copy(from.begin(), from.end(), want.begin());

  auto d_to = coalesce::to_device(std::vector<std::byte>(bytes + guards, untouched));
  const auto chunk_size = static_cast<std::int64_t>(chunk_bytes + guards);
  coalesce::pinned_buffer<std::byte> first(chunk_size), second(chunk_size);
  std::fill_n(first.data(), chunk_size, untouched);
  std::fill_n(second.data(), chunk_size, untouched);
  std::byte* const chunks[2] = {first.data(), second.data()};
  const coalesce::stream stream;
  copy_by_two_chunks(d_to.data(), from.data(), bytes, chunks, chunk_bytes, stream);

  std::vector<std::byte> arrived(bytes + guards);
  COALESCE_CHECK(cudaMemcpy(arrived.data(), d_to.data(), arrived.size(), cudaMemcpyDeviceToHost));
  stream.synchronize();
  for (std::size_t i = 0; i < arrived.size(); ++i)
    if (arrived[i] != want[i])
      return {.message = (i < bytes ? "byte " : "guard, byte ") + std::to_string(i) + " of " +
                         std::to_string(bytes) + " is not what was sent"};
  for (const std::byte* chunk : chunks)
    if (!std::all_of(chunk + chunk_bytes, chunk + chunk_size,
                     [](std::byte b) { return b == untouched; }))
      return {.message = "something was written behind a chunk"};
  return {.ok = true};
}

}  // namespace

int main() {
  coalesce::testing::exercise_report report;
  for (const std::size_t bytes : {0, 1, 63, 64, 65, 127, 128, 129, 192, 1000})
    report.expect(std::to_string(bytes) + " bytes, chunks of 64",
                  [bytes] { return check(bytes, 64); });
  report.expect("chunks larger than everything", [] { return check(100, 4096); });
  report.expect("large chunks", [] { return check((std::size_t{5} << 20) + 3, 1 << 20); });
  return report.finish();
}
