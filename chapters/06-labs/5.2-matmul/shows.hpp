#pragma once

#include <cstdint>

namespace lab52 {

/// Prints which part of a multiprocessor's threads can be resident, for rows of more and more floats.
int row_limits(std::int64_t n);

/// Prints the errors of a float, of Kahan's sum and of a double, on two kinds of data.
int what_kahan_buys(std::int64_t n);

}  // namespace lab52
