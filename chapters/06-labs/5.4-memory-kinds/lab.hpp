#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "coalesce/device_buffer.hpp"
#include "coalesce/stream.hpp"

/// Lab 5.4: what is asked for, a file for each kind of memory. Names that begin with d_ are addresses
/// of the device. Every function throws coalesce::cuda_error when a call of CUDA fails. A function
/// that takes a stream puts its work there and returns at once, where nothing else is said.
namespace lab54 {

// constant_table.cu -------------------------------------------------------------------------------

/// Floats that fit into constant memory: 64 KiB.
inline constexpr int most_entries = 16384;

/// Copies a table into constant memory; later launches see it.
/// \param entries  count floats of the host
/// \param count    0 to most_entries
/// \throws std::length_error when count is outside of that; the table stays as it was
void set_table(const float* entries, int count);

/// A polynomial whose coefficients are the table: y = t[0] + t[1] x + … + t[degree] x^degree.
/// All lanes of a warp read the same entry at the same time.
/// \param d_x, n   where it is wanted \param degree from 0 on \param d_y n results
void polynomial(const float* d_x, std::int64_t n, int degree, float* d_y, cudaStream_t stream);

/// Entries of the table: y[i] = t[index[i]]. Each lane of a warp reads an entry of its own.
/// \param d_index, n  which entries \param d_y n results
void look_up(const int* d_index, std::int64_t n, float* d_y, cudaStream_t stream);

// image_texture.cu --------------------------------------------------------------------------------

/// An image in an array of the device, and the texture object that reads it, in pixels.
class image_texture {
 public:
  /// \param image          height rows of width floats of the host, without gaps
  /// \param width, height  in pixels, 1 or more
  /// \param filter         cudaFilterModePoint: the pixel that a place lies in; cudaFilterModeLinear: between
  ///                       the four pixels whose centres surround it
  /// \param edges          cudaAddressModeClamp: outside is as the nearest pixel; cudaAddressModeBorder: 0
  image_texture(const float* image, int width, int height, cudaTextureFilterMode filter,
                cudaTextureAddressMode edges);
  ~image_texture();
  image_texture(const image_texture&) = delete;
  image_texture& operator=(const image_texture&) = delete;

  cudaTextureObject_t get() const { return texture_; }

 private:
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t texture_ = 0;
};

/// A map of the plane: (x, y) goes to (xx * x + xy * y + x0, yx * x + yy * y + y0).
struct plane_map {
  float xx, xy, x0;
  float yx, yy, y0;
};

/// Draws an image anew: each pixel of the output takes the image's value at the place to which `where`
/// maps the pixel's centre. The centre of pixel (col, row) is (col + 0.5, row + 0.5), in both images.
/// \param d_out  height rows of width floats, without gaps
void resample(const image_texture& image, const plane_map& where, float* d_out, int width,
              int height, cudaStream_t stream);

// filter_weights.cu -------------------------------------------------------------------------------

/// On the host: what a texture with linear filter and clamped edges gives at (x, y). The weights are
/// fractions with 8 bits, as the device's are, so the answer is not that of exact weights.
/// \param image  height rows of width floats \return the value
float filtered(const float* image, int width, int height, float x, float y);

// list_texture.cu ---------------------------------------------------------------------------------

/// A texture object over linear memory. The caller destroys it by cudaDestroyTextureObject.
/// \param d_list  count floats, which must live as long as the texture \param count 1 or more
cudaTextureObject_t make_list_texture(const float* d_list, std::int64_t count);

/// y[i] = list[index[i]], and 0 where the index lies outside of the list: the texture sees to that.
void fetch(cudaTextureObject_t list, const int* d_index, std::int64_t n, float* d_y,
           cudaStream_t stream);

// host_memory.cu ----------------------------------------------------------------------------------

/// Kinds of host memory.
enum class host_kind {
  pageable,        ///< of new: the system may move its pages
  pinned,          ///< of cudaHostAlloc: its pages stay
  write_combined,  ///< pinned, and kept out of the CPU's caches
  mapped,          ///< pinned, and kernels may use it
  registered,      ///< of new, and pinned afterwards by cudaHostRegister
};

/// n floats of host memory of a kind; their values are indeterminate.
class host_array {
 public:
  /// \param n  0 or more; 0 allocates nothing \throws coalesce::cuda_error when it cannot be pinned
  host_array(host_kind kind, std::int64_t n);
  ~host_array();
  host_array(const host_array&) = delete;
  host_array& operator=(const host_array&) = delete;

