"""An experiment that is what a program prints: a `show` of lab.toml, recorded as text.

The program is that of the lab's rows, with the reader's files. Only what it printed up to its end
is recorded, and only when it ended well.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from tools import paths
from tools.console import Console
from tools.errors import FAILED, PROBLEMS_FOUND, Failure
from tools.labs import records, rows, running
from tools.labs.folder import OwnFile
from tools.labs.running import Ended, Limits
from tools.labs.tasks import Task

LIMITS = Limits(seconds=300, memory=16 << 30)  # a gibibyte goes through the timeline's pipeline
SIZES = {"gpu": "n", "cpu": "cpu_n"}  # in lab.toml
FILES = {"gpu": "runs.json", "cpu": "cpu-device.json"}
LAST_LINES = 10


def run(task: Task, experiment: dict, files: list[OwnFile], device: str, console: Console) -> None:
    show, n = experiment["show"], experiment.get(SIZES[device])
    with console.step("Building the program with your files"):
        program = rows.program(task.lab, {file.name: file.path for file in files}, device)
    with console.step(f"Running {show}"):
        ended = end_of(program, show, n)
    printed = re.search(r"^device: (.+)$", ended.output, re.MULTILINE)
    if why := ended.why_cut if ended.cut else why_not(ended.code, printed is not None):
        raise Failure(
            f"{show} failed: {why}.",
            "Nothing of it was recorded.",
            PROBLEMS_FOUND if ended.code == PROBLEMS_FOUND else FAILED,
            tail="\n".join(ended.output.splitlines()[-LAST_LINES:]),
        )
    console.print(ended.output.rstrip())
    path = records.keep(
        task, FILES[device], experiment, files,
        show=show, n=n, device=printed[1], text=ended.output,
    )  # fmt: skip
    console.print(f"wrote {paths.shown(path)}")


def end_of(program: Path, show: str, n: int | None) -> Ended:
    command = [str(program), "run", show, *([] if n is None else ["--n", str(n)])]
    with tempfile.TemporaryDirectory(prefix="coalesce-lab-") as folder:
        return running.run(command, Path(folder), running.environment(None), LIMITS)


def why_not(code: int, has_begun: bool) -> str:
    """Why a program's output is not to be recorded; "" when it is."""
    if code < 0:
        return f"signal {-code} ended it"
    if code == PROBLEMS_FOUND:
        return "the CPU device found problems in your files"
    if code > 0:
        return f"it ended with exit code {code}"
    return "" if has_begun else "it ended without a word about its device"
