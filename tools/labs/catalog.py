"""The labs as their folders describe them: lab.toml, solution, wrong submissions."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from tools import paths
from tools.labs import validate

FOLDER = paths.REPO / "chapters" / "06-labs"


@dataclass(frozen=True)
class Lab:
    """One lab. `files` are what the reader writes; the solution has files of the same names."""

    folder: Path
    number: str
    title: str
    files: list[str]
    properties: dict[str, str]  # name -> title, in the order in which they are judged
    hints: dict[str, str]  # reason -> what to look at
    more: dict = field(default_factory=dict)  # the rest of lab.toml

    def solution(self) -> dict[str, Path]:
        return {name: self.folder / name for name in self.files}


@dataclass(frozen=True)
class Wrong:
    """A wrong submission: one file in place of the solution's, and how it must be rejected."""

    path: Path
    in_place_of: str
    property: str
    reason: str
    only_by_cpu_device: bool  # its checks or its counts tell the fault, and a GPU does not


def labs() -> list[Lab]:
    return [read(path.parent) for path in sorted(FOLDER.glob("*/lab.toml"))]


@functools.cache
def common_hints() -> dict[str, str]:
    return tomllib.loads((FOLDER / "grading" / "hints.toml").read_text(encoding="utf-8"))


def read(folder: Path) -> Lab:
    """Raises a Failure where an experiment is described wrongly."""
    data = tomllib.loads((folder / "lab.toml").read_text(encoding="utf-8"))
    validate.experiments(folder, data.get("experiments", []))
    return Lab(
        folder=folder,
        number=data.pop("number"),
        title=data.pop("title"),
        files=data.pop("files"),
        properties={one["name"]: one["title"] for one in data.pop("properties")},
        hints=common_hints() | data.pop("hints", {}),
        more=data,
    )


def wrong_submissions(lab: Lab) -> list[Wrong]:
    """Those of wrong/, each with its lines `// in place of: FILE` (where a lab has several files)
    and `// reject: PROPERTY REASON`, or `// reject on the CPU device: PROPERTY REASON`."""
    found = []
    for path in sorted(lab.folder.glob("wrong/*.c*")):
        text = path.read_text(encoding="utf-8")
        reject = re.search(r"^// reject( on the CPU device)?: (\w+) (\w+)$", text, re.MULTILINE)
        if reject is None:
            raise ValueError(f"{path.name} has no line '// reject: PROPERTY REASON'")
        place = re.search(r"^// in place of: (\S+)$", text, re.MULTILINE)
        file = place[1] if place else lab.files[0]
        found.append(Wrong(path, file, reject[2], reject[3], only_by_cpu_device=bool(reject[1])))
    return found
