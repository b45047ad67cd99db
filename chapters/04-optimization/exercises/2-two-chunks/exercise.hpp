#pragma once

#include <cuda_runtime.h>

#include <cstddef>

/// Copies pageable host memory to the device through two pinned chunks, with the calling thread alone.
///
/// While one chunk is on its way, the other is filled. Waits until everything is on the device.
/// \param d_to    `bytes` bytes on the device
/// \param from    `bytes` bytes of ordinary host memory
/// \param bytes   how many, 0 included
/// \param chunks  two pinned chunks of chunk_bytes each
/// \param chunk_bytes  size of a chunk, 1 or more
/// \param stream  where the copies are enqueued
void copy_by_two_chunks(std::byte* d_to, const std::byte* from, std::size_t bytes,
                        std::byte* const chunks[2], std::size_t chunk_bytes, cudaStream_t stream);
