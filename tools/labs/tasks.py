"""What a reader can start and check: the labs, and the exercises of the chapters.

A lab's number is `5.2`. An exercise's is that of its chapter, in two digits, and its own: `05.2`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tools import paths
from tools.errors import USAGE, Failure
from tools.labs import catalog, skeleton
from tools.labs.catalog import Lab
from tools.nearest import nearest


@dataclass(frozen=True)
class Task:
    """A lab (`lab` is set) or an exercise. `solutions`: the reader's file name -> the solution."""

    number: str
    title: str
    after: str  # the chapter to have read, by its slug
    folder: Path
    asked: Path  # the header that says what is asked
    solutions: dict[str, Path]
    lab: Lab | None = None

    @property
    def name(self) -> str:
        return f"{'Lab' if self.lab else 'Exercise'} {self.number}: {self.title}"

    def skeletons(self) -> dict[str, str]:
        """The text of each file that the reader begins with."""
        if self.lab is None:
            return {name: skeleton.skeleton_of_exercise(self.folder) for name in self.solutions}
        return {
            name: skeleton.skeleton_of_lab(path, self.asked)
            for name, path in self.solutions.items()
        }


def exercise_folders() -> list[Path]:
    """Every chapter's exercises: folders with a check."""
    found = (paths.REPO / "chapters").glob("[0-9][0-9]-*/exercises/*/check.cpp")
    return sorted(path.parent for path in found)


def of_lab(lab: Lab) -> Task:
    asked = lab.folder / "lab.hpp"
    after = lab.more.get("after", "")
    return Task(lab.number, lab.title, after, lab.folder, asked, lab.solution(), lab)


def of_exercise(folder: Path) -> Task:
    chapter = folder.parents[1].name
    own, _, words = folder.name.partition("-")
    return Task(
        number=f"{chapter[:2]}.{own}",
        title=words.replace("-", " ").capitalize(),
        after=chapter,
        folder=folder,
        asked=folder / "exercise.hpp",
        solutions={f"{words.replace('-', '_')}.cu": folder / "solution.cu"},
    )


def labs() -> list[Task]:
    return [of_lab(lab) for lab in catalog.labs()]


def exercises() -> list[Task]:
    return [of_exercise(folder) for folder in exercise_folders()]


def find(word: str) -> Task:
    """The lab or exercise that the reader means. One digit: the lab, where there is one."""
    known = {task.number: task for task in (*labs(), *exercises())}
    match = re.fullmatch(r"(\d{1,2})\.(\d{1,2})", word.strip())
    if match is None:
        raise Failure(
            f"'{word}' is no number of a lab or an exercise.",
            "Write 5.2 for a lab, and 04.1 for an exercise of chapter 4; "
            "`./course lab list` shows all.",
            USAGE,
        )
    wanted = word.strip()
    for number in (wanted, f"{int(match[1]):02d}.{int(match[2])}"):
        if number in known:
            return known[number]
    near = [number for number in known if number.lstrip("0").startswith(f"{int(match[1])}.")]
    near = near or nearest(wanted, known)
    there = f"There are {', '.join(near)}. " if near else ""
    raise Failure(
        f"There is no lab or exercise {wanted}.", f"{there}`./course lab list` shows all.", USAGE
    )


def twin(task: Task) -> Task | None:
    """The exercise that differs from a lab by a 0 in its number only, 05.2 beside 5.2."""
    if task.lab is None:
        return None
    return next((one for one in exercises() if one.number == f"0{task.number}"), None)
