#pragma once

#include <algorithm>
#include <new>

#include "check_support.hpp"

namespace lab54::checks {

struct kind_name {
  host_kind kind;
  std::string name;
};

inline const std::vector<kind_name> kinds = {{host_kind::pageable, "pageable"},
                                             {host_kind::pinned, "pinned"},
                                             {host_kind::write_combined, "write-combined"},
                                             {host_kind::mapped, "mapped"},
                                             {host_kind::registered, "registered"}};

/// What the runtime knows of an address.
inline cudaMemoryType type_of(const void* address) {
  cudaPointerAttributes attributes = {};
  COALESCE_CHECK(cudaPointerGetAttributes(&attributes, address));
  return attributes.type;
}

/// Goes to the device and back, twice, and is given back.
inline outcome check_kind(const kind_name& one, std::int64_t n, std::uint64_t seed) {
  const bool pinned = one.kind != host_kind::pageable;
  const float* was_at = nullptr;
  for (int round = 0; round < 2; ++round) {
    if (was_at != nullptr && type_of(was_at) == cudaMemoryTypeHost)
      return {"still_registered", "the memory was given back, and is still pinned"};
    const auto values = coalesce::random_floats(n, 1, 2, seed + round);
    const host_array array(one.kind, n);
    was_at = array.data();
    if (n > 0 && array.data() == nullptr) return {"not_allocated", "there is no memory"};
    if (n > 0 && (type_of(array.data()) == cudaMemoryTypeHost) != pinned)
      return {
          pinned ? "not_pinned" : "not_pageable",
          "the runtime says that this memory is " + std::string(pinned ? "not " : "") + "pinned"};
    if ((array.on_device() != nullptr) != (one.kind == host_kind::mapped && n > 0))
      return {"wrong_device_address", "on_device() is for mapped memory, and for no other"};
    std::copy(values.begin(), values.end(), array.data());
    output<float> d(n);
    COALESCE_CHECK(cudaMemcpy(d.data(), array.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    const outcome found = compare(std::span<const float>(d.read(nullptr)),
                                  {n, [&](auto i) { return double{values[i]}; }});
    if (!found.right()) return found;
  }
  return {};
}

inline outcome check_refused(const kind_name& one, std::uint64_t) {
  const std::int64_t n = std::int64_t{1} << 48;
  try {
    const host_array array(one.kind, n);
  } catch (const std::bad_alloc&) {
    return {};
  } catch (const coalesce::cuda_error&) {
    cudaGetLastError();
    return {};
  }
  return {"error_swallowed", "an array of 2^48 floats was made without an error"};
}

/// The place of the array is pinned already, as far as the heap gives memory out again that has just
/// been given back: to pin it once more is refused.
inline outcome check_pinned_twice(std::uint64_t) {
  constexpr std::int64_t n = 200;
  float* const place = new float[n];
  COALESCE_CHECK(cudaHostRegister(place, n * sizeof(float), cudaHostRegisterDefault));
  delete[] place;
  bool swallowed = false;
  try {
    const host_array array(host_kind::registered, n);
    swallowed = array.data() == place;
  } catch (const coalesce::cuda_error&) {
    cudaGetLastError();
  }
  if (swallowed) return {"error_swallowed", "memory was pinned twice without an error"};
  COALESCE_CHECK(cudaHostUnregister(place));
  return {};
}

inline outcome check_mapped(std::int64_t n, std::uint64_t seed) {
  const auto values = coalesce::random_floats(n, 1, 2, seed);
  const host_array array(host_kind::mapped, n);
  std::copy(values.begin(), values.end(), array.data());
  const coalesce::stream stream = own_stream();
  scale_mapped(array, 4, stream);
  const std::vector<float> got(array.data(), array.data() + n);
  return with_counts(
      compare(std::span<const float>(got), {n, [&](auto i) { return 4.0 * values[i]; }},
              {{"not_scaled", "the values were not changed",
                [&](auto i) { return double{values[i]}; }}}),
      one_store_an_element(n));
}

inline outcome check_upload(std::int64_t n, std::int64_t staging, std::uint64_t seed) {
  const auto values = coalesce::random_floats(n, 1, 2, seed);
  const auto kept = values;
  output<float> d(n);
  const coalesce::stream stream = own_stream();
  upload(values.data(), n, d.data(), staging, stream);
  if (values != kept) return {"input_changed", "the values of the caller were changed"};
  const auto got = d.read(stream);
  const outcome found =
      compare(std::span<const float>(got), {n, [&](auto i) { return double{values[i]}; }});
  const std::int64_t whole = n / staging * staging;
  if (found.reason == "not_written" && n % staging != 0 &&
      std::equal(values.begin(), values.begin() + whole, got.begin()))
    return {"tail_lost", "the last, shorter piece did not arrive: " + found.message};
  return found;
}

inline void add_host(std::vector<lab_case>& cases) {
  for (const kind_name& one : kinds) {
    for (const std::int64_t n : {0, 1, 257})
      cases.push_back({"host", one.name + ", n = " + to_string(n),
                       [=](auto seed) { return check_kind(one, n, seed); }});
    cases.push_back({"host", one.name + ", more than there is",
                     [=](auto seed) { return check_refused(one, seed); }});
  }
  cases.push_back({"host", "registered, at a place that is pinned already", check_pinned_twice});
  for (const std::int64_t n : sizes)
    cases.push_back(
        {"mapped", "n = " + to_string(n), [n](auto seed) { return check_mapped(n, seed); }});
  for (const auto& [n, staging] : std::vector<std::pair<int, int>>{{0, 16},
                                                                   {1, 16},
                                                                   {15, 16},
                                                                   {16, 16},
                                                                   {17, 16},
                                                                   {250, 16},
                                                                   {257, 64},
                                                                   {100, 1},
                                                                   {20, 5000}})
    cases.push_back({"upload", to_string(n) + " floats through " + to_string(staging),
                     [n, staging](auto seed) { return check_upload(n, staging, seed); }});
}

}  // namespace lab54::checks
