// A program of cases: `program NAME wrong` runs the planted bug, `program NAME right` its corrected
// twin. The tests know the lines by their LINE comments.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

struct Case {
  const char* name;
  void (*run)(bool right);
};

template <size_t Count>
int run_case(int argc, char** argv, const Case (&cases)[Count]) {
  for (const Case& each : cases) {
    if (argc != 3 || std::strcmp(each.name, argv[1])) continue;
    each.run(!std::strcmp(argv[2], "right"));
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
  }
  return 2;
}

// Device memory, filled with zeros and freed at the end of the scope.
template <class T>
class Array {
 public:
  explicit Array(size_t count, bool fill = true) : bytes_(count * sizeof(T)) {
    cudaMalloc(&data_, bytes_);
    if (fill) cudaMemset(data_, 0, bytes_);
    cudaDeviceSynchronize();  // streams that do not wait for the default stream may come next
  }
  ~Array() { cudaFree(data_); }
  operator T*() const { return data_; }

 private:
  T* data_ = nullptr;
  size_t bytes_;
};
