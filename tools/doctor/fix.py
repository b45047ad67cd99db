"""`./course doctor --fix`: the few repairs that are safe and can be taken back.

Each command is printed before it is run, and asked for. Drivers, shell files and system settings
are never touched: for those the line to paste is printed.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tools import paths
from tools.console import Console
from tools.doctor.facts import Facts
from tools.doctor.rules.rule import Finding
from tools.errors import USAGE, Failure


@dataclass(frozen=True)
class Repair:
    why: str
    command: str  # as the reader would type it
    act: Callable[[], bool]  # whether it went well


# Rules whose cure is the set-up, which the other verbs make by themselves too.
CURED_BY_SETUP = (
    "venv-broken",
    "venv-to-renew",
    "no-venv",
    "no-meson",
    "no-ninja",
    "meson-too-old",
)


def repairs(facts: Facts, findings: list[Finding]) -> list[Repair]:
    ids = {finding.rule.id for finding in findings}
    planned = []
    if "venv-broken" in ids:
        planned.append(put_aside(paths.venv_dir()))
    if not facts.system.work:
        planned.append(make_folder(paths.REPO / "work"))
    if ids & set(CURED_BY_SETUP):
        planned.append(set_up())
    return planned


def put_aside(folder: Path) -> Repair:
    aside = folder.with_name(f"{folder.name}.broken-{time.strftime('%Y%m%d-%H%M%S')}")
    command = f"mv {shlex.quote(str(folder))} {shlex.quote(str(aside))}"
    return Repair(
        "the broken .venv is put aside, not deleted", command, lambda: moved(folder, aside)
    )


def moved(folder: Path, aside: Path) -> bool:
    folder.rename(aside)
    return True


def make_folder(folder: Path) -> Repair:
    command = f"mkdir {shlex.quote(str(folder))}"
    return Repair("work/ holds your labs and results", command, lambda: made(folder))


def made(folder: Path) -> bool:
    folder.mkdir(exist_ok=True)
    return True


def set_up() -> Repair:
    program = [sys.executable, str(paths.REPO / "course"), "setup"]
    return Repair(
        "puts the Python packages, Meson and Ninja into .venv",
        "./course setup",
        lambda: subprocess.call(program) == 0,
    )


def by_hand(findings: list[Finding], done: list[Repair]) -> list[str]:
    """The errors' steps that are the reader's own."""
    cured = set(CURED_BY_SETUP) if done else set()
    errors = [f for f in findings if f.rule.level == "error" and f.rule.id not in cured]
    return [finding.step for finding in errors]


def fix(facts: Facts, findings: list[Finding], console: Console, yes: bool) -> bool:
    """Offers the repairs; returns whether any was made."""
    planned = repairs(facts, findings)
    if planned and not yes and not sys.stdin.isatty():
        raise Failure(
            "--fix asks before each step, and there is no terminal to ask on.",
            "Run it in a terminal, or add --yes.",
            USAGE,
        )
    any_made = False
    for repair in planned:
        console.print(f"{repair.command}    ({repair.why})")
        if not yes and not agreed():
            console.print("Left as it is.")
            continue
        try:
            any_made = repair.act() or any_made
        except OSError as error:
            console.print(f"The system refused: {error.strerror}.")
    for step in by_hand(findings, planned):
        console.print(f"By hand: {step}")
    if not planned:
        console.print("Nothing here that --fix could do.")
    return any_made


def agreed() -> bool:
    try:
        return input("Run it? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False
