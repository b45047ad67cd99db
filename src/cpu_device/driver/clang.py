"""Finds a clang++ that can do the work: version 16 or newer (older IR has typed pointers)."""

import os
import re
import shutil
import subprocess

from .messages import EXIT_SETUP, Stop

OLDEST = 16
CANDIDATES = [f"clang++-{version}" for version in (19, 20, 21, 18, 17, 16)] + ["clang++"]
HOW = "install clang 16 or newer (Debian, Ubuntu: apt install clang-19) or set CPU_DEVICE_CLANG"


def major_version(program):
    """The major version of a clang, or None when `program` is none."""
    try:
        text = subprocess.run(
            [program, "--version"], capture_output=True, text=True, check=False
        ).stdout
    except OSError:
        return None
    match = re.search(r"clang version (\d+)", text)
    return int(match[1]) if match else None


def find():
    """Returns the path of the compiler; raises Stop (exit 3) with one sentence."""
    chosen = os.environ.get("CPU_DEVICE_CLANG")
    if chosen:
        version = major_version(chosen)
        if version is None:
            raise Stop(f"CPU_DEVICE_CLANG={chosen} is not a clang++ that runs: {HOW}", EXIT_SETUP)
        if version < OLDEST:
            raise Stop(f"CPU_DEVICE_CLANG={chosen} is clang {version}, too old: {HOW}", EXIT_SETUP)
        return shutil.which(chosen) or chosen  # whole, since the cache of runtimes tells by it
    too_old = None
    for name in CANDIDATES:
        path = shutil.which(name)
        if not path:
            continue
        version = major_version(path)
        if version and version >= OLDEST:
            return path
        too_old = version or too_old
    if too_old:
        raise Stop(
            f"clang++ here is version {too_old}, too old for the CPU device: {HOW}", EXIT_SETUP
        )
    raise Stop(f"no clang++ found, which the CPU device needs: {HOW}", EXIT_SETUP)
