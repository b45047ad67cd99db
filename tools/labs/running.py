"""Runs what a reader wrote, so that it harms nothing: in a folder of its own, for a limited time,
with a limited output."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

CASE_SECONDS = 20.0
MOST_OUTPUT = 1 << 20  # bytes printed
MOST_FILE = 1 << 30  # bytes of a file that may be written


@dataclass(frozen=True)
class Ended:
    code: int
    output: str
    cut: str = ""  # "too_slow" or "too_much_output": why it was stopped

    @property
    def why_cut(self) -> str:
        """In words, as the end of a sentence."""
        if self.cut == "too_slow":
            return f"it had not ended after {CASE_SECONDS:.0f} s, and was stopped"
        return f"it printed more than {MOST_OUTPUT >> 20} MiB, and was stopped"


def environment(report: Path | None) -> dict[str, str]:
    """This process's, without settings of the CPU device; with `report`, its checks are on."""
    kept = {name: v for name, v in os.environ.items() if not name.startswith("CPU_DEVICE_")}
    if report is None:
        return kept
    return kept | {"CPU_DEVICE_REPORT": str(report), "CPU_DEVICE_CHECK": "1"}


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Ended:
    """Runs a command in `folder`. All that it started ends with it."""

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, MOST_FILE))

    printed = folder / "printed"
    with printed.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=file,
            stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limits,
        )  # fmt: skip
    cut = ""
    try:
        cut = wait(process, printed)
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        code = process.wait()
    with printed.open("rb") as file:
        output = file.read(MOST_OUTPUT).decode("utf-8", "replace")
    return Ended(code, output, cut)


def wait(process: subprocess.Popen, printed: Path) -> str:
    """Waits for the end. Why it must be stopped instead, or an empty text."""
    until = time.monotonic() + CASE_SECONDS
    pause = 0.002
    while process.poll() is None:
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
        if printed.stat().st_size > MOST_OUTPUT:
            return "too_much_output"
        if time.monotonic() > until:
            return "too_slow"
    return ""
