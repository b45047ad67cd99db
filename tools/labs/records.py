"""What the reader recorded: work/5.2/results/, and which contents of the files it belongs to."""

from __future__ import annotations

import json
import time
from pathlib import Path

from tools import atomic
from tools.labs import folder
from tools.labs.folder import OwnFile
from tools.labs.tasks import Task


def place(task: Task) -> Path:
    """Holds <device>/06-labs.json as every results folder does, cpu-device.json, and runs.json."""
    return folder.of(task) / "results"


def cpu_device(task: Task) -> dict[str, dict]:
    """What the CPU device gave, by the number of the experiment."""
    return read(place(task) / "cpu-device.json").get("experiments", {})


def runs(task: Task) -> dict[str, dict]:
    """What ran on a GPU, by the number of the experiment: date, device, hashes of the files."""
    return read(place(task) / "runs.json").get("experiments", {})


def of(task: Task, experiment: dict) -> tuple[dict | None, dict | None]:
    """What a GPU gave and what the CPU device gave, unless it was another experiment then."""
    found = (known(task).get(str(experiment["number"])) for known in (runs, cpu_device))
    gpu, cpu = (one if one and one.get("show") == experiment.get("show") else None for one in found)
    return gpu, cpu


def read(path: Path) -> dict:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def keep(task: Task, name: str, experiment: dict, files: list[OwnFile], **more: object) -> Path:
    """Puts an experiment's record into a file, in place of an older one of the same number."""
    path = place(task) / name
    known = read(path).get("experiments", {})
    known[str(experiment["number"])] = {
        "title": experiment["title"],
        "date": time.strftime("%Y-%m-%d %H:%M"),
        "hashes": folder.hashes(files),
        **more,
    }
    document = {"lab": task.number, "experiments": dict(sorted(known.items()))}
    atomic.write_text(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    return path
