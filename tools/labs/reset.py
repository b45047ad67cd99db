"""`./course lab reset`: the reader's files are put aside, and the lab begins again."""

from __future__ import annotations

import time
from pathlib import Path

from tools import paths
from tools.console import Console
from tools.errors import RIGHT
from tools.labs import consent, folder, start
from tools.labs.tasks import Task


def reset(task: Task, console: Console, yes: bool) -> int:
    place = folder.of(task)
    there = [place / name for name in task.solutions if (place / name).exists()]
    if not there:
        console.print(f"Nothing of yours is in {paths.shown(place)}.")
        return start.start(task, console)
    aside = fresh(place)
    names = ", ".join(path.name for path in there)
    if not consent.given(f"Move {names} to {paths.shown(aside)} and begin again?", yes):
        console.print("Left as it is.")
        return RIGHT
    aside.mkdir(parents=True)
    for path in there:
        path.rename(aside / path.name)
    folder.remember(task, checks={})
    console.print(f"Kept in {paths.shown(aside)}: {names}")
    return start.start(task, console)


def fresh(place: Path) -> Path:
    """A folder that is not there yet."""
    name = f"kept-{time.strftime('%Y-%m-%d-%H%M%S')}"
    path, number = place / name, 2
    while path.exists():
        path, number = place / f"{name}-{number}", number + 1
    return path
