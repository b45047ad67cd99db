"""Every broken program fails as it says, and every exercise's check tells right from wrong.

Found by looking: a new chapter needs no line here. What a machine cannot run is skipped with the
reason.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chapters import support


def readable(source: Path) -> bool:
    try:
        return bool(support.expectations(source))
    except support.ExpectationError:
        return False  # test_broken_program_says_how_it_fails shows it


BROKEN = [
    (source, device)
    for source in filter(readable, support.broken_programs())
    for device in support.DEVICES
    if support.expected_on(source, device)
]
ANSWERS = [
    (exercise, answer, device)
    for exercise in support.exercises()
    for answer in [exercise / "solution.cu", *sorted(exercise.glob("wrong/*.cu"))]
    for device in ("cpu", "gpu")
]


def skip_where_lacking(device: str, *, library: bool = False) -> None:
    reason = support.lacking(device, library=library)
    if reason:
        pytest.skip(reason)


@pytest.fixture(scope="session", autouse=True)
def built_ahead(request: pytest.FixtureRequest) -> None:
    """Builds what the chosen tests need, two at a time."""
    jobs: dict[tuple, None] = {}
    for item in request.session.items:
        chosen = getattr(item, "callspec", None)
        if chosen is None:
            continue
        device = chosen.params.get("device", "gpu" if "compiles" in item.name else "cpu")
        if {"exercise", "answer"} <= chosen.params.keys() and not support.lacking(
            device, library=True
        ):
            exercise, answer = chosen.params["exercise"], chosen.params["answer"]
            jobs[(support.outcome_of_answer, exercise, answer, device)] = None
        elif "source" in chosen.params and not support.lacking(support.compiler_of(device)):
            source = chosen.params["source"]
            if readable(source) and support.compiles(source):
                jobs[(support.build_bundle, device, tuple(support.neighbours(source)))] = None
    support.build_ahead(jobs)


def label(value: object) -> str:
    return support.name_of(value) if isinstance(value, Path) else str(value)


@pytest.mark.parametrize(("source", "device"), BROKEN, ids=label)
def test_broken_program_fails_as_it_says(source: Path, device: str) -> None:
    skips = [one.skip for one in support.expected_on(source, device) if one.skip]
    if skips:
        pytest.skip(skips[0])
    skip_where_lacking(device)
    outcome = support.outcome_of(source, device)
    assert support.problem_with(source, device, outcome) is None


@pytest.mark.parametrize("source", support.broken_programs(), ids=label)
def test_broken_program_says_how_it_fails(source: Path) -> None:
    text = source.read_text(encoding="utf-8")
    assert support.expectations(source)
    assert text.startswith("//"), "the first line says what is wrong"
    assert len(text.splitlines()) <= 60


@pytest.mark.parametrize("source", list(filter(readable, support.broken_programs())), ids=label)
def test_broken_program_compiles_for_the_gpu(source: Path) -> None:
    if not support.compiles(source):
        pytest.skip("it is meant not to compile")
    skip_where_lacking("nvcc")
    program, said = support.build_bundle("gpu", support.neighbours(source))
    if program is None:
        program, said = support.build("gpu", [source])
    assert program, said.output


@pytest.mark.parametrize(("exercise", "answer", "device"), ANSWERS, ids=label)
def test_check_judges_the_answer(exercise: Path, answer: Path, device: str) -> None:
    skip_where_lacking(device, library=True)
    outcome = support.outcome_of_answer(exercise, answer, device)
    assert outcome.built, outcome.output
    if answer.name == "solution.cu":
        assert outcome.code == 0, outcome.output
    else:
        assert outcome.code != 0, f"the check accepts a wrong answer:\n{outcome.output}"
        assert "WRONG" in outcome.output or outcome.code == 86, outcome.output


@pytest.mark.parametrize("exercise", support.exercises(), ids=label)
def test_exercise_has_two_wrong_answers(exercise: Path) -> None:
    wrong = sorted(exercise.glob("wrong/*.cu"))
    assert len(wrong) >= 2
    for path in wrong:
        assert path.read_text(encoding="utf-8").startswith("//"), f"{path} says what is wrong"


@pytest.mark.parametrize("exercise", support.exercises(), ids=label)
def test_starter_compiles_and_is_not_accepted(exercise: Path, tmp_path: Path) -> None:
    skip_where_lacking("cpu", library=True)
    begin = tmp_path / "starter.cu"
    begin.write_text(support.starter(exercise), encoding="utf-8")
    outcome = support.outcome_of_answer(exercise, begin, "cpu")
    assert outcome.built, outcome.output
    assert outcome.code != 0, outcome.output
