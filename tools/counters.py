"""Puts the counts of a step's kernel into `<slug>.counters.json`: the CPU device's and ncu's.

    CPU_DEVICE_REPORT=report.json build/chapters/SLUG-cpu run STEP --n N
    ncu --clock-control none --csv --metrics … build/chapters/SLUG run STEP --n N > ncu.csv
    python3 -m tools.counters KEY --device nvidia-h200 --cpu report.json --ncu ncu.csv \\
        --into figures/results

KEY is the step's name in the results, `slug/family/step/n:N`. Of several launches in a report the
last whose kernel matches --kernel counts. Only the sources given are written; the other one's
counts under the same key stay. `--list-metrics` prints what to ask ncu for. Standard library only.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tools import schema
from tools.keys import Key
from tools.record import commit_of, dump, write_together
from tools.schema import ROOT, SCHEMA_VERSION, FileError

_GLOBAL = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum"
_SHARED = {
    "instructions": "smsp__inst_executed_op_shared_{}.sum",
    "wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}.sum",
    "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum",
}

# ncu's metric → (our name, factor)
METRICS: dict[str, tuple[str, float]] = {
    **{
        _GLOBAL.format(what, short): (f"{op}_{what}", 1.0)
        for op, short in (("load", "ld"), ("store", "st"))
        for what in ("requests", "sectors")
    },
    **{
        metric.format(short): (f"shared_{op}_{what}", 1.0)
        for op, short in (("load", "ld"), ("store", "st"))
        for what, metric in _SHARED.items()
    },
    "l1tex__t_sector_hit_rate.pct": ("l1_hit_rate", 0.01),
    "lts__t_sector_hit_rate.pct": ("l2_hit_rate", 0.01),
    "dram__bytes_read.sum": ("dram_read_bytes", 1.0),
    "dram__bytes_write.sum": ("dram_write_bytes", 1.0),
    "sm__warps_active.avg.pct_of_peak_sustained_active": ("achieved_occupancy_rate", 0.01),
    "smsp__inst_executed.sum": ("instructions", 1.0),
    "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio": ("lanes_per_instruction", 1.0),
    # Warps that wait, on average, whenever an instruction is issued.
    "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio": ("barrier_stalls", 1.0),
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio": (
        "memory_stalls",
        1.0,
    ),
}
_UNITS = {"byte": 1.0, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}


def from_cpu_device(path: Path, kernel: str = "") -> tuple[dict[str, float], dict[str, str]]:
    """Counts of one launch in the CPU device's report, and what was launched."""
    try:
        launches = json.loads(path.read_text("utf-8"))["kernels"]
        found = [launch for launch in launches if re.search(kernel, launch["name"])]
        if not found:
            raise FileError(path, f"no kernel in it matches {kernel!r}")
        launch = found[-1]
        counts: Counter[str] = Counter()
        for line in launch["lines"]:
            op, shared = line["op"], line["space"] == "shared"
            if op not in ("load", "store"):
                op = "atomic"
            if shared:
                counts[f"shared_{op}_instructions"] += line["requests"]
                counts[f"shared_{op}_wavefronts"] += line["wavefronts"]
                counts[f"shared_{op}_conflicts"] += line["conflicts"]
            else:
                counts[f"{op}_requests"] += line["requests"]
                counts[f"{op}_sectors"] += line["sectors"]
    except OSError as error:
        raise FileError(path, f"it cannot be read ({error.strerror})") from error
    except (ValueError, KeyError, TypeError) as error:
        raise FileError(path, f"it is no report of the CPU device ({error!r})") from error
    if not counts:
        raise FileError(path, f"kernel {launch['name']} touches no memory")
    told = {"kernel": str(launch["name"])}
    for name in ("grid", "block"):
        if name in launch:
            shape = launch[name]
            told[name] = " x ".join(map(str, shape)) if isinstance(shape, list) else str(shape)
    return dict(counts), told


