// Wrong: pinned memory is never given back.
// in place of: host_memory.cu
// reject on the CPU device: host leak
#include "coalesce/launch.hpp"
#include "lab.hpp"

namespace lab54 {
namespace {

// [kernel]
__global__ void scale_mapped_kernel(float* values, std::int64_t n, float factor) {
  // [answer]
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;  // over the link, both ways
  // [/answer]
}
// [/kernel]

[[maybe_unused]] unsigned flags_of(host_kind kind) {
  if (kind == host_kind::write_combined) return cudaHostAllocWriteCombined;
  return kind == host_kind::mapped ? cudaHostAllocMapped : cudaHostAllocDefault;
}

}  // namespace

// [allocate]
host_array::host_array(host_kind kind, std::int64_t n) : kind_(kind), n_(n) {
  // [answer]
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(float);
  if (n == 0) return;
  if (kind != host_kind::pageable && kind != host_kind::registered) {
    COALESCE_CHECK(cudaHostAlloc(&data_, bytes, flags_of(kind)));
    return;
  }
  data_ = new float[n];
  if (kind == host_kind::pageable) return;
  const cudaError_t refused = cudaHostRegister(data_, bytes, cudaHostRegisterDefault);
  if (refused != cudaSuccess) delete[] data_;
  COALESCE_CHECK(refused);
  // [/answer]
}

host_array::~host_array() {
  // [answer]
  if (kind_ == host_kind::pageable || n_ == 0) {
    delete[] data_;
  } else if (kind_ == host_kind::registered) {
    coalesce::report_failure(cudaHostUnregister(data_), "cudaHostUnregister(data_)");
    delete[] data_;
  } else {
    data_ = nullptr;
  }
  // [/answer]
}
// [/allocate]

// [mapped]
float* host_array::on_device() const {
  float* address = nullptr;
  // [answer]
  if (kind_ == host_kind::mapped && n_ > 0)
    COALESCE_CHECK(cudaHostGetDevicePointer(&address, data_, 0));
  // [/answer]
  return address;
}

void scale_mapped(const host_array& values, float factor, cudaStream_t stream) {
  // [answer]
  const int block = 256;
  coalesce::launch(scale_mapped_kernel,
                   {coalesce::grid_for(values.size(), block), block, 0, stream}, values.on_device(),
                   values.size(), factor);
  COALESCE_CHECK(cudaStreamSynchronize(stream));
  // [/answer]
}
// [/mapped]

}  // namespace lab54
