"""Grades a submission: builds it with the lab's check and runs each case in a process of its own.

    python3 -m tools.labs.grade 5.1                        the solution
    python3 -m tools.labs.grade 5.1 --file FILE …          with FILE in place of the solution's file
                                                           of that name
    python3 -m tools.labs.grade 5.1 --wrong [REGEX]        every wrong submission, each as it says

A case ends with a finding: nothing, or a reason code and a sentence. Of all that may be wrong with
it, the first of these is said: it does not compile; it took too long; it printed too much; what
the CPU device's checks found; what the check found; it left early or crashed; a count out of its
limits.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.chapters import support
from tools.labs import catalog, confined
from tools.labs.catalog import Lab
from tools.labs.confined import Ended, Limits

LIMITS = Limits()


@dataclass(frozen=True)
class Finding:
    """What is wrong in a case. `where` is file:line, and thread and block, where they are known."""

    property: str
    case: str
    reason: str
    message: str
    where: str = ""
    output: str = ""


@dataclass(frozen=True)
class Case:
    number: int
    property: str
    name: str


class NotBuilt(Exception):  # noqa: N818
    def __init__(self, reason: str, message: str, output: str):
        super().__init__(message)
        self.reason, self.message, self.output = reason, message, output


# Building ----------------------------------------------------------------------------------------


def build(lab: Lab, files: Mapping[str, Path], device: str = "cpu") -> Path:
    """The check's program with these files. Raises NotBuilt."""
    includes = [catalog.FOLDER, lab.folder]
    own = [catalog.FOLDER / "grading" / "cases.cpp", lab.folder / "check.cpp"]
    objects = []
    for path in [*own, *files.values()]:
        made, said = support.build(device, [path], includes=includes, suffix=".o")
        if made is None:
            raise NotBuilt("does_not_compile", f"{path.name} does not compile", said.output)
        objects.append(made)
    program, said = support.build(device, objects, library=True)
    if program is None:
        raise NotBuilt("does_not_link", "the files do not make a program", said.output)
    return program


# Running -----------------------------------------------------------------------------------------


def cases_of(program: Path) -> list[Case]:
    listed = subprocess.run(
        [program, "list"], capture_output=True, text=True, check=True, timeout=60
    )
    lines = [json.loads(line) for line in listed.stdout.splitlines()]
    return [Case(i, one["property"], one["name"]) for i, one in enumerate(lines)]


def run_case(
    program: Path,
    case: Case,
    device: str = "cpu",
    seed: int | None = None,
    limits: Limits = LIMITS,
) -> Finding | None:
    """What is wrong with a case; None when it is right."""
    with tempfile.TemporaryDirectory(prefix="coalesce-lab-") as name:
        folder = Path(name)
        verdict, report = folder / f"verdict-{secrets.token_hex(8)}", folder / "report.json"
        environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")}
        if device == "cpu":
            environment |= {"CPU_DEVICE_REPORT": str(report), "CPU_DEVICE_CHECK": "1"}
        if seed is None:
            seed = secrets.randbits(63)
        command = [str(program), "run", str(case.number), str(seed), str(verdict)]
        (folder / "here").mkdir()
        ended = confined.run(command, folder / "here", environment, limits)
        seen = _read(report) if device == "cpu" else {}
        return judge(case, ended, _read(verdict), seen, f"seed {seed}", limits)


def _read(path: Path) -> dict | None:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


# Judging -----------------------------------------------------------------------------------------


def judge(
    case: Case,
    ended: Ended,
    verdict: dict | None,
    report: dict | None,
    seed: str,
    limits: Limits = LIMITS,
) -> Finding | None:
    """What is wrong with a case, by how it ended, what its check wrote (`verdict`), and what the
    CPU device wrote (`report`; empty where there is none to be had)."""

    def finding(reason: str, message: str, where: str = "") -> Finding:
        return Finding(case.property, f"{case.name} ({seed})", reason, message, where, ended.output)

    if ended.cut:
        return finding(ended.cut, _cut_in_words(ended.cut, limits))
    for problem in (report or {}).get("problems", []):
        reason = problem["kind"].replace(" ", "_").replace(",", "")
        return finding(reason, problem["message"], _where(problem))
    if verdict is None and ended.code < 0:
        return finding("crashed", f"it ended by signal {signal.Signals(-ended.code).name}")
    if verdict is None:
        return finding(
            "left_early", f"it left the program (exit code {ended.code}) before the check"
        )
    if verdict["outcome"]["reason"]:
        return finding(verdict["outcome"]["reason"], verdict["outcome"]["message"])
    if ended.code < 0:
        name = signal.Signals(-ended.code).name
        return finding("crashed", f"it ended by signal {name} after the check")
    if ended.code != 0:
        return finding("crashed", f"it ended with exit code {ended.code} after the check")
    if report is None:
        return finding("left_early", "it left the program before the CPU device had ended")
    if report:
        counts = counts_of(report)
        for limit in verdict["counts"]:
            value = _count(counts, limit["count"])
            most = float("inf") if limit["most"] is None else limit["most"]
            if not limit["least"] <= value <= most:
                allowed = f"{limit['least']:.6g} to {most:.6g}"
                return finding(
                    limit["reason"],
                    f"{limit['message']} ({limit['count']}: {value:.6g}, expected {allowed})",
                )
    return None


