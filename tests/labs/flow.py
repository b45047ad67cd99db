"""`./course lab` in a work folder of the test's own, with a lab of the test's own."""

from __future__ import annotations

import argparse
import io
import json
from dataclasses import dataclass
from pathlib import Path

from tools import cli
from tools.console import Console
from tools.errors import Failure
from tools.verbs import lab as verb

HALVE = Path(__file__).parent / "halve"


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def all(self) -> str:
        return self.out + self.err

    def json(self) -> dict:
        return json.loads(self.out)


@dataclass(frozen=True)
class Flow:
    """Calls the verb, as the command line does."""

    work: Path

    def __call__(self, *words: str) -> Said:
        out, err = io.StringIO(), io.StringIO()
        console = Console(out, err)
        try:
            code = verb.run(self.options(words), console)
        except Failure as failure:
            console.failure(failure)
            code = failure.exit_code
        return Said(code, out.getvalue(), err.getvalue())

    @staticmethod
    def options(words: tuple[str, ...]) -> argparse.Namespace:
        return cli.verb_parser("lab", verb).parse_args(list(words))

    def file(self, name: str) -> Path:
        return self.work / "9.1" / name

    @property
    def text(self) -> str:
        return self.file("halve.cu").read_text(encoding="utf-8")

    def write(self, old: str = "", new: str = "") -> None:
        """The reader's file becomes the solution, with a change."""
        solution = (HALVE / "halve.cu").read_text(encoding="utf-8")
        assert old in solution
        self.file("halve.cu").parent.mkdir(parents=True, exist_ok=True)
        self.file("halve.cu").write_text(solution.replace(old, new), encoding="utf-8")
