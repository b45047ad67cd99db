"""Running other programs so that Ctrl-C stops them too, and their output is kept.

A program runs in a process group of its own: on an interruption the whole group is asked to stop,
and made to when it does not.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

GRACE_SECONDS = 3.0


@dataclass(frozen=True)
class Outcome:
    code: int
    output: str

    def tail(self, lines: int = 40) -> str:
        return "\n".join(self.output.splitlines()[-lines:])


def stop(process: subprocess.Popen) -> None:
    """Stops a process and its children: first politely, then not."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except (ProcessLookupError, PermissionError):
            break
        until = time.monotonic() + GRACE_SECONDS
        while time.monotonic() < until:
            if process.poll() is not None and not group_alive(process.pid):
                return
            time.sleep(0.05)
    process.wait()


def group_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    on_line: Callable[[str], None] | None = None,
    log: Path | None = None,
) -> Outcome:
    """Runs a program, hands its lines (both streams together) to `on_line` and keeps them."""
    try:
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=cwd,
            env=dict(env) if env is not None else None,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            process_group=0,
        )
    except OSError as error:
        return Outcome(127, f"{command[0]}: {error.strerror}\n")
    lines: list[str] = []
    try:
        assert process.stdout
        for line in process.stdout:
            lines.append(line)
            if on_line:
                on_line(line.rstrip("\n"))
        code = process.wait()
    except BaseException:
        stop(process)
        raise
    finally:
        if log:
            log.parent.mkdir(parents=True, exist_ok=True)
            log.write_text("".join(lines), encoding="utf-8", errors="replace")
    return Outcome(code, "".join(lines))


def run_shown(
    command: Sequence[str | Path], *, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> int:
    """Runs a program whose output goes straight to the reader."""
    process = subprocess.Popen(
        [str(word) for word in command],
        cwd=cwd,
        env=dict(env) if env is not None else None,
        stdin=subprocess.DEVNULL,
        process_group=0,
    )
    try:
        return process.wait()
    except BaseException:
        stop(process)
        raise
