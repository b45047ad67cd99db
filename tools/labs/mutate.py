"""Grades the graders: changes a lab's solution by one token at random, and sees each rejected.

    python3 -m tools.labs.mutate 5.2                 50 mutants that compile, graded
    python3 -m tools.labs.mutate 5.2 --list          all possible changes
    python3 -m tools.labs.mutate 5.2 --only 14:120   every change in these lines (or one: 14)
    python3 -m tools.labs.mutate 5.1 5.2 --record    the same, and the outcome into notes.md

A mutant that survives is either a gap in the check or no fault at all. The second kind stands in
the lab's survivors.toml, each with the reason why it is equivalent:

    [[equivalent]]
    file = "vector_add.cu"
    line = "if (n == 0) return;"
    mutated = "if (n <= 0) return;"
    why = "n is never negative"

Exit code 1: a mutant survived that does not stand there, or an entry is wrong: it fits no possible
change of the solution any more, or its mutant was rejected.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import random
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tools import programs
from tools.labs import building, catalog, grade, mutation_record, mutations
from tools.labs.catalog import Lab
from tools.labs.judging import Case, Finding
from tools.labs.mutations import Mutation, one_line
from tools.labs.running import Limits

COUNT, SEED, JOBS = 50, 1, 2
PATIENCE = 20  # times the solution's own time …
LEAST_SECONDS = 2.0  # … but no less than this


@dataclass(frozen=True)
class Mutant:
    mutation: Mutation
    compiled: bool
    finding: Finding | None  # None: nothing was found wrong


# Drawing -----------------------------------------------------------------------------------------


def drawn(possible: Iterable[Mutation], seed: int) -> list[Mutation]:
    """All of them in a random order, in which every token has the same chance to come next."""
    chance = random.Random(seed)
    tokens: dict[tuple[str, int], list[Mutation]] = {}
    for one in possible:
        tokens.setdefault((one.file, one.start), []).append(one)
    for changes in tokens.values():
        chance.shuffle(changes)
    order = []
    while tokens:
        place = chance.choice(list(tokens))
        order.append(tokens[place].pop())
        if not tokens[place]:
            del tokens[place]
    return order


# Grading -----------------------------------------------------------------------------------------


class Grader:
    """A lab whose solution passes, with its cases, the quickest first."""

    def __init__(self, lab: Lab, seed: int):
        self.lab, self.seed = lab, seed
        files = lab.solution()
        own = building.check_sources(lab)
        made = building.objects(lab, [*own, *files.values()], "cpu")
        self.own, self.parts = made[: len(own)], dict(zip(files, made[len(own) :], strict=True))
        program = building.link(made, "cpu")
        times = [(self._seconds(program, case), case) for case in grade.cases_of(program)]
        self.cases = sorted(times, key=lambda pair: pair[0])

    def _seconds(self, program: Path, case: Case) -> float:
        began = time.monotonic()
        found = grade.run_case(program, case, seed=self.seed)
        if found:
            raise ValueError(f"the solution of lab {self.lab.number} fails: {found}")
        return time.monotonic() - began

    def grade(self, mutation: Mutation) -> Mutant:
        """The first finding ends it. What was built is thrown away."""
        text = (self.lab.folder / mutation.file).read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory(prefix="coalesce-mutant-") as name:
            path = Path(name) / mutation.file
            path.write_text(mutation.of(text), encoding="utf-8")
            return self._grade(mutation, path)

    def _grade(self, mutation: Mutation, path: Path) -> Mutant:
        made, _ = programs.build("cpu", [path], includes=building.includes(self.lab), suffix=".o")
        if made is None:
            return Mutant(mutation, False, None)
        parts = self.parts | {mutation.file: made}
        program = None
        try:
            program = building.link([*self.own, *parts.values()], "cpu")
            found = (self._run(program, case, seconds) for seconds, case in self.cases)
            return Mutant(mutation, True, next(filter(None, found), None))
        except building.NotBuilt:
            return Mutant(mutation, False, None)
        finally:
            for built in (made, program):
                if built:
                    built.unlink(missing_ok=True)

    def _run(self, program: Path, case: Case, seconds: float) -> Finding | None:
        limits = Limits(seconds=max(LEAST_SECONDS, PATIENCE * seconds))
        return grade.run_case(program, case, seed=self.seed, limits=limits)


def graded(
    lab: Lab, order: Iterable[Mutation], count: int = COUNT, seed: int = SEED, jobs: int = JOBS
) -> Iterator[Mutant]:
    """Mutants in their order, until `count` of them have compiled."""
    grader, compiled = Grader(lab, seed), 0
    with ThreadPoolExecutor(jobs) as pool, contextlib.ExitStack() as stack:
        waiting = []
        stack.callback(lambda: [one.cancel() for one in waiting])
        coming = iter(order)
        while compiled < count:
            few = itertools.islice(coming, 2 * jobs - len(waiting))
            waiting += [pool.submit(grader.grade, one) for one in few]
            if not waiting:
                return
            mutant = waiting.pop(0).result()
            compiled += mutant.compiled
            yield mutant


# Survivors ---------------------------------------------------------------------------------------


def equivalents(lab: Lab) -> dict[tuple[str, str, str], str]:
    """(file, line, mutated line) -> why that is no fault, from the lab's survivors.toml."""
    path = lab.folder / "survivors.toml"
    if not path.is_file():
        return {}
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["equivalent"]
    return {
        (one["file"], one_line(one["line"]), one_line(one["mutated"])): one["why"]
        for one in entries
    }


