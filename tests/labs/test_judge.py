"""What the grader makes of a case's end: which of several faults it says, counts, places, hints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tools import programs
from tools.errors import SETUP_NEEDED
from tools.labs import catalog, counts, grade, judging
from tools.labs.catalog import Lab
from tools.labs.judging import Case, Finding
from tools.labs.running import Ended, Limits

CASE = Case(0, "values", "n = 17")
RACE = {"kind": "race", "message": "two threads store", "file": "a.cu", "line": 7}
LIMIT = {"count": "threads", "least": 1, "most": None, "reason": "no_work", "message": "too few"}


def verdict(reason: str = "", *counts: dict[str, Any]) -> dict[str, Any]:
    return {"outcome": {"reason": reason, "message": "as found"}, "counts": list(counts)}


def report(*problems: dict[str, Any]) -> dict[str, Any]:
    return {"problems": list(problems), "kernels": []}


def judge(ended: Ended, said: dict | None, seen: dict | None) -> Finding | None:
    return judging.judge(CASE, ended, said, seen, 1)


def test_a_right_case_has_no_finding() -> None:
    assert judge(Ended(0, ""), verdict(), report()) is None


def test_what_a_finding_says() -> None:
    found = judge(Ended(0, "printed"), verdict("wrong_value"), report())
    assert found == Finding(
        "values", "n = 17 (seed 1)", "wrong_value", "as found", "", "printed", seed=1
    )


# Each row has the faults of all rows below it: the first of them is what is said.
FAULTS = [
    ("too_slow", Ended(-9, "", "too_slow"), verdict("wrong_value", LIMIT), report(RACE)),
    ("race", Ended(-11, ""), verdict("wrong_value", LIMIT), report(RACE)),
    ("wrong_value", Ended(-11, ""), verdict("wrong_value", LIMIT), {}),
    ("crashed", Ended(-11, ""), verdict("", LIMIT), {}),
    ("left_early", Ended(0, ""), verdict("", LIMIT), {}),
    ("no_work", Ended(0, ""), verdict("", LIMIT), report()),
]
FIRST = [row[0] for row in FAULTS]


@pytest.mark.parametrize(
    ("reason", "ended", "said", "seen"), FAULTS, ids=[row[0] for row in FAULTS]
)
def test_the_first_of_several_faults_is_said(
    reason: str, ended: Ended, said: dict, seen: dict | None
) -> None:
    found = judge(ended, said, seen)
    assert found and found.reason == reason


@pytest.mark.parametrize(
    ("code", "reason", "message"),
    [
        (-11, "crashed", "SIGSEGV"),
        (-6, "crashed", "SIGABRT"),
        (0, "left_early", "exit code 0"),
        (1, "left_early", "exit code 1"),
    ],
)
def test_no_verdict(code: int, reason: str, message: str) -> None:
    found = judge(Ended(code, ""), None, None)
    assert found and found.reason == reason and message in found.message


@pytest.mark.parametrize(("code", "said"), [(-11, "signal SIGSEGV"), (3, "exit code 3")])
def test_an_end_by_force_after_the_check(code: int, said: str) -> None:
    found = judge(Ended(code, ""), verdict(), report())
    assert found and found.reason == "crashed" and said in found.message


def test_without_a_cpu_device_there_is_nothing_to_count() -> None:
    assert judge(Ended(0, ""), verdict("", LIMIT), None) is None


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("out of bounds", "out_of_bounds"), ("caller not in mask", "caller_not_in_mask")],
)
def test_problems_of_the_cpu_device_are_reasons(kind: str, reason: str) -> None:
    found = judge(Ended(86, ""), verdict(), report(RACE | {"kind": kind}, RACE))
    assert found and found.reason == reason and found.by_cpu_device


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({}, "a.cu:7"),
        ({"line": 0}, "a.cu"),
        ({"file": "", "line": 0}, ""),
        ({"thread": [1, 2, 0], "block": [3, 0, 0]}, "a.cu:7, thread (1,2,0) of block (3,0,0)"),
        (
            {"thread": [1, 0, 0], "block": [0, 0, 0], "other_file": "b.cu", "other_line": 9,
             "other_thread": [5, 0, 0]},
            "a.cu:7, thread (1,0,0) of block (0,0,0), and b.cu:9, thread (5,0,0)",
        ),
    ],
)  # fmt: skip
def test_where_a_problem_is(more: dict[str, Any], where: str) -> None:
    found = judge(Ended(86, ""), verdict(), report(RACE | more))
    assert found and found.where == where


def line(space: str, op: str, lanes: int, requests: int, sectors: int, **more: int) -> dict:
    counts = {"active_lanes": lanes, "requests": requests, "sectors": sectors, "conflicts": 0}
    return {"space": space, "op": op, **counts, **more}


SEEN = {
    "problems": [],
    "kernels": [
        {
            "grid": [2, 3, 1],
            "block": [32, 2, 1],
            "lines": [line("global", "load", 64, 2, 8), line("global", "store", 32, 1, 32)],
        },
        {
            "grid": [1, 1, 1],
            "block": [10, 1, 1],
            "lines": [
                line("global", "load", 10, 1, 2),
                line("shared", "load", 96, 3, 0, conflicts=5),
                line("shared", "store", 32, 1, 0, conflicts=2),
            ],
        },
    ],
}  # fmt: skip


def test_counts_are_summed_over_launches() -> None:
    assert counts.counts_of(SEEN) == {
        "launches": 2, "threads": 394,
        "load_lanes": 74, "load_requests": 3, "load_sectors": 10,
        "store_lanes": 32, "store_requests": 1, "store_sectors": 32,
        "shared_load_lanes": 96, "shared_load_requests": 3, "shared_load_sectors": 0,
        "shared_store_lanes": 32, "shared_store_requests": 1, "shared_store_sectors": 0,
        "shared_conflicts": 7,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("count", "least", "most", "right"),
    [
        ("launches", 2, 2, True),
        ("launches", 3, None, False),
        ("launches", 0, 1, False),
        ("threads", 394, None, True),
        ("threads", 395, None, False),
        ("load_sectors/load_requests", 3.3, 3.4, True),
        ("load_sectors/load_requests", 3.4, 4, False),
        ("store_lanes/store_requests", 32, 32, True),
        ("atomic_lanes", 0, 0, True),  # what was never seen counts 0 …
        ("atomic_lanes", 1, None, False),
        ("load_lanes/atomic_requests", 0, 0, True),  # … and so does a quotient by it
        ("load_lanes/atomic_requests", 1, None, False),
    ],
)
def test_counts_have_limits(count: str, least: float, most: float | None, right: bool) -> None:
    limit = LIMIT | {"count": count, "least": least, "most": most}
    found = judge(Ended(0, ""), verdict("", limit), SEEN)
    assert (found is None) == right
    if found:
        assert found.reason == "no_work"
        assert f"({count}: " in found.message and found.message.startswith("too few")


def test_a_count_is_said_with_its_limits() -> None:
    limit = LIMIT | {"count": "load_sectors/load_requests", "least": 4, "most": 8}
    found = judge(Ended(0, ""), verdict("", limit), SEEN)
    assert found and found.message == (
        "too few (load_sectors/load_requests: 3.33333, expected 4 to 8)"
    )


def test_the_first_count_out_of_its_limits_is_said() -> None:
    limits = [
        LIMIT | {"reason": "fits"},
        LIMIT | {"least": 1000, "reason": "first"},
        LIMIT | {"least": 1000, "reason": "second"},
    ]
    found = judge(Ended(0, ""), verdict("", *limits), SEEN)
    assert found and found.reason == "first"


@pytest.mark.parametrize(
    "cut", ["too_slow", "too_much_output", "too_much_memory", "too_large_file"]
)
def test_a_broken_limit_is_said_with_its_size(cut: str) -> None:
    limits = Limits(seconds=7, output=7 << 20, memory=7 << 20, file=7 << 20)
    found = judge(Ended(-9, "", cut, limits), None, {})
    assert found and found.reason == cut and " 7 " in found.message
    assert cut in catalog.common_hints()


# Whole submissions --------------------------------------------------------------------------------


def grading(lab: Lab, monkeypatch: pytest.MonkeyPatch, **found_in: str) -> list[tuple[str, str]]:
    """Property and reason, with the cases named in `found_in` (by property) failing."""
    tried: list[str] = []

    def run_case(program: object, case: Case, *_: object, **__: object) -> Finding | None:
        tried.append(case.name)
        if found_in.get(case.property) != case.name:
            return None
        return Finding(case.property, case.name, f"{case.property}_wrong", "")

    monkeypatch.setattr(grade, "run_case", run_case)
    graded = grade.grade(lab, lab.solution())
    answer = [(name, found.reason if found else "") for name, found in graded]
    return [*answer, ("tried", " ".join(name.removeprefix("n = ") for name in tried))]


def test_properties_are_judged_in_the_labs_order(
    twice: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    turned = replace(twice, properties=dict(reversed(twice.properties.items())))
    assert [name for name, _ in grading(turned, monkeypatch)] == [
        "builds", "work", "values", "tried",
    ]  # fmt: skip


def test_a_propertys_other_cases_are_not_run_after_a_finding(
    twice: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert grading(twice, monkeypatch, values="n = 17") == [
        ("builds", ""), ("values", "values_wrong"), ("work", ""), ("tried", "1 17 256"),
    ]  # fmt: skip


def test_the_first_finding_of_a_submission(twice: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    assert grade.first_finding(twice, twice.solution()) is None
    grading(twice, monkeypatch, values="n = 250", work="n = 256")
    found = grade.first_finding(twice, twice.solution())
    assert found and found.reason == "values_wrong"


def test_the_grader_says_what_is_not_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(programs, "clang_problem", lambda: None)
    monkeypatch.setattr(programs, "BUILD", tmp_path)
    assert grade.main(["5.1"]) == SETUP_NEEDED
    assert "libcoalesce-cpu.a is not built (meson compile -C" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["9.9"], ["5.1", "--device", "tpu"]])
def test_the_grader_names_what_there_is(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        grade.main(words)
    assert "invalid choice" in capsys.readouterr().err
