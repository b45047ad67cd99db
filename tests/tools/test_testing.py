"""`course test`: what the runners write is counted rightly, and the last line is the sum."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest
from conftest import Course

from tools.errors import Failure
from tools.testresults import Tally, read_junit, read_meson_entry, read_meson_log, tidy_reason
from tools.verbs import test as verb

GTEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="4" failures="1" disabled="1" errors="0" name="AllTests">
  <testsuite name="Sum" tests="4">
    <testcase name="Right" status="run" result="completed" classname="Sum" />
    <testcase name="Wrong" status="run" result="completed" classname="Sum">
      <failure message="x.cpp:3&#x0A;Expected 1" type=""/>
    </testcase>
    <testcase name="Left" status="run" result="skipped" classname="Sum">
      <skipped message="sum_test.cpp:12&#x0A;no CUDA device&#x0A;"/>
    </testcase>
    <testcase name="Off" status="notrun" result="suppressed" classname="Sum" />
  </testsuite>
</testsuites>
"""

PYTEST = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="1" failures="0" skipped="1" tests="3">
  <testcase classname="a.b" name="test_one"/>
  <testcase classname="a.b" name="test_two"><skipped message="Skipped: no Chromium"/></testcase>
  <testcase classname="a.b" name="test_three"><error message="broken fixture">x</error></testcase>
