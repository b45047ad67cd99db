// Wrong: a cooperative grid of one block more than the device holds at a time. The launch is refused.
// expect: cpu exit 1 /cudaErrorCooperativeLaunchTooLarge/
// expect: gpu exit 1 /cudaErrorCooperativeLaunchTooLarge/
#include <cooperative_groups.h>

#include "../../03-first-gpu-program/check.hpp"

// [broken]
__global__ void wait_for_all() {
  cooperative_groups::this_grid().sync();
}

int main() {
  int sms = 0, blocks_per_sm = 0;
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, wait_for_all, 256, 0));
  const int blocks = sms * blocks_per_sm + 1;
  std::printf("%d SMs hold %d blocks each; we ask for %d\n", sms, blocks_per_sm, blocks);
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(wait_for_all), dim3(blocks),
                                    dim3(256), nullptr, 0, nullptr));
  CHECK(cudaDeviceSynchronize());
}
// [/broken]
