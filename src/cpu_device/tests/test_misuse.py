"""What nvcc refuses is refused here, in a sentence, and what it accepts is accepted."""

import concurrent.futures
import os

import nvcc
import pytest

import build

pytestmark = pytest.mark.compiler


def kernel(statement, before=""):
    """A program whose third line is the statement of a kernel."""
    return f"{before}\n__global__ void kernel(int* p, int i) {{\n  {statement}\n}}\n"


A_CONSTANT = "is a constant of the host"
HOSTS = "is the host's: device code cannot call it"
DEVICES = "is the device's: the host cannot call it"
PRIMES = "constexpr int primes[] = {2, 3, 5, 7};"
LAUNCH = "template <class F> __global__ void call(F f, int* p) { *p = f(*p); }"

# name -> (program, what is said). "3: " is the line.
REFUSED = {
    # ---- constants of the host
    "index": (kernel("*p = primes[i];", PRIMES), f"3: primes {A_CONSTANT}"),
    "const_index": (kernel("*p = t[i];", "const int t[] = {1, 2};"), f"3: t {A_CONSTANT}"),
    "inline_index": (kernel("*p = t[i];", "inline constexpr int t[] = {1};"), f"3: t {A_CONSTANT}"),
    "loop": (kernel("for (int x : primes) *p += x;", PRIMES), f"3: primes {A_CONSTANT}"),
    "address": (kernel("const int* q = primes; *p = q[1];", PRIMES), f"3: primes {A_CONSTANT}"),
    "reference": (
        kernel("*p = std::max(i, limit);", "#include <algorithm>\nconstexpr int limit = 5;"),
        f"4: limit {A_CONSTANT}",
    ),
    "own_reference": (
        kernel("*p = f(n);", "constexpr int n = 1; __device__ int f(const int& x) { return x; }"),
        f"3: n {A_CONSTANT}",
    ),
    "member_index": (
        kernel("*p = S::t[i];", "struct S { static constexpr int t[] = {1, 2}; };"),
        f"3: S::t {A_CONSTANT}",
    ),
    "template_index": (
        kernel(
            "*p = S<int>::t[i];", "template <class T> struct S { static constexpr T t[] = {1}; };"
        ),
        f"3: S<int>::t {A_CONSTANT}",
    ),
    "helper": (
        f"{PRIMES}\n__host__ __device__ inline int prime(int i) {{ return primes[i]; }}\n"
        + kernel("*p = prime(i);"),
        f"2: primes {A_CONSTANT}",
    ),
    "constexpr_helper": (
        f"{PRIMES}\n__device__ constexpr int prime(int i) {{ return primes[i]; }}\n"
        + kernel("*p = prime(i);"),
        f"2: primes {A_CONSTANT}",
    ),
    "lambda_index": (
        kernel("auto f = [](int k) { return primes[k]; }; *p = f(i);", PRIMES),
        f"3: primes {A_CONSTANT}",
    ),
    "functor": (
        kernel(
            "*p = plus(i);",
            "struct S { __device__ int operator()(int) const { return 1; } }; constexpr S plus{};",
        ),
        f"3: plus {A_CONSTANT}",
    ),
    # ---- functions and variables of the other side
    "memcmp": (kernel("*p = memcmp(p, p, i);", "#include <cstring>"), f"3: memcmp {HOSTS}"),
    "std_memcmp": (
        kernel("*p = std::memcmp(p, p, i);", "#include <cstring>"),
        f"3: memcmp {HOSTS}",
    ),
    "rand": (kernel("*p = rand();", "#include <cstdlib>"), f"3: rand {HOSTS}"),
    "strlen": (kernel("*p = strlen((char*)p);", "#include <cstring>"), f"3: strlen {HOSTS}"),
    "exit": (kernel("exit(1);", "#include <cstdlib>"), f"3: exit {HOSTS}"),
    "puts": (kernel('puts("x");', "#include <cstdio>"), f"3: puts {HOSTS}"),
    "memmove": (kernel("memmove(p, p + 1, 4);", "#include <cstring>"), f"3: memmove {HOSTS}"),
    "method": (kernel("*p = S().f();", "struct S { int f() { return 1; } };"), f"3: f {HOSTS}"),
    "vector": (kernel("std::vector<int> v; *p = v[0];", "#include <vector>"), HOSTS),
    "variable": (kernel("*p = g;", "int g;"), "3: g is the host's: device code cannot use it"),
    "host_calls_device": ("__device__ void d() {}\nvoid f() {\n  d();\n}\n", f"3: d {DEVICES}"),
    "host_calls_half": (
        "#include <cuda_fp16.h>\nint f(half x) {\n  return __half2int_rn(x);\n}\n",
        f"3: __half2int_rn {DEVICES}",
    ),
    "host_calls_fused_half": (
        "#include <cuda_fp16.h>\nhalf f(half x) {\n  return __hfma(x, x, x);\n}\n",
        f"3: __hfma {DEVICES}",
    ),
    "host_calls_bfloat16": (
        "#include <cuda_bf16.h>\n__nv_bfloat16 f(int x) {\n  return __int2bfloat16_rz(x);\n}\n",
        f"3: __int2bfloat16_rz {DEVICES}",
    ),
    "plain_lambda": (
        f"{LAUNCH}\nvoid f(int* p) {{\n  call<<<1, 1>>>([](int x) {{ return x; }}, p);\n}}\n",
        "3: a lambda of f(int*) is called in device code without saying __device__",
    ),
    # ---- variables
    "data_member": (
        "struct S {\n  static __device__ int x;\n};\n__device__ int S::x;\n" + kernel("*p = S::x;"),
        "2: x is a data member in the memory of the device",
    ),
    "constant_member": (
        "struct S {\n  static __constant__ int x;\n};\n__constant__ int S::x;\n"
        + kernel("*p = S::x;"),
        "2: x is a data member in the memory of the device",
    ),
    "constexpr_member": (
        kernel("*p = S::t[i];", "struct S { static constexpr __device__ int t[] = {1, 2}; };"),
        "3: S::t is a data member in the memory of the device",
    ),
    "shared_value": (
        kernel("__shared__ int s = 0; *p = s;"),
        "3: the __shared__ variable s cannot",
    ),
    "shared_values": (
        kernel("__shared__ int s[2] = {1, 2}; *p = s[i];"),
        "3: the __shared__ variable s cannot have an initialiser",
    ),
    "shared_on_the_host": (
        "int f() {\n  __shared__ int s;\n  return s;\n}\n",
        "2: s is __shared__",
    ),
    "constant_written": (kernel("c = i;", "__constant__ int c;"), "3: c is __constant__"),
    "constant_written_by_the_host": (
        "__constant__ int c;\nvoid f() {\n  c = 3;\n}\n" + kernel("*p = c;"),
        "3: c is __constant__: only cudaMemcpyToSymbol writes it",
    ),
    "static_value": (kernel("static int c = i; *p = c;"), "3: a static variable of device code"),
    "thread_local": (
        kernel("thread_local int c = 3; *p = c;"),
        "3: device code has no thread_local",
    ),
    "length": (kernel("int q[i]; *p = q[0];"), "3: an array of device code must have a constant"),
    # ---- kernels, classes, exceptions
    "kernel_member": (
        "struct S {\n  static __global__ void k() {}\n};\nvoid f() { S::k<<<1, 1>>>(); }\n",
        "2: the kernel S::k() cannot be a member of a class",
    ),
    "kernel_reference": (
        "\n__global__ void k(int&& x) {}\nvoid f() { k<<<1, 1>>>(1); }\n",
        "2: the kernel k(int&&) cannot have an rvalue reference",
    ),
    "kernel_noexcept": (
        "\n__global__ void k() noexcept {}\n",
        "2: the kernel k() cannot be noexcept",
    ),
    "kernel_returns": ("\n__global__ int k() { return 1; }\n", "2:"),
    "kernel_variadic": (
        "\n__global__ void k(int, ...) {}\n",
        "2: the kernel k(int, ...) cannot have an ellipsis",
    ),
    "kernel_called": ("__global__ void k() {}\nvoid f() { k(); }\n", "2:"),
    "no_kernel_launched": ("void k() {}\nvoid f() { k<<<1, 1>>>(); }\n", "2:"),
    "launch_bounds": (
        "\n__device__ void __launch_bounds__(128) d() {}\n",
        "2: __launch_bounds__ is for kernels, not for d()",
    ),
    "dynamic_cast": (
        kernel(
            "B b; A* a = &b; *p = dynamic_cast<B*>(a) != nullptr;",
            "struct A { __device__ virtual void f() {} }; struct B : A {};",
        ),
        "3: device code has no dynamic_cast",
    ),
    "exception": (kernel("throw 1;"), "3:"),
}

