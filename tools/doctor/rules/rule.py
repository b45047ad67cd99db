"""A rule: a predicate over facts, what doctor says when it holds, and what the page says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tools.doctor.facts import Facts

LEVELS = ("ok", "note", "warning", "error")

# What a predicate gives: values for the templates, True where there are none, or None or False
# where the rule does not apply.
Values = dict[str, object] | bool | None


@dataclass(frozen=True)
class Rule:
    """In each area the first rule that applies speaks; a remark may speak besides.

    `message` and `step` are templates for str.format, filled with what the predicate gives. `facts`
    names what --verbose shows as evidence, such as "driver.version". The page of troubles shows
    `symptom` (the message that a reader sees), `cause`, `cure` and `sources` (public threads,
    "owner/repository#number") of every rule that has a symptom.
    """

    id: str
    area: str
    level: str
    when: Callable[[Facts], Values]
    message: str
    step: str = ""
    remark: bool = False
    facts: tuple[str, ...] = ()
    symptom: str = ""
    cause: str = ""
    cure: str = ""
    sources: tuple[str, ...] = ()
    log: int = 0  # the entry of the trouble log that asked for it; shown nowhere


@dataclass(frozen=True)
class Finding:
    """A rule that applied on this machine, with its sentences."""

    rule: Rule
    message: str
    step: str = ""


class Area(list[Rule]):
    """The rules of one area, the more special ones first."""

    def __init__(self, name: str):
        super().__init__()
        self.name = name

    def rule(self, level: str, message: str, step: str = "", **words: object) -> Callable:
        """Makes the decorated predicate a rule, whose id is the predicate's name."""

        def add(predicate: Callable[[Facts], Values]) -> Callable[[Facts], Values]:
            name = predicate.__name__.replace("_", "-")
            self.append(Rule(name, self.name, level, predicate, message, step, **words))
            return predicate

        return add


def judge(facts: Facts, rules: list[Rule]) -> list[Finding]:
    """What applies here, in the order of the rules."""
    findings: list[Finding] = []
    spoken: set[str] = set()
    for rule in rules:
        if rule.area in spoken and not rule.remark:
            continue
        given = rule.when(facts)
        if not given and not isinstance(given, dict):
            continue
        values = given if isinstance(given, dict) else {}
        findings.append(
            Finding(rule, rule.message.format_map(values), rule.step.format_map(values))
        )
        if not rule.remark:
            spoken.add(rule.area)
    return findings
