"""What the reader sees: progress on long work, plain sentences, no colour outside a terminal.

Progress and remarks go to standard error, answers to standard output.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from tools.errors import Failure

QUIET_SECONDS = 1.0  # work that ends sooner says nothing
LINE_SECONDS = 20.0  # without a terminal, long work prints a line this often

try:
    from rich.console import Console as RichConsole
    from rich.status import Status
except ImportError:  # the system's Python: plain lines
    RichConsole = None  # type: ignore[assignment, misc]


def encodes(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def seconds_text(seconds: float) -> str:
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60:02d} s"


MARKS = {"good": ("✓", "ok"), "warn": ("!", "!"), "bad": ("✗", "XX"), "none": ("–", "-")}


class Step:
    """One piece of work in progress. `update` tells how far it is."""

    def __init__(self, console: Console, title: str):
        self.console = console
        self.title = title
        self.detail = ""
        self.began = time.monotonic()
        self.shown = False
        self.last_line = 0.0
        self.lock = threading.Lock()
        self.status: Status | None = None
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._watch, daemon=True)

    def update(self, detail: str) -> None:
        with self.lock:
            self.detail = detail

    def text(self) -> str:
        return f"{self.title} … {self.detail}" if self.detail else f"{self.title} …"

    def _watch(self) -> None:
        while not self.stopped.wait(0.2 if self.shown else QUIET_SECONDS):
            with self.lock:
                elapsed = time.monotonic() - self.began
                if self.console.live:
                    if not self.status:
                        self.status = self.console.start_status(self.text())
                    self.status.update(f"{self.text()} [dim]{seconds_text(elapsed)}[/dim]")
                elif not self.shown or elapsed - self.last_line >= LINE_SECONDS:
                    suffix = f" ({seconds_text(elapsed)})" if self.shown else ""
                    self.console.line(self.text() + suffix)
                    self.last_line = elapsed
                self.shown = True

    def finish(self, failed: bool, word: str = "failed") -> None:
        self.stopped.set()
        self.thread.join(timeout=2)
        if self.status:
            self.status.stop()
        if self.shown:
            elapsed = seconds_text(time.monotonic() - self.began)
            mark = self.console.mark("bad" if failed else "good")
            self.console.line(f"{mark} {self.title}: {word if failed else 'done'} ({elapsed})")


class Console:
    """Prints. COALESCE_QUIET=1 leaves out progress and remarks; NO_COLOR and TERM=dumb are kept."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None):
        self.out = out or sys.stdout
        self.err = err or sys.stderr
        for stream in (self.out, self.err):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        self.quiet = os.environ.get("COALESCE_QUIET") == "1"
        terminal = self.err.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
        self.live = terminal and RichConsole is not None and not self.quiet
        self.colour = (
            self.out.isatty()
            and os.environ.get("TERM", "") not in ("", "dumb")
            and not os.environ.get("NO_COLOR")
        )
        self.rich = RichConsole(file=self.err, highlight=False) if self.live else None

    def start_status(self, text: str) -> Status:
        status = Status(text, console=self.rich)
        status.start()
        return status

    def plain(self, text: str, stream: TextIO) -> str:
        """`text` in the forms that the stream can show."""
        if encodes(stream, text):
            return text
        for fancy, simple in [
            *MARKS.values(),
            ("…", "..."),
            ("×", "x"),
            ("—", "-"),
            ("·", "-"),
        ]:
            text = text.replace(fancy, simple)
        return text

    def mark(self, name: str) -> str:
        return MARKS[name][0]

    def line(self, text: str) -> None:
        """Progress or a remark."""
        if not self.quiet:
            print(self.plain(text, self.err), file=self.err, flush=True)

    def error(self, text: str) -> None:
        self.out.flush()
        print(self.plain(text, self.err), file=self.err, flush=True)

    def print(self, text: str = "") -> None:
        """A part of the answer."""
        print(self.plain(text, self.out), file=self.out, flush=True)

    def paint(self, text: str, colour: str) -> str:
        codes = {"good": "32", "warn": "33", "bad": "31", "bold": "1", "dim": "2", "none": "2"}
        return f"\x1b[{codes[colour]}m{text}\x1b[0m" if self.colour else text

    def table(self, head: list[str], rows: list[list[str]], right: set[int] = frozenset()) -> None:
        """Columns aligned by blanks; those in `right` to the right."""
        cells = [head, *rows]
        widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
        for number, row in enumerate(cells):
            words = [
                cell.rjust(widths[i]) if i in right else cell.ljust(widths[i])
                for i, cell in enumerate(row)
            ]
            text = "  ".join(words).rstrip()
            self.print(self.paint(text, "bold") if number == 0 else text)

    def failure(self, failure: Failure) -> None:
        if failure.tail:
            self.error(failure.tail.rstrip("\n"))
        self.error(failure.sentence)
        if failure.next_step:
            self.error(failure.next_step)

    @contextmanager
    def step(self, title: str) -> Iterator[Step]:
        """Shows `title` and the elapsed time once the work takes longer than a moment."""
        step = Step(self, title)
        if not self.quiet:
            step.thread.start()
        failed, word = True, "failed"
        try:
            yield step
            failed = False
        except KeyboardInterrupt:
            word = "stopped"
            raise
        finally:
            step.finish(failed, word) if not self.quiet else None
