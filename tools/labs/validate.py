"""What lab.toml may say of its experiments. Anything else is refused in a sentence.

An experiment is rows, which are timed or counted, or a `show`: a step of rows.hpp that prints.
"""

from __future__ import annotations

import re
from pathlib import Path

from tools import paths
from tools.errors import Failure

ROWS = {"rows", "x", "columns", "cpu_n", "budget"}
SHOW = {"show", "n", "cpu_n"}
ALL = {"number", "title"}


def experiments(folder: Path, listed: list[dict]) -> None:
    numbers = [one.get("number") for one in listed]
    for experiment in listed:
        number = experiment.get("number")
        why = wrong(folder, experiment)
        if not why and numbers.count(number) > 1:
            why = "has the number of another one"
        if why:
            where = paths.shown(folder / "lab.toml")
            raise Failure(f"{where}: experiment {number} {why}.", "Correct it there.")


def wrong(folder: Path, experiment: dict) -> str:
    """The end of a sentence; "" where all is well."""
    if not is_size(experiment.get("number")) or not isinstance(experiment.get("title"), str):
        return "needs a number and a title"
    if ("rows" in experiment) == ("show" in experiment):
        return "needs either `rows` or `show`"
    kind = "show" if "show" in experiment else "rows"
    beside = SHOW if kind == "show" else ROWS
    if unknown := sorted(set(experiment) - ALL - beside):
        allowed = ", ".join(sorted(beside - {kind}))
        return f"has `{unknown[0]}`, and beside `{kind}` there may be {allowed}"
    return wrong_show(folder, experiment) if kind == "show" else wrong_rows(experiment)


def wrong_rows(experiment: dict) -> str:
    try:
        re.compile(experiment["rows"])
    except re.error:
        return "has `rows` that are no regular expression"
    sizes = experiment.get("cpu_n", [])
    if not isinstance(sizes, list) or not all(map(is_size, sizes)):
        return f"has `cpu_n` = {sizes!r}, which is no list of sizes"
    return ""


def wrong_show(folder: Path, experiment: dict) -> str:
    for name in ("n", "cpu_n"):
        if not is_size(experiment.get(name, 0)):
            return f"has `{name}` = {experiment[name]!r}, which is no size"
    made = shows(folder)
    if experiment["show"] not in made:
        return f"shows '{experiment['show']}', and rows.hpp makes {', '.join(made) or 'no show'}"
    return ""


def shows(folder: Path) -> list[str]:
    """The steps of a lab that print, by name."""
    rows = folder / "rows.hpp"
    text = rows.read_text(encoding="utf-8") if rows.is_file() else ""
    return re.findall(r'make_show\(\s*"(\w+)"', text)


def is_size(value: object) -> bool:
    return type(value) is int and value >= 0
