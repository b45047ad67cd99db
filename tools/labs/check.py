"""`./course lab check`: builds the reader's files, says which, and judges each property."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable

from tools.console import Console
from tools.errors import FAILED, PROBLEMS_FOUND, RIGHT, USAGE, Failure
from tools.labs import catalog, diagnostics, folder, properties, ready, tasks
from tools.labs.folder import OwnFile
from tools.labs.judging import Finding
from tools.labs.properties import Judged, Wish
from tools.labs.tasks import Task

DEVICE_NAMES = {"cpu": "the CPU device, with its checks on", "gpu": "the GPU"}
OUTPUT_LINES = 5  # of what the reader's program printed
SAID = re.compile(r"cpu_device:|\S*src/coalesce/\S+:\d+: ")


def check(task: Task, asked: str | None, wish: Wish, console: Console, as_json: bool) -> int:
    refuse(task, wish)
    files = folder.own_files(task)
    chosen, why_not = ready.devices(asked, console)
    if not as_json:
        introduce(task, files, console)
    results: dict[str, list[Judged]] = {}
    for device in chosen:
        if not as_json:
            console.print(f"On {DEVICE_NAMES[device]}:")
        results[device] = judge(task, files, device, wish, console, quiet=as_json)
    code = exit_code(results)
    if as_json:
        console.print(json.dumps(document(task, files, results, why_not, code), indent=2))
        return code
    for device, why in why_not.items():
        front = "" if why.startswith("No GPU here") else f"Not on {DEVICE_NAMES[device]}: "
        console.print(f"{console.mark('none')} {front}{why}")
    conclude(task, results, wish, console)
    return code


def refuse(task: Task, wish: Wish) -> None:
    """Options that this lab or exercise cannot follow."""
    if task.lab is None:
        if wish.property or wish.seed is not None or wish.all_cases:
            raise Failure(
                "--property, --seed and --all are for labs; an exercise shows all its cases.",
                f"Write ./course lab check {task.number}.",
                USAGE,
            )
    elif wish.property and wish.property not in task.lab.properties:
        known = ", ".join(task.lab.properties)
        raise Failure(
            f"Lab {task.number} has no property '{wish.property}'.", f"It has {known}.", USAGE
        )


def introduce(task: Task, files: Iterable[OwnFile], console: Console) -> None:
    console.print(console.paint(task.name, "bold"))
    for file in files:
        console.print(f"  {file.line()}")
    if other := tasks.twin(task):
        console.line(f"  ({task.number} is the lab; exercise {other.title!r} is {other.number}.)")


def judge(
    task: Task, files: list[OwnFile], device: str, wish: Wish, console: Console, quiet: bool
) -> list[Judged]:
    """Prints each property as it is judged, and remembers the outcome where all were asked for."""
    results: list[Judged] = []
    hinted: set[str] = set()
    coming = properties.judged(task, {f.name: f.path for f in files}, device, wish)
    while True:
        with console.step("Checking" if results else "Building your files"):
            judged = next(coming, None)
        if judged is None:
            break
        results.append(judged)
        if not quiet:
            show(task, judged, console, hinted)
    changed = folder.hashes(files) != folder.hashes(folder.own_files(task))
    if changed:
        raise Failure(
            "A file was changed while it was being checked.", "Save it, and check again.", FAILED
        )
    if wish.property is None:
        remember(task, files, device, results)
    return results


def remember(task: Task, files: list[OwnFile], device: str, results: list[Judged]) -> None:
    checks = dict(folder.record(task).get("checks", {}))
    checks[device] = {
        "date": time.strftime("%Y-%m-%d %H:%M"),
        "hashes": folder.hashes(files),
        "passed": all(one.right for one in results),
        "properties": [facts(task, one) for one in results],
    }
    folder.remember(task, checks=checks)


# What the reader sees ----------------------------------------------------------------------------


def show(task: Task, judged: Judged, console: Console, hinted: set[str]) -> None:
    """`hinted`: the hints that were given before; none is given twice."""
    if not judged.tried:
        mark, more = "none", "not tried, since a case before it had to be stopped"
    elif judged.right:
        mark, more = "good", many(judged.cases, task)
    else:
        mark, more = "bad", judged.name if task.lab and judged.name != "builds" else ""
    line = f"{console.paint(console.mark(mark), mark)} {judged.title}"
    console.print(f"{line} ({more})" if more else line)
    for finding in judged.findings:
        for detail in details(task, finding):
            console.print(f"    {detail}")
        hint = hint_for(task, finding)
        if hint and hint not in hinted:
            hinted.add(hint)
            console.print(f"    Hint: {hint}")


def many(cases: int, task: Task) -> str:
    """A number of cases; nothing for an exercise, whose lines are cases."""
    if not task.lab or cases == 0:
        return ""
    return "1 case" if cases == 1 else f"{cases} cases"


def details(task: Task, finding: Finding) -> list[str]:
    """A finding in lines: the case with its seed, what is wrong, and where."""
    lines = []
    if finding.reason.startswith("does_not"):
        sentence = diagnostics.why_not_linked(task, finding.output)
        lines += [sentence] if sentence else diagnostics.short_errors(finding.output).splitlines()
        lines = lines if sentence else [f"{finding.message}:", *lines]
    else:
        case = f"{finding.case}: " if task.lab else ""
        lines += f"{case}{finding.message}".splitlines()
    if finding.where:
        lines.append(finding.where)
    if task.lab and not finding.reason.startswith("does_not"):
        lines += printed(finding.output)
    return lines


def printed(output: str) -> list[str]:
    """The last lines that the reader's program printed itself. What the CPU device and the course's
    library say is said already."""
    own = [line for line in output.splitlines() if line.strip() and not SAID.match(line)]
    if not own:
        return []
    cut = [f"… ({len(own) - OUTPUT_LINES} lines before)"] if len(own) > OUTPUT_LINES else []
    return ["It printed:", *cut, *(f"  {line[:200]}" for line in own[-OUTPUT_LINES:])]


def hint_for(task: Task, finding: Finding) -> str:
    hints = task.lab.hints if task.lab else catalog.common_hints()
    if finding.reason in hints:
        return hints[finding.reason]
    return "" if task.lab else f"The exercise on the page of chapter {task.after} has hints."


def conclude(task: Task, results: dict[str, list[Judged]], wish: Wish, console: Console) -> None:
    every = [one for judged in results.values() for one in judged]
    wrong = [one for one in every if not one.right]
    if not wrong:
        console.print(console.paint("All right.", "bold"))
        if task.lab and wish.property is None:
            console.print(f"Next: ./course lab run {task.number} --experiment 1")
        return
    judged = [one for one in every if one.name != "builds"]
    count = f": {len(wrong)} of {len(judged)} wrong" if judged else ""
    console.print(console.paint(f"Not yet{count}.", "bold"))
    finding = next((one for judged in wrong for one in judged.findings), None)
    if task.lab and finding and finding.seed is not None:
        words = f"--property {finding.property} --seed {finding.seed}"
        console.print(f"The same case again: ./course lab check {task.number} {words}")


def exit_code(results: dict[str, list[Judged]]) -> int:
    """That of the first thing that is wrong."""
    for judged in (one for many in results.values() for one in many):
        if not judged.right:
            by_device = any(finding.by_cpu_device for finding in judged.findings[:1])
            return PROBLEMS_FOUND if by_device else FAILED
    return RIGHT


# For programs ------------------------------------------------------------------------------------


def facts(task: Task, judged: Judged) -> dict[str, object]:
    return {
        "name": judged.name,
        "title": judged.title,
        "tried": judged.tried,
        "right": judged.right,
        "cases_right": judged.cases,
        "findings": [
            {
                "case": finding.case,
                "seed": finding.seed,
                "reason": finding.reason,
                "message": finding.message,
                "where": finding.where,
                "hint": hint_for(task, finding),
                "by_cpu_device": finding.by_cpu_device,
            }
            for finding in judged.findings
        ],
    }


def document(
    task: Task,
    files: list[OwnFile],
    results: dict[str, list[Judged]],
    why_not: dict[str, str],
    code: int,
) -> dict[str, object]:
    return {
        "number": task.number,
        "title": task.title,
        "files": [file.facts() for file in files],
        "devices": {
            device: [facts(task, one) for one in judged] for device, judged in results.items()
        },
        "not_on": why_not,
        "right": code == RIGHT,
        "exit_code": code,
    }