def name_of(mutation: Mutation) -> tuple[str, str, str]:
    return mutation.file, mutation.before, mutation.after


def problems(lab: Lab, mutants: Iterable[Mutant]) -> list[str]:
    """What is wrong with a lab's check, or with its list of survivors."""
    justified = equivalents(lab)
    possible = {name_of(one) for one in mutations.mutations(lab)}
    found = [
        f"survivors.toml: no change makes '{after}' of '{before}' in {file}"
        for file, before, after in justified
        if (file, before, after) not in possible
    ]
    for mutant in mutants:
        excused = name_of(mutant.mutation) in justified
        if mutant.compiled and not mutant.finding and not excused:
            found.append(f"survived: {said(mutant)}\n{entry(mutant.mutation)}")
        elif mutant.compiled and mutant.finding and excused:
            found.append(f"survivors.toml calls equivalent what is rejected: {said(mutant)}")
    return found


def entry(mutation: Mutation) -> str:
    """What survivors.toml needs for it."""
    quoted = [text.replace("\\", "\\\\").replace('"', '\\"') for text in name_of(mutation)]
    file, line, mutated = quoted
    return f'\n[[equivalent]]\nfile = "{file}"\nline = "{line}"\nmutated = "{mutated}"\nwhy = ""\n'


def said(mutant: Mutant) -> str:
    """One line."""
    one = mutant.mutation
    fate = "does not compile" if not mutant.compiled else "SURVIVED"
    if mutant.finding:
        fate = f"{mutant.finding.property} {mutant.finding.reason}, {mutant.finding.case}"
        fate = fate.partition(" (seed")[0]
    return f"{one.file}:{one.line}  {one.change}\n      {fate}"


# By hand -----------------------------------------------------------------------------------------


def lines_of(only: str) -> range:
    first, _, last = only.partition(":")
    return range(int(first), int(last or first) + 1)


def run_one(lab: Lab, options: argparse.Namespace) -> bool:
    possible = mutations.mutations(lab)
    if options.only:
        possible = [one for one in possible if one.line in lines_of(options.only)]
    if options.file:
        possible = [one for one in possible if one.file == options.file]
    if options.list:
        print("\n".join(f"{one.file}:{one.line}  {one.change}" for one in possible))
        print(f"{len(possible)} changes")
        return True
    chosen = bool(options.only or options.file)
    count = options.count or (len(possible) if chosen else COUNT)
    order = possible if chosen else drawn(possible, options.seed)
    mutants = []
    for mutant in graded(lab, order, count, options.seed, options.jobs):
        print(said(mutant), flush=True)
        mutants.append(mutant)
    wrong = problems(lab, mutants)
    record = mutation_record.Record.of(lab, options.seed, mutants, equivalents(lab))
    print("\n".join(["", *wrong, record.sentence()]))
    if options.record and not wrong and not chosen:
        record.write()
    return not wrong


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m tools.labs.mutate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("labs", nargs="+", metavar="LAB", help="number of a lab, 5.2")
    parser.add_argument("--count", type=int, help=f"mutants that compile (default: {COUNT})")
    parser.add_argument("--seed", type=int, default=SEED, help="other ones (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=JOBS, help="at a time (default: %(default)s)")
    parser.add_argument("--only", metavar="LINES", help="every change in these lines")
    parser.add_argument("--file", metavar="NAME", help="every change of this file")
    parser.add_argument("--list", action="store_true", help="print all changes, grade none")
    parser.add_argument("--record", action="store_true", help="write the outcome into notes.md")
    options = parser.parse_args(arguments)
    known = {lab.number: lab for lab in catalog.labs()}
    unknown = [number for number in options.labs if number not in known]
    if unknown:
        parser.error(f"there is no lab {unknown[0]}; known: {', '.join(known)}")
    good = [run_one(known[number], options) for number in options.labs]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
