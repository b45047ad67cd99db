#pragma once

#include <memory>
#include <vector>

#include "halve_problem.hpp"

namespace lab91 {

inline std::vector<coalesce::family> families() {
  return {{.name = "halve", .default_n = 1024, .make = [](std::int64_t n) {
             return std::make_unique<halve_problem>(n);
           }}};
}

inline std::vector<coalesce::step> steps() {
  return {{.name = "halve",
           .family = "halve",
           .title = "a thread an element",
           .launch = [](coalesce::problem& p, cudaStream_t stream) {
             static_cast<halve_problem&>(p).run(stream);
           }}};
}

}  // namespace lab91
