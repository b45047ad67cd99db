"""Small programs and what each must print: plain, counted and checked. nvcc builds them, too."""

import subprocess

import nvcc
import pytest

import build

pytestmark = pytest.mark.compiler

MAIN = """
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
{before}
__global__ void kernel(float* out) {{
  {body}
}}
int main() {{
  float *d, out[32] = {{}};
  cudaMalloc(&d, sizeof out);
  cudaMemset(d, 0, sizeof out);
  for (int i = 0; i < 2; ++i) kernel<<<1, 32>>>(d);
  cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
  cudaFree(d);
  std::printf("%g %g %g %g\\n", out[0], out[1], out[2], out[31]);
}}
"""
PAIR = "struct Pair { int a; float b; };"
# What -> (before the kernel, its body, what is printed).
PROGRAMS = {
    # The host never names these: they are internal to the file.
    "static constant": (
        f"{PAIR} static __constant__ Pair hidden = {{6, 0.5f}};",
        "out[threadIdx.x] = hidden.a + hidden.b;",
        "6.5 6.5 6.5 6.5",
    ),
    "constant of an unnamed type": (
        "__constant__ struct { int a; float b; } limits = {3, 4.5f};",
        "out[threadIdx.x] = limits.a + limits.b;",
        "7.5 7.5 7.5 7.5",
    ),
    "in an unnamed namespace": (
        "namespace { __device__ int word = 5; __constant__ float table[2] = {1, 2}; }",
        "if (threadIdx.x == 0) { out[0] = word + table[1]; word = 7; }",
        "9 0 0 0",
    ),
    "constant arrays": (
        "static __constant__ const float table[4] = {1, 2, 3, 4}; "
        "constexpr __device__ int squares[4] = {0, 1, 4, 9};",
        "out[threadIdx.x] = table[threadIdx.x % 4] + squares[threadIdx.x % 4];",
        "1 3 7 13",
    ),
    "static variables of functions": (
        "__device__ int next() { static int n = 10; return atomicAdd(&n, 1); } "
        "__device__ int of(int i) { static const int n[3] = {1, 2, 3}; return n[i]; }",
        "if (threadIdx.x == 0) out[0] = next(); else if (threadIdx.x < 4) "
        "out[threadIdx.x] = of(threadIdx.x - 1);",
        "11 1 2 0",
    ),
    "variable templates": (
        "template <int N> __constant__ int several[2] = {N, N + 1};",
        "out[threadIdx.x] = several<4>[threadIdx.x & 1];",
        "4 5 4 5",
    ),
    # The return value is the number of arguments, not of characters.
    "what printf returns": (
        "",
        'if (threadIdx.x) return; out[0] = printf(""); out[1] = printf("%d", 1);'
        'out[2] = printf("%5.2f%% of %s %*d", 1.5, "x", 4, 7);',
        "1 1.50% of x    71 1.50% of x    70 1 4 0",
    ),
    "half from other types": (
        "",
        "__half h; __nv_bfloat16 b; const int n = 3; h = n; b = 2u; h++; --b; out[0] = h; "
        "out[1] = b; h = (short)-1; b = 5ll; out[2] = __half2float(h--) + __bfloat162float(b); "
        "h = true; out[threadIdx.x == 31 ? 31 : 3] = h;",
        "4 1 4 1",
    ),
    "pairs of half": (
        "",
        "__half2 a = __floats2half2_rn(1, 2), b = __floats2half2_rn(1, 3); "
        "out[0] = __heq2_mask(a, b); out[1] = __hltu2_mask(a, b) >> 16; a++; "
        "const __half2 c = __hcmadd(a, b, b); out[2] = c.x; out[31] = c.y;",
        "65535 65535 -6 12",
    ),
    # The lanes of a branch are back before its end asks who is there, though lane 0 is there first.
    "active lanes after a branch": (
        "namespace cg = cooperative_groups;",
        "int x = 0; if (threadIdx.x >= 8) { auto some = cg::coalesced_threads(); "
        "x = some.shfl(some.thread_rank() == 0, 0) + some.size(); } "
        "out[threadIdx.x] = cg::coalesced_threads().size() * 100 + x;",
        "3200 3200 3200 3225",
    ),
}


@pytest.mark.parametrize("option", [[], ["--explain"], ["--check"]], ids=lambda words: str(words))
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_prints_what_a_gpu_prints(tmp_path, name, option):
    before, body, printed = PROGRAMS[name]
    (tmp_path / "small.cu").write_text(MAIN.format(before=before, body=body))
    build.cpucc(*option, "small.cu", "-o", "small", cwd=tmp_path)
    result = subprocess.run([tmp_path / "small"], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == printed + "\n"


@pytest.mark.slow
@nvcc.needed
@pytest.mark.parametrize("name", PROGRAMS)
def test_nvcc_builds_it(tmp_path, name):
    before, body, _ = PROGRAMS[name]
    (tmp_path / "small.cu").write_text(MAIN.format(before=before, body=body))
    result = nvcc.build(tmp_path / "small.cu", without=["-rdc=true"])
    assert result.returncode == 0, result.stderr


OWNER = """\
#include <cstdio>
namespace shared { __managed__ int sum = 3; }
__constant__ int step = 7;
void launch();
void change();
int main() {
  std::printf("%d ", shared::sum);
  launch();
  std::printf("%d ", shared::sum);
  change();
  launch();
  std::printf("%d\\n", shared::sum);
}
"""
USER = """\
namespace shared { extern __managed__ int sum; }
extern __constant__ int step;
__global__ void add() { shared::sum += step; }
void launch() {
  add<<<1, 1>>>();
  cudaDeviceSynchronize();
}
void change() {
  const int value = 100;
  shared::sum = 50;
  cudaMemcpyToSymbol(step, &value, sizeof value);
}
"""


@pytest.mark.parametrize("option", [[], ["--check"]], ids=lambda words: str(words))
@pytest.mark.parametrize("order", [["owner.cu", "user.cu"], ["user.cu", "owner.cu"]])
def test_managed_variables_of_other_files(tmp_path, order, option):
    (tmp_path / "owner.cu").write_text(OWNER)
    (tmp_path / "user.cu").write_text(USER)
    build.cpucc(*option, "-rdc=true", *order, "-o", "two", cwd=tmp_path)
    result = subprocess.run([tmp_path / "two"], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "3 10 150\n"), result.stderr


FLAG = """\
#include <cstdio>
__global__ void wait(volatile int* flag) {
  while (*flag == 0) {}
}
int main() {
  int* flag;
  cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped);
  *flag = 0;
  wait<<<1, 1>>>(flag);
  const cudaError_t while_it_waits = cudaStreamQuery(nullptr);
  *flag = 1;
  const cudaError_t at_its_end = cudaDeviceSynchronize();
  std::printf("%s %s\\n", cudaGetErrorName(while_it_waits), cudaGetErrorName(at_its_end));
  cudaFreeHost(flag);
}
"""


def test_a_query_does_not_wait_for_the_kernel(tmp_path):
    (tmp_path / "flag.cu").write_text(FLAG)
    build.cpucc("flag.cu", "-o", "flag", cwd=tmp_path)
    result = subprocess.run(
        [tmp_path / "flag"], capture_output=True, text=True, check=False, timeout=60
    )
    assert result.stdout == "cudaErrorNotReady cudaSuccess\n"
