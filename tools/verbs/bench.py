"""`./course bench`."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from pathlib import Path

from tools import chapters, paths, process
from tools.console import Console
from tools.errors import FAILED, NO_GPU, RIGHT, USAGE, Failure
from tools.probe import probe
from tools.verbs.run import device, elements

DESCRIPTION = """\
Every step is checked first, on fresh random input and a poisoned output: a step whose answer is
wrong is never timed. Then all steps and their rivals are timed in rounds, in a shuffled order, in
one process. The results go to work/results/<device>/ and stand beside the reference's in every
table and chart of the site.

A run takes three minutes at most, with fewer rounds where a GPU is slow; --thorough measures the
published sizes and takes its time. An interrupted run is resumed by the same command. Sizes that
the GPU's memory does not hold and steps that it cannot run are left out, and named.

It needs nothing but Python and the built program, so it runs on a GPU machine without a network.
"""

EXAMPLES = """\
examples:
  ./course bench 3                        times chapter 3; three minutes at most
  ./course bench 3 --filter one_thread    only keys that match a regular expression
  ./course bench 3 --thorough             the published sizes, more and longer rounds
  ./course bench 3 --record               into figures/results/<device>/, to be committed

exit codes:
  0  timed and recorded
  1  a step's answer was wrong, or the results could not be recorded: nothing was overwritten
  4  no GPU: times are measured on GPUs only
"""

# Seconds that the program may spend; the rest of the three minutes is building and recording.
BUDGET = 150
THOROUGH_BUDGET = 1200
THOROUGH = ["--thorough", "--rounds", "41", "--min-time", "0.005"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapter", metavar="CHAPTER", help="name, number, or part of a name")
    parser.add_argument("--device", type=device, default="gpu", help="gpu or gpu:K (default: gpu)")
    parser.add_argument("--filter", metavar="REGEX", help="only keys that match")
    parser.add_argument(
        "--n", type=elements, nargs="+", metavar="N", help="sizes instead of the chapter's own"
    )
    parser.add_argument("--thorough", action="store_true", help="published sizes, more rounds")
    parser.add_argument(
        "--budget",
        type=int,
        metavar="S",
        help="seconds to spend, about",
    )
    parser.add_argument("--rounds", type=int, metavar="R", help="samples of every step")
    parser.add_argument(
        "--record", action="store_true", help="write to figures/results, not to work/results"
    )
    parser.add_argument("--commit", help="the sources' commit, where there is no .git")


def bench_command(options: argparse.Namespace, program: Path, number: int, raw: Path) -> list[str]:
    command = [str(program), "--out", str(raw), "--gpu", str(number), "--progress", "--resume"]
    if options.filter:
        command += ["--filter", options.filter]
    if options.n:
        command += ["--n", *(str(n) for n in options.n)]
    command += THOROUGH if options.thorough else []
    budget = options.budget or (THOROUGH_BUDGET if options.thorough else BUDGET)
    command += ["--budget", str(budget)]
    if options.rounds:
        command += ["--rounds", str(options.rounds)]
    return command


def run(options: argparse.Namespace, console: Console) -> int:
    slug = chapters.find(options.chapter)
    check(options, slug)
    instead = f"`./course run {slug} STEP --device cpu` gives answers and counts"
    number = chapters.require_gpu(options.device, instead)
    measure(options, slug, number, console)
    return RIGHT


def measure(options: argparse.Namespace, slug: str, number: int, console: Console) -> None:
    """Times a chapter on GPU `number` and records what came out."""
    from tools import record

    program = chapters.build(slug, "gpu", console, kind="-bench")
    target = paths.REPO / "figures" / "results" if options.record else paths.results_dir()
    if not paths.writable(target):
        raise Failure(
            f"The results cannot be written to {target}: it is read-only.",
            "Set COALESCE_BUILD to a folder that you may write to, or leave out --record.",
        )
    raw = paths.build_dir() / "bench" / f"{slug}.raw.jsonl"
    raw.parent.mkdir(parents=True, exist_ok=True)
    fresh = raw.with_suffix(".part")
    command = bench_command(options, program, number, fresh)
    watch(command, console, f"Timing {slug}")
    fresh.replace(raw)
    try:
        written = record.record(
            raw, target, commit=options.commit, command=shlex.join(["./course", *sys.argv[1:]])
        )
    except record.FileError as error:
        raise Failure(
            f"Not recorded: {str(error).rstrip('.')}.",
            f"Nothing was overwritten; the raw samples are in {raw}.",
        ) from None
    for path in written:
        console.print(f"wrote {os.path.relpath(path, Path.cwd())}")
    for sentence in record.throttling(written[0]):
        console.print(f"{sentence}.")


def measure_what_is_missing(console: Console) -> bool:
    """Times every chapter of which this machine's first GPU has no results yet.

    Returns whether anything was timed; without a GPU nothing is.
    """
    if not probe().gpus:
        return False
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    missing = [
        slug
        for slug in chapters.slugs()
        if (paths.REPO / "chapters" / slug / "bench.cpp").is_file()
        and not list(paths.results_dir().glob(f"*/{slug}.json"))
    ]
    for slug in missing:
        measure(parser.parse_args([slug, "--rounds", "15"]), slug, 0, console)
    return bool(missing)


def check(options: argparse.Namespace, slug: str) -> None:
    if options.device == "cpu":
        raise Failure(
            "The CPU device is never timed: its times would say nothing about a GPU.",
            f"`./course run {slug} STEP --device cpu` gives counts.",
            USAGE,
        )
    if options.rounds is not None and options.rounds < 1:
        raise Failure("--rounds needs a number of at least 1.", "", USAGE)
    if options.budget is not None and options.budget < 1:
        raise Failure("--budget needs a number of seconds of at least 1.", "", USAGE)
    if options.filter:
        try:
            re.compile(options.filter)
        except re.error as error:
            raise Failure(f"--filter is no regular expression: {error}.", "", USAGE) from None


def watch(command: list[str], console: Console, title: str) -> None:
    """Runs the benchmark; its progress lines become ours, its last words the failure's.

    What it left out or resumed is printed when it is done.
    """
    last = ""
    remarks: list[str] = []

    def on_line(line: str) -> None:
        nonlocal last
        if not line.strip():
            return
        last = line.strip()
        if " left out: " in last or last.startswith("resumed: "):
            remarks.append(last)
        step.update(last.removeprefix("progress: ")[:100])

    with console.step(title) as step:
        outcome = process.run(command, on_line=on_line)
        if outcome.code != 0:
            raise Failure(
                last or f"{Path(command[0]).name} failed with exit code {outcome.code}.",
                "Nothing was recorded, and nothing was overwritten.",
                outcome.code if outcome.code in (FAILED, USAGE, NO_GPU) else FAILED,
            )
    for remark in dict.fromkeys(remarks):
        console.print(remark)
