"""Operations with a stated rounding, each against exact arithmetic with fractions."""

import math
import re
import struct
import subprocess
from fractions import Fraction

import pytest
from running import run

import build

INTEGERS = {"int": (32, True), "uint": (32, False), "ll": (64, True), "ull": (64, False)}
MANTISSA = {"float": 24, "double": 53}
NAME = re.compile(r"__(?:(?P<source>\w+?)2(?P<target>\w+?)|(?P<operation>\w+?))_(?P<mode>r[nzud])")


def number(bits, kind):
    """The exact value that the bits stand for."""
    if kind in INTEGERS:
        width, signed = INTEGERS[kind]
        bits &= (1 << width) - 1
        return Fraction(bits - (1 << width) if signed and bits >> (width - 1) else bits)
    if kind == "float":
        return Fraction(struct.unpack("<f", struct.pack("<I", bits))[0])
    return Fraction(struct.unpack("<d", struct.pack("<Q", bits))[0])


def whole(value, mode):
    """An integer next to `value`; halfway cases of rn go to the even one."""
    return {"rn": round, "rz": math.trunc, "ru": math.ceil, "rd": math.floor}[mode](value)


def rounded(value, kind, mode):
    """`value` in so many bits of mantissa (normal numbers), or as an integer within its limits."""
    if kind in INTEGERS:
        width, signed = INTEGERS[kind]
        least = -(1 << (width - 1)) if signed else 0
        return Fraction(min(max(whole(value, mode), least), least + (1 << width) - 1))
    if value == 0:
        return value
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    unit = Fraction(2) ** (exponent - MANTISSA[kind] + 1)
    if abs(value) / unit >= 1 << MANTISSA[kind]:
        unit *= 2
    if abs(value) / unit < 1 << (MANTISSA[kind] - 1):
        unit /= 2
    return whole(value / unit, mode) * unit


def right_root(result, value, kind, mode):
    """Is `result` the root of `value` in this rounding? Judged by squares, all of them exact."""
    spacing = rounded(result * (1 + Fraction(1, 1 << MANTISSA[kind])), kind, "ru") - result
    below, above = result - spacing, result + spacing
    if mode == "rn":
        return ((result - spacing / 2) ** 2 <= value) and (value <= (result + spacing / 2) ** 2)
    if mode == "ru":
        return below**2 < value <= result**2
    return result**2 <= value < above**2


OPERATIONS = {
    "add": lambda x, y, z: x + y,
    "sub": lambda x, y, z: x - y,
    "mul": lambda x, y, z: x * y,
    "div": lambda x, y, z: x / y,
    "rcp": lambda x, y, z: 1 / x,
    "ma": lambda x, y, z: x * y + z,
}


def right(line):
    name, *words = line.split()
    match = NAME.fullmatch(name)
    operands, result = [int(word, 16) for word in words[:3]], int(words[3], 16)
    mode = match["mode"]
    if match["source"]:
        value, kind = number(operands[0], match["source"]), match["target"]
        return number(result, kind) == rounded(value, kind, mode)
    kind = "double" if match["operation"][0] == "d" or match["operation"] == "fma" else "float"
    operation = match["operation"].removesuffix("f")[1:]
    operation = {"maf": "ma"}.get(operation, operation)
    x, y, z = (number(bits, kind) for bits in operands)
    if operation == "sqrt":
        return right_root(number(result, kind), x, kind, mode)
    return number(result, kind) == rounded(OPERATIONS[operation](x, y, z), kind, mode)


@pytest.mark.parametrize("name", ["rounding", "rounding-explain"])
def test_every_rounding_is_exact(programs, name):
    lines, _ = run(programs[name])
    assert len(lines) == 20 * 4 * 26
    assert [line for line in lines if not right(line)] == []


KAHAN = """
#include <cstdio>
__global__ void lost(float* values) {
  const float next = __fadd_rn(values[0], values[1]);
  values[0] = __fsub_rn(__fsub_rn(next, values[0]), values[1]);
}
int main() {
  float *d_values, values[] = {1 << 24, 1};
  cudaMalloc(&d_values, sizeof values);
  cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice);
  lost<<<1, 1>>>(d_values);
  cudaMemcpy(values, d_values, sizeof values, cudaMemcpyDeviceToHost);
  cudaFree(d_values);
  std::printf("%g", values[0]);
}
"""


@pytest.mark.parametrize("flags", [["-O2"], ["-O2", "-ffast-math"]], ids=["plain", "fast-math"])
def test_nearest_is_not_rearranged(flags, tmp_path):
    """What an addition rounds away can be computed, whatever the flags are."""
    (tmp_path / "kahan.cu").write_text(KAHAN)
    build.cpucc(*flags, "kahan.cu", "-o", "kahan", cwd=tmp_path)
    done = subprocess.run([tmp_path / "kahan"], capture_output=True, text=True, check=True)
    assert done.stdout == "-1"
