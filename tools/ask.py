"""Asks another program a question: never for longer than agreed, never for more than fits.

A tool may be missing, hang, end with an error, print without end, or leave children behind. None of
that may stop the one who asks: a tool that does not answer in time is killed with its children, and
not waited for, since a process that hangs in a driver cannot be killed.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass

MOST_BYTES = 1 << 20
SECONDS = 30.0

# The moment (of time.monotonic) after which nobody answers any more. `./course doctor` sets it.
deadline = float("inf")


def deadline_has_passed() -> bool:
    return time.monotonic() > deadline


@dataclass(frozen=True)
class Reply:
    returncode: int
    stdout: str
    stderr: str
    timed_out: bool = False

    @property
    def output(self) -> str:
        return self.stdout + self.stderr


def ask(command: Sequence[str | os.PathLike], seconds: float = SECONDS) -> Reply | None:
    """What the program said; None when it cannot be started. A late one has return code 124."""
    until = min(time.monotonic() + seconds, deadline)
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,
        )
    except (OSError, ValueError):
        return None
    try:
        out, err, whole = listen(process, until)
        code = process.poll()
    finally:
        stop(process)
    late = code is None and whole
    return Reply(124 if code is None else code, decoded(out), decoded(err), late)


def listen(process: subprocess.Popen, until: float) -> tuple[bytes, bytes, bool]:
    """Both streams, and whether they were read as a whole: not, where they were too long."""
    said = {process.stdout: b"", process.stderr: b""}
    whole = True
    with selectors.DefaultSelector() as selector:
        for stream in said:
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ)
        while whole and (selector.get_map() or process.poll() is None):
            left = until - time.monotonic()
            if left <= 0:
                break
            for key, _ in selector.select(min(left, 0.05)) if selector.get_map() else pause():
                part = os.read(key.fd, 1 << 16)
                said[key.fileobj] += part
                if not part:
                    selector.unregister(key.fileobj)
                whole = whole and len(said[key.fileobj]) <= MOST_BYTES
            if process.poll() is not None and not selector.select(0):
                break  # it has ended; a child that it left behind may keep the streams open
    return said[process.stdout], said[process.stderr], whole


def pause() -> list:
    time.sleep(0.005)
    return []


def stop(process: subprocess.Popen) -> None:
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        for _ in range(20):
            if process.poll() is not None:
                break
            time.sleep(0.005)
    for stream in (process.stdout, process.stderr):
        stream.close()


def decoded(data: bytes) -> str:
    """As text that a terminal can show: control characters and what is no UTF-8 become "?"."""
    text = data[:MOST_BYTES].decode("utf-8", errors="replace").replace("\r\n", "\n")
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in text)
