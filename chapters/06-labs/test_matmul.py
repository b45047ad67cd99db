"""What lab 5.2 claims beyond its check: that Kahan's sum survives the flags, and its pictures."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.chapters import support

LAB = Path(__file__).resolve().parent / "5.2-matmul"
MANUAL = (LAB / "manual.md").read_text(encoding="utf-8")
PICTURES = sorted((LAB / "pictures").glob("*.svg"))

DRIVER = """
#include <cstdio>
#include <vector>
#include "coalesce/device_buffer.hpp"
#include "lab.hpp"
int main() {
  const lab52::shape s{.m = 1, .n = 4001, .p = 1, .lda = 4001, .ldb = 1, .ldc = 1};
  std::vector<float> ones(4001, 1), b = ones;
  b[0] = 0x1p24f;
  auto d_a = coalesce::to_device(ones), d_b = coalesce::to_device(b);
  coalesce::device_buffer<float> d_c(1);
  lab52::product_kahan(d_a.data(), d_b.data(), d_c.data(), s, 32, nullptr);
  std::printf("%.9g", static_cast<double>(coalesce::to_host(d_c)[0]));
}
"""


def skip_where_lacking(device: str, *, library: bool = False) -> None:
    if reason := support.lacking(device, library=library):
        pytest.skip(reason)


def count(pattern: str, text: str) -> int:
    return len(re.findall(pattern, text))


@pytest.mark.parametrize("flags", [[], ["-use_fast_math"]], ids=["plain", "fast_math"])
def test_nvcc_keeps_kahans_four_operations_a_term(flags: list[str], tmp_path: Path) -> None:
    skip_where_lacking("nvcc")
    target = tmp_path / "kahan.ptx"
    command = [support.tool("nvcc"), "-arch=sm_90", "-O3", "-std=c++20", *flags]
    command += [f"-I{support.ROOT / 'src'}", "-ptx", LAB / "product_kahan.cu", "-o", target]
    subprocess.run(command, check=True, capture_output=True)
    ptx = target.read_text(encoding="utf-8")
    found = re.findall(r"^(\$L\w+):\n((?:(?!^\$L).*\n)*?.*bra\S*\s+\1;)", ptx, re.MULTILINE)
    sums = [body for _, body in found if "fma.rn" in body]
    assert sums
    for body in sums:
        terms = count(r"fma\.rn\S*f32", body)
        assert count(r"ld\.global", body) == 2 * terms
        assert count(r"(?:add|sub)\.rn\S*f32", body) == 3 * terms


@pytest.mark.parametrize("flags", [["-O2"], ["-O2", "-ffast-math"]], ids=["plain", "fast_math"])
def test_the_cpu_device_keeps_what_kahan_keeps(flags: list[str], tmp_path: Path) -> None:
    skip_where_lacking("cpu", library=True)
    driver = tmp_path / "driver.cu"
    driver.write_text(DRIVER, encoding="utf-8")
    kernel, program = tmp_path / "kahan.o", tmp_path / "kahan"
    paths = [f"-I{support.ROOT / 'src'}", f"-I{LAB}"]
    runtime = f"--runtime={support.BUILD / 'src' / 'cpu_device' / 'libcpu_device.a'}"
    compiler = [support.CPUCC, "-std=c++20", runtime, *paths]
    for command in (
        [*compiler, *flags, "-c", LAB / "product_kahan.cu", "-o", kernel],
        [*compiler, driver, kernel, support.library_of("cpu"), "-lpthread", "-ldl", "-o", program],
    ):
        subprocess.run(command, check=True, capture_output=True)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    assert done.stdout == str(2**24 + 4000)


@pytest.mark.parametrize("source", [*LAB.glob("*.cu"), *LAB.glob("m*.cpp")], ids=lambda p: p.name)
def test_a_file_tells_one_thing(source: Path) -> None:
    assert len(source.read_text(encoding="utf-8").splitlines()) <= 80


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.stem)
def test_picture_is_readable_everywhere(picture: Path) -> None:
    text = picture.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert {"title", "desc"} <= {child.tag.rpartition("}")[2] for child in root}
    assert float(root.attrib["viewBox"].split()[2]) <= 640  # text stays readable on a phone
    assert f"pictures/{picture.name}" in MANUAL
    without_fallbacks = re.sub(r"var\(--[a-z0-9-]+, #[0-9a-f]{6}\)", "", text)
    assert not re.search(r"#[0-9a-fA-F]{3,6}\b", re.sub(r"url\(#[^)]*\)", "", without_fallbacks))
