"""`./course doctor`: facts first, then a table of rules over them. See tools/doctor/."""

from __future__ import annotations

import argparse
import json

from tools.console import Console
from tools.doctor import docs, facts, fix, report
from tools.doctor.rules import all_rules
from tools.doctor.rules.rule import judge

DESCRIPTION = """\
Looks for the NVIDIA driver, the GPUs, the CUDA toolkit, the compilers, Meson, Ninja and Python, and
for what often stands in their way: containers, WSL, hidden or busy GPUs, permissions, a full disk.
One line a finding, and at the end the one step to do next. It needs no set-up and changes nothing.
"""

EXAMPLES = """\
examples:
  ./course doctor              one line a finding, and the next step
  ./course doctor --verbose    what to do about each finding, and what it rests on
  ./course doctor --json       all facts, for a bug report: without names, paths of yours, numbers
  ./course doctor --fix        offers the repairs that are safe, one by one
  ./course doctor --docs       the packages that render the site

exit codes:
  0  the GPU path works (warnings are allowed)
  4  no GPU here; the CPU device is ready
  1  something has to be repaired
  2  wrong use
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--verbose", action="store_true", help="print the evidence of each finding")
    form.add_argument("--json", action="store_true", help="print one JSON object")
    form.add_argument("--fix", action="store_true", help="offer safe repairs, one by one")
    form.add_argument(
        "--docs", action="store_true", help="print the versions of Sphinx and Breathe"
    )
    parser.add_argument("--yes", action="store_true", help="with --fix: do not ask")
    parser.add_argument(
        "--wait",
        type=float,
        default=facts.SECONDS,
        metavar="SECONDS",
        help="how long to wait for other programs (%(default)s)",
    )


def run(options: argparse.Namespace, console: Console) -> int:
    found = facts.gather(options.wait)
    if options.docs:
        return docs.show_pair(found.build, console)
    findings = judge(found, all_rules())
    if options.json:
        document = report.document(found, findings)
        console.print(json.dumps(document, indent=2))
        return document["exit_code"]
    code = report.show(found, findings, console, options.verbose)
    if options.fix and fix.fix(found, findings, console, options.yes):
        found = facts.gather(options.wait)
        return report.show(found, judge(found, all_rules()), console)
    return code
