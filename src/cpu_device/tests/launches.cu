// Launch limits, attributes, occupancy, graphs, the order of printf.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void plain(int* p) {
  if (p) atomicAdd(p, 1);
}
__global__ void with_shared(int* p) {
  __shared__ int tile[1000];
  tile[threadIdx.x] = 1;
  __syncthreads();
  if (p) *p = tile[0];
}
__global__ void add(int* p, int value) {
  *p += value;
}
__global__ void speak(int round) {
  printf("block %d thread %d round %d\n", blockIdx.x, threadIdx.x, round);
}
__global__ void ticks(long long* out) {
  const long long begin = clock64();
  out[1] = 0;
  for (int i = 0; i < 1000; ++i) out[1] += i;
  out[0] = clock64() - begin;
}

#define LAST(launch)                                                   \
  do {                                                                 \
    launch;                                                            \
    printf("%s: %s\n", #launch, cudaGetErrorName(cudaGetLastError())); \
  } while (0)
#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
  LAST((plain<<<1, 1024>>>(nullptr)));
  LAST((plain<<<1, 1025>>>(nullptr)));
  LAST((plain<<<1, dim3(1, 1, 65)>>>(nullptr)));
  LAST((plain<<<dim3(1, 65536), 1>>>(nullptr)));
  LAST((plain<<<0, 1>>>(nullptr)));
  LAST((plain<<<1, 0>>>(nullptr)));
  LAST((plain<<<1, 1, 49152>>>(nullptr)));
  LAST((plain<<<1, 1, 49153>>>(nullptr)));
  SAY(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  LAST((plain<<<1, 1, 100000>>>(nullptr)));
  SAY(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000));
  cudaGetLastError();
  cudaFuncAttributes attributes;
  SAY(cudaFuncGetAttributes(&attributes, with_shared));
  printf("static shared %zu\n", attributes.sharedSizeBytes);
  int blocks = 0, grid = 0, block = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 256, 0);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain);
  printf("occupancy %d %d %d\n", blocks, grid, block);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 32, 100000);
  printf("occupancy with much shared memory %d\n", blocks);

  int* p;
  cudaMallocManaged(&p, sizeof *p);
  *p = 0;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCreate(&stream);
  SAY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 1; i <= 3; ++i) add<<<1, 1, 0, stream>>>(p, i);  // arguments are kept
  SAY(cudaStreamEndCapture(stream, &graph));
  printf("captured, not run: %d\n", *p);
  SAY(cudaGraphInstantiate(&exec, graph));
  for (int i = 0; i < 5; ++i) cudaGraphLaunch(exec, stream);
  SAY(cudaStreamSynchronize(stream));
  printf("graph %d\n", *p);
  SAY(cudaGraphExecDestroy(exec));
  SAY(cudaGraphDestroy(graph));

  long long* t;
  cudaMallocManaged(&t, 2 * sizeof *t);
  ticks<<<1, 1>>>(t);
  cudaDeviceSynchronize();
  printf("clock %d\n", t[0] > 0);

  printf("host before\n");
  speak<<<1, 2>>>(1);
  speak<<<1, 1>>>(2);
  printf("host after the launches\n");
  cudaDeviceSynchronize();
  printf("host after synchronising\n");
  speak<<<1, 1>>>(3);  // nobody waits for it
}
