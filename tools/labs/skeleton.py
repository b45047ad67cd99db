"""The files that a reader begins with: tagged solutions without their answers and without tags."""

from __future__ import annotations

import re
from pathlib import Path

from tools import paths

YOURS = "// Your code here."


class TagError(ValueError):
    """A solution whose tags leave nothing to the reader."""


def without_answers(solution: Path) -> list[str]:
    """The lines of a solution; each region `// [answer]` is one comment instead."""
    lines, inside, found = [], False, False
    for line in solution.read_text(encoding="utf-8").splitlines():
        tag = re.fullmatch(r"\s*// \[(/?)([a-z_-]+)\]", line)
        if tag and tag[2] == "answer":
            inside = not tag[1]
            if inside:
                found = True
                lines.append(line[: line.index("//")] + YOURS)
        elif not tag and not inside:
            lines.append(line)
    if not found:
        raise TagError(f"{paths.shown(solution)} has no tag [answer]")
    return lines


def skeleton_of_exercise(exercise: Path) -> str:
    lines = without_answers(exercise / "solution.cu")
    asked = exercise / "exercise.hpp"
    if asked.is_file():
        name = exercise.relative_to(exercise.parents[2]).as_posix()
        lines[0] = f"// Exercise {name}. What is asked is in\n// {paths.shown(asked)}"
    return "\n".join(lines) + "\n"


def skeleton_of_lab(solution: Path, asked: Path) -> str:
    """The first comment keeps its words, and names what is asked at its end."""
    lines = without_answers(solution)
    end = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    lines.insert(end, f"// What is asked: {paths.shown(asked)}")
    return "\n".join(lines) + "\n"
