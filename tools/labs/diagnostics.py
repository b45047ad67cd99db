"""What compilers and linkers say, in few lines."""

from __future__ import annotations

import re

from tools import paths
from tools.labs.tasks import Task

MOST_ERRORS = 3
LINES_OF_AN_ERROR = 3
ERROR = re.compile(r"^.*?(?::\d+:\d+|\(\d+\)|:\d+): (?:fatal |catastrophic )?error\b.*$")
MESSAGE = re.compile(r"^.*?(?::\d+:\d+|\(\d+\)|:\d+): \w+\b.*$|^\d+ (?:errors?|warnings?) ")
MISSING = re.compile(r"undefined (?:reference to [`']|symbol: )([^'\n]+)")


def short_errors(output: str) -> str:
    """The compiler's first errors, each with the line that it points at."""
    text = output.replace(f"{paths.REPO}/", "")
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if ERROR.match(line)]
    shown: list[str] = []
    for start in starts[:MOST_ERRORS]:
        shown.append(lines[start])
        for line in lines[start + 1 : start + LINES_OF_AN_ERROR]:
            if MESSAGE.match(line):
                break
            shown.append(line)
    if len(starts) > MOST_ERRORS:
        shown.append(f"… and {len(starts) - MOST_ERRORS} more errors")
    return "\n".join(shown) or "\n".join(lines[-12:])


def why_not_linked(task: Task, output: str) -> str:
    """One sentence in place of the linker's text; "" when something else is wrong."""
    begin = f"`./course lab start {task.number}` in an empty folder shows how the files begin"
    if re.search(r"multiple definition of [`']main'|duplicate symbol: main\b", output):
        return f"Your file has its own main, and so has the check: {begin}."
    for symbol in MISSING.findall(output):
        if own_name(symbol) in task.asked.read_text(encoding="utf-8"):
            return f"Your files lack {symbol}, as {paths.shown(task.asked)} asks for it."
        return f"Your files use {symbol}, and nothing defines it."
    return ""


def own_name(symbol: str) -> str:
    """lab52::multiply(float*, int) is multiply."""
    return symbol.partition("(")[0].rpartition("::")[2]
