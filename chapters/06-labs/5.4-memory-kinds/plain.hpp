#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "lab.hpp"

/// What the rows compare the lab's functions with: the same answers from ordinary global memory. Given.
namespace lab54::plain {

/// As lab54::polynomial(), with the coefficients in global memory.
void polynomial(const float* d_table, const float* d_x, std::int64_t n, int degree, float* d_y,
                cudaStream_t stream);
/// As lab54::look_up(), with the table in global memory.
void look_up(const float* d_table, const int* d_index, std::int64_t n, float* d_y,
             cudaStream_t stream);
/// As lab54::fetch(), with a guard in place of the texture's.
void fetch(const float* d_list, std::int64_t count, const int* d_index, std::int64_t n, float* d_y,
           cudaStream_t stream);
/// As lab54::resample() of an image in global memory, with clamped edges.
void resample(const float* d_image, int image_width, int image_height, cudaTextureFilterMode filter,
              const plane_map& where, float* d_out, int width, int height, cudaStream_t stream);
/// As lab54::transpose(), straight from global memory to global memory.
void transpose(const float* d_in, int rows, int cols, float* d_out, cudaStream_t stream);
/// As lab54::sort_eights(), with indices that are known only when the kernel runs: an array in local
/// memory.
void sort_eights(float* d_values, std::int64_t groups, cudaStream_t stream);
/// values[i] *= factor.
void scale(float* d_values, std::int64_t n, float factor, cudaStream_t stream);
/// What a pipeline computes in the rows: `turns` times x = a x + b, modulo 2^32.
void mix(const word* d_in, word* d_out, std::int64_t n, int turns, cudaStream_t stream);

/// The constants of mix().
inline constexpr word mix_a = 1664525, mix_b = 1013904223;

}  // namespace lab54::plain
