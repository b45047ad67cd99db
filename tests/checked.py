"""Runs every step of a chapter on the CPU device with its checks on: none may report anything.

    python3 tests/checked.py PROGRAM-cpu

The chapters' failing programs show that the checks find what they should; this shows that they find
nothing where there is nothing. Steps that the CPU device cannot run, and those that take large
sizes only, are left out and counted. Exit code 1 and the report where a step ends otherwise than
with 0.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

ELEMENTS = 2000  # several blocks, and no multiple of one
MOST = 4096  # more is too much for a test with checks


def run(program: str, step: str, n: int) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, "run", step, "--n", str(n)],
        env=os.environ | {"CPU_DEVICE_CHECK": "1"},
        capture_output=True,
        text=True,
    )


def main() -> int:
    program = sys.argv[1]
    listed = subprocess.run([program, "list", "--json"], capture_output=True, text=True, check=True)
    steps = json.loads(listed.stdout)
    silent = left_out = reports = 0
    for step in dict.fromkeys(s["name"] for s in steps if s["kind"] == "measure"):
        done = run(program, step, ELEMENTS)
        if found := re.search(r"takes (\d+) to (\d+) elements", done.stderr):
            fitting = min(max(ELEMENTS, int(found[1])), int(found[2]))
            if fitting <= MOST:
                done = run(program, step, fitting)
        if done.returncode == 2:
            left_out += 1
        elif done.returncode == 0:
            silent += 1
        else:
            reports += 1
            print(f"{step} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    print(f"{silent} steps are silent, {left_out} left out, {reports} reported something")
    return 1 if reports or not silent + left_out else 0


if __name__ == "__main__":
    sys.exit(main())
