"""A report as Markdown. The plots are in the HTML file; their numbers are in the tables."""

from __future__ import annotations

import re

from tools.labs.report.blocks import (
    Answer,
    Block,
    Code,
    Facts,
    Heading,
    Paragraph,
    Picture,
    Printed,
    Report,
    Table,
)


def document(report: Report) -> str:
    parts = [f"# {report.title}", f"Report of {report.date}."]
    parts += [text for block in report.blocks if (text := shown(block))]
    return "\n\n".join(parts) + "\n"


def shown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {text}"
        case Paragraph(text):
            return text
        case Facts(pairs):
            return "\n".join(f"- {name}: {text}" for name, text in pairs)
        case Table():
            return table(block)
        case Picture():
            return ""
        case Printed(text, caption):
            return f"{fenced(text, 'text')}\n\n{caption}"
        case Answer(heading, words):
            return f"### {heading}\n\n{words or '(no answer yet)'}"
        case Code(name, text):
            return f"### {name}\n\n{fenced(text, 'cpp')}"


def table(block: Table) -> str:
    rules = ["---:" if i in block.right else "---" for i in range(len(block.head))]
    lines = [row(block.head), row(rules), *(row(cells) for cells in block.rows)]
    return "\n".join([*lines, "", block.caption])


def row(cells) -> str:
    return "| " + " | ".join(str(c).replace("|", r"\|").replace("\n", " ") for c in cells) + " |"


def fenced(text: str, language: str) -> str:
    """Between fences that are longer than any in the text."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
