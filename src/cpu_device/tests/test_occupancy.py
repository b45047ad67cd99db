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
        "at most 96 threads, resident 32 0, registers 32",
        "cudaSuccess",
    ]


# What `nvcc -Xptxas -v` prints, with figures of our own.
LISTING = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z10bounded_byILi96EEvPi' for 'sm_90'
ptxas info    : Function properties for _Z10bounded_byILi96EEvPi
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 168 registers, used 0 barriers
ptxas info    : Compiling entry function '_Z7boundedPi' for 'sm_90'
ptxas info    : Used 40 registers, used 0 barriers
"""


def test_registers_are_known_when_they_are_said(programs, tmp_path):
    """65536 registers, handed out in portions of 256 a warp: 64 threads of 40 take 2 * 1280."""

    def resident(**environment):
        return run(programs["bounds"], **environment)[0][4]

    listing = tmp_path / "ptxas.txt"
    listing.write_text(LISTING)
    assert resident() == "at most 96 threads, resident 32 0, registers 32"
    wanted = "at most 96 threads, resident 24 0, registers 168"
    assert resident(CPU_DEVICE_REGISTERS=str(listing)) == wanted
    wanted = "at most 96 threads, resident 4 0, registers 255"
    assert resident(CPU_DEVICE_REGISTERS="255") == wanted


def test_wrong_registers(programs):
    for text in ("nowhere.txt", "15", "256"):
        _, errors = run(programs["bounds"], exit_code=2, CPU_DEVICE_REGISTERS=text)
        assert f"CPU_DEVICE_REGISTERS={text}: " in errors


def test_a_block_may_need_too_many_registers(programs):
    lines, _ = run(programs["launches"], CPU_DEVICE_REGISTERS="128", CPU_DEVICE_THREADS="1")
    assert lines[0] == "(plain<<<1, 1024>>>(nullptr)): cudaErrorLaunchOutOfResources"
