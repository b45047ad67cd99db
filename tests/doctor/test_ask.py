"""Other programs are asked, and never waited for too long."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tools import ask
from tools.ask import MOST_BYTES


def sh(script: str, seconds: float = 5.0) -> ask.Reply | None:
    return ask.ask(["sh", "-c", script], seconds)


def test_what_it_says_and_how_it_ends() -> None:
    reply = sh("echo out; echo err >&2; exit 3")
    assert reply == ask.Reply(3, "out\n", "err\n")
    assert reply.output == "out\nerr\n"


@pytest.mark.parametrize(
    "script",
    ["sleep 60", "sleep 60 & wait", "trap '' TERM INT; sleep 60", "exec 1>&- 2>&-; sleep 60"],
)
def test_one_that_hangs_is_left(script: str) -> None:
    began = time.monotonic()
    reply = sh(script, 0.3)
    assert time.monotonic() - began < 2
    assert (reply.returncode, reply.timed_out) == (124, True)


def test_one_that_hangs_is_killed_with_its_children(tmp_path: Path) -> None:
    sh(f"sleep 60 & echo $! $$ > {tmp_path}/pids; wait", 0.3)
    time.sleep(0.1)
    for pid in (tmp_path / "pids").read_text().split():
        state = Path(f"/proc/{pid}/stat")
        assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z"


def test_a_child_that_stays_behind_does_not_hold_us() -> None:
    began = time.monotonic()
    assert sh("sleep 30 & echo said").stdout == "said\n"
    assert time.monotonic() - began < 5


def test_one_that_prints_without_end_is_cut() -> None:
    reply = sh("while :; do echo 0123456789012345678901234567890123456789; done", 10)
    assert len(reply.stdout) == MOST_BYTES
    assert not reply.timed_out


def test_binary_output_becomes_text() -> None:
    reply = sh("head -c 5000 /dev/urandom; printf '\\033[31mred\\0'")
    assert "[31mred" in reply.stdout
    assert all(c.isprintable() or c in "\n\t" for c in reply.stdout)


@pytest.mark.parametrize("command", [["/nowhere/tool"], ["/"], ["/etc/passwd"], ["a\0b"], [""]])
def test_what_cannot_be_started(command: list[str]) -> None:
    assert ask.ask(command) is None


def test_nobody_answers_after_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask, "deadline", time.monotonic() - 1)
    assert sh("sleep 1").timed_out
