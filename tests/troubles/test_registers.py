"""A block of 1024 threads may have 64 registers a thread, in a debug build too."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.chapters import support

CHAPTER = support.ROOT / "chapters" / "04-optimization"
MOST = 65536 // 1024
# The steps of the course that are launched with blocks of 1024 threads.
LARGE_BLOCKS = sorted([*CHAPTER.glob("step?_*.cu"), *CHAPTER.glob("add[12358]_*.cu")])


def registers(source: Path, *flags: str) -> list[int]:
    command = [
        support.tool("nvcc"), "-arch=sm_90", "-std=c++20", f"-I{support.ROOT / 'src'}", *flags,
        "-Xptxas=-v", "-c", source, "-o", "/dev/null",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [int(number) for number in re.findall(r"Used (\d+) registers", done.stderr)]


@pytest.mark.slow
@pytest.mark.parametrize("flags", [["-G"], []], ids=["debug", "release"])
@pytest.mark.parametrize("source", LARGE_BLOCKS, ids=lambda path: path.stem)
def test_kernels_for_large_blocks_fit_in_a_debug_build_too(source: Path, flags: list[str]) -> None:
    if reason := support.lacking("nvcc"):
        pytest.skip(reason)
    found = registers(source, *flags)
    assert found
    assert max(found) <= MOST


def test_a_kernel_over_the_limit_is_found(tmp_path: Path) -> None:
    if reason := support.lacking("nvcc"):
        pytest.skip(reason)
    assert max(registers(CHAPTER / "broken" / "too_many_registers.cu")) > MOST
