"""Runs the test programs on a GPU: what the CPU device prints is what a GPU prints.

    python3 src/cpu_device/tests/hardware.py [PROGRAM …]

Builds them with nvcc, runs them, and writes `hardware/PROGRAM.txt`: a line on the machine, then the
output. tests/test_hardware.py runs the same programs on the CPU device and compares. Where the two
may differ, DIFFERENT says why. Exit code 1 when a program could not be built or run.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

from build import HERE, PROGRAMS

RECORDED = HERE / "hardware"
NVCC = ["nvcc", "-std=c++17", "-rdc=true", "--extended-lambda", "--expt-relaxed-constexpr"]
QUIET = ["-diag-suppress=177,550"]  # what is set, and never used
PATIENCE = 60  # seconds

# Programs whose output here is not that of a GPU, and why.
DIFFERENT = {
    "api": "names, sizes and speeds of the device",
    "bounds": "registers, of which the CPU device gives every kernel 32",
    "faults": "each run ends with a fault",
    "older": "forms of CUDA 12, which nvcc 13 refuses",
    "order": "the order of threads, as the CPU device's seed says",
    "random": "normal numbers in their last digits, and the sequence of curand_poisson",
    "streams": "faults that a GPU may or may not show",
}


def names():
    """The programs that a GPU runs, too."""
    plain = [name for name in PROGRAMS if not name.endswith(("-explain", "-check"))]
    others = (*DIFFERENT, "check-", "explain-")
    return [name for name in plain if not name.startswith(others)]


def built(name, folder, *options):
    """The program, built by nvcc; None after saying why not."""
    target = folder / name
    sources = [str(HERE / source) for source in PROGRAMS[name][0]]
    words = [*NVCC, *QUIET, *options, "-I", str(HERE), *sources, "-o", str(target)]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    if result.returncode:
        print(f"{name}: nvcc: {result.stdout}{result.stderr}", file=sys.stderr)
    return None if result.returncode else target


def machine():
    """The GPU, its driver and the toolkit, as a line of text."""
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    gpu, driver = subprocess.check_output(query, text=True).splitlines()[0].split(", ")
    version = subprocess.check_output(["nvcc", "--version"], text=True)
    toolkit = version.split("release ")[1].split(",")[0]
    return f"{gpu}, driver {driver}, CUDA {toolkit}"


def record(name, program, where):
    """Runs a program and keeps its output; whether it ran to its end."""
    try:
        result = subprocess.run(
            [program], capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        print(f"{name}: not at its end after {PATIENCE} s", file=sys.stderr)
        return False
    wrong = [line for line in result.stdout.splitlines() if line.startswith("wrong ")]
    if result.returncode or wrong:
        print(f"{name}: exit {result.returncode} {' '.join(wrong)}", file=sys.stderr)
    RECORDED.mkdir(exist_ok=True)
    (RECORDED / f"{name}.txt").write_text(f"# {where}\n{result.stdout}")
    return not result.returncode and not wrong


def main():
    wanted = sys.argv[1:] or names()
    where = machine()
    with tempfile.TemporaryDirectory() as folder:
        jobs = os.cpu_count() or 1
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            every = list(
                pool.map(lambda name: built(name, pathlib.Path(folder), "-arch=native"), wanted)
            )
        done = [
            program is not None and record(name, program, where)
            for name, program in zip(wanted, every, strict=True)
        ]
    print(f"{sum(done)} of {len(done)} programs ran to their end on {where}")
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
