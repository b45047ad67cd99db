"""The outcome of the last mutation run of each lab, as a table in chapters/06-labs/notes.md.

A row ends with a digest of all that decides the outcome: the solution, what it is asked, the check
and the survivors. A test compares it, so that a row cannot outlive what it was made of.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tools.labs import catalog
from tools.labs.catalog import Lab

if TYPE_CHECKING:
    from tools.labs.mutate import Mutant

NOTES = catalog.FOLDER / "notes.md"
TITLES = ("Lab", "Seed", "Compile", "Rejected", "Equivalent", "Do not compile", "Digest")
HEAD = f"| {' | '.join(TITLES)} |\n|{' --- |' * len(TITLES)}\n"


@dataclass(frozen=True)
class Record:
    lab: str
    seed: int
    compiled: int
    rejected: int
    equivalent: int
    not_compiled: int
    digest: str

    @staticmethod
    def of(
        lab: Lab, seed: int, mutants: Iterable[Mutant], justified: Mapping[tuple, str]
    ) -> Record:
        mutants = list(mutants)
        compiled = [one for one in mutants if one.compiled]
        excused = [
            one
            for one in compiled
            if not one.finding
            and (one.mutation.file, one.mutation.before, one.mutation.after) in justified
        ]
        return Record(
            lab=lab.number,
            seed=seed,
            compiled=len(compiled),
            rejected=sum(1 for one in compiled if one.finding),
            equivalent=len(excused),
            not_compiled=len(mutants) - len(compiled),
            digest=digest(lab),
        )

    def sentence(self) -> str:
        survived = self.compiled - self.rejected - self.equivalent
        return (
            f"Lab {self.lab}, seed {self.seed}: of {self.compiled} mutants that compile, "
            f"{self.rejected} were rejected, {self.equivalent} are equivalent, {survived} "
            f"survived; {self.not_compiled} more do not compile."
        )

    def row(self) -> str:
        numbers = (self.seed, self.compiled, self.rejected, self.equivalent, self.not_compiled)
        return f"| {self.lab} | {' | '.join(map(str, numbers))} | {self.digest} |\n"

    def write(self, notes: Path = NOTES) -> None:
        """Puts the row into the table, in place of the lab's old one."""
        text = notes.read_text(encoding="utf-8")
        start = text.index(HEAD) + len(HEAD)
        end = start
        while text.startswith("| ", end):
            end = text.index("\n", end) + 1
        rows = [row for row in text[start:end].splitlines(True) if row.split()[1] != self.lab]
        rows = sorted([*rows, self.row()])
        notes.write_text(text[:start] + "".join(rows) + text[end:], encoding="utf-8")


def recorded(notes: Path = NOTES) -> dict[str, Record]:
    found = {}
    pattern = r"^\| ([\d.]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\w+) \|$"
    for row in re.findall(pattern, notes.read_text(encoding="utf-8"), re.MULTILINE):
        lab, *counts, made_of = row
        found[lab] = Record(lab, *map(int, counts), made_of)
    return found


def digest(lab: Lab) -> str:
    texts = [*lab.folder.glob("check*.*"), *lab.folder.glob("*.hpp"), lab.folder / "survivors.toml"]
    made_of = hashlib.sha256()
    for path in sorted({*lab.solution().values(), *texts}):
        made_of.update(path.read_bytes() if path.is_file() else b"")
    return made_of.hexdigest()[:12]
