"""Times the CPU device: compiling a file, running two kernels plain and explaining.

    python3 src/cpu_device/benchmarks/speed.py

Targets are for two cores on a quiet machine; other work beside it makes every figure useless. Exit
code 1 when one is missed.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
CPUCC = HERE.parent / "cpucc"
TARGETS = {  # milliseconds
    ("plain", "compile"): 2500,
    ("plain", "reduce"): 150,
    ("plain", "multiply"): 40,
    ("explain", "compile"): 2500,
    ("explain", "reduce"): 400,
}


def compile_program(options, target):
    """Returns milliseconds; the runtime library is in the cache already."""
    command = [sys.executable, CPUCC, *options, HERE / "speed.cu", "-o", target]
    subprocess.run(command, check=True, capture_output=True)
    best = float("inf")
    for _ in range(3):
        begin = time.monotonic()
        subprocess.run(command, check=True, capture_output=True)
        best = min(best, time.monotonic() - begin)
    return best * 1000


def run_program(program, report):
    environment = {**os.environ, "CPU_DEVICE_THREADS": "2"}
    environment.pop("CPU_DEVICE_REPORT", None)
    if report:
        environment["CPU_DEVICE_REPORT"] = str(report)
    text = subprocess.run(
        [program], env=environment, check=True, capture_output=True, text=True
    ).stdout
    return {name: float(value) for name, value in (line.split() for line in text.splitlines())}


def main():
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, options in (("plain", []), ("explain", ["--explain"])):
            program = pathlib.Path(folder) / name
            times = {"compile": compile_program(options, program)}
            report = pathlib.Path(folder) / "report.json" if options else None
            times.update(run_program(program, report))
            for what, value in times.items():
                target = TARGETS.get((name, what))
                late = target is not None and value > target
                missed |= late
                print(
                    f"{name:8} {what:9} {value:8.1f} ms"
                    + (f"  target {target} ms" if target else "")
                    + ("  MISSED" if late else "")
                )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
