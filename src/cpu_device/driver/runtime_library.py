"""Builds the runtime library once per compiler and source state, into a cache folder."""

import concurrent.futures
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

from .messages import EXIT_SETUP, Stop

ISLAND = pathlib.Path(__file__).resolve().parent.parent
FLAGS = ["-std=c++20", "-O2", "-g1", "-fPIC", "-Wall", "-Wextra", f"-I{ISLAND / 'include'}"]


def sources():
    return sorted((ISLAND / "runtime").glob("*.cpp"))


def cache_folder():
    chosen = os.environ.get("CPU_DEVICE_CACHE")
    if chosen:
        return pathlib.Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "cpu_device"


def fingerprint(compiler):
    """A name that changes with the compiler and with every file that the library is made of."""
    digest = hashlib.sha256(os.path.realpath(compiler).encode())
    for folder in ("runtime", "include"):
        for file in sorted((ISLAND / folder).rglob("*")):
            if file.is_file():
                digest.update(str(file.relative_to(ISLAND)).encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def path(compiler, verbose=False):
    """The library's path, after building it when the cache has none."""
    library = cache_folder() / fingerprint(compiler) / "libcpu_device.a"
    if library.exists():
        return str(library)
    print("cpucc: building the runtime library (once) ...", file=sys.stderr)
    library.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=library.parent) as scratch:
        build(compiler, pathlib.Path(scratch), verbose)
        (pathlib.Path(scratch) / "libcpu_device.a").replace(library)
    return str(library)


def build(compiler, folder, verbose):
    def compile_one(source):
        target = folder / (source.stem + ".o")
        command = [compiler, *FLAGS, "-c", str(source), "-o", str(target)]
        if verbose:
            print(" ".join(command), file=sys.stderr)
        return target, subprocess.run(command, capture_output=True, text=True, check=False)

    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        results = list(pool.map(compile_one, sources()))
    for _, result in results:
        if result.returncode == 0:
            continue
        if "boost/context" in result.stderr:
            raise Stop(
                "Boost.Context is missing, which the CPU device needs "
                "(Debian, Ubuntu: apt install libboost-context-dev)",
                EXIT_SETUP,
            )
        raise Stop("the runtime library does not compile:\n" + result.stderr)
    subprocess.run(
        ["ar", "rcs", str(folder / "libcpu_device.a"), *[str(t) for t, _ in results]], check=True
    )
