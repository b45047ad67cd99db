/// @file
/// What is known of each byte of a piece of device memory: whether anything was ever written to it,
/// and who touched it last. One for each allocation, device variable and shared array.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cpu_device {

/// Who touched a granule last. Moments are explained in moments.h; 0 is nobody.
struct Cell {
  uint32_t write = 0, write_code = 0;
  uint32_t read[2] = {0, 0}, read_code[2] = {0, 0};
  uint32_t lanes[2] = {0, 0};  ///< of the reader's warp, which have read at the same instruction
};

class Shadow {
 public:
  /// @param all_written  memory that counts as written from the start (variables, pinned memory).
  Shadow(uintptr_t base, size_t bytes, bool all_written);
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  uintptr_t base() const { return base_; }
  size_t bytes() const { return bytes_; }

  void mark_written(uintptr_t address, size_t bytes);
  void mark_unwritten(uintptr_t address, size_t bytes);
  /// Copies what is known of `bytes` bytes of another piece; null counts as written.
  void copy_written(uintptr_t address, const Shadow* from, uintptr_t source, size_t bytes);
  bool written(uintptr_t address) const { return !written_ || written_[address - base_]; }
  /// Is a whole aligned word of an access (or all of a small one) still unwritten?
  bool reads_unwritten(uintptr_t address, size_t bytes) const;

  /// The cells of an access; granules are words until an access needs single bytes.
  struct Cells {
    Cell* first;
    size_t count;
  };
  Cells cells(uintptr_t address, size_t bytes) {
    if (shift_ && ((address | bytes) & 3)) split();
    const size_t first = (address - base_) >> shift_;
    return {cells_ + first, ((address - base_ + bytes - 1) >> shift_) - first + 1};
  }

 private:
  void split();

  uintptr_t base_;
  size_t bytes_;
  uint8_t* written_ = nullptr;  // one per byte; null: all written
  Cell* cells_ = nullptr;
  size_t cell_count_ = 0;
  unsigned shift_ = 2;
};

/// Bytes of a range that nothing wrote; the regular gaps of padded structures do not count.
struct Unwritten {
  size_t bytes = 0;
  size_t first = 0;  ///< offset in the copied rows
};
Unwritten find_unwritten(const Shadow& shadow, uintptr_t address, size_t pitch, size_t width,
                         size_t height);

}  // namespace cpu_device
