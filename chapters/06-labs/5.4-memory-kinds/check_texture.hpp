#pragma once

#include <algorithm>

#include "check_support.hpp"

namespace lab54::checks {

/// An image on the host, and what a texture makes of it.
struct picture {
  int width, height;
  std::vector<float> pixels;

  picture(int w, int h, std::uint64_t seed)
      : width(w), height(h), pixels(coalesce::random_floats(std::int64_t{w} * h, 1, 2, seed)) {}

  /// An image of another width with the first `kept` columns of this one; the rest is not known.
  picture only_columns(int kept, int new_width) const {
    picture other = *this;
    other.width = new_width;
    other.pixels.assign(static_cast<std::size_t>(new_width) * height,
                        std::numeric_limits<float>::quiet_NaN());
    for (int row = 0; row < height; ++row)
      std::copy_n(pixels.begin() + std::int64_t{row} * width, kept,
                  other.pixels.begin() + std::int64_t{row} * new_width);
    return other;
  }
  double sample(double x, double y, cudaTextureFilterMode filter,
                cudaTextureAddressMode edges) const {
    return filter == cudaFilterModePoint ? point(x, y, edges) : linear(x, y, edges);
  }
  double at(double col, double row, cudaTextureAddressMode edges) const {
    if (edges == cudaAddressModeBorder && (col < 0 || row < 0 || col >= width || row >= height))
      return 0;
    const int c = static_cast<int>(std::clamp(col, 0.0, width - 1.0));
    const int r = static_cast<int>(std::clamp(row, 0.0, height - 1.0));
    return pixels[static_cast<std::size_t>(r) * width + c];
  }
  double point(double x, double y, cudaTextureAddressMode edges) const {
    return at(std::floor(x), std::floor(y), edges);
  }
  double linear(double x, double y, cudaTextureAddressMode edges) const {
    const double left = std::floor(x - 0.5), top = std::floor(y - 0.5);
    const double a = x - 0.5 - left, b = y - 0.5 - top;
    return (1 - b) * ((1 - a) * at(left, top, edges) + a * at(left + 1, top, edges)) +
           b * ((1 - a) * at(left, top + 1, edges) + a * at(left + 1, top + 1, edges));
  }
};

/// A situation: sizes, map, filter, edges. Places are multiples of 1/64, whose weights have 8 bits.
struct view {
  std::string name;
  int width, height;          // of the image
  int out_width, out_height;  // of the output
  plane_map where;
  cudaTextureFilterMode filter;
  cudaTextureAddressMode edges;
};

inline outcome check_view(const view& v, std::uint64_t seed) {
  const picture image(v.width, v.height, seed);
  const std::int64_t n = std::int64_t{v.out_width} * v.out_height;
  const image_texture texture(image.pixels.data(), v.width, v.height, v.filter, v.edges);
  output<float> out(n);
  const coalesce::stream stream = own_stream();
  resample(texture, v.where, out.data(), v.out_width, v.out_height, stream);

  using sampler = std::function<double(double, double)>;
  const auto sample = [&](double x, double y, cudaTextureAddressMode edges) {
    return image.sample(x, y, v.filter, edges);
  };
  const auto over = [&](double centre, sampler read) {
    return [&v, centre, read](std::int64_t i) {
      const double x = static_cast<double>(i % v.out_width) + centre,
                   y = static_cast<double>(i / v.out_width) + centre;
      return read(v.where.xx * x + v.where.xy * y + v.where.x0,
                  v.where.yx * x + v.where.yy * y + v.where.y0);
    };
  };
  const auto of = [&v](picture other) {
    return [&v, other](double x, double y) { return other.sample(x, y, v.filter, v.edges); };
  };
  const auto right = [&](double x, double y) { return sample(x, y, v.edges); };
  const auto other_edges =
      v.edges == cudaAddressModeClamp ? cudaAddressModeBorder : cudaAddressModeClamp;
  auto counts = one_store_an_element(n, v.out_height);
  counts.push_back(at_most_loads(0, "texture_not_read", "global memory was loaded"));
  return with_counts(
      compare(std::span<const float>(out.read(stream)),
              {n, over(0.5, right), [](auto) { return 1e-5; }},
              {{"half_pixel", "the places are off by half a pixel", over(0, right)},
               {"half_pixel", "the places are off by half a pixel",
                over(0.5, [&](double x, double y) { return right(x - 0.5, y - 0.5); })},
               {"half_pixel", "the places are off by half a pixel",
                over(0.5, [&](double x, double y) { return right(x + 0.5, y + 0.5); })},
               {"axes_swapped", "x and y are swapped",
                over(0.5, [&](double x, double y) { return right(y, x); })},
               {"edges_ignored", "outside of the image, the other address mode was in use",
                over(0.5, [&](double x, double y) { return sample(x, y, other_edges); })},
               {"filter_ignored", "the other filter was in use",
                over(0.5,
                     [&](double x, double y) {
                       return v.filter == cudaFilterModePoint ? image.linear(x, y, v.edges)
                                                              : image.point(x, y, v.edges);
                     })},
               {"width_in_bytes", "the array goes on to the right of the image",
                over(0.5, of(image.only_columns(v.width, 4 * v.width)))},
               {"width_in_elements", "only a quarter of each row is in the array",
                over(0.5, of(image.only_columns(v.width / 4, v.width)))}}),
      counts);
}

/// The reader's filter on the host, at random places whose weights are no tie between two fractions.
inline outcome check_filtered(std::uint64_t seed) {
  const picture image(37, 21, seed);
  const int n = 2000;
  const auto steps = coalesce::random_ints(2 * n, -2 * 256, 40 * 256, seed + 1);
  const auto rest = coalesce::random_floats(2 * n, 0.1f, 0.4f, seed + 2);
  std::vector<float> x(n), y(n), got(n);
  for (int i = 0; i < n; ++i) {
    x[i] = (static_cast<float>(steps[2 * i]) + rest[2 * i]) / 256;
    y[i] = (static_cast<float>(steps[2 * i + 1]) + rest[2 * i + 1]) / 256;
    got[i] = filtered(image.pixels.data(), image.width, image.height, x[i], y[i]);
  }
  const auto eighth = [](float at) { return std::floor(double{at} * 256) / 256; };
  const auto linear = [&](double a, double b) { return image.linear(a, b, cudaAddressModeClamp); };
  return compare(
      std::span<const float>(got),
      {n, [&](auto i) { return linear(eighth(x[i]), eighth(y[i])); }, [](auto) { return 1e-5; }},
      {{"weights_not_rounded", "the weights were exact",
        [&](auto i) { return linear(x[i], y[i]); }},
       {"half_pixel", "the places are off by half a pixel",
        [&](auto i) { return linear(eighth(x[i]) + 0.5, eighth(y[i]) + 0.5); }},
       {"axes_swapped", "x and y are swapped",
        [&](auto i) { return linear(eighth(y[i]), eighth(x[i])); }}});
}

inline outcome check_too_large(std::uint64_t seed) {
  const int width = 1 << 20;  // the widest two-dimensional texture has 131,072 pixels
  const auto pixels = coalesce::random_floats(width, 0, 1, seed);
  return expect_throw<coalesce::cuda_error>(
      "an image of " + to_string(width) + " columns", "error_swallowed", [&] {
        const image_texture texture(pixels.data(), width, 1, cudaFilterModePoint,
                                    cudaAddressModeClamp);
      });
}

inline outcome check_fetch(std::int64_t n, std::uint64_t seed) {
  const int count = 300;
  const auto list = coalesce::random_floats(count, 1, 2, seed);
  const auto index = coalesce::random_ints(n, -40, count + 40, seed + 1);
  const auto d_list = coalesce::to_device(list);
  const auto d_index = coalesce::to_device(index);
  output<float> y(n);
  const coalesce::stream stream = own_stream();
  const cudaTextureObject_t texture = make_list_texture(d_list.data(), count);
  fetch(texture, d_index.data(), n, y.data(), stream);
  const auto got = y.read(stream);
  COALESCE_CHECK(cudaDestroyTextureObject(texture));
  const auto entry = [&](std::int64_t i, int end) {
    return index[i] >= 0 && index[i] < end ? double{list[index[i]]} : 0.0;
  };
  auto counts = one_store_an_element(n);
  counts.push_back(at_most_loads(n, "texture_not_read", "the list was read by plain loads"));
  return with_counts(
      compare(std::span<const float>(got), {n, [&](auto i) { return entry(i, count); }},
              {{"bytes_for_elements", "only a quarter of the list was there",
                [&](auto i) { return entry(i, count / 4); }},
               {"clamped", "outside of the list, the nearest entry was given",
                [&](auto i) { return double{list[std::clamp(index[i], 0, count - 1)]}; }}}),
      counts);
}

inline void add_texture(std::vector<lab_case>& cases) {
  const auto point = cudaFilterModePoint;
  const auto linear = cudaFilterModeLinear;
  const auto clamp = cudaAddressModeClamp;
  const auto border = cudaAddressModeBorder;
  const plane_map same = {1, 0, 0, 0, 1, 0};
  const plane_map turned = {0, 1, 0, -1, 0, 15};  // by a quarter, of a height of 15
  const plane_map moved = {1, 0, 2.25f, 0, 1, -1.75f};
  const plane_map slanted = {0.75f, 0.25f, -1.625f, -0.5f, 1.25f, 3.125f};
  const std::vector<view> views = {
      {"as it is", 17, 15, 17, 15, same, point, clamp},
      {"as it is, larger", 250, 33, 250, 33, same, point, clamp},
      {"a quarter turn", 23, 15, 15, 23, turned, point, clamp},
      {"moved, edges clamped", 33, 16, 33, 16, moved, point, clamp},
      {"moved, edges clamped, filtered", 33, 16, 33, 16, moved, linear, clamp},
      {"moved, with a border", 33, 16, 33, 16, moved, point, border},
      {"slanted, filtered", 257, 31, 65, 40, slanted, linear, clamp},
      {"one pixel", 1, 1, 1, 1, same, point, clamp},
      {"slanted, filtered, with a border", 40, 50, 31, 33, slanted, linear, border},
  };
  for (const view& v : views)
    cases.push_back({"texture", v.name, [v](auto seed) { return check_view(v, seed); }});
  cases.push_back({"texture", "an image that is too wide", check_too_large});
  cases.push_back({"filter", "2000 places", check_filtered});
  for (const std::int64_t n : {1, 33, 1000, 0})
    cases.push_back(
        {"list", "n = " + to_string(n), [n](auto seed) { return check_fetch(n, seed); }});
}

}  // namespace lab54::checks
