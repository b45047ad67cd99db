"""Situations: what happened to a machine, and what doctor has to say of it.

Each belongs to one rule, and each rule has at least one (test_situations.py). A situation changes
a healthy machine and returns words that must be in the finding's message or step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.doctor.machine import Machine


@dataclass(frozen=True)
class Situation:
    rule: str
    make: Callable[[Machine], list[str]]
    code: int | None = None  # doctor's exit code
    is_next: bool = False  # the finding's step is the one next step
    never: tuple[str, ...] = ()  # words that would mislead, anywhere in the report

    @property
    def name(self) -> str:
        return f"{self.rule}:{self.make.__name__}"


SITUATIONS: list[Situation] = []


def situation(rule: str, **more: object) -> Callable:
    def add(make: Callable[[Machine], list[str]]) -> Callable[[Machine], list[str]]:
        SITUATIONS.append(Situation(rule, make, **more))
        return make

    return add
