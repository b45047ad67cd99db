"""The probe: how it reads an answer, and what it asks of a library made for the test."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.doctor.machine import Draw
from tools import probe

LIBRARY = """
#include <string.h>
int cuInit(unsigned flags) {{ return {init}; }}
int cuDriverGetVersion(int* version) {{ *version = {version}; return 0; }}
int cuDeviceGetCount(int* count) {{ *count = {count}; return 0; }}
int cuDeviceGet(int* device, int index) {{ *device = index; return 0; }}
int cuDeviceGetName(char* name, int size, int device) {{
  strncpy(name, "{name}", size); return 0;
}}
int cuDeviceGetAttribute(int* value, int attribute, int device) {{
  *value = attribute == 75 ? {major} : attribute == 76 ? {minor}
         : attribute == 18 ? {integrated} : attribute == 20 ? {mode} : -1;
  return 0;
}}
int cuDevicePrimaryCtxRetain(void** context, int device) {{ return device == 0 ? {busy} : 0; }}
int cuDevicePrimaryCtxRelease_v2(int device) {{ return 0; }}
int cuDevicePrimaryCtxRelease(int device) {{ return 0; }}
"""
QUIET = {"init": 0, "count": 1, "integrated": 0, "mode": 0, "busy": 0}


def ask(folder: Path, **driver: object) -> probe.Answer:
    """Compiles a libcuda.so.1 that answers so, and lets the probe load it."""
    compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if not compiler:
        pytest.skip("no C compiler here")
    source = folder / "cuda.c"
    source.write_text(LIBRARY.format(**(QUIET | driver)))
    command = [compiler, "-shared", "-fPIC", str(source), "-o", str(folder / "libcuda.so.1")]
    subprocess.run(command, check=True, capture_output=True)
    answer = subprocess.run(
        [sys.executable, probe.__file__],
        env=os.environ | {"LD_LIBRARY_PATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return probe.parse(answer.stdout)


def facts(draw: Draw) -> dict[str, object]:
    minor = draw.randint(0, 9)
    version = draw.randint(11, 15) * 1000 + draw.randint(0, 9) * 10
    return {"name": draw.name(), "major": draw.randint(7, 12), "minor": minor, "version": version}


def test_a_driver_that_works(draw: Draw, tmp_path: Path) -> None:
    driver = facts(draw)
    count = draw.randint(1, 8)
    answer = ask(tmp_path, **driver, count=count)
    assert (answer.library, answer.count_error) == (True, 0)
    assert answer.driver_version == driver["version"]
    assert [gpu.index for gpu in answer.gpus] == list(range(count))
    assert answer.gpus[0].name == driver["name"]
    assert answer.gpus[0].capability == f"{driver['major']}.{driver['minor']}"
    assert (answer.gpus[0].mode, answer.gpus[0].error) == ("", 0)


@pytest.mark.parametrize("error", [34, 100, 802, 803, 804, 999])
def test_a_driver_that_refuses(error: int, draw: Draw, tmp_path: Path) -> None:
    answer = ask(tmp_path, **facts(draw), init=error)
    assert (answer.count_error, answer.gpus) == (error, [])


def test_no_device_is_error_100(draw: Draw, tmp_path: Path) -> None:
    assert ask(tmp_path, **facts(draw), count=0).count_error == 100


def test_modes_and_a_gpu_that_is_taken(draw: Draw, tmp_path: Path) -> None:
    answer = ask(tmp_path, **facts(draw), count=2, mode=3, busy=46, integrated=1)
    assert [(gpu.mode, gpu.error) for gpu in answer.gpus] == [("exclusive", 46), ("exclusive", 0)]
    assert answer.gpus[0].integrated
    assert ask(tmp_path, **facts(draw), mode=2).gpus[0].mode == "prohibited"


def test_no_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr(probe.ctypes, "CDLL", refuse)
    answer = probe.parse("\n".join(probe.ask()))
    assert (answer.library, answer.count_error, answer.driver_version) == (False, 35, 0)


def test_damaged_answers() -> None:
    assert not probe.parse("").ran
    assert not probe.parse("garbage\n\x00=1").ran
    assert probe.parse("count_error=x\n").count_error == 0
    answer = probe.parse("count_error=0\ndevice0=A;cc=9.0\ndevice1=B\ndevice²=C\n")
    assert [gpu.capability for gpu in answer.gpus] == ["9.0", "unknown"]
    assert answer.library is None
