// Shows an addition of matrices that do not fit: strips of rows come, are added, and leave, one after the other.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "coalesce/device.hpp"
#include "coalesce/device_buffer.hpp"
#include "coalesce/launch.hpp"
#include "coalesce/timer.hpp"
#include "coalesce/verify.hpp"
#include "matrix_add.hpp"
#include "matrix_shape.hpp"
#include "reference.hpp"

namespace chapter04 {
namespace {

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int in_strips(std::int64_t wanted) {
  const std::int64_t n = wanted > 0 ? wanted : coalesce::on_cpu_device() ? 1 << 16 : 1 << 26;
  const auto [nx, ny] = shape_of(n);
  const auto a = coalesce::random_floats(n, -1, 1, coalesce::fresh_seed());
  const auto b = coalesce::random_floats(n, -1, 1, coalesce::fresh_seed());
  std::vector<float> c(a.size()), want(a.size());
  const double cpu = seconds_of([&] { add(a, b, want); });

  // [strips]
  const std::int64_t rows = coalesce::ceil_div(ny, 10);  // as if a tenth of it were all that fits
  coalesce::device_buffer<float> d_a(rows * nx), d_b(rows * nx), d_c(rows * nx);
  int strips = 0;
  double kernels = 0;
  coalesce::event_timer events;
  const auto add_strips = [&] {
    for (std::int64_t row = 0; row < ny; row += rows, ++strips) {
      const std::int64_t here = std::min(rows, ny - row);  // the last strip may have fewer
      const auto bytes = static_cast<std::size_t>(here * nx) * sizeof(float);
      const auto at = static_cast<std::size_t>(row * nx);
      COALESCE_CHECK(cudaMemcpy(d_a.data(), &a[at], bytes, cudaMemcpyHostToDevice));
      COALESCE_CHECK(cudaMemcpy(d_b.data(), &b[at], bytes, cudaMemcpyHostToDevice));
      events.start();
      float4_a_thread(d_a.data(), d_b.data(), nx, here, d_c.data(), 256, nullptr);
      events.stop();
      COALESCE_CHECK(cudaMemcpy(&c[at], d_c.data(), bytes, cudaMemcpyDeviceToHost));
      kernels += events.seconds();
    }
  };
  // [/strips]
  const double gpu = seconds_of(add_strips);

  std::printf("%lld rows of %lld columns in %d strips of at most %lld rows: %s\n",
              static_cast<long long>(ny), static_cast<long long>(nx), strips,
              static_cast<long long>(rows), c == want ? "right" : "wrong");
  if (!coalesce::on_cpu_device())
    std::printf("kernels alone %.3g ms, with the copies %.3g ms, one thread of the CPU %.3g ms\n",
                kernels * 1e3, gpu * 1e3, cpu * 1e3);
  return c == want ? 0 : 1;
}

}  // namespace chapter04