def from_ncu(path: Path, kernel: str = "") -> tuple[dict[str, float], dict[str, str]]:
    """Counts of one launch in ncu's CSV (the default page, one metric a line)."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise FileError(path, f"it cannot be read ({error.strerror})") from error
    begin = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if begin is None:
        raise FileError(path, 'it is no CSV of ncu (no line begins with "ID")')
    counts: dict[str, float] = {}
    told: dict[str, str] = {}
    last = None
    for entry in csv.DictReader(lines[begin:]):
        name = entry.get("Metric Name")
        if name not in METRICS or not re.search(kernel, entry.get("Kernel Name") or ""):
            continue
        if entry["ID"] != last:
            counts, last = {}, entry["ID"]
        try:
            value = float(entry["Metric Value"].replace(",", ""))
        except ValueError as error:
            raise FileError(path, f"{name} is {entry['Metric Value']!r}, not a number") from error
        ours, factor = METRICS[name]
        value *= factor * _UNITS.get(entry.get("Metric Unit") or "", 1.0)
        counts[ours] = int(value) if value.is_integer() else value
        told = {"kernel": entry["Kernel Name"]}
        for column, ours in (("Grid Size", "grid"), ("Block Size", "block")):
            if entry.get(column):
                told[ours] = entry[column].strip("()").replace(", ", " x ")
    if not counts:
        raise FileError(path, f"it has none of our metrics for a kernel that matches {kernel!r}")
    return counts, told


def record(
    key: str,
    into: Path,
    *,
    device: str,
    cpu: Path | None = None,
    ncu: Path | None = None,
    kernel: str = "",
    command: str = "ncu --clock-control none",
    commit: str | None = None,
) -> Path:
    """Writes counts under `key`. Raises FileError; then nothing has changed."""
    slug = Key.parse(key).slug
    folder = into if into.name == device else into / device
    path = folder / f"{slug}.counters.json"
    entry: dict[str, Any] = {"name": key}
    for source, report, read in (("cpu_device", cpu, from_cpu_device), ("ncu", ncu, from_ncu)):
        if report is not None:
            counts, told = read(report, kernel)
            entry |= told | {source: counts, f"{source}_command": command}
    old = schema.read(path, "counters")["counters"] if path.exists() else []
    entries = {other["name"]: other for other in old}
    entries[key] = {**entries.get(key, {}), **entry}
    context = {
        "schema_version": SCHEMA_VERSION,
        "device": device,
        "slug": slug,
        "commit": commit or commit_of(ROOT),
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "command": command,
    }
    document = {"context": context, "counters": list(entries.values())}
    if problems := schema.problems_of(document, "counters", device):
        raise FileError(path, f"it would not be a good file ({'; '.join(problems[:3])})")
    write_together({path: dump(document)})
    return path


def main(arguments: list[str] | None = None) -> int:
    """Records the counts of a step's kernel, the CPU device's and the hardware's."""
    if (arguments or sys.argv[1:]) == ["--list-metrics"]:
        print(",".join(METRICS))
        return 0
    parser = argparse.ArgumentParser(prog="python3 -m tools.counters", description=main.__doc__)
    parser.add_argument("key", help="slug/family/step/n:N")
    parser.add_argument("--into", required=True, type=Path, metavar="DIR")
    parser.add_argument("--device", required=True, help="the device's folder name")
    parser.add_argument("--cpu", type=Path, help="report of the CPU device")
    parser.add_argument("--ncu", type=Path, help="ncu's CSV")
    parser.add_argument("--kernel", default="", help="regular expression for the kernel's name")
    parser.add_argument("--command", default="ncu --clock-control none")
    parser.add_argument("--commit", help="of the sources, where there is no .git")
    options = parser.parse_args(arguments)
    if options.cpu is None and options.ncu is None:
        parser.error("give --cpu, --ncu or both")
    try:
        path = record(
            options.key,
            options.into,
            device=options.device,
            cpu=options.cpu,
            ncu=options.ncu,
            kernel=options.kernel,
            command=options.command,
            commit=options.commit,
        )
    except (FileError, ValueError) as error:
        print(f"Not recorded: {error}.", file=sys.stderr)
        return 1
    print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
