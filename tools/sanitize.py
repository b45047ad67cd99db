"""Runs every step of a chapter under compute-sanitizer's four tools and records what they say.

    python3 -m tools.sanitize 04-optimization --device nvidia-h200 --into figures/results

writes `<into>/<device>/<slug>.sanitizer.json` and exits with 1 when a tool found something; the
file then says what. Steps that this GPU cannot run are left out, and named. A step is run on few
elements: the tools slow a kernel down a hundredfold. What they do not see, races in global memory,
is the CPU device's to find (`cpucc --check`). Standard library only.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tools import schema
from tools.record import commit_of, dump, write_together
from tools.schema import ROOT, SCHEMA_VERSION, FileError

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
ELEMENTS = 5000  # several blocks, and no multiple of one
PATIENCE = 180  # seconds for one run
_SUMMARY = re.compile(r"=+ (?:ERROR|RACECHECK) SUMMARY: (\d+).*")


def errors_in(output: str) -> tuple[int, str]:
    """Number of errors or hazards in a tool's output, and its summary.

    An output without a summary counts as one error: the tool did not get that far.
    """
    found = list(_SUMMARY.finditer(output))
    if not found:
        last = (output.strip().splitlines() or ["no output"])[-1]
        return 1, f"no summary; its last line: {last[:200]}"
    return int(found[-1][1]), found[-1][0].lstrip("= ")


def steps_of(program: Path) -> dict[str, int]:
    """A chapter's steps on the device, and on how many elements to run each.

    Few, since the tools slow a kernel down; an eighth of the step's own number where that is fewer
    (of a matrix product it is the side), and what the step asks for where it allows no other.
    """
    text = subprocess.run([str(program), "list", "--json"], capture_output=True, text=True,
                          check=True).stdout  # fmt: skip
    sizes: dict[str, int] = {}
    for step in json.loads(text):
        if step["kind"] == "baseline":
            continue
        few = min(ELEMENTS, step["default_n"] // 8) or ELEMENTS
        least = max(few, step.get("least_n", few))
        sizes.setdefault(step["name"], min(least, step.get("most_n", least)))
    return sizes


def run(program: Path, step: str, tool: str, sanitizer: str, n: int) -> dict[str, Any] | None:
    """One step under one tool; None where this GPU cannot run the step."""
    command = [sanitizer, "--tool", tool, str(program), "run", step, "--n", str(n)]
    if tool == "memcheck":
        command[3:3] = ["--leak-check", "full"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        output, code = done.stdout + done.stderr, done.returncode
    except subprocess.TimeoutExpired:
        output, code = f"it took longer than {PATIENCE} s", 1
    if code == 2 and "needs compute capability" in output:
        return None
    errors, summary = errors_in(output)
    if code != 0 and errors == 0:
        errors, summary = 1, f"the step failed with exit code {code}"
    return {"step": step, "tool": tool, "n": n, "errors": errors, "summary": summary}


def version_of(sanitizer: str) -> str:
    text = subprocess.run([sanitizer, "--version"], capture_output=True, text=True).stdout
    match = re.search(r"\d+\.\d+(?:\.\d+)*", text)
    return match[0] if match else "unknown"


def record(
    slug: str, program: Path, into: Path, device: str, sanitizer: str, jobs: int, commit: str | None
) -> tuple[Path, list[dict[str, Any]]]:
    """Runs everything, writes the file, and returns it with the runs that found something."""
    sizes = steps_of(program)
    wanted = [(step, tool) for step in sizes for tool in TOOLS]

    def timed(pair: tuple[str, str]) -> dict[str, Any] | None:
        start = time.monotonic()
        entry = run(program, *pair, sanitizer, sizes[pair[0]])
        word = "left out" if entry is None else f"{entry['errors']} errors"
        print(f"{slug} {' '.join(pair)}: {word}, {time.monotonic() - start:.0f} s", file=sys.stderr)
        return entry

    with ThreadPoolExecutor(jobs) as pool:
        found = pool.map(timed, wanted)
        runs = [entry for entry in found if entry is not None]
    document = {
        "context": {
            "schema_version": SCHEMA_VERSION,
            "device": device,
            "slug": slug,
            "commit": commit or commit_of(ROOT),
            "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "command": f"python3 -m tools.sanitize {slug}",
            "sanitizer": version_of(sanitizer),
        },
        "runs": runs,
    }
    folder = into if into.name == device else into / device
    path = folder / f"{slug}.sanitizer.json"
    if problems := schema.problems_of(document, "sanitizer", device):
        raise FileError(path, f"it would not be a good file ({'; '.join(problems[:3])})")
    write_together({path: dump(document)})
    return path, [entry for entry in runs if entry["errors"]]


def main(arguments: list[str] | None = None) -> int:
    """Runs chapters under compute-sanitizer's four tools."""
    parser = argparse.ArgumentParser(prog="python3 -m tools.sanitize", description=main.__doc__)
    parser.add_argument("slugs", nargs="+", metavar="CHAPTER")
    parser.add_argument("--device", required=True, help="the device's folder name")
    parser.add_argument("--into", required=True, type=Path, metavar="DIR")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="the build folder")
    parser.add_argument("--sanitizer", default="compute-sanitizer")
    parser.add_argument("--jobs", type=int, default=min(8, os.cpu_count() or 1))
    parser.add_argument("--commit", help="of the sources, where there is no .git")
    options = parser.parse_args(arguments)
    clean = True
    for slug in options.slugs:
        program = options.build / "chapters" / slug
        try:
            path, bad = record(slug, program, options.into, options.device, options.sanitizer,
                               options.jobs, options.commit)  # fmt: skip
        except (OSError, subprocess.SubprocessError, FileError) as error:
            print(f"Not recorded: {error}.", file=sys.stderr)
            return 1
        for entry in bad:
            print(f"{slug} {entry['step']}: {entry['tool']}: {entry['summary']}", file=sys.stderr)
        clean = clean and not bad
        print(f"wrote {path}")
    return 0 if clean else 1


if __name__ == "__main__":
    raise SystemExit(main())
