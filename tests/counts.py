"""Checks that the CPU device counts what the hardware counted.

    python3 tests/counts.py PROGRAM-cpu FIGURES/RESULTS/DEVICE/SLUG.counters.json

For every recorded row it runs the row's step with the row's number of elements on the CPU device
and compares requests and sectors of global loads and stores with those that ncu read on the GPU.
Exit code 1 and one line a difference where they disagree.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tools.counters import from_cpu_device
from tools.keys import Key

COUNTS = ("load_requests", "load_sectors", "store_requests", "store_sectors")


def counted(program: str, key: Key, kernel: str) -> dict[str, float]:
    """What the CPU device counts in a step's kernel."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run(
            [program, "run", key.step, "--n", str(key.n)],
            env=os.environ | {"CPU_DEVICE_REPORT": str(report)},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        counts, _ = from_cpu_device(report, kernel)
    return counts


def main() -> int:
    program, recorded = sys.argv[1:]
    rows = json.loads(Path(recorded).read_text(encoding="utf-8"))["counters"]
    differences = 0
    for row in rows:
        key = Key.parse(row["name"])
        kernel = re.search(r"(\w+)\(", row["kernel"])[1]  # the name before the parameters
        counts = counted(program, key, kernel)
        for name in COUNTS:
            if name in row.get("ncu", {}) and counts.get(name, 0) != row["ncu"][name]:
                print(f"{key.step} {name}: {counts.get(name, 0)} here, {row['ncu'][name]} by ncu")
                differences += 1
    print(f"{len(rows)} steps, {differences} differences")
    return 1 if differences or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
