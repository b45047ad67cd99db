// Kernels whose requests, sectors and wavefronts were read with Nsight Compute on an H200. The
// figures are in test_cpu_device.py; LINE comments name the lines.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void contiguous(const int* d, int* part, int n) {
  const int t = threadIdx.x, per = n / blockDim.x;
  int sum = 0;
  for (int i = t * per; i < (t + 1) * per; ++i) {
    sum += d[i] * d[i];
  }
  part[t] = sum;
}

__global__ void strided(const int* d, int* part, int n) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    sum += d[i] * d[i];
  }
  part[threadIdx.x] = sum;
}

__global__ void transpose(const float* a, float* b, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  b[x * n + y] = a[y * n + x];
}

template <int Width>
__global__ void transpose_tiled(const float* a, float* b, int n) {
  __shared__ float tile[32][Width];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = a[y * n + x];
  __syncthreads();
  const int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
  b[v * n + u] = tile[threadIdx.x][threadIdx.y];
}

__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16], bs[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    as[y][x] = a[row * n + t + x];
    bs[y][x] = b[(t + y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void copy_float4(const float4* in, float4* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = in[i];
  v.y += 1;
  out[i] = v;
}

__global__ void add_in_place(int* d) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  d[i] += 5;
}

__global__ void two_way(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  s[t + 32] = t;
  __syncwarp();
  out[t] = s[2 * t];
}

__global__ void all_in_one_bank(int* out) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  for (int i = 0; i < 32; ++i) s[i * 32 + t] = i;
  __syncwarp();
  out[t] = s[32 * t];
}

__global__ void interleaved_tree(const int* in, int* out) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int k = 1; k < 256; k *= 2) {
    const int i = 2 * k * t;
    if (i < 256) s[i] += s[i + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void skipping(const int* d, int* out) {
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = 0; i < 8; ++i) {
    if ((t + i) % 2) continue;
    sum += d[i * 32 + t];
  }
  out[t] = sum;
}

__device__ __attribute__((noinline)) float helper(const float* p, int i) {
  return p[i] * 2;
}
__global__ void calling(const float* a, float* out, int n) {
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (t & 1) sum += helper(a, i * 32 + t);
    sum += a[i * 32 + t];  // LINE after_call
  }
  out[t] = sum;
}

__global__ void uneven(const int* d, int* out) {  // odd lanes fill their logs sooner
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = 0; i < 1000; ++i) {
    if (t & 1) sum += d[i * 32 + t];
    sum += d[i * 32 + 31 - t];  // LINE all_lanes
  }
  out[t] = sum;
}

__global__ void waited_for(const int* d, volatile int* ready, int* out) {
  const int t = threadIdx.x;
  int sum = 0;
  if (t != 0) {  // nothing of lane 0 can be replayed while the others wait here
    while (*ready == 0) {
    }
  } else {
    for (int i = 0; i < 1000; ++i) sum += d[i];  // LINE long_way
    *ready = 1;
  }
  out[t] = sum;
}

__global__ void filling(int* d) {  // a compiler likes to make this a call of memset
  for (int i = 0; i < 8; ++i) d[threadIdx.x * 8 + i] = 0;
}

__global__ void wide_shared(float4* out) {
  __shared__ float4 s[32];
  const int t = threadIdx.x;
  s[t] = make_float4(t, t, t, t);
  __syncwarp();
  float4 a = s[t];
  const float4 b = s[t / 2];  // LINE pairs_agree
  a.x += b.x;
  out[t] = a;
}

// Structures that are no vector types go field by field, as wide as they are aligned.
struct Pair {
  float x, y;
};
struct Doubles {
  double x, y;
};
struct Mixed {
  int key;
  double value;
};
struct Six {
  float v[6];
};
template <class T>
__global__ void copy_each(const T* in, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
template <class T>
__global__ void copy_through_shared(const T* in, T* out) {
  __shared__ T tile[32];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncwarp();
  out[t] = tile[31 - t];
}
template <class T>
void copies(const void* in, void* out) {
  copy_each<<<2, 64>>>(static_cast<const T*>(in), static_cast<T*>(out));
  copy_through_shared<<<1, 32>>>(static_cast<const T*>(in), static_cast<T*>(out));
}

int main() {
  int *d, *p;
  cudaMalloc(&d, 65536 * sizeof(int));
  cudaMalloc(&p, 65536 * sizeof(int));
  cudaMemset(d, 0, 65536 * sizeof(int));
  float *a = reinterpret_cast<float*>(d), *b = reinterpret_cast<float*>(p);
  const dim3 grid(4, 4), tile(32, 32), small(16, 16);
  contiguous<<<1, 512>>>(d, p, 65536);
  strided<<<1, 512>>>(d, p, 65536);
  transpose<<<grid, tile>>>(a, b, 128);
  transpose_tiled<32><<<grid, tile>>>(a, b, 128);
  transpose_tiled<33><<<grid, tile>>>(a, b, 128);
  product<<<grid, small>>>(a, b, b + 8192, 64);
  copy_float4<<<16, 256>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(b));
  add_in_place<<<16, 256>>>(d);
  two_way<<<1, 32>>>(p);
  all_in_one_bank<<<1, 32>>>(p);
  interleaved_tree<<<8, 256>>>(d, p);
  skipping<<<1, 32>>>(d, p);
  calling<<<1, 32>>>(a, b, 8);
  uneven<<<1, 32>>>(d, p);
  cudaMemset(p, 0, sizeof(int));
  waited_for<<<1, 32>>>(d, p, p + 1);
  filling<<<1, 32>>>(p);
  wide_shared<<<1, 32>>>(reinterpret_cast<float4*>(b));
  copies<Pair>(d, p);
  copies<float3>(d, p);
  copies<Doubles>(d, p);
  copies<Mixed>(d, p);
  copies<Six>(d, p);
  copies<double2>(d, p);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