def _cut_in_words(cut: str, limits: Limits) -> str:
    return {
        "too_slow": f"it had not ended after {limits.seconds:g} s, and was stopped",
        "too_much_output": f"it printed more than {limits.output >> 20} MiB, and was stopped",
        "too_much_memory": f"it took more than {limits.memory >> 20} MiB of memory: stopped",
        "too_large_file": f"it wrote a file of more than {limits.file >> 20} MiB, and was stopped",
    }[cut]


def _where(problem: Mapping) -> str:
    text = (
        f"{problem['file']}:{problem['line']}" if problem.get("line") else problem.get("file", "")
    )
    if "thread" in problem:
        thread, block = (",".join(map(str, problem[key])) for key in ("thread", "block"))
        text += f", thread ({thread}) of block ({block})"
    if problem.get("other_line"):
        text += f", and {problem['other_file']}:{problem['other_line']}"
        if "other_thread" in problem:
            text += f", thread ({','.join(map(str, problem['other_thread']))})"
    return text


def counts_of(report: Mapping) -> dict[str, float]:
    """Sums over all launches, by the names that `count_limit` of grading/cases.hpp lists."""
    sums: dict[str, float] = {"launches": 0, "threads": 0}
    for kernel in report["kernels"]:
        sums["launches"] += 1
        threads = 1
        for size in (*kernel["grid"], *kernel["block"]):
            threads *= size
        sums["threads"] += threads
        for line in kernel["lines"]:
            front = ("shared_" if line["space"] == "shared" else "") + line["op"]
            for name, key in (
                ("lanes", "active_lanes"), ("requests", "requests"), ("sectors", "sectors"),
            ):  # fmt: skip
                sums[f"{front}_{name}"] = sums.get(f"{front}_{name}", 0) + line[key]
            if line["space"] == "shared":
                sums["shared_conflicts"] = sums.get("shared_conflicts", 0) + line["conflicts"]
    return sums


def _count(counts: Mapping[str, float], name: str) -> float:
    above, _, below = name.partition("/")
    if not below:
        return counts.get(above, 0)
    return counts.get(above, 0) / counts[below] if counts.get(below) else 0


# A whole submission ------------------------------------------------------------------------------


def grade(lab: Lab, files: Mapping[str, Path], device: str = "cpu", *, all_cases: bool = False,
          seed: int | None = None) -> Iterator[tuple[str, Finding | None]]:  # fmt: skip
    """Each property in the lab's order, with its first finding. A property's other cases are not
    run after that, unless `all_cases`."""
    try:
        program = build(lab, files, device)
    except NotBuilt as problem:
        yield "builds", Finding("builds", "", problem.reason, problem.message, "", problem.output)
        return
    yield "builds", None
    cases = cases_of(program)
    for name in lab.properties:
        first = None
        for case in (one for one in cases if one.property == name):
            found = run_case(program, case, device, seed)
            first = first or found
            if found and not all_cases:
                break
        yield name, first


def first_finding(lab: Lab, files: Mapping[str, Path], device: str = "cpu") -> Finding | None:
    return next((found for _, found in grade(lab, files, device) if found), None)


# By hand -----------------------------------------------------------------------------------------


def _show(name: str, found: Finding | None, lab: Lab) -> None:
    if found is None:
        print(f"✓ {name}")
        return
    print(f"✗ {name}: {found.case}: {found.reason}: {found.message}")
    if found.where:
        print(f"    {found.where}")
    if found.reason in lab.hints:
        print(f"    {lab.hints[found.reason]}")
    if found.reason.startswith("does_not"):
        print(found.output)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m tools.labs.grade", description=__doc__)
    parser.add_argument("number")
    parser.add_argument("--file", type=Path, action="append", default=[])
    parser.add_argument("--wrong", nargs="?", const="")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args(arguments)
    lab = next(one for one in catalog.labs() if one.number == options.number)
    if options.wrong is None:
        files = lab.solution() | {path.name: path.resolve() for path in options.file}
        good = True
        for name, found in grade(lab, files, options.device):
            _show(name, found, lab)
            good = good and found is None
        return 0 if good else 1
    failed = 0
    for wrong in catalog.wrong_submissions(lab):
        if not re.search(options.wrong, wrong.path.stem):
            continue
        found = first_finding(lab, lab.solution() | {wrong.in_place_of: wrong.path}, options.device)
        good = found is not None and (found.property, found.reason) == (
            wrong.property,
            wrong.reason,
        )
        said = f"{found.property} {found.reason}: {found.message}" if found else "accepted"
        failed += not good
        wanted = f"wanted {wrong.property} {wrong.reason}"
        print(f"{'✓' if good else '✗'} {wrong.path.stem}: {wanted}; {said}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
