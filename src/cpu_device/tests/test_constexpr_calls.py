"""Constexpr functions of the host in device code, which nvcc takes with an option only."""

import nvcc
import pytest

import build

pytestmark = pytest.mark.compiler

HEAD = """\
#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <utility>
constexpr int square(int x) {
  return x * x;
}
#define BOTH __host__ __device__
BOTH constexpr int by_macro(int x) { return x; }
__host__ __device__
constexpr int two_lines(int x) { return x; }
__device__ constexpr int of_the_device(int x) { return x; }
BOTH int of_both(int x) { return square(x); }
template <class T>
constexpr T half(T x) {
  return x / 2;
}
struct Point {
  int a;
  constexpr Point(int x) : a(x) {}
  constexpr int twice() const { return 2 * a; }
};
struct Plain {
  int a = 3;
  BOTH constexpr Plain() = default;
};
__device__ int helper(int x) {
  return %s;
}
__global__ void kernel(int* p, int i) {
  %s;
}
"""
# Name -> (in the helper, in the kernel, what is said); "29: " is the helper's line.
REFUSED = {
    "own": ("x", "*p = square(i)", "32: square(int)"),
    "in a function": ("square(x)", "*p = helper(i)", "29: square(int)"),
    "template": ("x", "*p = half(i)", "32: int half<int>(int)"),
    "library": ("x", "*p = std::max(i, *p)", "32: max<int> "),
    "limits": ("x", "*p = std::numeric_limits<int>::max()", "32: std::numeric_limits<int>::max()"),
    "array": ("x", "std::array<int, 4> a{}; *p = a[i]", "32: std::array<int, 4ul>::operator[]"),
    "constructor": ("x", "Point q(i); *p = q.a", "32: Point::Point(int)"),
    "member": ("x", "Point* q = nullptr; *p = q->twice()", "32: Point::twice() const"),
}
ACCEPTED = [
    "*p = by_macro(i) + two_lines(i) + of_the_device(i)",
    "*p = helper(i)",
    "Plain q; Plain r = q; *p = r.a",
    "int a = i; *p = std::move(a) + std::forward<int>(i)",
    "for (int x : {1, 2, 3}) *p += x; std::initializer_list<int> l = {1, 2}; *p += l.size()",
    "auto f = [](int x) { return x + 1; }; *p = f(i)",
    "*p = max(i, 3) + min(i, 4)",
]


def program(folder, in_helper, in_kernel):
    path = folder / "calls.cu"
    path.write_text(HEAD % (in_helper, in_kernel))
    return path


@pytest.mark.parametrize("name", REFUSED)
def test_a_call_is_refused_without_the_option(tmp_path, name):
    in_helper, in_kernel, said = REFUSED[name]
    program(tmp_path, in_helper, in_kernel)
    result = build.cpucc("-c", "calls.cu", cwd=tmp_path, check=False)
    assert result.returncode == 1
    assert f"calls.cu:{said}" in result.stderr
    assert "is a constexpr function of the host: nvcc lets device code call it" in result.stderr
    build.cpucc("-c", build.RELAXED, "calls.cu", cwd=tmp_path)


@pytest.mark.parametrize("statement", ACCEPTED)
def test_other_calls_are_accepted(tmp_path, statement):
    program(tmp_path, "x", statement)
    build.cpucc("-c", "calls.cu", cwd=tmp_path)


@pytest.mark.slow
@nvcc.needed
def test_nvcc_takes_the_same(tmp_path):
    def accepts(in_helper, in_kernel, without):
        path = program(tmp_path, in_helper, in_kernel)
        return nvcc.build(path, without=without).returncode == 0

    for in_helper, in_kernel, _ in REFUSED.values():
        assert not accepts(in_helper, in_kernel, [build.RELAXED]), in_kernel
        assert accepts(in_helper, in_kernel, []), in_kernel
    for statement in ACCEPTED:
        assert accepts("x", statement, [build.RELAXED]), statement
