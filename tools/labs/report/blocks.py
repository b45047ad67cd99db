"""The parts of a report, which HTML and Markdown show each in its way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Heading:
    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Facts:
    """Names and what is known of them."""

    pairs: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Table:
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str
    right: frozenset[int] = frozenset()  # columns of numbers


@dataclass(frozen=True)
class Picture:
    """An SVG; the table or the text beside it has the same numbers."""

    svg: str
    caption: str


@dataclass(frozen=True)
class Printed:
    """What a program printed; `folded` where a picture above says the same, and has the caption."""

    text: str
    caption: str
    folded: bool = False


@dataclass(frozen=True)
class Answer:
    """Something to be answered, and the reader's words; none leave space to write."""

    heading: str
    words: str


@dataclass(frozen=True)
class Code:
    name: str
    text: str


Block = Heading | Paragraph | Facts | Table | Picture | Printed | Answer | Code


@dataclass
class Report:
    title: str
    date: str
    blocks: list[Block] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)  # for the one who wrote it, not in it
