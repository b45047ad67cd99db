"""The launcher and the command line: help, unknown names, old Pythons, interruptions."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import REPO, Course

from tools import cli


def test_the_launcher_can_be_read_by_old_pythons() -> None:
    ast.parse((REPO / "course").read_text(encoding="utf-8"), feature_version=(3, 7))


def test_an_old_python_is_told_in_one_sentence() -> None:
    pretend = (
        "import sys; sys.version_info = (3, 9, 2); sys.argv = ['course', 'doctor'];"
        f"exec(compile(open({str(REPO / 'course')!r}).read(), 'course', 'exec'),"
        f"{{'__file__': {str(REPO / 'course')!r}, '__name__': '__main__'}})"
    )
    answer = subprocess.run(
        [sys.executable, "-c", pretend],
        env={"PATH": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 3
    assert answer.stderr.startswith(
        "This course needs Python 3.11 or newer, and this is Python 3.9"
    )
    assert len(answer.stderr.splitlines()) == 1


def test_help_lists_every_verb(course: Course) -> None:
    answer = course("--help")
    assert answer.returncode == 0
    for verb in cli.VERBS:
        assert f"  {verb} " in answer.stdout
    assert course().stdout == answer.stdout
    assert course("help").stdout == answer.stdout


@pytest.mark.parametrize("verb", cli.VERBS)
def test_every_verb_has_a_manual_page(course: Course, verb: str) -> None:
    answer = course(verb, "--help")
    assert answer.returncode == 0, answer.stderr
    for part in (f"usage: ./course {verb}", "examples:", "exit codes:"):
        assert part in answer.stdout
    assert max(len(line) for line in answer.stdout.splitlines()) <= 100
    assert course("help", verb).stdout == answer.stdout


def test_help_makes_no_set_up(course: Course) -> None:
    course("site", "--help")
    assert not (course.root / ".venv").exists()
    assert not course.build.exists()


def test_unknown_verbs_get_the_nearest(course: Course) -> None:
    answer = course("stie")
    assert answer.returncode == 2
    assert "Did you mean site" in answer.stderr
    assert "Traceback" not in answer.stderr
    assert "Known: " in course("qqqq").stderr


def test_unknown_options_are_wrong_use(course: Course) -> None:
    answer = course("run", "3", "one_thread", "--nn", "5")
    assert answer.returncode == 2
    assert "--nn" in answer.stderr
    assert "./course run --help" in answer.stderr


def test_no_colour_codes_outside_a_terminal(course: Course) -> None:
    for words in (["--help"], ["doctor"], ["run", "nothing"]):
        answer = course(*words, TERM="xterm-256color")
        assert "\x1b" not in answer.stdout + answer.stderr


def wait_for(path: Path) -> None:
    until = time.monotonic() + 20
    while not path.exists():
        assert time.monotonic() < until, f"{path} did not appear"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] != "Z"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_stops_the_children(course: Course, number: int) -> None:
    mark = course.root / "pid"
    course.program(
        "03-first-gpu-program-cpu",
        'if [ "$1" = list ]; then echo \'[{"name": "slow", "title": ""}]\'; exit; fi\n'
        f"sleep 600 & echo $! > '{mark}'; wait",
    )
    process = course.start("run", "3", "slow", "--device", "cpu")
    wait_for(mark)
    time.sleep(0.1)
    process.send_signal(number)
    _, told = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in told
    assert told.strip().startswith("Stopped.")
    assert len(told.strip().splitlines()) == 1
    assert not alive(int(mark.read_text()))


def test_a_closed_pipe_is_no_traceback(course: Course) -> None:
    answer = subprocess.run(
        f"'{sys.executable}' '{course.root}/course' --help | head -1",
        shell=True,
        env=course.env(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in answer.stderr
