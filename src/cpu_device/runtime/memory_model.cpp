#include "memory_model.h"

#include <algorithm>

namespace cpu_device {
namespace {

constexpr uintptr_t kSectorBytes = 32;
constexpr uintptr_t kBanks = 32, kBankBytes = 4;

/// Passes of the lanes in `lanes`: the largest number of different words in one bank.
int passes(const WarpAddresses& request, uint32_t lanes) {
  std::array<std::array<uintptr_t, kBanks>, 128> words;  // the n-th of each bank side by side
  std::array<uint8_t, kBanks> count{};
  size_t most = 0;
  for (size_t i = 0; i < 32; ++i) {
    if (!(lanes >> i & 1)) continue;
    const uintptr_t last =
        (request.address[i] + static_cast<uintptr_t>(request.bytes) - 1) / kBankBytes;
    for (uintptr_t word = request.address[i] / kBankBytes; word <= last; ++word) {
      const size_t bank = word % kBanks, size = count[bank];
      size_t n = 0;
      while (n < size && words[n][bank] != word) ++n;
      if (n < size || size == words.size()) continue;
      words[size][bank] = word;
      most = std::max<size_t>(most, ++count[bank]);
    }
  }
  return static_cast<int>(most);
}

/// Do all active lanes of `lanes` agree with their partner (lane ^ distance)?
bool pairs_agree(const WarpAddresses& request, uint32_t lanes, size_t distance) {
  for (size_t i = 0; i < 32; ++i) {
    const size_t partner = i ^ distance;
    if (!(lanes >> i & 1) || !(lanes >> partner & 1)) continue;
    if (request.address[i] != request.address[partner]) return false;
  }
  return true;
}

}  // namespace

int sectors(const WarpAddresses& request) {
  std::array<uintptr_t, 32 * 4> found;
  size_t size = 0;
  for (size_t i = 0; i < 32; ++i) {
    if (!(request.active >> i & 1)) continue;
    const uintptr_t last =
        (request.address[i] + static_cast<uintptr_t>(request.bytes) - 1) / kSectorBytes;
    for (uintptr_t sector = request.address[i] / kSectorBytes; sector <= last; ++sector) {
      if (size && found[size - 1] == sector) continue;  // the neighbour's, as so often
      const auto end = found.begin() + static_cast<std::ptrdiff_t>(size);
      if (std::find(found.begin(), end, sector) == end && size < found.size()) {
        found[size++] = sector;
      }
    }
  }
  return static_cast<int>(size);
}

Wavefronts wavefronts(const WarpAddresses& request) {
  if (request.bytes <= 4) return {passes(request, request.active), 1};
  Wavefronts result;
  const auto serve = [&](uint32_t lanes) {
    if (!lanes) return;
    result.total += passes(request, lanes);
    ++result.needed;
  };
  const int part = request.bytes <= 8 ? 16 : 8;  // lanes served together
  for (int start = 0; start < 32; start += 2 * part) {
    const uint32_t low = ((uint32_t{1} << part) - 1) << start;
    const uint32_t high = low << part;
    const uint32_t both = request.active & (low | high);
    if (pairs_agree(request, both, 1) || pairs_agree(request, both, 2)) {
      serve(both);
    } else {
      serve(both & low);
      serve(both & high);
    }
  }
  return result;
}

}  // namespace cpu_device