  float* data() const { return data_; }
  std::int64_t size() const { return n_; }
  /// The address by which kernels use mapped memory; nullptr for the other kinds.
  float* on_device() const;

 private:
  host_kind kind_;
  std::int64_t n_;
  float* data_ = nullptr;
};

/// Multiplies mapped host memory by a factor, in place, without a copy. Waits: the host may read.
void scale_mapped(const host_array& values, float factor, cudaStream_t stream);

// upload.cu ---------------------------------------------------------------------------------------

/// Copies pageable memory to the device through one pinned buffer, which it makes and frees.
/// Waits until everything is on the device.
/// \param values, n  pageable memory of the host \param d_to n floats of the device
/// \param staging    floats in the pinned buffer, 1 or more
void upload(const float* values, std::int64_t n, float* d_to, std::int64_t staging,
            cudaStream_t stream);

// pipeline.cu -------------------------------------------------------------------------------------

using word = std::uint32_t;

/// What is computed for a chunk: enqueues work on `stream` that reads n words and writes n words.
using chunk_work =
    std::function<void(const word* d_in, word* d_out, std::int64_t n, cudaStream_t stream)>;

/// The parts of a chunk's way.
enum class part { copy_in, compute, copy_out };

/// When a part of a chunk ran, in seconds from the beginning of the run.
struct span_of_time {
  int chunk;
  part what;
  double begin, end;
};

/// Sends n words through the device in chunks; copies and computation overlap.
class pipeline {
 public:
  /// Sets of a stream and two device buffers. Chunk k uses set k % sets.
  static constexpr int sets = 3;

  /// Makes everything that a run needs, so that a run only enqueues and waits.
  /// \param n       words, 0 or more
  /// \param chunks  1 or more; all but the last have the same length, which is n / chunks rounded up.
  ///                The last may be shorter, and chunks without words are left out.
  pipeline(std::int64_t n, int chunks);
  ~pipeline();
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  word* in() const { return in_; }    ///< n words of pinned host memory, for the caller to fill
  word* out() const { return out_; }  ///< n words of pinned host memory, for the caller to read

  /// Copies each chunk in, calls `work` for it, and copies it out. Returns when out() is complete.
  void run(const chunk_work& work);

  /// Of the last run, three spans a chunk, in the order of chunks; measured by events.
  std::vector<span_of_time> timeline() const;

 private:
  /// A chunk's marks: before and after each part.
  struct marks {
    coalesce::event before_in, after_in, after_work, after_out;
  };

  std::int64_t n_, chunk_;
  word *in_ = nullptr, *out_ = nullptr;
  std::vector<coalesce::stream> streams_;
  std::vector<coalesce::device_buffer<word>> d_in_, d_out_;
  std::vector<marks> marks_;
  coalesce::event begin_;
};

// unified.cu --------------------------------------------------------------------------------------

/// n floats of unified memory. \param n 0 or more \return nullptr when n is 0
float* allocate_unified(std::int64_t n);
/// Gives it back; nullptr is fine.
void free_unified(float* values);

/// Multiplies on the device, then adds up on the host.
/// \param values    n floats of unified memory, which the host has filled
/// \param prefetch  whether the pages are asked for before the kernel, and back before the host
/// \return the sum of the multiplied values
double scale_and_sum(float* values, std::int64_t n, float factor, bool prefetch,
                     cudaStream_t stream);

// transpose.cu ------------------------------------------------------------------------------------

/// out[col][row] = in[row][col], through a tile in shared memory.
/// \param d_in   rows × cols floats \param d_out cols × rows floats
void transpose(const float* d_in, int rows, int cols, float* d_out, cudaStream_t stream);

// sort_eights.cu ----------------------------------------------------------------------------------

/// Sorts groups of eight floats, in place. Element k of group g lies at k * groups + g.
void sort_eights(float* d_values, std::int64_t groups, cudaStream_t stream);

/// Bytes of local memory that a thread of the kernel of sort_eights() has.
std::size_t sort_local_bytes();

}  // namespace lab54
