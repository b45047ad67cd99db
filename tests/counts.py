"""Checks that the CPU device counts what the hardware counted.

    python3 tests/counts.py PROGRAM-cpu FIGURES/RESULTS/DEVICE/SLUG.counters.json

For every recorded row it runs the row's step on the CPU device and compares requests and sectors of
global loads and stores, and wavefronts of shared ones, with those that ncu read on the GPU. Where
many blocks share a multiprocessor, the hardware repeats a few wavefronts for want of a free port
(no address decides which): it may count up to 2 % more of them, never fewer. A row
whose chapter gives a reason for a difference (`differs` in counts.toml) must differ, all others
must not. Every step that the chapter measures has a row, or a reason in `not_counted` of the same
file. Exit code 1 and a line for each row or step that does not do so.
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
from tools import count_steps
from tools.counters import from_cpu_device
from tools.keys import Key

ROOT = Path(__file__).resolve().parent.parent
COUNTS = (
    "load_requests", "load_sectors", "store_requests", "store_sectors",
    "shared_load_wavefronts", "shared_store_wavefronts",
)  # fmt: skip
REPEATED = 1.02  # wavefronts of the hardware, at most, for each of ours
MOST = 1 << 22  # elements: larger rows are too much for a test on the CPU device


def counted(program: str, key: str, kernel: str) -> dict[str, float]:
    """What the CPU device counts in a step's kernel."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run(
            [program, *count_steps.Count(key, kernel).arguments()],
            env=os.environ | {"CPU_DEVICE_REPORT": str(report)},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        counts, _ = from_cpu_device(report, kernel)
    return counts


def agree(name: str, here: float, hardware: float) -> bool:
    """Whether two counts are the same, repeated wavefronts aside."""
    if name.endswith("wavefronts"):
        return here <= hardware <= REPEATED * here
    return here == hardware


def measured_steps(program: str) -> set[str]:
    """Names of the steps that a chapter measures."""
    listed = subprocess.run([program, "list", "--json"], stdout=subprocess.PIPE, check=True)
    return {step["name"] for step in json.loads(listed.stdout) if step["kind"] == "measure"}


def not_in_one_table(measured: set[str], counted: set[str], reasons: set[str]) -> list[str]:
    """Sentences about steps that are neither counted nor said not to be, or both."""
    return [
        *(
            f"{step} is not counted, and no reason is given"
            for step in measured - counted - reasons
        ),
        *(f"{step} is counted, though a reason not to is given" for step in counted & reasons),
        *(f"{step} is no step that the chapter measures" for step in reasons - measured),
    ]


def main() -> int:
    program, recorded = sys.argv[1:]
    rows = json.loads(Path(recorded).read_text(encoding="utf-8"))["counters"]
    slug = Path(recorded).name.removesuffix(".counters.json")
    path = ROOT / "chapters" / slug / "counts.toml"
    wanted = count_steps.read(path)
    reasons = {count.key: count.differs for count in wanted}
    faults = not_in_one_table(
        measured_steps(program),
        {Key.parse(row["name"]).step for row in rows if "ncu" in row},
        set(count_steps.not_counted(path)),
    )
    print(*sorted(faults), sep="\n", end="\n" if faults else "")
    wrong = compared = 0
    for row in rows:
        if Key.parse(row["name"]).n > MOST:
            continue
        kernel = re.search(r"(\w+)[<(]", row["kernel"])[1]  # the name before the parameters
        here, hardware = counted(program, row["name"], kernel), row.get("ncu", {})
        differences = [
            f"{name}: {here.get(name, 0):.0f} here, {hardware[name]:.0f} by ncu"
            for name in COUNTS
            if name in hardware and not agree(name, here.get(name, 0), hardware[name])
        ]
        compared += 1
        if bool(differences) != bool(reasons.get(row["name"])):
            wrong += 1
            print(row["name"], *(differences or ["agrees, though a reason is given"]), sep="\n  ")
    print(f"{compared} steps compared, {wrong} not as they should be")
    return 1 if faults or wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
