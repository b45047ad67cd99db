/// @file
/// The local arrays of one thread: the compiled code tells where each is, with unused memory on
/// either side (driver/local_arrays.py).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cpu_device {

class LocalArrays {
 public:
  void enter_function() { ++depth_; }
  void leave_function();
  void add(uintptr_t base, size_t bytes);
  /// Where an access misses an array, as the end of a sentence; empty: it does not.
  std::string missed(uintptr_t address, size_t bytes) const;
  bool fresh() const { return arrays_.empty() && !depth_; }

 private:
  struct Array {
    uintptr_t base;
    size_t bytes;
    unsigned depth;  ///< of its function
  };
  std::vector<Array> arrays_;
  unsigned depth_ = 0;
};

}  // namespace cpu_device
