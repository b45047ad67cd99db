#pragma once

#include "check_host.hpp"

namespace lab54::checks {

inline outcome check_unified(std::int64_t n, bool prefetch, std::uint64_t seed) {
  const auto inputs = coalesce::random_floats(n, 1, 2, seed);
  float* const values = allocate_unified(n);
  if ((values == nullptr) != (n == 0)) return {"not_allocated", "nothing was allocated"};
  if (n > 0 && type_of(values) != cudaMemoryTypeManaged) {
    free_unified(values);
    return {"not_unified", "the runtime says that this is no unified memory"};
  }
  std::copy(inputs.begin(), inputs.end(), values);
  const coalesce::stream stream = own_stream();
  const double sum = scale_and_sum(values, n, 4, prefetch, stream);
  const std::vector<float> got(values, values + n);
  free_unified(values);

  double before = 0;
  for (const float value : inputs) before += value;
  const outcome found = compare(
      std::span<const float>(got), {n, [&](auto i) { return 4.0 * inputs[i]; }},
      {{"not_scaled", "the values were not changed", [&](auto i) { return double{inputs[i]}; }}});
  if (!found.right()) return found;
  const double allowed =
      coalesce::machine_epsilon<double> * static_cast<double>(n + 1) * 4 * before;
  if (std::fabs(sum - 4 * before) > allowed)
    return {std::fabs(sum - before) <= allowed ? "summed_too_early" : "wrong_sum",
            "the sum is " + to_string(sum) + ", not " + to_string(4 * before)};
  return with_counts({}, one_store_an_element(n));
}

inline outcome check_unified_refused(std::uint64_t) {
  return expect_throw<coalesce::cuda_error>("an array of 2^48 floats", "error_swallowed",
                                            [] { allocate_unified(std::int64_t{1} << 48); });
}

inline void add_unified(std::vector<lab_case>& cases) {
  for (const std::int64_t n : sizes)
    for (const bool prefetch : {false, true})
      if (n != 16 || prefetch)
        cases.push_back({"unified", "n = " + to_string(n) + (prefetch ? ", with prefetch" : ""),
                         [=](auto seed) { return check_unified(n, prefetch, seed); }});
  if (!on_gpu) cases.push_back({"unified", "more than there is", check_unified_refused});
}

}  // namespace lab54::checks
