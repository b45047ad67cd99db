// Cooperative launches, grid.sync(), and blocks that wait for one another. Prints a line a check;
// an argument names a kernel that must fail.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstring>
#include <vector>

namespace cg = cooperative_groups;

/// Sums `n` values: block sums, then one block sums these. Shared memory must outlive the barrier.
__global__ void sum_grid(const int* values, unsigned n, int* partial, int* sum) {
  __shared__ int tile[64];
  extern __shared__ int marks[];
  const cg::grid_group grid = cg::this_grid();
  const int t = threadIdx.x;
  int mine = 0;
  for (unsigned i = grid.thread_rank(); i < n; i += grid.num_threads()) mine += values[i];
  tile[t] = mine;
  marks[t] = blockIdx.x;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k) tile[t] += tile[t + k];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = tile[0];
  grid.sync();
  int total = 0;
  for (unsigned i = t; i < gridDim.x; i += blockDim.x) total += partial[i];
  grid.sync();  // a second time, with other values alive on the stacks
  if (marks[t] != static_cast<int>(blockIdx.x)) total = -1000000;
  if (t == 0 && tile[0] != partial[blockIdx.x]) total = -2000000;
  atomicAdd(&sum[blockIdx.x], total);
}

/// Each step needs the neighbours' values of the step before.
__global__ void relax(float* a, float* b, int n, int steps) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank());
  for (int s = 0; s < steps; ++s) {
    const float* from = s % 2 ? b : a;
    float* to = s % 2 ? a : b;
    if (i < n) to[i] = from[(i + n - 1) % n] + from[(i + 1) % n];
    grid.sync();
  }
}

/// Block k waits for block k + 1: every block must be there at once.
__global__ void relay(volatile int* ready, int* order) {
  if (threadIdx.x == 0) {
    if (blockIdx.x + 1 < gridDim.x) {
      while (ready[blockIdx.x + 1] == 0) {
      }
    }
    order[blockIdx.x] = atomicAdd(&order[gridDim.x], 1);
    ready[blockIdx.x] = 1;
  }
  __syncthreads();
}

/// A grid-wide barrier made by hand, as programs had it before cooperative groups.
__global__ void by_hand(unsigned* count, int* out) {
  out[blockIdx.x] = blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    while (atomicAdd(count, 0u) < gridDim.x) {
    }
  }
  __syncthreads();
  if (threadIdx.x == 1) out[gridDim.x + blockIdx.x] = out[(blockIdx.x + 1) % gridDim.x];
}

__global__ void leaves_early(int* out) {
  if (blockIdx.x == 2) return;
  cg::this_grid().sync();  // LINE leaves_early
  *out = 1;
}

__global__ void mixed(int* out) {
  if (threadIdx.x == 0) {
    cg::this_grid().sync();  // LINE mixed
  } else {
    __syncthreads();
  }
  *out = 1;
}

__global__ void not_cooperative(int* valid) {
  *valid = cg::this_grid().is_valid();
}
__global__ void syncs(int* out) {
  cg::this_grid().sync();
  *out = 1;
}
__global__ void faults(int* out) {
  if (blockIdx.x == 3) *static_cast<volatile int*>(nullptr) = 1;
  cg::this_grid().sync();
  *out = 1;
}

template <class... Parameters>
cudaError_t cooperate(void (*kernel)(Parameters...), int grid, int block, size_t shared,
                      Parameters... arguments) {
  void* addresses[] = {&arguments...};
  return cudaLaunchCooperativeKernel(kernel, grid, block, addresses, shared);
}

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int main(int argc, char** argv) {
  int* m;
  cudaMallocManaged(&m, 1 << 20);
  memset(m, 0, 1 << 20);
  if (argc > 1) {
    const char* what = argv[1];
    if (!strcmp(what, "leaves_early")) SAY(cooperate(leaves_early, 4, 64, 0, m));
    if (!strcmp(what, "mixed")) SAY(cooperate(mixed, 2, 64, 0, m));
    if (!strcmp(what, "syncs")) syncs<<<2, 32>>>(m);
    if (!strcmp(what, "faults")) SAY(cooperate(faults, 8, 64, 0, m));
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s %d\n", cudaGetErrorName(error), *m);
    return 0;
  }

  // (before any cooperative launch: after one, an H200 says that a plain one is valid, too)
  *m = 7;
  not_cooperative<<<1, 1>>>(m);
  cudaDeviceSynchronize();
  printf("valid %d", *m);
  cooperate(not_cooperative, 1, 1, 0, m);
  cudaDeviceSynchronize();
  printf(" %d\n", *m);
  unsigned n = 10000;
  for (unsigned i = 0; i < n; ++i) m[i] = static_cast<int>(i % 10);
  int *partial = m + 20000, *sum = m + 30000;
  for (const int blocks : {1, 3, 132}) {
    memset(sum, 0, blocks * 4);
    cooperate(sum_grid, blocks, 64, 64 * sizeof(int), static_cast<const int*>(m), n, partial, sum);
    cudaDeviceSynchronize();
    int right = 0;
    for (int i = 0; i < blocks; ++i) right += sum[i] == 45000;
    printf("sum_grid %d of %d\n", right, blocks);
  }

  int cells = 1000, steps = 9;
  float* a = reinterpret_cast<float*>(m + 40000);
  float* b = a + cells;
  std::vector<float> x(cells), y(cells);
  for (int i = 0; i < cells; ++i) a[i] = x[i] = static_cast<float>(i % 7);
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < cells; ++i) y[i] = x[(i + cells - 1) % cells] + x[(i + 1) % cells];
    x.swap(y);
  }
  cooperate(relax, 16, 64, 0, a, b, cells, steps);
  cudaDeviceSynchronize();
  printf("relax %d\n", memcmp(b, x.data(), cells * sizeof(float)));

  int blocks = 40;
  volatile int* ready = m + 60000;
  int* order = m + 61000;
  relay<<<blocks, 32>>>(ready, order);
  cudaDeviceSynchronize();
  int right = 0;
  for (int i = 0; i < blocks; ++i) right += order[i] == blocks - 1 - i;
  printf("relay %d\n", right);
  unsigned* count = reinterpret_cast<unsigned*>(m + 70000);
  int* out = m + 71000;
  cooperate(by_hand, blocks, 64, 0, count, out);
  cudaDeviceSynchronize();
  right = 0;
  for (int i = 0; i < blocks; ++i) right += out[blocks + i] == (i + 1) % blocks;
  printf("by_hand %d\n", right);

  int supported = 0, resident = 0, multiprocessors = 0;
  cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, syncs, 256, 0);
  printf("supported %d, room %d\n", supported, resident * multiprocessors);
  SAY(cooperate(syncs, resident * multiprocessors, 256, 0, m));
  SAY(cooperate(syncs, resident * multiprocessors + 1, 256, 0, m));
  cudaLaunchConfig_t config = {};
  config.gridDim = 2;
  config.blockDim = 32;
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  *m = 0;
  SAY(cudaLaunchKernelEx(&config, syncs, m));
  SAY(cudaDeviceSynchronize());
  printf("synchronised %d\n", *m);
}
