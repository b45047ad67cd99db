"""What goes wrong: entries of docs/data/troubles.toml, and the doctor's rules as entries.

The troubleshooting page, the pages' boxes of broken programs and tests/troubles read this.
"""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "docs" / "data" / "troubles.toml"
MACHINE = "machine"
MACHINES_PROOF = "tests/doctor/test_situations.py::test_doctor_names_it"
GROUPS = ("build", "stops", "wrong", "times", "elsewhere", "site")
REQUIRED = {"id", "group", "symptom", "cause", "cure", "met", "sources", "shown_by", "log"}


class TroubleError(ValueError):
    """An entry that cannot be used. Names it."""


@dataclass(frozen=True)
class Trouble:
    """One entry: what is seen, why, what to do, and what proves it."""

    id: str
    group: str
    symptom: str
    cause: str
    cure: tuple[str, ...]
    also: tuple[str, ...] = ()
    met: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    shown_by: tuple[str, ...] = ()

    @property
    def order(self) -> str:
        """Entries of a group are sorted by what is seen, letters before marks."""
        return "".join(c for c in self.symptom.lower() if c.isalnum() or c == " ").strip()


@dataclass(frozen=True)
class ErrorNumber:
    """A number of cudaError, its name, and the entries that tell more."""

    number: int
    name: str
    see: tuple[str, ...]


def _entry(raw: dict) -> Trouble:
    name = raw.get("id", "an entry without id")
    if missing := REQUIRED - raw.keys():
        raise TroubleError(f"{name} lacks {', '.join(sorted(missing))}")
    if unknown := raw.keys() - REQUIRED - {"also"}:
        raise TroubleError(f"{name} has unknown keys: {', '.join(sorted(unknown))}")
    if raw["group"] not in GROUPS:
        raise TroubleError(f"{name} is in no group: {raw['group']}")
    cure = raw["cure"] if isinstance(raw["cure"], list) else [raw["cure"]]
    lists = {key: tuple(raw.get(key, ())) for key in ("also", "met", "sources", "shown_by")}
    texts = {key: raw[key] for key in ("id", "group", "symptom", "cause")}
    return Trouble(**texts, cure=tuple(cure), **lists)


def read(path: Path = DATA) -> tuple[list[Trouble], list[ErrorNumber]]:
    """The entries and the numbers of a file. Raises TroubleError where one cannot be used."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    entries = [_entry(raw) for raw in document["trouble"]]
    numbers = [
        ErrorNumber(int(number), row["name"], tuple(row["see"]))
        for number, row in document["errors"].items()
    ]
    return entries, sorted(numbers, key=lambda one: one.number)


def of_the_machine() -> list[Trouble]:
    """The doctor's rules that have a symptom."""
    from tools.doctor.rules import all_rules

    return [
        Trouble(
            rule.id,
            MACHINE,
            rule.symptom,
            rule.cause,
            (rule.cure,),
            sources=rule.sources,
            shown_by=(MACHINES_PROOF,),
        )
        for rule in all_rules()
        if rule.symptom
    ]


@functools.cache
def everything() -> tuple[dict[str, Trouble], list[ErrorNumber]]:
    """All entries by id, the doctor's first, and the numbers. An id given twice raises."""
    entries, numbers = read()
    by_id: dict[str, Trouble] = {}
    for entry in [*of_the_machine(), *entries]:
        if entry.id in by_id:
            raise TroubleError(f"two entries have the id {entry.id}")
        by_id[entry.id] = entry
    return by_id, numbers


def group(name: str) -> list[Trouble]:
    """The entries of a group, sorted by what is seen."""
    found = [entry for entry in everything()[0].values() if entry.group == name]
    return sorted(found, key=lambda entry: entry.order)


def shown_by(path: str) -> list[Trouble]:
    """The entries that a file of the repository proves, such as a broken program."""
    return [entry for entry in everything()[0].values() if path in entry.shown_by]
