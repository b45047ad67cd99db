"""Asks the CUDA driver what it offers, without a compiler: loads libcuda.so.1 itself.

    python3 tools/probe.py

prints lines `library=` (1 where libcuda.so.1 loads), `count_error=`, `devices=`, `driver_version=`,
and per device `device0=NAME;cc=X.Y`, followed by what is unusual: `;integrated=1` where it shares
the CPU's memory, `;mode=exclusive` or `;mode=prohibited`, `;error=46` where no program can start on
it now. The error numbers are those that the CUDA runtime gives too (35 also when there is no
driver: then driver_version is 0). It runs in a process of its own: a broken driver may end it.
"""

from __future__ import annotations

import ctypes
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path

INSUFFICIENT_DRIVER = 35
PROBE_SECONDS = 60
# Attributes of a device, by their numbers in cuda.h.
CC_MAJOR, CC_MINOR, INTEGRATED, COMPUTE_MODE = 75, 76, 18, 20
MODES = {2: "prohibited", 3: "exclusive"}


@dataclass(frozen=True)
class Gpu:
    index: int
    name: str
    capability: str  # "9.0"
    integrated: bool = False  # it shares the CPU's memory
    mode: str = ""  # "exclusive" or "prohibited", where it is not the usual one
    error: int = 0  # what a program gets that starts on it now


@dataclass(frozen=True)
class Answer:
    """What the probe found; `ran` is False when it could not be asked."""

    ran: bool
    count_error: int
    driver_version: int  # 13000 for a driver that serves CUDA 13.0; 0 without a driver
    runtime_version: int
    gpus: list[Gpu]
    library: bool | None = None  # whether libcuda.so.1 loads; None: not told
    late: bool = False  # it was asked, and did not answer in time


def ask() -> list[str]:
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        none = [f"count_error={INSUFFICIENT_DRIVER}", "devices=0", "driver_version=0"]
        return ["library=0", *none]
    version = ctypes.c_int(0)
    driver.cuDriverGetVersion(ctypes.byref(version))
    lines = ["library=1", f"driver_version={version.value}"]
    error = driver.cuInit(0)
    count = ctypes.c_int(0)
    if error == 0:
        error = driver.cuDeviceGetCount(ctypes.byref(count))
    if error == 0 and count.value == 0:
        error = 100
    lines += [f"count_error={error}", f"devices={count.value}"]
    return lines + [f"device{index}={describe(driver, index)}" for index in range(count.value)]


def describe(driver: ctypes.CDLL, index: int) -> str:
    device, name = ctypes.c_int(), ctypes.create_string_buffer(200)
    driver.cuDeviceGet(ctypes.byref(device), index)
    driver.cuDeviceGetName(name, len(name), device)

    def attribute(number: int) -> int:
        value = ctypes.c_int()
        driver.cuDeviceGetAttribute(ctypes.byref(value), number, device)
        return value.value

    text = f"{name.value.decode(errors='replace')};cc={attribute(CC_MAJOR)}.{attribute(CC_MINOR)}"
    if attribute(INTEGRATED):
        text += ";integrated=1"
    if mode := MODES.get(attribute(COMPUTE_MODE)):
        text += f";mode={mode};error={start_error(driver, device)}"
    return text


def start_error(driver: ctypes.CDLL, device: ctypes.c_int) -> int:
    """What a program gets that starts on the device now: 0 where it may."""
    context = ctypes.c_void_p()
    error = driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
    if error == 0:
        driver.cuDevicePrimaryCtxRelease(device)
    return error


def parse(text: str) -> Answer:
    """Reads the lines; a damaged or empty text means that nobody answered."""
    values: dict[str, str] = {}
    for line in text.splitlines():
        name, sign, value = line.partition("=")
        if sign:
            values[name.strip()] = value.strip()

    gpus = [
        read_gpu(int(name.removeprefix("device")), value)
        for name, value in values.items()
        if name.startswith("device") and name.removeprefix("device").isdecimal()
    ]
    return Answer(
        ran="count_error" in values,
        count_error=number(values, "count_error"),
        driver_version=number(values, "driver_version"),
        runtime_version=number(values, "runtime_version"),
        gpus=sorted(gpus, key=lambda gpu: gpu.index),
        library=values["library"] == "1" if "library" in values else None,
    )


def number(values: dict[str, str], name: str) -> int:
    try:
        return int(values.get(name, "0"))
    except ValueError:
        return 0


def read_gpu(index: int, value: str) -> Gpu:
    title, *words = value.split(";")
    more = dict(word.partition("=")[::2] for word in words)
    return Gpu(
        index,
        title,
        more.get("cc") or "unknown",
        integrated=more.get("integrated") == "1",
        mode=more.get("mode", ""),
        error=number(more, "error"),
    )


def probe() -> Answer:
    """Asks in a separate process. DOCTOR_PROBE names a file that is read instead."""
    if os.environ.get("DOCTOR_PROBE"):
        try:
            named = Path(os.environ["DOCTOR_PROBE"])
            return parse(named.read_text(encoding="utf-8", errors="replace"))
        except OSError:
            return parse("")
    # Here, because this file is also run by itself, where the package is not found.
    from tools.ask import ask as ask_program

    reply = ask_program([sys.executable, __file__], PROBE_SECONDS)
    return replace(parse(reply.stdout if reply else ""), late=bool(reply and reply.timed_out))


if __name__ == "__main__":
    print("\n".join(ask()))
