"""What no source of the course may hold, and what every one of a kind must."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.chapters import support

ENDINGS = {".cu", ".cuh", ".hpp", ".cpp"}
NOT_RIGHT = {"broken", "wrong", "stand_ins"}  # programs that must fail show what is forbidden


def sources(*folders: str) -> list[Path]:
    return [
        path
        for folder in folders
        for path in sorted((support.ROOT / folder).rglob("*"))
        if path.suffix in ENDINGS and not NOT_RIGHT & set(path.parts)
    ]


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def places(pattern: str, *folders: str) -> list[str]:
    """Files in which a pattern stands outside of comments."""
    return [
        path.relative_to(support.ROOT).as_posix()
        for path in sources(*folders)
        if re.search(pattern, without_comments(path.read_text(encoding="utf-8")))
    ]


# Forms that newer toolkits took away, one pattern a kind.
OLD = {
    "warp functions without _sync": r"\b__(shfl(_up|_down|_xor)?|any|all|ballot)\s*\(",
    "texture and surface references": r"\b(texture|surface)\s*<|\bcudaBind(Texture|Surface)",
    "properties that CUDA 13 took away": r"\.\s*(clockRate|memoryClockRate|deviceOverlap|"
    r"computeMode|"
    r"kernelExecTimeoutEnabled|maxTexture1DLinear|singleToDoublePrecisionPerfRatio|"
    r"cooperativeMultiDeviceLaunch)\b",
    "thread functions of CUDA 4": r"\bcudaThread(Synchronize|Exit|SetLimit|SetCacheConfig)\b",
    "prefetch and advice outside a wrapper": r"\bcudaMem(PrefetchAsync|Advise)\s*\(",
}
EXAMPLES = {
    "warp functions without _sync": "x += __shfl_xor(x, 1);",
    "texture and surface references": "texture<float, 2> table;",
    "properties that CUDA 13 took away": "int khz = p.clockRate;",
    "thread functions of CUDA 4": "cudaThreadSynchronize();",
    "prefetch and advice outside a wrapper": "cudaMemPrefetchAsync(p, 4, 0);",
}
# Files that choose the form by the toolkit's version.
WRAPPERS = {
    "prefetch and advice outside a wrapper": ["chapters/06-labs/5.4-memory-kinds/unified.cu"],
}


@pytest.mark.parametrize("kind", OLD)
def test_no_source_has_an_old_form(kind: str) -> None:
    """The log asks for wrappers of prefetch and shuffle. One file prefetches, in both forms; of
    shuffles the steps show the call itself, and test_every_mask_is_full looks at the mask."""
    assert re.search(OLD[kind], EXAMPLES[kind]), "the pattern must find an example"
    wrappers = WRAPPERS.get(kind, [])
    assert places(OLD[kind], "src/coalesce", "chapters") == wrappers
    for name in wrappers:
        assert "#if CUDART_VERSION" in (support.ROOT / name).read_text(encoding="utf-8")


def masks(text: str) -> list[str]:
    return re.findall(r"\b__(?:shfl\w*|any|all|ballot)_sync\s*\(\s*([^,]+),", text)


def test_every_mask_is_full() -> None:
    full = re.compile(r"0x[fF]{8}u?|~0u|full_mask|all_lanes")
    assert masks("__shfl_down_sync(value, 1, 32)") == ["value"]
    found = 0
    for path in sources("src/coalesce", "chapters"):
        for mask in masks(without_comments(path.read_text(encoding="utf-8"))):
            found += 1
            assert full.fullmatch(mask), f"{path}: {mask}"
    assert found >= 5


# Kernels and launches -----------------------------------------------------------------------------


def steps() -> list[Path]:
    return [path for path in sources("chapters") if re.match(r"(step|add|float|tool)\d", path.name)]


@pytest.mark.parametrize("path", steps(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_kernel_and_its_launch_stand_in_one_file(path: Path) -> None:
    """The reader sees the shape of the block beside the kernel that relies on it. (The log asks
    for a comment and a check in each kernel; the wrapper beside it is both.)"""
    text = without_comments(path.read_text(encoding="utf-8"))
    text = re.sub(r"__launch_bounds__\([^)]*\)", "", text)
    for name in re.findall(r"__global__\s+void\s+(\w+)\s*\(", text):
        uses = len(re.findall(rf"\b{name}\b", text))
        assert uses >= 2, f"{name} is not launched in {path.name}"


def unchecked(text: str) -> int:
    """Launches in chevrons behind which nobody asks before the next launch or the file's end."""
    pieces = re.split(r"<<<", without_comments(text))[1:]
    asks = re.compile(
        r"check_launch|cudaGetLastError|cudaPeekAtLastError|finish_launch|cudaLaunchKernel"
    )
    return sum(not asks.search(piece) for piece in pieces)


SMALLEST = support.ROOT / "chapters/02-first-program/hello.cu"  # a first sight of chevrons, no more


def test_every_launch_is_checked() -> None:
    assert unchecked("f<<<1, 2>>>(); g();") == 1
    assert unchecked("f<<<1, 2>>>(); check_launch();") == 0
    for path in sources("src/coalesce", "chapters"):
        if path != SMALLEST and not {"exercises", "evidence"} & set(path.parts):
            assert unchecked(path.read_text(encoding="utf-8")) == 0, path


# Capabilities and switches ------------------------------------------------------------------------


def printed_nvcc_commands() -> list[tuple[str, str]]:
    found = []
    for page in sorted((support.ROOT / "chapters").glob("*/*.md")):
        blocks = re.findall(
            r"^```\{console\}[^\n]*\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE
        )
        for line in "\n".join(blocks).splitlines():
            if re.match(r"nvcc\s", line) and re.search(r"\.cu\b", line):
                found.append((page.relative_to(support.ROOT).as_posix(), line))
    return found


@pytest.mark.parametrize(("page", "line"), printed_nvcc_commands())
def test_every_printed_nvcc_command_names_an_architecture(page: str, line: str) -> None:
    refused_first = "-std=gnu++" in line or "-march=native" in line  # shown for its message
    assert refused_first or re.search(r"-arch=|-gencode|\$ARCH", line), page


def preprocess(header: str, *flags: str) -> subprocess.CompletedProcess[str]:
    nvcc = support.tool("nvcc")
    if nvcc is None or support.tool("g++") is None:
        pytest.skip("nvcc's headers or g++ were not found")
    include = Path(nvcc).resolve().parent.parent / "include"
    folders = [f"-I{support.ROOT / 'src'}", f"-I{include}"]
    command = ["g++", "-std=c++20", "-fsyntax-only", "-x", "c++", *folders, *flags, "-"]
    text = f'#include "coalesce/{header}"\n'
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("capability", [520, 600, 700, 720])
def test_code_for_older_gpus_is_refused_in_a_sentence(capability: int) -> None:
    done = preprocess("error.hpp", f"-D__CUDA_ARCH__={capability}")
    assert done.returncode != 0
    assert "needs compute capability 7.5 or newer" in done.stderr


def test_code_for_the_least_gpu_is_accepted() -> None:
    assert "needs compute capability" not in preprocess("error.hpp", "-D__CUDA_ARCH__=750").stderr


def test_the_comparer_refuses_fast_math_of_the_host() -> None:
    done = preprocess("verify.hpp", "-ffast-math")
    assert done.returncode != 0
    assert "NaN passes" in done.stderr
    assert preprocess("verify.hpp").returncode == 0
