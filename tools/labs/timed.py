"""An experiment's rows on the GPU, timed as `./course bench` times them."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tools import paths, record
from tools.console import Console
from tools.errors import Failure
from tools.labs import folder, records, rows
from tools.labs.folder import OwnFile
from tools.labs.tasks import Task
from tools.verbs.bench import watch

BUDGET = 600  # seconds that an experiment may take; the same command goes on with it


def run(task: Task, experiment: dict, files: list[OwnFile], console: Console) -> None:
    number = experiment["number"]
    with console.step("Building the rows with your files"):
        program = rows.benchmark(task.lab, {file.name: file.path for file in files})
    raw = raw_file(task, number, files)
    command = [str(program), "--out", str(raw), "--filter", experiment["rows"], "--progress"]
    command += ["--resume", "--budget", str(experiment.get("budget", BUDGET))]
    watch(command, console, f"Timing experiment {number}")
    into = records.place(task)
    said = f"./course lab run {task.number} --experiment {number}"
    try:
        written = record.record(raw, into, command=said)
    except record.FileError as error:
        raise Failure(
            f"Not recorded: {str(error).rstrip('.')}.",
            f"Nothing was overwritten; the raw samples are in {raw}.",
        ) from None
    raw.replace(raw.with_suffix(".jsonl"))
    device = written[0].parent.name
    records.keep(task, "runs.json", experiment, files, device=device)
    for path in written:
        console.print(f"wrote {paths.shown(path)}")
    for sentence in record.throttling(written[0]):
        console.print(f"{sentence}.")


def raw_file(task: Task, number: int, files: list[OwnFile]) -> Path:
    """Of these contents of the files: a run that was interrupted goes on with the same ones."""
    words = " ".join(sorted(f"{name} {sha}" for name, sha in folder.hashes(files).items()))
    digest = hashlib.sha256(words.encode()).hexdigest()[:12]
    path = paths.build_dir() / "bench" / f"lab-{task.number}-{number}-{digest}.part"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
