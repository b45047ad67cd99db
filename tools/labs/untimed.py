"""An experiment's rows on the CPU device: whether they are right, with which error, and counts."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from pathlib import Path

from tools import paths
from tools.console import Console
from tools.errors import FAILED, Failure
from tools.labs import grade, records, rows, running
from tools.labs.counts import counts_of
from tools.labs.folder import OwnFile
from tools.labs.tasks import Task

SHOWN = ("load_requests", "load_sectors", "store_requests", "store_sectors", "shared_conflicts")


def run(task: Task, experiment: dict, files: list[OwnFile], console: Console) -> None:
    with console.step("Building the rows with your files"):
        program = rows.program(task.lab, {file.name: file.path for file in files}, "cpu")
    done = []
    with console.step("Running on the CPU device") as step:
        for row in matching(program, experiment):
            for n in sizes(row, experiment):
                step.update(f"{row['name']}, n = {n}")
                done.append(measured(program, row, n))
    if not done:
        raise Failure(
            f"No row of lab {task.number} belongs to experiment {experiment['number']}.",
            "Nothing was recorded.",
            FAILED,
        )
    show(done, console)
    path = records.keep(task, "cpu-device.json", experiment, files, rows=done)
    console.print(f"wrote {paths.shown(path)}")
    wrong = [row for row in done if row.get("verified") is False]
    if wrong:
        raise Failure(f"{wrong[0]['key']} is wrong: {wrong[0]['message']}.", "", FAILED)


def matching(program: Path, experiment: dict) -> list[dict]:
    """The rows of an experiment: its expression's front is held against them, since the sizes that
    are timed on a GPU are too large here."""
    listed = subprocess.run([program, "list", "--json"], capture_output=True, check=True)
    steps = [one for one in json.loads(listed.stdout) if one["family"]]
    front = experiment["rows"].partition("/n:")[0]
    try:
        wanted = re.compile(front)
    except re.error:
        wanted = re.compile("")
    return [one for one in steps if wanted.search(f"{rows.SLUG}/{one['family']}/{one['name']}")]


def sizes(row: dict, experiment: dict) -> list[int]:
    """`cpu_n` of lab.toml, or the step's own size; within what the step can do."""
    wanted = experiment.get("cpu_n", [row["default_n"]])
    return [n for n in wanted if row["least_n"] <= n <= row["most_n"]]


def measured(program: Path, row: dict, n: int) -> dict:
    """One run: what the program and the CPU device say of it."""
    key = f"{rows.SLUG}/{row['family']}/{row['name']}/n:{n}"
    known = {"key": f"{key}/{row['variant']}" if row["variant"] else key, "step": row["name"]}
    known |= {"variant": row["variant"], "n": n, "kind": row["kind"]}
    command = [str(program), "run", row["name"], "--n", str(n)]
    if row["variant"]:
        command += ["--variant", row["variant"]]
    with tempfile.TemporaryDirectory(prefix="coalesce-lab-") as name:
        folder = Path(name)
        outcome, report = folder / "outcome.json", folder / "report.json"
        environment = running.environment(None) | {"CPU_DEVICE_REPORT": str(report)}
        ended = running.run([*command, "--json", str(outcome)], folder, environment)
        said, counted = grade.read_json(outcome), grade.read_json(report)
    if ended.cut or said is None:
        last = (ended.output.strip().splitlines() or ["it said nothing"])[-1]
        return known | {"left_out": ended.why_cut if ended.cut else last}
    known |= {name: said.get(name) for name in ("verified", "message", "result", "error")}
    counts = counts_of(counted) if counted else {}
    return known | {"counts": {name: value for name, value in counts.items() if value}}


def show(done: list[dict], console: Console) -> None:
    counted = [name for name in SHOWN if any(row.get("counts", {}).get(name) for row in done)]
    table = []
    for row in done:
        said = "left out" if "left_out" in row else "right" if row["verified"] else "WRONG"
        counts = [f"{row.get('counts', {}).get(name, 0):,.0f}" for name in counted]
        name = f"{row['step']}/{row['variant']}" if row["variant"] else row["step"]
        table.append([name, str(row["n"]), said, *counts])
    head = ["row", "n", "check", *(name.replace("_", " ") for name in counted)]
    console.table(head, table, right={1, *range(3, len(head))})
    for row in done:
        if "left_out" in row:
            console.print(f"{row['key']} was left out: {row['left_out']}")
