#pragma once

#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>
#include <vector>

#include "halve_problem.hpp"

namespace lab91 {

inline std::vector<coalesce::family> families() {
  return {{.name = "halve", .default_n = 1024, .make = [](std::int64_t n) {
             return std::make_unique<halve_problem>(n);
           }}};
}

/// Prints how many of n ones were halved. \return 0 when all were, else 1
inline int ones_halved(std::int64_t n) {
  coalesce::device_buffer<float> d_in(n), d_out(n);
  const std::vector<float> ones(n, 1);
  d_in.copy_from_host(std::span<const float>(ones));
  halve(d_in.data(), n, d_out.data(), nullptr);
  const auto halves = std::ranges::count(coalesce::to_host(d_out), 0.5f);
  std::printf("%lld ones, %lld halves\n", static_cast<long long>(n),
              static_cast<long long>(halves));
  return halves == n ? 0 : 1;
}

inline std::vector<coalesce::step> steps() {
  return {{.name = "halve",
           .family = "halve",
           .title = "a thread an element",
           .launch = [](coalesce::problem& p,
                        cudaStream_t stream) { static_cast<halve_problem&>(p).run(stream); }},
          coalesce::make_show("ones_halved", ones_halved, "how many ones were halved")};
}

}  // namespace lab91