</testsuite></testsuites>
"""


def test_googletest_cases_are_counted(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_text(GTEST)
    tally = read_junit(tmp_path / "x.xml")
    assert (tally.passed, tally.failed, tally.skipped) == (1, 1, 1)
    assert tally.failures == ["Sum.Wrong"]
    assert dict(tally.reasons) == {"no CUDA device": 1}


def test_pytest_errors_are_failures(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_text(PYTEST)
    tally = read_junit(tmp_path / "x.xml")
    assert tally.text() == "1 passed, 1 failed, 1 skipped"
    assert dict(tally.reasons) == {"no Chromium": 1}


@pytest.mark.parametrize("text", ["", "<broken"])
def test_damaged_reports_are_noticed(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.xml").write_text(text)
    assert read_junit(tmp_path / "x.xml") is None
    assert read_junit(tmp_path / "missing.xml") is None


def entry(result: str, code: int = 0, words: str = "", output: str = "") -> dict:
    command = ["./x"] + ([f"--gtest_output=xml:{output}"] if output else [])
    return {
        "name": "03-test",
        "result": result,
        "returncode": code,
        "stdout": words,
        "stderr": "",
        "command": command,
    }


def test_a_program_without_cases_is_one_test(tmp_path: Path) -> None:
    assert read_meson_entry(entry("OK"), tmp_path).text() == "1 passed, 0 failed, 0 skipped"
    assert read_meson_entry(entry("FAIL", 1), tmp_path).failed == 1
    assert read_meson_entry(entry("TIMEOUT", -15), tmp_path).failed == 1


def test_a_skipped_program_never_passes(tmp_path: Path) -> None:
    words = "[==========] Running\nskipped: no NVIDIA driver on this machine\nbye\n"
    tally = read_meson_entry(entry("SKIP", 77, words), tmp_path)
    assert tally.text() == "0 passed, 0 failed, 1 skipped"
    assert dict(tally.reasons) == {"no NVIDIA driver on this machine": 1}
    # Meson's gtest protocol may call it otherwise; the exit code counts.
    assert read_meson_entry(entry("OK", 77, words), tmp_path).passed == 0


def test_cases_of_a_program_are_counted(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_text(GTEST)
    tally = read_meson_entry(entry("FAIL", 1, output="x.xml"), tmp_path)
    assert tally.text() == "1 passed, 1 failed, 1 skipped"
    assert tally.failures == ["03-test: Sum.Wrong"]


def test_a_crash_after_good_cases_is_a_failure(tmp_path: Path) -> None:
    good = re.sub(r"<testcase name=\"Wrong\".*?</testcase>", "", GTEST, flags=re.DOTALL)
    (tmp_path / "x.xml").write_text(good)
    tally = read_meson_entry(entry("FAIL", -11, output="x.xml"), tmp_path)
    assert tally.failed == 1
    assert tally.passed == 1


def test_a_crash_before_the_report_is_a_failure(tmp_path: Path) -> None:
    assert read_meson_entry(entry("FAIL", -11, output="none.xml"), tmp_path).failed == 1


def test_a_log_is_summed(tmp_path: Path) -> None:
    log = tmp_path / "testlog.json"
    log.write_text("\n".join(json.dumps(entry(*e)) for e in [("OK",), ("SKIP", 77), ("FAIL", 1)]))
    tally, bad = read_meson_log(log, tmp_path)
    assert tally.text() == "1 passed, 1 failed, 1 skipped"
    assert [one["result"] for one in bad] == ["FAIL"]


def test_equal_reasons_are_one_line() -> None:
    assert tidy_reason("a_test.cpp:12\nno GPU\n") == tidy_reason("b_test.cu:99\nno GPU")
    assert tidy_reason("Skipped: x") == "x"
    assert tidy_reason("") == "no reason given"


@pytest.fixture
def small(course: Course, monkeypatch: pytest.MonkeyPatch) -> Course:
    """A course with two folders of Python tests, and checkers that are fakes."""
    for folder, body in {
        "one": "def test_good(): pass\n\n\ndef test_warp(): pass\n",
        "two": "import pytest\n\n\n@pytest.mark.skip(reason='no moon')\ndef test_moon(): pass\n",
    }.items():
        (course.root / "tests" / folder).mkdir(parents=True)
        (course.root / "tests" / folder / f"test_{folder}.py").write_text(body)
    import pytest as itself

    site_packages = Path(itself.__file__).parents[1]
    course.environment["PYTHONPATH"] = str(site_packages)
    # The set-up is taken as made: this Python is the environment.
    launcher = course.root / "course"
    launcher.write_text(
        launcher.read_text().replace(
            "from tools.cli import main  # noqa: E402",
            "import tools.cli\ntools.cli.prepare = lambda *_: None\nmain = tools.cli.main",
        )
    )
    return course


def test_the_last_line_is_the_sum_alone(small: Course) -> None:
    answer = small("test", "--only", "one", "--only", "two")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    lines = answer.stdout.splitlines()
    assert lines[-1] == "2 passed, 0 failed, 1 skipped"
    assert "     1  no moon" in lines
    assert lines.index("     1  no moon") < len(lines) - 1


def test_a_run_may_demand_that_nothing_is_skipped(small: Course) -> None:
    demanded = small("test", "--only", "two", "--none-skipped")
    assert demanded.returncode == 1
    assert "--none-skipped allows none" in demanded.stderr
    assert demanded.stdout.splitlines()[-1] == "0 passed, 0 failed, 1 skipped"
    assert small("test", "--only", "one", "--none-skipped").returncode == 0


def test_a_failure_is_shown_and_exits_with_1(small: Course) -> None:
    (small.root / "tests" / "one" / "test_bad.py").write_text(
        "def test_bad():\n    assert 1 == 2\n"
    )
    answer = small("test", "--only", "one")
    assert answer.returncode == 1
    assert "assert 1 == 2" in answer.stdout
    assert answer.stdout.splitlines()[-1] == "2 passed, 1 failed, 0 skipped"


def test_a_file_that_does_not_load_is_a_failure(small: Course) -> None:
    (small.root / "tests" / "one" / "test_bad.py").write_text("import no_such_module\n")
    answer = small("test", "--only", "one")
    assert answer.returncode == 1
    assert re.fullmatch(r"\d+ passed, [1-9]\d* failed, 0 skipped", answer.stdout.splitlines()[-1])


def test_a_word_chooses_tests(small: Course) -> None:
    answer = small("test", "--only", "one", "-k", "warp")
    assert answer.stdout.splitlines()[-1] == "1 passed, 0 failed, 0 skipped"


def test_no_test_at_all_is_no_success(small: Course) -> None:
    answer = small("test", "--only", "one", "-k", "zzz")
    assert answer.returncode == 1
    assert "No test ran" in answer.stderr


def test_unknown_parts_get_the_nearest(small: Course) -> None:
    answer = small("test", "--only", "lnt")
    assert answer.returncode == 2
    assert "Did you mean lint" in answer.stderr


def test_parts_and_chapters_choose_runners() -> None:
    def names(*only: str, fast: bool = False) -> list[str]:
        return list(verb.plan(argparse.Namespace(only=list(only), fast=fast, k=None)))

    assert names("lint") == ["lint"]
    assert names("cpu") == names("3") == names("03-first-gpu-program") == ["cpp"]
    assert names("cpp", "lint") == ["lint", "cpp"]
    assert names()[0] == "lint"
    assert names().index("cpp") < names().index("chapters") < names().index("pages")
    assert "cpu_device" in names()
    assert "site" in names()
    assert "site" not in names(fast=True)
    with pytest.raises(Failure):
        names("nothing-like-it")


def test_a_checkers_findings_are_counted_once() -> None:
    told = "a.cpp:1:2: error: code should be clang-formatted [-W]\n  x\n"
    told += "a.cpp:9:2: error: code should be clang-formatted [-W]\n"
    assert verb.findings(told) == ["a.cpp"]
    assert verb.findings("unformatted: File would be reformatted\n  --> b.py:3:1\n") == ["b.py"]
    assert verb.findings("a.py:1:1: E501 Line too long\n\n") == ["a.py:1:1: E501 Line too long"]


def test_a_sum_adds_up() -> None:
    total = Tally()
    for _ in range(2):
        one = Tally(passed=3)
        one.skip("no GPU", 2)
        one.fail("x")
        total.add(one)
    assert total.text() == "6 passed, 2 failed, 4 skipped"
    assert total.reasons == {"no GPU": 4}
