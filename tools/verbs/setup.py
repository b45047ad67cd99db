"""`./course setup`."""

from __future__ import annotations

import argparse

from tools import paths, setup
from tools.console import Console
from tools.errors import RIGHT

DESCRIPTION = """\
System packages come through apt where you are root or may use sudo without a password; otherwise
one line to paste is printed, and the exit code is 3. Python packages, pinned with their hashes, go
into .venv. Run again, it changes nothing. Without a network, what is installed keeps working.
"""

EXAMPLES = """\
examples:
  ./course setup             system packages and Python packages
  ./course setup --cuda      also a CUDA toolkit (nvcc) from wheels, into .venv: about 300 MB
  ./course setup --browser   also Debian's Chromium, for the browser tests

exit codes:
  0  everything is there
  3  something must be installed by hand: the line to paste is printed

environment:
  COALESCE_VENV         where the Python packages go (.venv)
  COALESCE_NO_PACKAGES  1: leave system packages alone
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cuda", action="store_true", help="put a CUDA toolkit from wheels into .venv"
    )
    parser.add_argument(
        "--browser", action="store_true", help="install Chromium for the browser tests (Debian)"
    )


def run(options: argparse.Namespace, console: Console) -> int:
    if remark := paths.remark_on_build_dir():
        console.line(remark)
    setup.ensure(console, {"browser"} if options.browser else set())
    if options.cuda:
        nvcc = setup.ensure_cuda(console)
        console.print(f"CUDA toolkit: {nvcc}")
    console.print(
        "Everything is there: system packages, and Python packages in "
        f"{setup.shown(paths.venv_dir())}."
    )
    return RIGHT