# nvcc accepts it, and no GPU can do it.
ONLY_OURS = {
    "constant_part_written": (
        kernel("c[i].y = 1;", "struct S { int x, y; }; __constant__ S c[4];"),
        "3: c is __constant__",
    ),
}

EVERY = {**REFUSED, **ONLY_OURS}

# One file: both compilers accept all of it.
ACCEPTED = f"""\
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
{PRIMES}
{LAUNCH}
#define ON_THE_DEVICE __device__
struct Pair {{ int a, b; }};
struct Config {{ static constexpr int size = 4, sizes[] = {{1, 2}}; }};
template <class T> struct Traits {{ static constexpr T one = 1; }};
namespace space {{
constexpr Pair pair{{3, 4}}, pairs[] = {{{{1, 2}}, {{3, 4}}}};
constexpr std::array<int, 3> three{{1, 2, 3}};
constexpr int limit = 5;
constexpr const char* text = "text";
const double half_pi = 1.57;
__device__ constexpr int on_device[] = {{1, 2, 3}};
static ON_THE_DEVICE constexpr int by_macro[] = {{1, 2, 3}};
namespace {{ __constant__ constexpr int hidden[] = {{1, 2, 3}}; }}
static __constant__ const float weights[] = {{1, 2, 3}};
}}
constexpr int prime(int i) {{ return primes[i]; }}
__host__ __device__ constexpr int known_prime(int i) {{ return primes[i]; }}
__device__ int first(Pair x) {{ return x.a; }}
struct Scale {{
  int by;
  __host__ __device__ constexpr int operator()(int x) const {{ return x * by; }}
}};
constexpr Scale twice{{2}};
__shared__ int at_namespace_scope;
__global__ void __launch_bounds__(0) kernel(int* p, int i) {{
  using namespace space;
  constexpr int local[] = {{1, 2, 3}};
  static constexpr int static_local[] = {{1, 2, 3}};
  static int counter = 3;
  __shared__ int s[2], t;
  Pair copy = pair;
  constexpr int folded = prime(2);
  const auto f = [](int k) {{ return k * limit; }};
  p[0] = pair.a + pairs[1].b + copy.b + first(pair) + three[2] + three.size() + twice(3);
  p[1] = limit * i + max(limit, i) + Config::size + Config::sizes[1] + Traits<int>::one + text[1];
  p[2] = on_device[i] + by_macro[i] + hidden[i] + weights[i] + local[i] + static_local[i];
  p[3] = folded + prime(1) + prime(i % 4) + known_prime(3) + f(i) + ++counter;
  p[4] = sizeof primes + std::max(i, warpSize) + half_pi + abs(i);
  s[i] = t = at_namespace_scope = 1;
  memcpy(p, s, sizeof s);
  memset(p, 0, 4);
  free(malloc(4));
  printf("%d", i);
}}
template <class T> void launch(T value, int* p) {{
  call<<<1, 1>>>([=] __device__(int x) {{ return x + value; }}, p);
  const auto f = [=]
      ON_THE_DEVICE(auto x) {{ return x; }};
  call<<<1, 1>>>(f, p);
}}
int main() {{
  launch(3, nullptr);
  thread_local int on_the_host = 3;
  const half h = __int2half_ru(2049);
  return __half2int_rz(h) + float(__int2bfloat16_rn(3)) + on_the_host + memcmp(&h, &h, 2) + rand();
}}
"""


