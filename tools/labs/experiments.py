"""`./course lab run`: records a lab's experiments, with the reader's files.

On a GPU the rows are timed; without one they run once on the CPU device, which gives errors and
counts, and never times. A `show` prints on either, and its text is recorded. Only files that passed
the check are measured.
"""

from __future__ import annotations

from tools.console import Console
from tools.errors import RIGHT, USAGE, Failure
from tools.labs import check, diagnostics, folder, printed, ready, timed, untimed
from tools.labs.building import NotBuilt
from tools.labs.folder import OwnFile
from tools.labs.properties import Wish
from tools.labs.tasks import Task


def of(task: Task) -> list[dict]:
    """The experiments as lab.toml has them."""
    return list(task.lab.more.get("experiments", []))


def chosen(task: Task, number: int | None) -> list[dict]:
    known = of(task)
    if not known:
        raise Failure(
            f"Lab {task.number} has no experiment to run.",
            f"`./course lab check {task.number}` is all there is to it.",
            USAGE,
        )
    found = [one for one in known if number in (None, one["number"])]
    if not found:
        numbers = ", ".join(f"{one['number']} ({one['title']})" for one in known)
        raise Failure(f"Lab {task.number} has no experiment {number}.", f"It has {numbers}.", USAGE)
    return found


def run(task: Task, number: int | None, asked: str | None, console: Console) -> int:
    wanted = chosen(task, number)
    files = folder.own_files(task)
    devices, why_not = ready.devices(asked, console)
    device = "gpu" if "gpu" in devices else "cpu"
    code = check_first(task, files, device, console)
    if code != RIGHT:
        console.error("Nothing was recorded: only files that pass the check are measured.")
        return code
    for experiment in wanted:
        console.print(f"Experiment {experiment['number']}: {experiment['title']}")
        try:
            if "show" in experiment:
                printed.run(task, experiment, files, device, console)
            elif device == "gpu":
                timed.run(task, experiment, files, console)
            else:
                untimed.run(task, experiment, files, console)
        except NotBuilt as problem:
            raise not_built(task, problem) from None
    if device == "cpu":
        why = ready.no_gpu() or why_not.get("gpu", "The CPU device was asked for.")
        what = "there are no times; errors and counts are recorded"
        if all("show" in one for one in wanted):
            what = "this is what the CPU device prints"
        console.print(f"{why} So {what}.")
    console.print(f"Next: ./course lab report {task.number}")
    return RIGHT


def check_first(task: Task, files: list[OwnFile], device: str, console: Console) -> int:
    """Checks on the device that measures, unless exactly these contents passed there."""
    last = folder.last_check(task, device, folder.hashes(files))
    if last and last["passed"]:
        return RIGHT
    return check.check(task, device, Wish(), console, as_json=False)


def not_built(task: Task, problem: NotBuilt) -> Failure:
    said = diagnostics.why_not_linked(task, problem.output)
    return Failure(
        said or f"The program of the rows cannot be built: {problem}.",
        "Nothing was recorded.",
        tail="" if said else diagnostics.short_errors(problem.output),
    )
