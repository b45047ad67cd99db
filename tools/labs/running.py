"""Runs what a reader wrote, so that it harms nothing.

It works in a folder of its own, with nothing on its standard input, and within limits of time,
output, memory and size of files. Whatever it has started ends with it, also what has left its
process group: every child inherits a mark in its environment.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MARK = "COALESCE_SUBMISSION"
PAGE = resource.getpagesize()


@dataclass(frozen=True)
class Limits:
    seconds: float = 20.0
    output: int = 1 << 20  # bytes printed
    memory: int = 4 << 30  # bytes resident
    file: int = 1 << 28  # bytes of one file


LIMITS = Limits()


@dataclass(frozen=True)
class Ended:
    """How a program ended. `code` is -N for signal N; `cut` names the limit that it broke."""

    code: int
    output: str
    cut: str = ""  # "too_slow", "too_much_output", "too_much_memory" or "too_large_file"
    limits: Limits = LIMITS

    @property
    def why_cut(self) -> str:
        """In words, as the end of a sentence."""
        most = self.limits
        return {
            "too_slow": f"it had not ended after {most.seconds:g} s, and was stopped",
            "too_much_output": f"it printed more than {most.output >> 20} MiB, and was stopped",
            "too_much_memory": f"it took more than {most.memory >> 20} MiB of memory: stopped",
            "too_large_file": f"it wrote a file of more than {most.file >> 20} MiB: stopped",
        }[self.cut]


def environment(report: Path | None) -> dict[str, str]:
    """This process's, without settings of the CPU device; with `report`, its checks are on."""
    kept = {name: v for name, v in os.environ.items() if not name.startswith("CPU_DEVICE_")}
    if report is None:
        return kept
    return kept | {"CPU_DEVICE_REPORT": str(report), "CPU_DEVICE_CHECK": "1"}


def run(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], limits: Limits = LIMITS
) -> Ended:
    """Runs a command in `folder`, and returns when neither it nor a child of it is left."""
    mark = f"{MARK}={folder}"
    marked = {**environment, MARK: str(folder), "TMPDIR": str(folder)}
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            command, cwd=folder, env=marked, stdin=subprocess.DEVNULL, stdout=printed,
            stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        try:
            _limit(process.pid, limits)
            cut = _watch(process, printed.fileno(), limits)
        finally:
            _end(process, mark)
        code = process.returncode
        if code == -signal.SIGXFSZ:
            cut = cut or "too_large_file"
        if os.fstat(printed.fileno()).st_size > limits.output:
            cut = "too_much_output"
        printed.seek(0)
        output = printed.read(limits.output).decode("utf-8", "replace")
    return Ended(code, output, cut, limits)


def _limit(pid: int, limits: Limits) -> None:
    try:
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (limits.file, limits.file))
    except ProcessLookupError:  # it has ended already
        pass


def _watch(process: subprocess.Popen, printed: int, limits: Limits) -> str:
    """Waits for the end, or for a limit to be broken: its name."""
    until = time.monotonic() + limits.seconds
    pause = 0.002
    while process.poll() is None:
        if os.fstat(printed).st_size > limits.output:
            return "too_much_output"
        if _resident(process.pid) > limits.memory:
            return "too_much_memory"
        if time.monotonic() > until:
            return "too_slow"
        time.sleep(pause)
        pause = min(1.5 * pause, 0.03)
    return ""


def _resident(pid: int) -> int:
    """Bytes of memory that a process holds; 0 when it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def _end(process: subprocess.Popen, mark: str) -> None:
    """Kills the process, its group, and children that went into a session of their own."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    while left := list(_marked(mark)):
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.002)


def _marked(mark: str) -> Iterator[int]:
    """Processes with this variable in the environment with which they were started."""
    wanted = os.fsencode(mark)
    for entry in os.listdir("/proc"):  # noqa: PTH208
        if entry.isdigit():
            try:
                environment = Path(f"/proc/{entry}/environ").read_bytes()
            except OSError:  # another user's, or gone
                continue
            if wanted in environment.split(b"\0"):
                yield int(entry)
