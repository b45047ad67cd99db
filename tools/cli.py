"""The command line of `./course`: a table of verbs. Each is in tools/verbs/, loaded when used."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
from dataclasses import dataclass
from types import FrameType

from tools.errors import FAILED, INTERRUPTED, RIGHT, USAGE, Failure
from tools.nearest import unknown


@dataclass(frozen=True)
class Verb:
    summary: str
    # "need": makes the set-up first and runs in .venv; "use": runs in .venv where there is one;
    # "never": the system's Python and its standard library alone.
    venv: str


VERBS = {
    "site": Verb("build every example, run them, draw the figures and render the course", "need"),
    "test": Verb("build and run every test that this machine can run", "need"),
    "run": Verb("build a chapter's program, run one step, and check its answer", "use"),
    "lab": Verb("start, check, measure and report a lab or an exercise of yours", "use"),
    "bench": Verb("time a chapter's steps on a GPU and record the results", "use"),
    "figures": Verb("draw every figure of the course as SVG", "need"),
    "serve": Verb("show the course in a browser, and render pages again as they change", "need"),
    "doctor": Verb("tell what this machine has, what it lacks, and what that means", "never"),
    "setup": Verb(
        "install what the course needs (the other verbs do so when they need it)", "never"
    ),
}

INTRODUCTION = """\
Coalesce is a course in CUDA C++ that is also a program: every listing is compiled, every claim is
tested, and every number is measured and says where. A GPU is needed only to time one.
"""

EXAMPLES = """\
examples:
  ./course site                                   the whole course, in build/site/index.html
  ./course test                                   every test
  ./course run 3 one_thread                       one step of chapter 3
  ./course run 3 one_thread --device cpu --n 1024
  ./course lab start 5.1                          the files of a lab, to be written by you
  ./course run --help                             all about one verb

exit codes:
  0  right                     4   no GPU (the CPU device may be ready)
  1  wrong or failed           77  skipped
  2  wrong use                 86  the CPU device found problems in a program
  3  set-up needed             130 interrupted

environment:
  COALESCE_BUILD        the build folder (build; a cache folder in a read-only checkout)
  COALESCE_VENV         the Python packages (.venv)
  COALESCE_WORK         your labs and results (work)
  COALESCE_NO_PACKAGES  1: go on although system packages are missing
  COALESCE_QUIET        1: no progress and no remarks
  NO_COLOR              no colours
"""


class Parser(argparse.ArgumentParser):
    """Wrong use ends in one sentence and exit code 2."""

    def error(self, message: str) -> None:  # type: ignore[override]
        raise Failure(
            f"{self.prog}: {message}.".replace("..", "."), f"See `{self.prog} --help`.", USAGE
        )


def main_parser() -> Parser:
    lines = "\n".join(f"  {name:<9} {verb.summary}" for name, verb in VERBS.items())
    return Parser(
        prog="./course",
        usage="./course VERB [options]",
        description=f"{INTRODUCTION}\nverbs:\n{lines}",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def verb_parser(name: str, module: object) -> Parser:
    parser = Parser(
        prog=f"./course {name}",
        description=f"{VERBS[name].summary[0].upper()}{VERBS[name].summary[1:]}.\n\n"
        + module.DESCRIPTION.strip(),
        epilog=module.EXAMPLES.strip(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.add_arguments(parser)
    return parser


def enter_venv(words: list[str]) -> None:
    """Goes on in .venv's Python, unless this is it."""
    from tools import paths, setup

    if os.path.realpath(sys.prefix) == os.path.realpath(paths.venv_dir()):
        return
    python = str(setup.venv_python())
    os.environ.pop("PYTHONPATH", None)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(python, [python, str(paths.REPO / "course"), *words])


def prepare(verb: Verb, words: list[str], console: object) -> None:
    """The set-up that the verb needs, and the Python it runs in."""
    from tools import paths, setup

    if verb.venv == "never":
        return
    in_venv = os.path.realpath(sys.prefix) == os.path.realpath(paths.venv_dir())
    if not in_venv and (remark := paths.remark_on_build_dir()):
        console.line(remark)
    if verb.venv == "need" and not in_venv:
        setup.ensure(console)
        enter_venv(words)
    elif verb.venv == "use" and not in_venv and setup.venv_is_ready():
        enter_venv(words)


def interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def main(words: list[str]) -> int:
    from tools.console import Console

    console = Console()
    signal.signal(signal.SIGTERM, interrupt)
    try:
        return dispatch(words, console)
    except Failure as failure:
        console.failure(failure)
        return failure.exit_code
    except KeyboardInterrupt:
        console.error("\nStopped. Nothing was left half written; run the command again to go on.")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away, as `./course … | head` does.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FAILED
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        console.error(f"The system refused: {error.strerror or error}{where}.")
        console.error("Check the disk's space and the folder's permissions, then try again.")
        return FAILED


def dispatch(words: list[str], console: object) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        if len(words) > 1 and words[0] == "help" and words[1] in VERBS:
            return dispatch([words[1], "--help"], console)
        main_parser().print_help()
        return RIGHT
    name, rest = words[0], words[1:]
    if name not in VERBS:
        raise unknown("verb", name, VERBS, "`./course --help` lists them.")
    module = importlib.import_module(f"tools.verbs.{name}")
    options = verb_parser(name, module).parse_args(rest)
    prepare(VERBS[name], words, console)
    return module.run(options, console)


def words_of_this_command() -> list[str]:
    return sys.argv[1:]
