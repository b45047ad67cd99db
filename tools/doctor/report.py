"""What doctor says of its findings: lines and the next step, evidence, or JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, is_dataclass

from tools.console import Console
from tools.doctor.facts import Facts
from tools.doctor.redact import redact
from tools.doctor.rules.rule import Finding
from tools.errors import FAILED, NO_GPU, RIGHT

MARKS = {"ok": "good", "note": "none", "warning": "warn", "error": "bad"}
LONGEST_EVIDENCE = 300


@dataclass(frozen=True)
class Verdict:
    exit_code: int
    sentence: str
    next_step: str


def verdict(facts: Facts, findings: list[Finding]) -> Verdict:
    errors = [finding for finding in findings if finding.rule.level == "error"]
    if errors:
        count = "One thing has" if len(errors) == 1 else f"{len(errors)} things have"
        return Verdict(FAILED, f"{count} to be repaired.", errors[0].step)
    if facts.usable and facts.toolkit.nvcc:
        return Verdict(RIGHT, "The GPU path works.", "./course run 3 one_thread --device gpu")
    warnings = [finding for finding in findings if finding.rule.level == "warning"]
    if not facts.cpu_device_ready:
        sentence = "Neither a GPU nor the CPU device can be used."
        return Verdict(FAILED, sentence, "./course setup installs what the CPU device needs.")
    sentence = "No GPU here; the CPU device is ready: everything works but timing."
    try_it = "./course run 3 one_thread --device cpu"
    return Verdict(NO_GPU, sentence, warnings[0].step if warnings else try_it)


def show(facts: Facts, findings: list[Finding], console: Console, verbose: bool = False) -> int:
    width = max(len(finding.rule.area) for finding in findings)
    for finding in findings:
        colour = MARKS[finding.rule.level]
        mark = console.paint(console.mark(colour), colour)
        console.print(f"{mark} {finding.rule.area:<{width}}  {finding.message}")
        for line in details(facts, finding) if verbose else ():
            console.print(console.paint(f"  {'':<{width}}  {line}", "dim"))
    for group, error in facts.unread.items():
        console.print(f"! {group:<{width}}  could not be examined: {error}")
    outcome = verdict(facts, findings)
    console.print(console.paint(outcome.sentence, "bold"))
    console.print(f"Next: {outcome.next_step}")
    return outcome.exit_code


def details(facts: Facts, finding: Finding) -> list[str]:
    """The finding's name, what to do about it, and the facts that it rests on."""
    lines = [f"[{finding.rule.id}] {finding.step}".rstrip()]
    for name in finding.rule.facts:
        value = shown(fact(facts, name))
        lines.append(f"{name}: {value[:LONGEST_EVIDENCE]}")
    return lines


def fact(facts: Facts, name: str) -> object:
    """The value of "driver.version"."""
    value: object = facts
    for part in name.split("."):
        value = getattr(value, part)
    return value


def shown(value: object) -> str:
    if is_dataclass(value):
        parts = [f"{name}={shown(part)}" for name, part in asdict(value).items()]
        return ", ".join(parts)
    if isinstance(value, list):
        return "; ".join(shown(part) for part in value) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{name}={shown(part)}" for name, part in value.items()) or "none"
    if value is None or value == "":
        return "none"
    return " ".join(str(value).split())


def document(facts: Facts, findings: list[Finding]) -> dict[str, object]:
    """For a bug report: nothing in it tells who or where you are."""
    known = asdict(facts)
    known.pop("table")
    report = {
        **asdict(verdict(facts, findings)),
        "findings": [
            {
                "id": finding.rule.id,
                "area": finding.rule.area,
                "level": finding.rule.level,
                "message": finding.message,
                "step": finding.step,
            }
            for finding in findings
        ],
        "facts": known,
    }
    return redact(report)
