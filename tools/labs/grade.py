"""Grades a submission: builds it with the lab's check and runs each case in a process of its own.

    python3 -m tools.labs.grade 5.1                        the solution
    python3 -m tools.labs.grade 5.1 --file FILE …          with FILE in place of the solution's file
                                                           of that name
    python3 -m tools.labs.grade 5.1 --wrong [REGEX]        every wrong submission, each as it says

A case ends with a finding (tools/labs/judging.py), or with none: then it is right.
"""

from __future__ import annotations

import argparse
import json
import re
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from tools import programs
from tools.errors import SETUP_NEEDED
from tools.labs import catalog, ready, running
from tools.labs.building import NotBuilt, build
from tools.labs.catalog import Lab
from tools.labs.judging import Case, Finding, judge
from tools.labs.running import LIMITS, Limits


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
        seed = secrets.randbits(63) if seed is None else seed
        command = [str(program), "run", str(case.number), str(seed), str(verdict)]
        (folder / "here").mkdir()
        environment = running.environment(report if device == "cpu" else None)
        ended = running.run(command, folder / "here", environment, limits)
        seen = (read_json(report) or {}) if device == "cpu" else None
        return judge(case, ended, read_json(verdict), seen, seed)


def read_json(path: Path) -> dict | None:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def findings(program: Path, name: str, device: str = "cpu", *, all_cases: bool = False,
             seed: int | None = None) -> Iterator[tuple[Case, Finding | None]]:  # fmt: skip
    """Each case of a property; none after the first finding, unless `all_cases`."""
    for case in (one for one in cases_of(program) if one.property == name):
        found = run_case(program, case, device, seed)
        yield case, found
        if found and not all_cases:
            return


def grade(lab: Lab, files: Mapping[str, Path], device: str = "cpu", *, all_cases: bool = False,
          seed: int | None = None) -> Iterator[tuple[str, Finding | None]]:  # fmt: skip
    """Each property in the lab's order, with its first finding. A property's other cases are not
    run after that, unless `all_cases`."""
    try:
        program = build(lab, files, device)
    except NotBuilt as problem:
        yield "builds", not_built(problem)
        return
    yield "builds", None
    for name in lab.properties:
        judged = list(findings(program, name, device, all_cases=all_cases, seed=seed))
        yield name, next((found for _, found in judged if found), None)


def not_built(problem: NotBuilt) -> Finding:
    return Finding("builds", "", problem.reason, problem.message, "", problem.output)


def first_finding(lab: Lab, files: Mapping[str, Path], device: str = "cpu") -> Finding | None:
    return next((found for _, found in grade(lab, files, device) if found), None)


# By hand -----------------------------------------------------------------------------------------


def show(name: str, found: Finding | None, lab: Lab) -> None:
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


def grade_one(lab: Lab, files: Mapping[str, Path], device: str) -> bool:
    good = True
    for name, found in grade(lab, files, device):
        show(name, found, lab)
        good = good and found is None
    return good


def grade_wrong(lab: Lab, pattern: str, device: str) -> bool:
    """Every wrong submission whose name matches: whether each is rejected as it says. A GPU is not
    asked about those that only the CPU device can tell."""
    all_good = True
    for wrong in catalog.wrong_submissions(lab):
        unseen = device == "gpu" and wrong.only_by_cpu_device
        if unseen or not re.search(pattern, wrong.path.stem):
            continue
        found = first_finding(lab, lab.solution() | {wrong.in_place_of: wrong.path}, device)
        wanted = (wrong.property, wrong.reason)
        good = found is not None and (found.property, found.reason) == wanted
        said = f"{found.property} {found.reason}: {found.message}" if found else "accepted"
        print(f"{'✓' if good else '✗'} {wrong.path.stem}: wanted {' '.join(wanted)}; {said}")
        all_good = all_good and good
    return all_good


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m tools.labs.grade",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    known = {lab.number: lab for lab in catalog.labs()}
    parser.add_argument("number", choices=known, help="of the lab")
    parser.add_argument("--file", type=Path, action="append", default=[])
    parser.add_argument("--wrong", nargs="?", const="")
    parser.add_argument("--device", choices=["cpu", "gpu"], default="cpu")
    options = parser.parse_args(arguments)
    if why := programs.lacking(options.device, library=True):
        print(ready.sentence(why), file=sys.stderr)
        return SETUP_NEEDED
    lab = known[options.number]
    if options.wrong is not None:
        return 0 if grade_wrong(lab, options.wrong, options.device) else 1
    files = lab.solution() | {path.name: path.resolve() for path in options.file}
    return 0 if grade_one(lab, files, options.device) else 1


if __name__ == "__main__":
    sys.exit(main())
