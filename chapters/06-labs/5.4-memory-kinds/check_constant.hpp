#pragma once

#include <stdexcept>

#include "check_support.hpp"

namespace lab54::checks {

inline double horner(std::span<const float> t, double x) {
  double y = 0;
  for (std::size_t k = t.size(); k-- > 0;) y = y * x + t[k];
  return y;
}

inline outcome check_polynomial(std::int64_t n, int degree, std::uint64_t seed) {
  const int terms = degree + 1;
  const auto table = coalesce::random_floats(terms, 0.5f, 2, seed);
  const auto x = coalesce::random_floats(n, -1, 1, seed + 1);
  const std::vector<float> reversed(table.rbegin(), table.rend());
  const std::span<const float> all(table);

  const auto d_x = coalesce::to_device(x);
  output<float> y(n);
  const coalesce::stream stream = own_stream();
  set_table(table.data(), terms);
  polynomial(d_x.data(), n, degree, y.data(), stream);

  const double error = 2.0 * terms * coalesce::machine_epsilon<float>;
  const answer want{n, [&](auto i) { return horner(all, x[i]); },
                    [&](auto i) { return error * horner(all, std::fabs(x[i])); }};
  auto counts = one_store_an_element(n);
  counts.push_back(
      at_most_loads(n, "table_in_global_memory", "more than x was loaded from global memory"));
  return with_counts(
      compare(std::span<const float>(y.read(stream)), want,
              {{"table_not_set", "the table was empty", [](auto) { return 0.0; }},
               {"bytes_for_elements", "only a quarter of the table was there",
                [&](auto i) { return horner(all.first(terms / 4), x[i]); }},
               {"last_term_dropped", "the term of the highest power is missing",
                [&](auto i) { return horner(all.first(degree), x[i]); }},
               {"coefficients_reversed", "the coefficients were used from the other end",
                [&](auto i) { return horner(reversed, x[i]); }}}),
      counts);
}

inline outcome check_look_up(std::int64_t n, int count, std::uint64_t seed) {
  const auto table = coalesce::random_floats(count, 1, 2, seed);
  const auto index = coalesce::random_ints(n, 0, count - 1, seed + 1);
  const auto d_index = coalesce::to_device(index);
  output<float> y(n);
  const coalesce::stream stream = own_stream();
  set_table(table.data(), count);
  look_up(d_index.data(), n, y.data(), stream);
  auto counts = one_store_an_element(n);
  counts.push_back(at_most_loads(n, "table_in_global_memory",
                                 "more than the indices was loaded from global memory"));
  return with_counts(
      compare(std::span<const float>(y.read(stream)),
              {n, [&](auto i) { return double{table[index[i]]}; }},
              {{"bytes_for_elements", "only a quarter of the table was there",
                [&](auto i) { return index[i] < count / 4 ? double{table[index[i]]} : 0.0; }}}),
      counts);
}

/// Tables that do not fit are refused, and the one before stays.
inline outcome check_limit(std::uint64_t seed) {
  const auto table = coalesce::random_floats(most_entries + 1, 1, 2, seed);
  set_table(table.data(), most_entries);
  for (const int count : {most_entries + 1, -1})
    if (const outcome found = expect_throw<std::length_error>(
            "a table of " + to_string(count) + " entries", "limit_not_checked",
            [&] { set_table(table.data() + 1, count); });
        !found.right())
      return found;
  const std::vector<int> index = {0, most_entries - 1};
  const auto d_index = coalesce::to_device(index);
  output<float> y(2);
  look_up(d_index.data(), 2, y.data(), nullptr);
  return compare(std::span<const float>(y.read(nullptr)),
                 {2, [&](auto i) { return double{table[index[i]]}; }});
}

/// A second table takes the place of the first.
inline outcome check_second_table(std::uint64_t seed) {
  const outcome first = check_look_up(250, 300, seed);
  if (!first.right()) return {first.reason, first.message};
  const outcome second = check_look_up(257, 200, seed + 7);
  if (!second.right()) return {"cached_answer", "with a second table, " + second.message};
  return {};
}

inline void add_constant(std::vector<lab_case>& cases) {
  for (const std::int64_t n : sizes)
    for (const int degree : {0, 7, 33})
      if (degree == 33 || n == 257)
        cases.push_back({"constant",
                         "polynomial of degree " + to_string(degree) + ", n = " + to_string(n),
                         [=](auto seed) { return check_polynomial(n, degree, seed); }});
  for (const std::int64_t n : {0, 17, 5000})
    cases.push_back({"constant", "table of 1000 entries, n = " + to_string(n),
                     [=](auto seed) { return check_look_up(n, 1000, seed); }});
  cases.push_back({"constant", "a full table, and one that is too large", check_limit});
  cases.push_back({"constant", "two tables, one after the other", check_second_table});
}

}  // namespace lab54::checks
