"""A submission held against each property of a lab, or each case of an exercise."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tools import programs
from tools.labs import catalog, grade, running
from tools.labs.building import NotBuilt, build
from tools.labs.judging import Finding, code_of, how_it_ended, where
from tools.labs.tasks import Task


@dataclass(frozen=True)
class Judged:
    """One line of the answer. `cases`: how many were right."""

    name: str
    title: str
    cases: int = 0
    findings: list[Finding] = field(default_factory=list)
    tried: bool = True

    @property
    def right(self) -> bool:
        return self.tried and not self.findings


@dataclass(frozen=True)
class Wish:
    """What the reader asked for: one property, a seed, every case."""

    property: str | None = None
    seed: int | None = None
    all_cases: bool = False


LAST_LINES = ("All cases are right.", "Not yet.")  # of an exercise's check
BUILDS = ("builds", "your files and the check make a program")


def judged(
    task: Task, files: Mapping[str, Path], device: str, wish: Wish = Wish()
) -> Iterator[Judged]:
    """Begins with whether it can be built; there is no more when it cannot."""
    try:
        program = (
            build(task.lab, files, device) if task.lab else build_exercise(task, files, device)
        )
    except NotBuilt as problem:
        yield Judged(*BUILDS, findings=[grade.not_built(problem)])
        return
    yield Judged(*BUILDS)
    if task.lab:
        yield from properties(task.lab, program, device, wish)
    else:
        yield from cases(program, device)


def properties(lab: catalog.Lab, program: Path, device: str, wish: Wish) -> Iterator[Judged]:
    """Each property. After a run that had to be stopped for its time the others are not tried."""
    given_up = False
    for name, title in lab.properties.items():
        if wish.property and name != wish.property:
            continue
        if given_up:
            yield Judged(name, title, tried=False)
            continue
        results = list(
            grade.findings(program, name, device, all_cases=wish.all_cases, seed=wish.seed)
        )
        found = [finding for _, finding in results if finding]
        given_up = any(finding.reason == "too_slow" for finding in found)
        yield Judged(name, title, len(results) - len(found), found)


# Exercises ---------------------------------------------------------------------------------------


def build_exercise(task: Task, files: Mapping[str, Path], device: str) -> Path:
    """The check's program with the reader's file. Raises NotBuilt."""
    folder = task.folder
    check, said = programs.build(device, [folder / "check.cpp"], includes=[folder], suffix=".o")
    if check is None:
        raise NotBuilt("does_not_compile", "the check does not compile", said.output)
    objects = [check]
    for path in files.values():
        made, said = programs.build(device, [path], includes=[folder], suffix=".o")
        if made is None:
            raise NotBuilt("does_not_compile", f"{path.name} does not compile", said.output)
        objects.append(made)
    program, said = programs.build(device, objects, library=True)
    if program is None:
        raise NotBuilt("does_not_link", "the files do not make a program", said.output)
    return program


def cases(program: Path, device: str) -> Iterator[Judged]:
    """The lines of an exercise's check, and after them what ended it or the CPU device found."""
    with tempfile.TemporaryDirectory(prefix="coalesce-exercise-") as name:
        folder = Path(name)
        report = folder / "report.json"
        environment = running.environment(report if device == "cpu" else None)
        ended = running.run([str(program)], folder, environment)
        found = grade.read_json(report)
    wrong = whole = False
    for line in ended.output.splitlines():
        whole = whole or line in LAST_LINES
        if match := re.fullmatch(r"(right|WRONG) ([^:]*(?::(?! ).*)?)(?:: (.*))?", line):
            wrong = wrong or match[1] == "WRONG"
            yield Judged(match[2], match[2], 1, wrong_value(match) if match[1] == "WRONG" else [])
    if after := ends_badly(ended, found or {}, wrong, whole):
        yield Judged("runs", "runs to its end, without problems", findings=[after])


def wrong_value(match: re.Match) -> list[Finding]:
    return [Finding(match[2], match[2], "wrong_value", match[3] or "wrong")]


def ends_badly(ended: running.Ended, report: Mapping, wrong: bool, whole: bool) -> Finding | None:
    """
    wrong  a case was wrong, so that the exit code is no news
    whole  the check came to its last line
    """
    if ended.cut:
        return Finding("runs", "", ended.cut, ended.why_cut, output=ended.output)
    for problem in report.get("problems", []):
        place = where(problem)
        return Finding("runs", "", code_of(problem), problem["message"], place, by_cpu_device=True)
    if ended.code < 0 or (ended.code != 0 and not wrong):
        said = f"it ended {how_it_ended(ended.code)}"
        return Finding("runs", "", "crashed", said, output=ended.output)
    if not whole:
        return Finding("runs", "", "left_early", "it left the program before the check had ended")
    return None
