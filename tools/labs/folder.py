"""The reader's folder of a lab or an exercise, work/5.2/: its files, and what is known of them."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tools import atomic, paths
from tools.errors import USAGE, Failure
from tools.inputs import content_hash
from tools.labs.tasks import Task

HASH_DIGITS = 10  # of those shown to the reader


@dataclass(frozen=True)
class OwnFile:
    """A file of the reader's, as it is now."""

    name: str
    path: Path
    changed: str  # local time
    sha256: str

    def line(self) -> str:
        return (
            f"{paths.shown(self.path)}  changed {self.changed}  sha256 {self.sha256[:HASH_DIGITS]}"
        )

    def facts(self) -> dict[str, str]:
        return {"path": paths.shown(self.path), "changed": self.changed, "sha256": self.sha256}


def of(task: Task) -> Path:
    return paths.work_dir() / task.number


def own_files(task: Task) -> list[OwnFile]:
    """The reader's files. A Failure where some are not there."""
    folder = of(task)
    missing = [name for name in task.solutions if not (folder / name).is_file()]
    if missing:
        place = paths.shown(folder)
        if len(missing) == len(task.solutions):
            said = f"{task.name.partition(':')[0]} is not started: {place} has no {missing[0]}."
        else:
            said = f"{place} lacks {', '.join(missing)}."
        raise Failure(said, f"`./course lab start {task.number}` writes it.", USAGE)
    return [seen(name, folder / name) for name in task.solutions]


def seen(name: str, path: Path) -> OwnFile:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(path.stat().st_mtime))
    return OwnFile(name, path, when, content_hash(path))


def hashes(files: list[OwnFile]) -> dict[str, str]:
    return {file.name: file.sha256 for file in files}


# What is known of it -----------------------------------------------------------------------------


def record_path(task: Task) -> Path:
    return of(task) / ".lab.json"


def record(task: Task) -> dict:
    """What earlier commands found; empty where there is nothing that can be read."""
    try:
        read = json.loads(record_path(task).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def remember(task: Task, **more: object) -> None:
    known = record(task) | more
    atomic.write_text(record_path(task), json.dumps(known, indent=2, ensure_ascii=False) + "\n")


def last_check(task: Task, device: str, now: Mapping[str, str]) -> dict | None:
    """The last check on a device, where it was of exactly these contents."""
    check = record(task).get("checks", {}).get(device)
    return check if check and check.get("hashes") == now else None


def state(task: Task) -> str:
    """In words, for the list."""
    folder = of(task)
    there = [name for name in task.solutions if (folder / name).is_file()]
    if not there:
        return "not started"
    checks = record(task).get("checks", {})
    if not checks or len(there) < len(task.solutions):
        return "started"
    now = hashes(own_files(task))
    current = [one for one in checks.values() if one.get("hashes") == now]
    if not current:
        return "changed since the last check"
    return "passed" if all(one.get("passed") for one in current) else "last check failed"
