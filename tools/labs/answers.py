"""The reader's answers to the questions of a lab: work/5.2/answers.md."""

from __future__ import annotations

import re
from pathlib import Path

from tools.labs.catalog import Lab

NAME = "answers.md"
EMPTY = "(your answer)"


def questions(lab: Lab) -> list[str]:
    return list(lab.more.get("questions", []))


def data_to_record(lab: Lab) -> list[str]:
    data = lab.more.get("data", [])
    return [data] if isinstance(data, str) else list(data)


def begin(lab: Lab) -> str:
    """The file as the reader gets it: a heading for each question."""
    lines = [
        f"# Lab {lab.number}: {lab.title}",
        "",
        "Answer below each question; `./course lab report` puts your words into the report.",
        "",
    ]
    for number, question in enumerate(questions(lab), 1):
        lines += [f"## {number}. {question}", "", EMPTY, ""]
    lines += ["## Remarks", "", EMPTY, ""]
    return "\n".join(lines)


def read(path: Path) -> list[tuple[str, str]]:
    """Headings and the words below them; words that still stand for an answer are left out."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    parts = re.split(r"^## +(.+)$", text, flags=re.MULTILINE)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    return [(head.strip(), words.replace(EMPTY, "").strip()) for head, words in pairs]
