"""Small programs: a few `.cu` files, built for a device, once for each content.

build/chapter-tests/ keeps what is built, so that a second run is quick. The checks of exercises and
labs are built this way, and so are the programs that must fail. Standard library only, so that it
also runs on a bare GPU machine.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools import paths

ROOT = paths.REPO
BUILD = paths.build_dir()
CPUCC = ROOT / "src" / "cpu_device" / "cpucc"
INCLUDES = [ROOT / "src", ROOT / "tests"]
EXERCISES = ROOT / "tests" / "chapters"  # what the checks of exercises share
BUILD_SECONDS = 300
SANITIZERS = {"sanitizer": "memcheck", "racecheck": "racecheck", "synccheck": "synccheck"}
BUILT_BY_NVCC = dict.fromkeys(("gpu", *SANITIZERS, "nogpu", "nvcc"), "gpu")


@dataclass(frozen=True)
class Outcome:
    """What a build or a run came to. `code` is as a shell shows it: 128 + N for signal N."""

    code: int
    output: str
    command: str
    built: bool = True


# What this machine has ---------------------------------------------------------------------------


@functools.cache
def gpu_count() -> int:
    """GPUs that CUDA's driver offers; 0 without a driver."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    count = ctypes.c_int(0)
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return 0
    return count.value


@functools.cache
def tool(name: str) -> str | None:
    """Path of one of the toolkit's tools, from PATH, NVCC's folder or the usual places."""
    found = shutil.which(name)
    if found:
        return found
    folders = ["/usr/local/cuda/bin", "/opt/cuda/bin", "/usr/local/cuda/compute-sanitizer"]
    return next((f"{f}/{name}" for f in folders if os.access(f"{f}/{name}", os.X_OK)), None)


@functools.cache
def clang_problem() -> str | None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "toolchain.py", "clang"], capture_output=True, text=True
    )
    return None if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def lacking(device: str, *, library: bool = False) -> str | None:
    """Why programs cannot be built and run for `device` here, in a sentence; None when they can."""
    if device == "cpu" and clang_problem():
        return clang_problem()
    if device == "g++":
        return None if tool("g++") else "g++ was not found"
    if device != "cpu" and tool("nvcc") is None:
        return "nvcc was not found"
    if (device == "gpu" or device in SANITIZERS) and gpu_count() == 0:
        return "no GPU was found"
    if device in SANITIZERS and tool("compute-sanitizer") is None:
        return "compute-sanitizer was not found"
    if library and not library_of(device).is_file():
        return f"{library_of(device)} is not built (meson compile -C {BUILD})"
    return None


def library_of(device: str) -> Path:
    """The course's support library for a device."""
    return BUILD / "src" / "coalesce" / f"libcoalesce{'-cpu' if device == 'cpu' else ''}.a"


def compiler_of(device: str) -> str:
    """The device whose compiler is asked for: "nvcc" for everything that a GPU runs."""
    return "nvcc" if device in BUILT_BY_NVCC else device


# Building ----------------------------------------------------------------------------------------


def compile_command(
    device: str,
    sources: Sequence[Path],
    output: Path,
    *,
    includes: Iterable[Path] = (),
    library: bool = False,
    more: Sequence[str] = (),
) -> list[str]:
    """The command that makes a program of `sources`; an object file where `output` ends in .o.

    more   further options of the compiler, at the end
    """
    paths = [f"-I{path}" for path in (*INCLUDES, *includes)]
    files = [str(path) for path in sources]
    if device == "cpu":
        command = [str(CPUCC), "--check", "-std=c++20", *paths, *files]
        runtime = BUILD / "src" / "cpu_device" / "libcpu_device.a"
        if runtime.is_file():  # else cpucc builds one of its own
            command.append(f"--runtime={runtime}")
    elif device == "g++":
        command = ["g++", "-std=c++20", *paths, *files]
    else:
        arch = ["-arch=native"] if gpu_count() else ["-arch=sm_90"]
        command = [tool("nvcc") or "nvcc", *arch, "-std=c++20", "-lineinfo", *paths, *files]
    if output.suffix == ".o":
        return [*command, *more, "-c", "-o", str(output)]
    if library:
        command += [str(library_of(device)), "-lpthread", *(["-ldl"] if device == "cpu" else [])]
    return [*command, *more, "-o", str(output)]


@functools.cache
def _tools_digest(device: str) -> str:
    digest = hashlib.sha256()
    if device == "cpu":
        files = sorted(
            p
            for p in (ROOT / "src" / "cpu_device").rglob("*")
            if p.is_file() and "tests" not in p.parts and p.suffix != ".pyc"
        )
        for path in files:
            digest.update(path.read_bytes())
    else:
        done = subprocess.run([tool("nvcc") or "nvcc", "--version"], capture_output=True)
        digest.update(done.stdout)
    for path in sorted((ROOT / "src" / "coalesce").glob("*.hpp")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


_locks: dict[str, threading.Lock] = {}
_locks_guard = threading.Lock()


def build(
    device: str,
    sources: Sequence[Path],
    *,
    includes: Iterable[Path] = (),
    library: bool = False,
    suffix: str = "",
    more: Sequence[str] = (),
) -> tuple[Path | None, Outcome]:
    """A program (or, with suffix ".o", an object file) of `sources`, and what the compiler said.

    The path is None when it did not compile. Equal contents are compiled once.
    """
    includes = list(includes)
    digest = hashlib.sha256(f"{device} {library} {gpu_count()} {_tools_digest(device)}".encode())
    digest.update(repr(tuple(more)).encode() if more else b"")
    for path in sources:
        digest.update(f"{path}\0".encode() + path.read_bytes())
    for folder in [*includes, *{path.parent for path in sources}, EXERCISES]:
        for path in sorted([*folder.glob("*.hpp"), *folder.parent.glob("*.hpp")]):
            digest.update(f"{path}\0".encode() + path.read_bytes())
    if library:
        digest.update(str(library_of(device).stat().st_mtime_ns).encode())
    key = digest.hexdigest()[:20]
    folder = BUILD / "chapter-tests"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{sources[-1].stem}-{key}{suffix}"
    with _locks_guard:
        lock = _locks.setdefault(key, threading.Lock())
    with lock:
        if target.is_file():
            return target, Outcome(0, "", "")
        fresh = folder / f"{target.stem}.{os.getpid()}{suffix}"
        command = compile_command(
            device, sources, fresh, includes=includes, library=library, more=more
        )
        done = run_command(command, BUILD_SECONDS)
        if done.code != 0:
            return None, Outcome(done.code, done.output, done.command, built=False)
        fresh.replace(target)
        return target, done


def run_command(command: Sequence[str], seconds: float, **more: str) -> Outcome:
    """Runs a command with `more` in its environment; the whole process group ends with it."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")} | more
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=printed,
            env=environment,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            code = process.wait(seconds)
        except BaseException as problem:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if not isinstance(problem, subprocess.TimeoutExpired):
                raise
            code = 124
        printed.seek(0)
        output = printed.read().decode("utf-8", "replace")
    code = 128 - code if code < 0 else code
    return Outcome(code, output, " ".join(map(str, command)))
