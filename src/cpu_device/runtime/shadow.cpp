#include "shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace cpu_device {
namespace {

/// Zeroed memory that costs nothing until it is touched.
void* map(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

}  // namespace

Shadow::Shadow(uintptr_t base, size_t bytes, bool all_written)
    : base_(base), bytes_(bytes), cell_count_(bytes / 4 + 1) {
  if (base & 3) shift_ = 0, cell_count_ = bytes;
  if (!all_written) written_ = static_cast<uint8_t*>(map(bytes));
  cells_ = static_cast<Cell*>(map(cell_count_ * sizeof(Cell)));
}

Shadow::~Shadow() {
  if (written_) munmap(written_, bytes_);
  munmap(static_cast<void*>(cells_), cell_count_ * sizeof(Cell));
}

void Shadow::mark_written(uintptr_t address, size_t bytes) {
  if (written_) std::memset(written_ + (address - base_), 1, bytes);
}

void Shadow::mark_unwritten(uintptr_t address, size_t bytes) {
  if (written_) std::memset(written_ + (address - base_), 0, bytes);
}

void Shadow::copy_written(uintptr_t address, const Shadow* from, uintptr_t source, size_t bytes) {
  if (!from || !from->written_) return mark_written(address, bytes);
  if (written_) {
    std::memmove(written_ + (address - base_), from->written_ + (source - from->base_), bytes);
  }
}

bool Shadow::reads_unwritten(uintptr_t address, size_t bytes) const {
  if (!written_) return false;
  const uint8_t* flags = written_ + (address - base_);
  if (bytes > 16) {  // a structure: its padding need not be written
    return std::none_of(flags, flags + bytes, [](uint8_t flag) { return flag != 0; });
  }
  const size_t word = std::min<size_t>(bytes, 4);
  for (size_t at = 0; at + word <= bytes; at += word) {
    if (std::none_of(flags + at, flags + at + word, [](uint8_t flag) { return flag != 0; })) {
      return true;
    }
  }
  return false;
}

Unwritten find_unwritten(const Shadow& shadow, uintptr_t address, size_t pitch, size_t width,
                         size_t height) {
  Unwritten result;
  bool all_small = true;
  size_t run = 0, runs = 0;
  const auto end_run = [&] {
    all_small = all_small && run < 8;
    runs += run != 0;
    run = 0;
  };
  for (size_t row = 0; row < height; ++row) {
    for (size_t i = 0; i < width; ++i) {
      if (shadow.written(address + row * pitch + i)) {
        if (run) end_run();
        continue;
      }
      if (!result.bytes++) result.first = row * width + i;
      ++run;
    }
  }
  end_run();
  // Padding: many gaps of less than 8 bytes, or one of less than 4.
  if (all_small && (runs > 1 || result.bytes < 4)) return {};
  return result;
}

/// From now on one cell a byte; each byte of a word was touched by whoever touched the word.
void Shadow::split() {
  Cell* const fine = static_cast<Cell*>(map(bytes_ * sizeof(Cell)));
  for (size_t i = 0; i < cell_count_; ++i) {
    const Cell& word = cells_[i];
    if (!word.write && !word.read[0]) continue;
    for (size_t byte = 4 * i; byte < std::min(4 * i + 4, bytes_); ++byte) fine[byte] = word;
  }
  munmap(static_cast<void*>(cells_), cell_count_ * sizeof(Cell));
  cells_ = fine;
  cell_count_ = bytes_;
  shift_ = 0;
}

}  // namespace cpu_device
