"""Machines without a toolkit or a GPU: what the set-up says, and what becomes of the tests."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.chapters import support
from tools import meson, paths

MESON = Path(sys.executable).parent / "meson"
pytestmark = pytest.mark.skipif(not MESON.exists(), reason="Meson is not in this environment")


def set_up(folder: Path, *options: str, path: str = "") -> subprocess.CompletedProcess[str]:
    environment = meson.environment() | ({"PATH": path} if path else {})
    for name in ("NVCC", "CUDA_HOME", "CUDA_PATH"):
        environment.pop(name, None)
    return subprocess.run(
        [MESON, "setup", folder / "b", *options],
        cwd=paths.REPO, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


CALLED = """c++ g++ cc gcc gcc-ar ar ld as nm ranlib ninja python3 pkg-config sh uname
    clang++ clang++-19 clang++-16"""


def path_without_nvcc(folder: Path) -> str:
    """A PATH with links to everything that a set-up calls, except nvcc."""
    tools = folder / "bin"
    tools.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for name in CALLED.split():
            if (Path(place) / name).exists() and not (tools / name).exists():
                (tools / name).symlink_to(Path(place) / name)
    return str(tools)


def one_error(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode != 0
    told = [line for line in done.stdout.splitlines() if "ERROR" in line]
    assert len(told) == 1, done.stdout
    return told[0]


def test_without_a_toolkit_the_cpu_device_is_built_and_said(tmp_path: Path) -> None:
    done = set_up(tmp_path, path=path_without_nvcc(tmp_path))
    assert done.returncode == 0, done.stdout
    assert "GPU programs are off. nvcc" in done.stdout
    assert re.search(r"GPU\s*: off", done.stdout)
    assert re.search(r"CPU device\s*: true", done.stdout)


def test_a_demanded_gpu_without_a_toolkit_names_doctor(tmp_path: Path) -> None:
    done = set_up(tmp_path, "-Dgpu=enabled", path=path_without_nvcc(tmp_path))
    assert "./course doctor" in one_error(done)


@pytest.mark.parametrize("word", ["140", "13.0", "sm_61", "Hopper"])
def test_an_architecture_that_is_none_stops_the_set_up(word: str, tmp_path: Path) -> None:
    if reason := support.lacking("nvcc"):
        pytest.skip(reason)
    told = one_error(set_up(tmp_path, f"-Dgpu_arch={word}"))
    assert f"gpu_arch={word}" in told
    assert "not a CUDA version" in told
    assert re.search(r"\b75, 80, ", told)


# Programs where no GPU is -------------------------------------------------------------------------


def hidden(command: list[object]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command],
        env=os.environ | {"CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def programs(pattern: str) -> list[Path]:
    found = [*(support.BUILD / "chapters").glob(pattern), *(support.BUILD / "tests").glob(pattern)]
    return sorted(path for path in found if path.is_file() and os.access(path, os.X_OK))


def test_tests_for_gpus_are_skipped_at_once_with_the_reason() -> None:
    tests = programs("*-test")
    if not tests:
        pytest.skip("no test for GPUs is built")
    began = time.monotonic()
    for path in tests:
        done = hidden([path])
        assert done.returncode == 77, path
        assert re.match(r"skipped: No GPU can be used here\. \S.*\.$", done.stdout, re.MULTILINE)
    assert time.monotonic() - began < 60


def test_programs_for_gpus_never_fall_back() -> None:
    steps = [path for path in programs("0*") if not re.search(r"-(cpu|test|bench)", path.name)]
    if not steps:
        pytest.skip("no program for GPUs is built")
    for path in steps:
        name = hidden([path, "list"]).stdout.split()[0].partition("/")[0]
        done = hidden([path, "run", name])
        assert done.returncode == 4, path
        assert done.stderr.startswith("No GPU can be used here.")


def test_the_first_line_names_the_device() -> None:
    steps = programs("0*-cpu")
    steps = [path for path in steps if "-test" not in path.name]
    if not steps:
        pytest.skip("no program for the CPU device is built")
    for path in steps:
        first = next(
            line for line in hidden([path, "list"]).stdout.splitlines() if " measure " in line
        )
        name, _, variant = first.split()[0].partition("/")
        done = hidden(
            [path, "run", name, "--n", "64", *(["--variant", variant] if variant else [])]
        )
        assert done.stdout.startswith("device: CPU device (as "), (path, done.stdout, done.stderr)


def test_path_without_nvcc_has_none(tmp_path: Path) -> None:
    assert shutil.which("nvcc", path=path_without_nvcc(tmp_path)) is None
