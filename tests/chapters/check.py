"""Checks a reader's answer to an exercise.

    python3 -m tests.chapters.check 3 1 --start work/cubes.cu    writes a file to begin with
    python3 -m tests.chapters.check 3 1 work/cubes.cu            checks it on the CPU device
    python3 -m tests.chapters.check 3 1 work/cubes.cu --device gpu

The first number is the chapter's, the second the exercise's. Exit code 0: right, 1: wrong or does
not compile, 2: usage, 3: something must be built or installed first.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.chapters import support


def find_exercise(chapter: str, number: str) -> Path | None:
    """The folder of an exercise, by the numbers of its chapter and its own."""
    for path in support.exercises():
        slug = path.parents[1].name
        if path.name.split("-")[0] == number and chapter in (slug, slug[:2], slug[:2].lstrip("0")):
            return path
    return None


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m tests.chapters.check", description="Checks an answer to an exercise."
    )
    parser.add_argument("chapter", help="number or slug of the chapter")
    parser.add_argument("exercise", help="number of the exercise")
    parser.add_argument("file", type=Path, help="your .cu file")
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    parser.add_argument("--start", action="store_true", help="write the file to begin with")
    chosen = parser.parse_args(arguments)
    exercise = find_exercise(chosen.chapter, chosen.exercise)
    if exercise is None:
        known = ", ".join(support.name_of(path) for path in support.exercises())
        print(
            f"There is no exercise {chosen.exercise} in chapter {chosen.chapter}. "
            f"There are: {known}.",
            file=sys.stderr,
        )
        return 2
    if chosen.start:
        if chosen.file.exists():
            print(f"{chosen.file} exists already; it is left as it is.", file=sys.stderr)
            return 2
        chosen.file.parent.mkdir(parents=True, exist_ok=True)
        chosen.file.write_text(support.starter(exercise), encoding="utf-8")
        print(f"Wrote {chosen.file}. Fill in your code, then run this command without --start.")
        return 0
    if not chosen.file.is_file():
        print(
            f"{chosen.file} does not exist; --start writes a file to begin with.", file=sys.stderr
        )
        return 2
    why = support.lacking(chosen.device, library=True)
    if why:
        print(f"This cannot be checked here: {why}.", file=sys.stderr)
        return 3
    print(
        f"checking {chosen.file} with {support.name_of(exercise)}/check.cpp on the "
        f"{chosen.device.upper()}{' device' if chosen.device == 'cpu' else ''}",
        flush=True,
    )
    outcome = support.outcome_of_answer(exercise, chosen.file.resolve(), chosen.device)
    print(outcome.output, end="")
    return 0 if outcome.built and outcome.code == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
