"""What is wrong with a run: of all that may be said of it, the first.

It broke a limit of time, output, memory or files; the CPU device's checks found something; the
check found something; it left early or crashed; a count is out of its limits.
"""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tools import paths
from tools.labs.counts import count, counts_of
from tools.labs.running import Ended


@dataclass(frozen=True)
class Finding:
    """What is wrong in a case. `where` is file:line, and thread and block, where they are known."""

    property: str
    case: str
    reason: str
    message: str
    where: str = ""
    output: str = ""
    seed: int | None = None
    by_cpu_device: bool = False  # its checks found it
    counted: bool = False  # a count is out of its limits: a GPU cannot tell


@dataclass(frozen=True)
class Case:
    number: int
    property: str
    name: str


def judge(
    case: Case, ended: Ended, verdict: Mapping | None, report: Mapping | None, seed: int
) -> Finding | None:
    """
    verdict  what the check wrote; None when it never came to that
    report   what the CPU device wrote; empty when it never came to that; None on a GPU
    """

    def finding(reason: str, message: str, where: str = "", found: bool = False) -> Finding:
        name = f"{case.name} (seed {seed})"
        return Finding(case.property, name, reason, message, where, ended.output, seed, found)

    if ended.cut:
        return finding(ended.cut, ended.why_cut)
    for problem in (report or {}).get("problems", []):
        return finding(code_of(problem), problem["message"], where(problem), True)
    if verdict is None and ended.code < 0:
        return finding("crashed", f"it ended {how_it_ended(ended.code)}")
    if verdict is None:
        code = ended.code
        return finding("left_early", f"it left the program (exit code {code}) before the check")
    if verdict["outcome"]["reason"]:
        return finding(verdict["outcome"]["reason"], verdict["outcome"]["message"])
    if ended.code != 0:
        return finding("crashed", f"it ended {how_it_ended(ended.code)} after the check")
    if report is not None and not report:
        return finding("left_early", "it left the program before the CPU device had ended")
    counts = counts_of(report) if report is not None else {}
    for limit in verdict["counts"] if report is not None else []:
        value = count(counts, limit["count"])
        most = float("inf") if limit["most"] is None else limit["most"]
        if not limit["least"] <= value <= most:
            allowed = f"{limit['least']:.6g} to {most:.6g}"
            counted = f"({limit['count']}: {value:.6g}, expected {allowed})"
            found = finding(limit["reason"], f"{limit['message']} {counted}")
            return replace(found, counted=True)
    return None


def how_it_ended(code: int) -> str:
    return f"with exit code {code}" if code >= 0 else f"by signal {signal.Signals(-code).name}"


def code_of(problem: Mapping) -> str:
    """The reason code of a problem that the CPU device found."""
    return problem["kind"].replace(" ", "_").replace(",", "")


def where(problem: Mapping) -> str:
    """The place of a problem, and the other side's where there are two."""
    text = place(problem.get("file", ""), problem.get("line"))
    if "thread" in problem:
        text += f", thread ({numbers(problem['thread'])}) of block ({numbers(problem['block'])})"
    if problem.get("other_line"):
        text += f", and {place(problem['other_file'], problem['other_line'])}"
        if "other_thread" in problem:
            text += f", thread ({numbers(problem['other_thread'])})"
    return text


def place(file: str, line: int | None) -> str:
    name = paths.shown(Path(file)) if file else ""
    return f"{name}:{line}" if line else name


def numbers(triple: list[int]) -> str:
    return ",".join(map(str, triple))
