"""Counts what a chapter's steps do: by the hardware's counters, and on the CPU device.

    python3 -m tools.count_steps 05-advanced-optimization --by ncu --device nvidia-h200 \\
        --into figures/results
    python3 -m tools.count_steps 05-advanced-optimization --by cpu_device …

The steps stand in `chapters/<slug>/counts.toml`:

    [[count]]
    row = "sum_of_squares_i32/warp_shuffle/n:4194304"      a key without the slug, and its variant
    kernel = "sum_of_squares_kernel"                       regular expression for the kernel's name
    differs = "nvcc loads two elements at a time"          optional: why the two counts differ

    [[not_counted]]
    steps = ["pageable", "pinned"]
    why = "the driver copies: no kernel runs"

`tests/counts.py` compares both for every row, and wants a reason where they differ and none where
they do not. Every step that is measured stands in one of the two tables. Standard library only.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tools import counters
from tools.keys import Key
from tools.schema import ROOT, FileError

PATIENCE = 120  # seconds for one step
SEED = 1  # of the inputs: some counts depend on them


@dataclass(frozen=True)
class Count:
    """A step whose kernel is counted."""

    key: str
    kernel: str
    differs: str = ""

    def arguments(self) -> list[str]:
        """The program's arguments that run the step."""
        key = Key.parse(self.key)
        variant = "/".join(
            f"{name}:{value}"
            for name, value in key.parts.items()
            if name not in ("cache", "launch")
        )
        words = ["run", key.step, "--n", str(key.n), "--seed", str(SEED)]
        return words + (["--variant", variant] if variant else [])


def read(path: Path) -> list[Count]:
    """The steps of a counts.toml."""
    slug = path.parent.name
    entries = tomllib.loads(path.read_text("utf-8"))["count"]
    return [Count(f"{slug}/{e['row']}", e["kernel"], e.get("differs", "")) for e in entries]


def not_counted(path: Path) -> dict[str, str]:
    """Steps of a counts.toml that cannot be counted, and why."""
    entries = tomllib.loads(path.read_text("utf-8")).get("not_counted", [])
    return {step: entry["why"] for entry in entries for step in entry["steps"]}


def record(count: Count, by: str, build: Path, into: Path, device: str, commit: str | None) -> None:
    """Runs one step and writes what was counted. Raises FileError or SubprocessError."""
    program = build / "chapters" / Key.parse(count.key).slug
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        if by == "ncu":
            command = ["ncu", "--clock-control", "none", "--csv", "-k", f"regex:{count.kernel}",
                       "-c", "1", "--metrics", ",".join(counters.METRICS),
                       str(program), *count.arguments()]  # fmt: skip
            with report.open("w") as out:
                subprocess.run(command, stdout=out, check=True, timeout=PATIENCE)
        else:
            command = [f"{program}-cpu", *count.arguments()]
            environment = os.environ | {"CPU_DEVICE_REPORT": str(report)}
            subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True,
                           timeout=PATIENCE)  # fmt: skip
        counters.record(
            count.key,
            into,
            device=device,
            kernel=count.kernel,
            commit=commit,
            command="ncu --clock-control none" if by == "ncu" else "CPU_DEVICE_REPORT",
            **{"ncu" if by == "ncu" else "cpu": report},
        )


def main(arguments: list[str] | None = None) -> int:
    """Counts the steps that a chapter's counts.toml names."""
    parser = argparse.ArgumentParser(prog="python3 -m tools.count_steps", description=main.__doc__)
    parser.add_argument("slugs", nargs="+", metavar="CHAPTER")
    parser.add_argument("--by", required=True, choices=["ncu", "cpu_device"])
    parser.add_argument("--device", required=True, help="the reference device's folder name")
    parser.add_argument("--into", required=True, type=Path, metavar="DIR")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--commit", help="of the sources, where there is no .git")
    options = parser.parse_args(arguments)
    tables = [ROOT / "chapters" / slug / "counts.toml" for slug in options.slugs]
    for path in tables:
        if not path.is_file():
            parser.error(f"there is no {path.relative_to(ROOT)}")
    failed = False
    for path in tables:
        for count in read(path):
            try:
                record(count, options.by, options.build, options.into, options.device,
                       options.commit)  # fmt: skip
            except (FileError, ValueError, OSError, subprocess.SubprocessError) as error:
                print(f"Not counted: {count.key}: {error}.", file=sys.stderr)
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
