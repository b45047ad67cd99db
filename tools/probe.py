"""Asks the CUDA driver what it offers, without a compiler: loads libcuda.so.1 itself.

    python3 tools/probe.py

prints lines `count_error=`, `devices=`, `driver_version=`, and per device `device0=NAME;cc=X.Y`.
The error numbers are those that the CUDA runtime gives too (35 also when there is no driver: then
driver_version is 0). It runs in a process of its own, since a broken driver may end it.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

INSUFFICIENT_DRIVER = 35
CC_MAJOR, CC_MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR


@dataclass(frozen=True)
class Gpu:
    index: int
    name: str
    capability: str  # "9.0"


@dataclass(frozen=True)
class Answer:
    """What the probe found; `ran` is False when it could not be asked."""

    ran: bool
    count_error: int
    driver_version: int  # 13000 for a driver that serves CUDA 13.0; 0 without a driver
    runtime_version: int
    gpus: list[Gpu]


def ask() -> list[str]:
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return [f"count_error={INSUFFICIENT_DRIVER}", "devices=0", "driver_version=0"]
    version = ctypes.c_int(0)
    driver.cuDriverGetVersion(ctypes.byref(version))
    lines = [f"driver_version={version.value}"]
    error = driver.cuInit(0)
    count = ctypes.c_int(0)
    if error == 0:
        error = driver.cuDeviceGetCount(ctypes.byref(count))
    if error == 0 and count.value == 0:
        error = 100
    lines += [f"count_error={error}", f"devices={count.value}"]
    for index in range(count.value):
        device, name = ctypes.c_int(), ctypes.create_string_buffer(200)
        major, minor = ctypes.c_int(), ctypes.c_int()
        driver.cuDeviceGet(ctypes.byref(device), index)
        driver.cuDeviceGetName(name, len(name), device)
        driver.cuDeviceGetAttribute(ctypes.byref(major), CC_MAJOR, device)
        driver.cuDeviceGetAttribute(ctypes.byref(minor), CC_MINOR, device)
        text = name.value.decode(errors="replace")
        lines.append(f"device{index}={text};cc={major.value}.{minor.value}")
    return lines


def parse(text: str) -> Answer:
    """Reads the lines; a damaged or empty text means that nobody answered."""
    values: dict[str, str] = {}
    for line in text.splitlines():
        name, sign, value = line.partition("=")
        if sign:
            values[name.strip()] = value.strip()

    def number(name: str) -> int:
        try:
            return int(values.get(name, "0"))
        except ValueError:
            return 0

    gpus = []
    for name, value in values.items():
        if name.startswith("device") and name[6:].isdigit():
            title, _, capability = value.partition(";cc=")
            gpus.append(Gpu(int(name[6:]), title, capability or "unknown"))
    return Answer(
        ran="count_error" in values,
        count_error=number("count_error"),
        driver_version=number("driver_version"),
        runtime_version=number("runtime_version"),
        gpus=sorted(gpus, key=lambda gpu: gpu.index),
    )


def probe() -> Answer:
    """Asks in a separate process. DOCTOR_PROBE names a file that is read instead."""
    if os.environ.get("DOCTOR_PROBE"):
        try:
            return parse(Path(os.environ["DOCTOR_PROBE"]).read_text(encoding="utf-8"))
        except OSError:
            return parse("")
    try:
        answer = subprocess.run(
            [sys.executable, __file__], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return parse("")
    return parse(answer.stdout)


if __name__ == "__main__":
    print("\n".join(ask()))