@pytest.fixture(scope="module")
def programs_on_disk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("misuse")
    for name, (text, _) in EVERY.items():
        (folder / f"{name}.cu").write_text(text)
    (folder / "accepted.cu").write_text(ACCEPTED)
    return folder


def of_all(names, function):
    """Name -> result, computed on all cores."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return dict(zip(names, pool.map(function, names), strict=True))


@pytest.fixture(scope="module")
def ours(programs_on_disk):
    def compiled(name):
        return build.cpucc("-c", build.RELAXED, f"{name}.cu", cwd=programs_on_disk, check=False)

    return of_all(EVERY, compiled)


@pytest.fixture(scope="module")
def theirs(programs_on_disk):
    return of_all(REFUSED, lambda name: nvcc.build(programs_on_disk / f"{name}.cu"))


@pytest.mark.parametrize("name", EVERY)
def test_misuse_is_refused_with_its_place(ours, name):
    result = ours[name]
    assert result.returncode == 1
    assert f"{name}.cu:" in result.stderr and EVERY[name][1] in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.slow
@nvcc.needed
@pytest.mark.parametrize("name", REFUSED)
def test_nvcc_refuses_it_too(theirs, name):
    assert theirs[name].returncode != 0


def test_legal_uses_are_accepted(programs_on_disk):
    build.cpucc("-c", build.RELAXED, "accepted.cu", cwd=programs_on_disk)


@nvcc.needed
def test_nvcc_accepts_them_too(programs_on_disk):
    result = nvcc.build(programs_on_disk / "accepted.cu")
    assert result.returncode == 0, result.stderr
