"""Occupancy and launch bounds."""

import os
import pathlib
import shutil
import subprocess

import pytest
from running import run

ISLAND = pathlib.Path(__file__).resolve().parent.parent


def toolkit_include():
    """The folder of a toolkit's headers, or None."""
    nvcc = shutil.which("nvcc")
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    if nvcc:
        homes.append(pathlib.Path(nvcc).resolve().parent.parent)
    for home in homes:
        if home and (pathlib.Path(home) / "include" / "cuda_occupancy.h").exists():
            return pathlib.Path(home) / "include"
    return None


def test_occupancy_agrees_with_the_toolkit(tmp_path):
    include = toolkit_include()
    if not include:
        pytest.skip("no toolkit with cuda_occupancy.h here")
    from driver import clang

    sources = ["tests/occupancy_oracle.cpp", "runtime/occupancy.cpp", "runtime/gpus.cpp"]
    program = tmp_path / "oracle"
    subprocess.run(
        [
            clang.find(),
            *["-std=c++20", "-O1", "-w", f"-I{ISLAND / 'include'}", "-idirafter", include],
            *[ISLAND / source for source in sources],
            *["-o", program],
        ],
        check=True,
    )
    result = subprocess.run([program], capture_output=True, text=True, check=False)
    assert result.stdout == "compared 309120, different 0\n"


def test_launch_bounds(programs):
    assert run(programs["bounds"])[0] == [
        "64: cudaSuccess",
        "65: cudaErrorInvalidValue",
        "96: cudaSuccess",
        "97: cudaErrorInvalidValue",
        "at most 96 threads, resident 32 0",
        "cudaSuccess",
    ]
