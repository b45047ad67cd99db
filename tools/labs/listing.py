"""`./course lab list`."""

from __future__ import annotations

import json

from tools.console import Console
from tools.errors import RIGHT
from tools.labs import folder, tasks
from tools.labs.tasks import Task

MARKS = {"passed": "good", "last check failed": "bad"}


def show(console: Console, as_json: bool) -> int:
    labs, exercises = tasks.labs(), tasks.exercises()
    if as_json:
        console.print(json.dumps([facts(task) for task in (*labs, *exercises)], indent=2))
        return RIGHT
    console.table(["labs", "", "after chapter", ""], [row(task, console) for task in labs])
    console.print()
    rows = [row(task, console) for task in exercises]
    console.table(["exercises", "", "of chapter", ""], rows)
    console.print()
    console.print("Begin: ./course lab start 5.1 (a lab) or ./course lab start 01.1 (an exercise)")
    return RIGHT


def row(task: Task, console: Console) -> list[str]:
    state = folder.state(task)
    return [
        task.number,
        task.title,
        task.after,
        f"{console.mark(MARKS.get(state, 'none'))} {state}",
    ]


def facts(task: Task) -> dict[str, object]:
    return {
        "number": task.number,
        "kind": "lab" if task.lab else "exercise",
        "title": task.title,
        "after": task.after,
        "state": folder.state(task),
        "files": list(task.solutions),
    }
