// Shows when a copy returns to the host: at once or when it is done, by the call and by the memory.
#include <chrono>
#include <cstdio>
#include <cstring>

#include "coalesce/device.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/format.hpp"
#include "steps.hpp"

namespace chapter04 {
namespace {

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
  return passed.count();
}

// [return]
/// Prints when the call returned, and when the copy was done.
void print_times(const char* name, void* to, const void* from, std::size_t bytes,
                 cudaMemcpyKind kind, cudaStream_t stream) {
  for (const bool counts : {false, true}) {  // once untimed
    const auto start = std::chrono::steady_clock::now();
    COALESCE_CHECK(cudaMemcpyAsync(to, from, bytes, kind, stream));
    const double returned = milliseconds_since(start);
    COALESCE_CHECK(cudaStreamSynchronize(stream));
    const double done = milliseconds_since(start);
    if (counts && !coalesce::on_cpu_device())
      std::printf("%-22s returns after %8.3f ms, done after %8.3f ms: %5.1f GB/s\n", name, returned,
                  done, static_cast<double>(bytes) / done * 1e-6);
  }
}
// [/return]

}  // namespace

int when_copies_return(std::int64_t wanted) {
  const auto bytes = static_cast<std::size_t>(wanted > 0 ? wanted : 64 << 20);
  const coalesce::stream stream;
  coalesce::device_buffer<std::byte> d_bytes(static_cast<std::int64_t>(bytes));
  std::printf("cudaMemcpyAsync of %s\n", coalesce::format_bytes(bytes).c_str());

  bool right = true;
  for (const auto kind : {host_memory::pageable, host_memory::pinned}) {
    const host_bytes from = allocate_host(kind, bytes), to = allocate_host(kind, bytes);
    std::memset(from.get(), 7, bytes);
    const bool pageable = kind == host_memory::pageable;
    print_times(pageable ? "pageable, to device" : "pinned, to device", d_bytes.data(), from.get(),
                bytes, cudaMemcpyHostToDevice, stream);
    print_times(pageable ? "pageable, from device" : "pinned, from device", to.get(),
                d_bytes.data(), bytes, cudaMemcpyDeviceToHost, stream);
    right = right && std::memcmp(from.get(), to.get(), bytes) == 0;
  }
  if (coalesce::on_cpu_device())
    std::printf("The CPU device copies inside the call: this step needs a GPU for the times.\n");
  std::printf("what came back is %s\n", right ? "what was sent" : "something else");
  return right ? 0 : 1;
}

}  // namespace chapter04
