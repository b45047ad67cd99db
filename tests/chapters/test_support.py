"""The helpers themselves: expectations, bundles, starters, and that a wrong outcome is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chapters import support
from tests.chapters.support import Expectation, Outcome
from tools.labs import tasks


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_expectations_are_read(tmp_path: Path) -> None:
    source = write(
        tmp_path / "x.cu",
        "// Wrong: all.\n// expect: cpu exit 86 /line 3/\n"
        "// expect: gpu exit 139\n// expect: nvcc compile-error /no __device__/\n"
        "// expect: sanitizer not-run: absent\n// expect: racecheck exit 86 /hazard/\n"
        "int main() {}\n",
    )
    assert support.expectations(source) == [
        Expectation("cpu", 86, "line 3"),
        Expectation("gpu", 139),
        Expectation("nvcc", None, "no __device__"),
        Expectation("sanitizer", skip="absent"),
        Expectation("racecheck", 86, "hazard"),
    ]
    assert not support.compiles(source)


@pytest.mark.parametrize("line", [
    "// expect: tpu exit 1 /x/", "// expect: cpu exits 1", "// expect cpu exit 1", "",
])  # fmt: skip
def test_unreadable_expectation_is_refused(tmp_path: Path, line: str) -> None:
    source = write(tmp_path / "x.cu", line + "\nint main() {}\n")
    with pytest.raises(support.ExpectationError, match=r"x\.cu"):
        support.expectations(source)


@pytest.mark.parametrize(("outcome", "met"), [
    (Outcome(1, "first\nsecond\n", ""), True),
    (Outcome(0, "first\nsecond\n", ""), False),
    (Outcome(1, "second\nfirst\n", ""), False),
    (Outcome(1, "first\nsecond\n", "", built=False), False),
])  # fmt: skip
def test_outcome_must_match_code_and_text(outcome: Outcome, met: bool) -> None:
    assert Expectation("cpu", 1, "first.*second").met_by(outcome) is met


def test_compile_error_is_not_met_by_a_program_that_ran() -> None:
    wanted = Expectation("nvcc", None, "not allowed")
    assert wanted.met_by(Outcome(2, "x: not allowed", "", built=False))
    assert not wanted.met_by(Outcome(2, "x: not allowed", ""))
    assert not wanted.met_by(Outcome(2, "something else", "", built=False))


def test_problem_names_program_device_and_what_happened() -> None:
    source = support.ROOT / "chapters/03-first-gpu-program/broken/missing_copy_back.cu"
    said = support.problem_with(source, "cpu", Outcome(0, "sum = 285", ""))
    assert said is not None
    for part in ("missing_copy_back.cu on cpu", "exit 1", "exit code 0", "sum = 285"):
        assert part in said


def test_bundle_keeps_file_names_and_lines(tmp_path: Path) -> None:
    one = write(tmp_path / "one.cu", '#include <cstdio>\n#include "own.hpp"\nint main() {}\n')
    write(tmp_path / "own.hpp", "#pragma once\n")
    text = support.bundle([one])
    assert text.index("#include <cstdio>") < text.index("namespace broken_one {")
    assert f'#include "{tmp_path / "own.hpp"}"' in text
    body = text[text.index(f'#line 1 "{one}"') :].splitlines()
    assert body[1:4] == ["", "", "int main() {}"]


def test_starter_has_no_answer_and_no_tags() -> None:
    for exercise in support.exercises():
        text = support.starter(exercise)
        solution = (exercise / "solution.cu").read_text(encoding="utf-8")
        answer = solution.split("// [answer]\n")[1].split("// [/answer]")[0].strip()
        assert answer not in text
        assert "// Your code here." in text
        assert "[kernel]" not in text


def test_signal_is_shown_as_a_shell_shows_it(tmp_path: Path) -> None:
    program = write(tmp_path / "dies", "#!/bin/sh\nkill -SEGV $$\n")
    program.chmod(0o755)
    assert support.run(program).code == 139


def test_endless_program_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support, "RUN_SECONDS", 0.2)
    program = write(tmp_path / "endless", "#!/bin/sh\nsleep 60\n")
    program.chmod(0o755)
    assert support.run(program).code == 124


def answer_to_number_the_elements(tmp_path: Path, line: str) -> str:
    """What the check says of a kernel whose threads run one line."""
    if reason := support.lacking("cpu", library=True):
        pytest.skip(reason)
    answer = write(
        tmp_path / "answer.cu",
        '#include "coalesce/launch.hpp"\n#include "exercise.hpp"\n'
        "__global__ void kernel(int n, int* out) {\n"
        "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"  {line}\n}}\n"
        "void number_the_elements(int n, int* d_out, cudaStream_t stream) {\n"
        "  const dim3 grid = coalesce::grid_for(n, 256);\n"
        "  coalesce::launch(kernel, {.grid = grid, .block = 256, .stream = stream}, n, d_out);\n"
        "}\n",
    )
    exercise = tasks.find("02.1").folder
    outcome = support.outcome_of_answer(exercise, answer, "cpu")
    assert outcome.built, outcome.output
    return outcome.output


def test_an_element_that_nobody_wrote_is_named(tmp_path: Path) -> None:
    said = answer_to_number_the_elements(tmp_path, "if (i < n - 1) out[i] = i;")
    assert "(never written: it still holds the poison); 1 of 1 are wrong" in said


def test_a_guard_that_was_written_is_named(tmp_path: Path) -> None:
    said = answer_to_number_the_elements(tmp_path, "if (i <= n) out[i] = i;")
    assert "element 1 was written past the end: there are 1" in said


def test_after_an_error_that_stays_the_other_cases_are_not_tried(tmp_path: Path) -> None:
    said = answer_to_number_the_elements(tmp_path, "if (i < n) __trap();")
    assert said.count("WRONG") == 1
    assert "6 more cases were not tried" in said
