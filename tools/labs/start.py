"""`./course lab start`: the files to begin with, in the reader's folder. Nothing is overwritten."""

from __future__ import annotations

from pathlib import Path

from tools import atomic, paths
from tools.console import Console
from tools.errors import RIGHT, Failure
from tools.labs import answers, folder, tasks
from tools.labs.tasks import Task


def start(task: Task, console: Console) -> int:
    place = folder.of(task)
    if not paths.writable(place):
        raise Failure(
            f"{paths.shown(place)} cannot be written to.",
            "Set COALESCE_WORK to a folder that you may write to.",
        )
    console.print(f"{task.name}")
    for name, text in task.skeletons().items():
        console.print(f"  {put(place / name, text)}")
    if task.lab:
        console.print(f"  {put(place / answers.NAME, answers.begin(task.lab))}")
    console.print(f"What is asked: {paths.shown(task.asked)}")
    console.print(f"Write your code, then: ./course lab check {task.number}")
    if other := tasks.twin(task):
        console.line(f"({task.number} is the lab; exercise {other.title!r} is {other.number}.)")
    return RIGHT


def put(path: Path, text: str) -> str:
    """Writes a file where there is none; says what it did."""
    name = paths.shown(path)
    if not path.exists():
        atomic.write_text(path, text)
        return f"wrote {name}"
    if path.is_file() and path.read_bytes() == text.encode():
        return f"{name} is there already, as it was given"
    return f"{name} is yours: left as it is"
