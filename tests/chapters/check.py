"""Checks a reader's answer to an exercise.

    python3 -m tests.chapters.check 3 1 --start work/cubes.cu    writes a file to begin with
    python3 -m tests.chapters.check 3 1 work/cubes.cu            checks it on the CPU device
    python3 -m tests.chapters.check 3 1 work/cubes.cu --device gpu

The first number is the chapter's, the second the exercise's. `--help` tells the exit codes, which
are those of `./course`.
"""

import sys

LEAST = (3, 11)

if sys.version_info < LEAST:
    # Old Pythons get this far: no newer syntax above or here.
    sys.stderr.write(
        "This check needs Python {}.{} or newer, and this is Python {}.{}: "
        "call it with a newer one, such as .venv/bin/python.\n".format(
            *(LEAST + sys.version_info[:2])
        )
    )
    sys.exit(3)

import argparse  # noqa: E402
import re  # noqa: E402
from pathlib import Path  # noqa: E402

from tests.chapters import support  # noqa: E402

EPILOG = """\
devices:
  cpu   clang builds your file, and the CPU device of the course runs it; needs no GPU
  gpu   nvcc builds your file, and the first GPU of this machine runs it

exit codes:
  0  right                     4   no GPU for --device gpu
  1  wrong or does not compile 86  the CPU device found problems in your program
  2  wrong use
  3  set-up needed
"""


def exercises_of(chapter: str) -> list[Path]:
    """The exercises of a chapter, given by its number or its slug."""
    found = []
    for path in support.exercises():
        slug = path.parents[1].name
        if chapter in (slug, slug[:2], slug[:2].lstrip("0")):
            found.append(path)
    return found


def find_exercise(chapter: str, number: str) -> Path | None:
    """The folder of an exercise, by the numbers of its chapter and its own."""
    return next((p for p in exercises_of(chapter) if p.name.split("-")[0] == number), None)


def asked_for(exercise: Path) -> list[str]:
    """The names of the functions that an exercise asks for."""
    header = (exercise / "exercise.hpp").read_text(encoding="utf-8")
    return re.findall(r"^[a-z][\w:<>*& ]*?(\w+)\([^{]*?\);", header, re.MULTILINE)


def why_not_linked(exercise: Path, output: str) -> str:
    """One sentence in place of the linker's text; "" when something else is wrong."""
    begin = "begin with the file that --start writes"
    if re.search(r"multiple definition of [`']main'|duplicate symbol: main\b", output):
        return f"Your file has its own main, and so has the check: {begin}."
    for name in asked_for(exercise):
        if re.search(rf"undefined (?:reference to [`']|symbol: ){name}\(", output):
            return f"Your file lacks {name}, as {exercise.name}/exercise.hpp asks for it: {begin}."
    return ""


def cannot(device: str) -> int:
    """0 when answers can be checked on a device; else says why not, and gives the exit code."""
    if device == "gpu" and support.gpu_count() == 0:
        print("This cannot be checked here: no GPU was found.", file=sys.stderr)
        return 4
    why = support.lacking(device, library=True)
    if not why:
        return 0
    print(f"This cannot be checked here: {why}.", file=sys.stderr)
    if not support.library_of(device).is_file():
        print(f"Build it once: ./course run 1 is_it_alive --device {device}", file=sys.stderr)
    return 3


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m tests.chapters.check",
        description="Checks an answer to an exercise.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("chapter", help="number or slug of the chapter")
    parser.add_argument("exercise", help="number of the exercise")
    parser.add_argument("file", type=Path, help="your .cu file")
    parser.add_argument(
        "--device", choices=("cpu", "gpu"), default="cpu", help="where it runs (default: cpu)"
    )
    parser.add_argument("--start", action="store_true", help="write the file to begin with")
    chosen = parser.parse_args(arguments)
    exercise = find_exercise(chosen.chapter, chosen.exercise)
    if exercise is None:
        known = exercises_of(chosen.chapter) or support.exercises()
        print(
            f"There is no exercise {chosen.exercise} with a check in chapter {chosen.chapter}. "
            f"There are: {', '.join(map(support.name_of, known))}.",
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
    code = cannot(chosen.device)
    if code:
        return code
    print(
        f"checking {chosen.file} with {support.name_of(exercise)}/check.cpp on the "
        f"{chosen.device.upper()}{' device' if chosen.device == 'cpu' else ''}",
        flush=True,
    )
    outcome = support.outcome_of_answer(exercise, chosen.file.resolve(), chosen.device)
    if not outcome.built:
        print(why_not_linked(exercise, outcome.output) or outcome.output.rstrip("\n"))
        return 1
    print(outcome.output, end="")
    return outcome.code if outcome.code in (0, 86) else 1


if __name__ == "__main__":
    sys.exit(main())
