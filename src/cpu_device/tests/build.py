"""Compiles the test programs, each once, on as many processes as there are cores."""

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
    "language": (["language.cu"], []),
    "language-explain": (["language.cu"], ["--explain"]),
    "warp": (["warp.cu"], []),
    "warp-explain": (["warp.cu"], ["--explain"]),
    "barriers": (["barriers.cu"], []),
    "barriers-explain": (["barriers.cu"], ["--explain"]),
    "faults": (["faults.cu"], []),
    "faults-explain": (["faults.cu"], ["--explain"]),
    "launches": (["launches.cu"], []),
    "symbols": (["symbols.cu", "symbols_other.cu"], []),
    "order": (["order.cu"], ["-O0", "-g"]),
    "api": (["api.cpp"], []),
}
# The user's own code must stay clean under these; our headers may not add to it.
STRICT = ["-Wall", "-Wextra", "-Werror"]


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


def build_all(folder):
    """Builds every program into `folder`; returns name -> path."""
    # One first: it builds the runtime library, which the others then find in the cache.
    names = list(PROGRAMS)

    def build(name):
        sources, options = PROGRAMS[name]
        target = folder / name
        cpucc(*options, *STRICT, *[HERE / source for source in sources], "-o", target)
        return target

    first = build(names[0])
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        rest = list(pool.map(build, names[1:]))
    return dict(zip(names, [first, *rest], strict=True))
