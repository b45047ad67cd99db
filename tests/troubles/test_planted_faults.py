"""Faults planted in the course's own code, one at a time: each must turn a check red.

A changed copy of one source is compiled for the CPU device and linked in front of the built
libraries, so that it takes the place of the original. The unchanged copy must pass the same way.
A fault of the timer shows on a GPU only.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from tests.chapters import support

FACTS = [
    "-DCOALESCE_DEVICE_DEBUG=0",
    '-DCOALESCE_GPU_FLAGS=""',
    '-DCOALESCE_NVCC_VERSION=""',
]


@dataclass(frozen=True)
class Fault:
    """One change of one line. `source` is compiled; `file`, a header of it, where not the same."""

    id: str
    folder: str
    source: str
    old: str
    new: str
    run: tuple[str, ...]  # arguments of the program that must notice
    file: str = ""
    device: str = "cpu"

    @cached_property
    def text(self) -> str:
        return self.path(self.file or self.source).read_text(encoding="utf-8")

    def path(self, name: str) -> Path:
        return support.ROOT / self.folder / name

    def changed(self) -> str:
        assert self.text.count(self.old) == 1, f"{self.id}: '{self.old}' must stand there once"
        return self.text.replace(self.old, self.new)


def step(chapter: str, source: str, name: str, n: int, old: str, new: str, **more: str) -> Fault:
    """A fault in a chapter's step; the step's own check must notice."""
    folder = next(p.name for p in support.chapters() if p.name.startswith(chapter))
    label = more.pop("label")
    run = ("run", name, "--n", str(n))
    return Fault(f"{name}: {label}", f"chapters/{folder}", source, old, new, run, **more)


def library(source: str, tests: str, old: str, new: str, label: str, device: str = "cpu") -> Fault:
    """A fault in the support library; the named tests of the library must notice."""
    run = (f"--gtest_filter={tests}",)
    return Fault(f"{source}: {label}", "src/coalesce", source, old, new, run, device=device)


FAULTS = [
    step("02", "step6_one_thread_each.cu", "one_thread_each", 1000,
         "if (i < n) b[i]", "b[i]", label="no guard"),
    step("02", "step6_one_thread_each.cu", "one_thread_each", 1000,
         "coalesce::ceil_div(n, block)", "n / block", label="grid rounded down"),
    step("02", "step6_one_thread_each.cu", "one_thread_each", 1000,
         "3 * a[i] + 1", "3 * a[0] + 1", label="one operand for all"),
    step("02", "step7_grid_stride.cu", "grid_stride", 1 << 20,
         "i += stride", "i += stride + 1", label="stride too long"),
    step("05", "product1_plain.cu", "product_plain", 33,
         "c[std::int64_t{row} * n + col]", "c[std::int64_t{col} * n + row]",
         label="row and column swapped"),
    step("05", "product1_plain.cu", "product_plain", 64,
         "int k = 0", "int k = 1", label="first term left out"),
    step("05", "product2_tiled.cu", "product_tiled", 48,
         "sum);\n    __syncthreads();", "sum);", label="second barrier removed"),
    step("05", "product2_tiled.cu", "product_tiled", 33,
         "b_row < n && col < n ? b", "true ? b", label="edge tiles load beyond the matrix"),
    step("05", "step7_warp_shuffle.cu", "warp_shuffle", 5000,
         "distance > 0", "distance > 1", file="block_sum.hpp", label="last step left out"),
    step("05", "tool16_warp_sum_shared.cu", "warp_sum_shared", 1000,
         "__syncwarp();  // the lanes", "// the lanes", label="first __syncwarp removed"),
    step("05", "tool16_warp_sum_shared.cu", "warp_sum_shared", 1000,
         "__syncwarp();  // and", "// and", label="second __syncwarp removed"),
    library("verify.cpp", "Compare.*",
            "(std::isfinite(got) && std::isfinite(want) && std::isfinite(allowed) &&\n"
            "                             std::fabs(got - want) <= allowed)",
            "!(std::fabs(got - want) > allowed)", "NaN passes"),
    library("launch.cpp", "Launch.*", "if (threads > limits.threads_per_block)",
            "if (threads > 10 * limits.threads_per_block)", "limit of a block not looked at"),
    library("error.cpp", "CheckLaunch.*",
            "const cudaError_t code = cudaGetLastError(); code",
            "const cudaError_t code = cudaSuccess; code", "nobody asks after the launch"),
    library("stream.cpp", "GpuTiming.TimerWaitsForTheKernel:Event.*",
            "  stop.synchronize();\n", "", "the timer does not wait", device="gpu"),
]  # fmt: skip
KAHAN = Fault(
    "float_kahan: correction thrown away", "chapters/05-advanced-optimization", "float4_kahan.cu",
    "__fmaf_rn(x, x, -a.lost)", "__fmul_rn(x, x)", ("--gtest_filter=kahan.*",),
)  # fmt: skip
FAULTS.append(KAHAN)


def objects_and_libraries(fault: Fault) -> list[Path]:
    """What the program consists of besides the changed source."""
    suffix = "-cpu" if fault.device == "cpu" else ""
    of_library = [support.BUILD / "src/coalesce" / f"libcoalesce{suffix}.a"]
    if suffix:
        of_library.append(support.BUILD / "src/cpu_device/libcpu_device.a")
    if fault.folder == "src/coalesce":
        program = support.BUILD / "tests" / f"coalesce-test{suffix}.p"
        return [*sorted(program.glob("*.o")), *of_library]
    slug = Path(fault.folder).name
    name = f"{slug}-test{suffix}" if fault.run[0].startswith("--gtest") else f"{slug}{suffix}"
    program = support.BUILD / "chapters" / f"{name}.p"
    steps = support.BUILD / "chapters" / f"lib{slug}-steps{suffix}.a"
    return [*sorted(program.glob("*.o")), steps, *of_library]


def compiler(fault: Fault) -> list[str]:
    includes = [f"-I{path}" for path in (support.ROOT / fault.folder, *support.INCLUDES)]
    if fault.device == "cpu":
        return [str(support.CPUCC), "--check", "-std=c++20", *includes, *FACTS]
    return [support.tool("nvcc") or "nvcc", "-std=c++20", *includes, *FACTS]


def outcome(fault: Fault, text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Builds the program with `text` in place of the fault's file, and runs it with all checks."""
    source = folder / fault.source
    source.write_text(fault.path(fault.source).read_text(encoding="utf-8"), encoding="utf-8")
    (folder / (fault.file or fault.source)).write_text(text, encoding="utf-8")
    changed, program = folder / "changed.o", folder / "program"
    subprocess.run([*compiler(fault), "-c", source, "-o", changed], check=True)
    parts = objects_and_libraries(fault)
    linker = ["c++"] if fault.device == "cpu" else [support.tool("nvcc") or "nvcc"]
    more = ["-lboost_context"] if fault.device == "cpu" else []
    # The changed object stands first: what it defines is not taken from an archive.
    own = [part for part in parts if part.stem != f"{Path(fault.source).name}"]
    group = ["-Wl,--start-group", "-Wl,--end-group"] if fault.device == "cpu" else ["", ""]
    command = [*linker, changed, *own, group[0], *[p for p in parts if p.suffix == ".a"], "-lgtest",
               "-lbenchmark", *more, "-lpthread", "-ldl", group[1], "-o", program]  # fmt: skip
    subprocess.run([part for part in command if part != ""], check=True)
    return run(program, fault.run)


def run(program: Path, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *arguments],
        env=os.environ | {"CPU_DEVICE_CHECK": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def skip_where_not_built(fault: Fault) -> None:
    if reason := support.lacking(fault.device):
        pytest.skip(reason)
    missing = [part for part in objects_and_libraries(fault) if not part.is_file()]
    if missing or not any(p.suffix == ".o" for p in objects_and_libraries(fault)):
        pytest.skip(f"not built: {missing[0] if missing else fault.folder}")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.id)
def test_a_planted_fault_is_noticed(fault: Fault, tmp_path: Path) -> None:
    skip_where_not_built(fault)
    done = outcome(fault, fault.changed(), tmp_path)
    assert done.returncode in (1, 86), done.stdout + done.stderr


def one_of_each_source() -> list[Fault]:
    return list({(f.source, f.run): f for f in FAULTS}.values())


@pytest.mark.parametrize("fault", one_of_each_source(), ids=lambda f: f"{f.source}-{f.run[-1]}")
def test_the_unchanged_source_passes(fault: Fault, tmp_path: Path) -> None:
    skip_where_not_built(fault)
    done = outcome(fault, fault.text, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
