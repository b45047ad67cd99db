"""Compiles the test programs, each once."""

import concurrent.futures
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CPUCC = HERE.parent / "cpucc"

# Program -> (sources, options). Instrumented ones end in "-explain".
PROGRAMS = {
    "golden-explain": (["golden.cu"], ["--explain"]),
    "half": (["half.cu"], []),
    "half-explain": (["half.cu"], ["--explain"]),
    "language": (["language.cu"], []),
    "language-explain": (["language.cu"], ["--explain"]),
    "warp": (["warp.cu"], []),
    "warp-explain": (["warp.cu"], ["--explain"]),
    "large_tiles": (["large_tiles.cu"], []),
    "large_tiles-explain": (["large_tiles.cu"], ["--explain"]),
    "large_tiles-check": (["large_tiles.cu"], ["--check"]),
    "barriers": (["barriers.cu"], []),
    "barriers-explain": (["barriers.cu"], ["--explain"]),
    "faults": (["faults.cu"], []),
    "faults-explain": (["faults.cu"], ["--explain"]),
    "check-memory": (["checks/memory.cu"], ["--check"]),
    "check-order": (["checks/order.cu"], ["--check"]),
    "check-warps": (["checks/warps.cu"], ["--check"]),
    "check-tiles": (["checks/tiles.cu"], ["--check"]),
    "check-host": (["checks/host.cu"], ["--check"]),
    "check-streams": (["checks/streams.cu"], ["--check"]),
    "check-copies": (["checks/copies.cu"], ["--check"]),
    "check-managed": (["checks/managed.cu"], ["--check"]),
    "check-locals": (["checks/locals.cu"], ["--check"]),
    "check-racing": (["checks/racing.cu"], ["--check"]),
    "streams": (["checks/streams.cu"], []),
    "explain-order": (["checks/order.cu"], ["--explain"]),
    "launches": (["launches.cu"], []),
    "symbols": (["symbols.cu", "symbols_other.cu"], []),
    "asynchronous": (["asynchronous.cu"], []),
    "asynchronous-explain": (["asynchronous.cu"], ["--explain"]),
    "cooperative": (["cooperative.cu"], []),
    "cooperative-explain": (["cooperative.cu"], ["--explain"]),
    "textures": (["textures.cu"], []),
    "textures-explain": (["textures.cu"], ["--explain"]),
    "bounds": (["bounds.cu"], []),
    "atomics": (["atomics.cu"], []),
    "atomics-explain": (["atomics.cu"], ["--explain"]),
    "library": (["library.cu"], []),
    "library-explain": (["library.cu"], ["--explain"]),
    "memory": (["memory.cu"], []),
    "memory-explain": (["memory.cu"], ["--explain"]),
    "intrinsics": (["intrinsics.cu"], []),
    "intrinsics-explain": (["intrinsics.cu"], ["--explain"]),
    "rounding": (["rounding.cu"], []),
    "rounding-explain": (["rounding.cu"], ["--explain"]),
    "random": (["random.cu"], []),
    "random-explain": (["random.cu"], ["--explain"]),
    "silent_host": (["silent_host.cu"], []),
    "graphs": (["graphs.cu"], []),
    "errors": (["errors.cu"], []),
    "capture": (["capture.cu"], []),
    "surfaces": (["surfaces.cu"], []),
    "surfaces-explain": (["surfaces.cu"], ["--explain"]),
    "samples": (["samples.cu"], []),
    "samples-explain": (["samples.cu"], ["--explain"]),
    "public_programs": (["public_programs.cu"], []),
    "public_programs-explain": (["public_programs.cu"], ["--explain"]),
    "public_programs-check": (["public_programs.cu"], ["--check"]),
    "older": (["older.cu"], []),
    "order": (["order.cu"], ["-O0", "-g"]),
    "api": (["api.cpp"], []),
}
# The user's own code must stay clean under these; our headers may not add to it.
STRICT = ["-Wall", "-Wextra", "-Werror"]
RELAXED = "--expt-relaxed-constexpr"  # some programs call std::max and the like


def cpucc(*arguments, check=True, cwd=None, env=None):
    """Runs the driver; returns the finished process."""
    runtime = os.environ.get("CPU_DEVICE_RUNTIME")  # Meson's library, when Meson runs the tests
    words = [sys.executable, str(CPUCC), *[str(word) for word in arguments]]
    if runtime and "-c" not in words:
        words.insert(2, f"--runtime={runtime}")
    result = subprocess.run(
        words,
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env={**os.environ, **(env or {})},
    )
    if check and result.returncode:
        raise AssertionError(f"cpucc failed ({result.returncode}):\n{result.stderr}")
    return result


class Programs:
    """Name -> path of a compiled program, built when first asked for."""

    def __init__(self, folder):
        self.folder = folder

    def __getitem__(self, name):
        target = self.folder / name
        if not target.exists():
            sources, options = PROGRAMS[name]
            cpucc(*options, *STRICT, RELAXED, *[HERE / source for source in sources], "-o", target)
        return target

    def build_all(self):
        first, *rest = PROGRAMS
        self[first]  # alone: it builds the runtime library, which the others find in the cache
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            list(pool.map(self.__getitem__, rest))
