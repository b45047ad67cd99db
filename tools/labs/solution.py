"""`./course lab solution`: the worked solution beside the reader's files."""

from __future__ import annotations

import re

from tools import paths
from tools.console import Console
from tools.errors import RIGHT
from tools.labs import consent, folder, start
from tools.labs.tasks import Task

TAG = re.compile(r"^\s*// \[/?[a-z_-]+\]\n", re.MULTILINE)


def copy(task: Task, console: Console, yes: bool) -> int:
    place = folder.of(task) / "solution"
    if not consent.given(f"See the solution of {task.number} in {paths.shown(place)}?", yes):
        console.print("Not shown.")
        return RIGHT
    for name, source in task.solutions.items():
        text = TAG.sub("", source.read_text(encoding="utf-8"))
        console.print(f"  {start.put(place / name, text)}")
    console.print(f"Compare: diff -r {paths.shown(place)} {paths.shown(folder.of(task))}")
    return RIGHT
