"""What the reader writes for a lab's report: work/5.2/answers.md."""

from __future__ import annotations

import re
from pathlib import Path

from tools.labs.catalog import Lab

NAME = "answers.md"
EMPTY = "(your answer)"
REMARKS = "Remarks"


def data_to_record(lab: Lab) -> list[str]:
    return _numbered(lab.more.get("data", []), "Data")


def questions(lab: Lab) -> list[str]:
    return _numbered(lab.more.get("questions", []), "Question")


def _numbered(texts: list[str] | str, kind: str) -> list[str]:
    """The headings: "Question 1. Why …?"."""
    listed = [texts] if isinstance(texts, str) else texts
    return [f"{kind} {number}. {' '.join(text.split())}" for number, text in enumerate(listed, 1)]


def begin(lab: Lab) -> str:
    """The file as the reader gets it: a heading for each thing to record and to answer."""
    lines = [
        f"# Lab {lab.number}: {lab.title}",
        "",
        "Write below each heading; `./course lab report` puts your words into the report.",
        "",
    ]
    for heading in (*data_to_record(lab), *questions(lab), REMARKS):
        lines += [f"## {heading}", "", EMPTY, ""]
    return "\n".join(lines)


def read(path: Path) -> dict[str, str]:
    """The reader's words by heading; empty below a heading that has none yet."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    parts = re.split(r"^## +(.+)$", text, flags=re.MULTILINE)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    return {head.strip(): words.replace(EMPTY, "").strip() for head, words in pairs}
