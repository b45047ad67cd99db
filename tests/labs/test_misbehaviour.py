"""Submissions that misbehave get a clear answer in time, and harm nothing.

tests/labs/twice/misbehaves.cu answers rightly and then does what a variable names, so each test
below shows that one way of misbehaving, and nothing else, is what the answer is about.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from pathlib import Path

import pytest

from tools import paths
from tools.labs import catalog, grade, running
from tools.labs.catalog import Lab
from tools.labs.judging import Case, Finding
from tools.labs.running import Limits

SHORT = Limits(seconds=3, output=1 << 20, memory=1 << 30, file=1 << 24)

REJECTED = {
    "loops on the host": "too_slow",
    "loops in a kernel": "too_slow",
    "loops at exit": "too_slow",
    "ignores what ends it": "too_slow",
    "writes through null": "crashed",
    "aborts": "crashed",
    "overflows the stack": "crashed",
    "throws nothing": "crashed",
    "prints megabytes": "too_much_output",
    "prints without end": "too_much_output",
    "exits": "left_early",
    "leaves at once": "left_early",
    "says passed and exits": "left_early",
    "leaves a command": "left_early",
    "hides a crash": "left_early",
    "becomes another program": "left_early",
    "leaves at exit": "left_early",
    "leaves by a destructor": "left_early",
    "deletes the folder above": "left_early",
    "throws a number": "exception",
    "deletes its folder": "exception",
    "writes a large file": "too_large_file",
    "allocates without end": "too_much_memory",
    "answers as the last time": "cached_answer",
}
RIGHT = [  # what these do beside the answer does no harm, and is not asked about
    "does nothing else",
    "leaves a child",
    "leaves a daemon",
    "leaves a thread",
    "writes beside the sources",
    "changes its folder",
    "forbids its folder",
    "reads from the terminal",
    "closes its output",
]


@pytest.fixture(scope="module")
def misbehaving(twice: Lab) -> Path:
    return grade.build(twice, {"twice.cu": twice.folder / "misbehaves.cu"})


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder for temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def outcome_of(program: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> Finding | None:
    monkeypatch.setenv("MISBEHAVIOUR", what)
    case = next(one for one in grade.cases_of(program) if one.name == "n = 17")
    return grade.run_case(program, case, limits=SHORT)


def processes_left(scratch: Path) -> list[str]:
    """Command lines of processes that a submission has started under a folder."""
    left, mark = [], os.fsencode(f"{running.MARK}={scratch}")
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes():
                left.append((folder / "cmdline").read_text())
        except OSError:
            continue
    return left


def things_in(*folders: Path) -> dict[str, int]:
    """Names and times of change in some folders, to see whether anything was written there."""
    entries = (entry for folder in folders for entry in os.scandir(folder))
    return {entry.path: entry.stat().st_mtime_ns for entry in entries if entry.is_file()}


@pytest.mark.parametrize("what", [*REJECTED, *RIGHT])
def test_a_misbehaving_submission_harms_nothing(
    twice: Lab, misbehaving: Path, what: str, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = [paths.REPO, catalog.FOLDER, twice.folder, Path.cwd()]
    before, began = things_in(*watched), time.monotonic()
    found = outcome_of(misbehaving, what, monkeypatch)
    assert (found.reason if found else None) == REJECTED.get(what), found
    assert time.monotonic() - began < SHORT.seconds + 10
    assert processes_left(scratch) == []
    assert list(scratch.iterdir()) == []
    assert things_in(*watched) == before
    assert found is None or (found.message and found.reason in twice.hints)


def test_every_misbehaviour_is_tried(twice: Lab) -> None:
    text = (twice.folder / "misbehaves.cu").read_text(encoding="utf-8")
    table = text[text.index("misbehaviours = {") :]
    named = set(re.findall(r'^    \{"([^"]+)",', table, re.MULTILINE))
    assert named == {*REJECTED, *RIGHT} - {"does nothing else", "answers as the last time"}


def test_what_it_printed_is_kept(misbehaving: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = outcome_of(misbehaving, "says passed and exits", monkeypatch)
    assert found and found.output == "All cases are right.\n✓ values: passed\n"
    found = outcome_of(misbehaving, "prints without end", monkeypatch)
    assert found and len(found.output) == SHORT.output


HEAD = '#include "lab.hpp"\nvoid labtests::twice(const float*, std::int64_t, float*) {}\n'


@pytest.mark.parametrize(
    ("text", "reason", "said"),
    [
        (HEAD + "int x = ;\n", "does_not_compile", r"twice\.cu:3:9: error"),
        (HEAD + "int main() {}\n", "does_not_link", "main"),
        ('#include "lab.hpp"\n', "does_not_link", r"labtests::twice\(float const\*, "),
        (HEAD.replace("int64_t", "int32_t"), "does_not_compile", "out-of-line"),
        (HEAD.replace("{}", "{ mine(); }"), "does_not_compile", "mine"),
        ("", "does_not_link", "twice"),
        ("\0\x01\x02", "does_not_compile", "error"),
        ("#error not yet\n", "does_not_compile", "not yet"),
        ("template <int N> struct S : S<N + 1> {};\nS<0> s;\n", "does_not_compile", "depth"),
        (
            "constexpr int f() { for (;;) {} }\nstatic_assert(f() == 0);\n",
            "does_not_compile",
            "f()",
        ),
    ],
)
def test_a_submission_that_makes_no_program(
    twice: Lab, tmp_path: Path, text: str, reason: str, said: str
) -> None:
    path = tmp_path / "twice.cu"
    path.write_text(text, encoding="utf-8")
    found = grade.first_finding(twice, {"twice.cu": path})
    assert found and (found.property, found.reason) == ("builds", reason)
    assert re.search(said, found.output), found.output


def test_a_command_that_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    with pytest.raises(OSError):
        running.run([str(tmp_path / "missing")], tmp_path / "here", os.environ, SHORT)


def test_an_interrupted_grader_leaves_no_process(
    misbehaving: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setenv("MISBEHAVIOUR", "loops on the host")
    monkeypatch.setattr(running, "_watch", interrupt)
    with pytest.raises(KeyboardInterrupt):
        grade.run_case(misbehaving, Case(1, "values", "n = 17"), limits=SHORT)
    assert processes_left(scratch) == []
