"""`./course lab`: see tools/labs/, where each action is a file."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from tools.console import Console
from tools.errors import USAGE, Failure
from tools.labs import tasks
from tools.nearest import unknown
from tools.verbs.run import seed

DESCRIPTION = """\
A lab is a task with a manual, a checker and a report; a chapter's exercise is a small one, with a
checker. You write your files in work/NUMBER/, nobody else does: nothing that you wrote is ever
overwritten.

numbers:
  5.2    a lab: 5.1, 5.2, 5.3 and 5.4
  05.2   an exercise: two digits for the chapter, then its own number; 4.1 is 04.1, too,
         since there is no lab 4.1

actions:
  list              labs and exercises, and how far you are
  start NUMBER      put the files to begin with into work/NUMBER/; what is there is left as it is
  check NUMBER      build your files, say which, and judge each property: right, or the first
                    mismatch with its case, its place and a hint; on the CPU device with its checks
                    on, and on the GPU if there is one
  run NUMBER        record an experiment with your files; without a GPU counts and errors, no times
  report NUMBER     write work/NUMBER/report.html and report.md from what you recorded and answered
  reset NUMBER      put your files aside (work/NUMBER/kept-DATE/) and begin again; asks first
  solution NUMBER   copy the worked solution to work/NUMBER/solution/; asks first
"""

EXAMPLES = """\
examples:
  ./course lab list
  ./course lab start 5.1
  ./course lab check 5.1
  ./course lab check 5.1 --device cpu         on one device only
  ./course lab check 5.1 --property sizes --seed 7     the same case again
  ./course lab run 5.2 --experiment 1
  ./course lab report 5.2
  ./course lab start 04.1                     exercise 1 of chapter 4
  ./course lab check 04.1

exit codes:
  0  right                              4   no GPU, but --device gpu asks for one
  1  wrong, or it does not compile      86  the CPU device found problems in your files
  2  wrong use: unknown number, or nothing there to check
  3  set-up needed: `./course doctor` tells what is lacking

environment:
  COALESCE_WORK  the folder of your files (work)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", metavar="ACTION", help="one of those above")
    parser.add_argument("number", metavar="NUMBER", nargs="?", help="5.2 or 05.2, see above")
    parser.add_argument(
        "--device", metavar="D", help="check, run: cpu or gpu (default: both, if there is a GPU)"
    )
    parser.add_argument("--property", metavar="NAME", help="check: this property only")
    parser.add_argument("--seed", type=seed, metavar="S", help="check: the seed of every case")
    parser.add_argument(
        "--all", action="store_true", help="check: every case, not only the first that is wrong"
    )
    parser.add_argument(
        "--experiment", type=int, metavar="E", help="run: which experiment (default: all)"
    )
    parser.add_argument("--yes", action="store_true", help="reset, solution: do not ask")
    parser.add_argument(
        "--json", action="store_true", help="list, check: print one JSON document, nothing else"
    )


OPTIONS = {  # name -> the actions that take it
    "device": ("check", "run"),
    "property": ("check",),
    "seed": ("check",),
    "all": ("check",),
    "experiment": ("run",),
    "yes": ("reset", "solution"),
    "json": ("list", "check"),
}


def run(options: argparse.Namespace, console: Console) -> int:
    if options.action not in ACTIONS:
        raise unknown("action", options.action, ACTIONS, "See `./course lab --help`.")
    refuse_options(options)
    if options.action == "list":
        if options.number:
            raise Failure("`list` takes no number.", "Write ./course lab list.", USAGE)
    elif options.number is None:
        raise Failure(
            f"`{options.action}` needs the number of a lab or an exercise.",
            f"For example ./course lab {options.action} 5.1; `./course lab list` shows all.",
            USAGE,
        )
    return ACTIONS[options.action](options, console)


def refuse_options(options: argparse.Namespace) -> None:
    for name, actions in OPTIONS.items():
        if getattr(options, name) not in (None, False) and options.action not in actions:
            raise Failure(
                f"`{options.action}` has no option --{name}.", "See `./course lab --help`.", USAGE
            )
    if options.device not in (None, "cpu", "gpu"):
        raise Failure(f"'{options.device}' is no device of a lab.", "Write cpu or gpu.", USAGE)


def show_list(options: argparse.Namespace, console: Console) -> int:
    from tools.labs import listing

    return listing.show(console, options.json)


def start(options: argparse.Namespace, console: Console) -> int:
    from tools.labs import start

    return start.start(tasks.find(options.number), console)


def check(options: argparse.Namespace, console: Console) -> int:
    from tools.labs import check
    from tools.labs.properties import Wish

    wish = Wish(options.property, options.seed, options.all)
    return check.check(tasks.find(options.number), options.device, wish, console, options.json)


def experiments(options: argparse.Namespace, console: Console) -> int:
    from tools.labs import experiments

    return experiments.run(lab(options), options.experiment, options.device, console)


def report(options: argparse.Namespace, console: Console) -> int:
    from tools.labs import report

    return report.write(lab(options), console)


def reset(options: argparse.Namespace, console: Console) -> int:
    from tools.labs import reset

    return reset.reset(tasks.find(options.number), console, options.yes)


def solution(options: argparse.Namespace, console: Console) -> int:
    from tools.labs import solution

    return solution.copy(tasks.find(options.number), console, options.yes)


def lab(options: argparse.Namespace) -> tasks.Task:
    """The lab that is meant; an exercise has no experiments and no report."""
    task = tasks.find(options.number)
    if task.lab is None:
        raise Failure(
            f"{task.number} is an exercise, and `{options.action}` is for labs.",
            f"An exercise is checked: ./course lab check {task.number}",
            USAGE,
        )
    return task


ACTIONS: dict[str, Callable[[argparse.Namespace, Console], int]] = {
    "list": show_list,
    "start": start,
    "check": check,
    "run": experiments,
    "report": report,
    "reset": reset,
    "solution": solution,
}
