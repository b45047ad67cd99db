"""The graders are graded: solutions pass, skeletons fail, and every wrong submission of a lab is
rejected for the reason that it declares.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tests.labs.conftest import skip_where_lacking
from tools import programs
from tools.labs import building, catalog, grade, tasks
from tools.labs.catalog import Lab, Wrong
from tools.labs.judging import Finding

LABS = catalog.labs()
DEVICES = ("cpu", "gpu")
SEEDS = (1, 20261130, 2**63 - 1)
FEWEST = 12  # wrong submissions of a lab
SUBMISSIONS = [
    pytest.param(lab, wrong, device, id=f"{lab.number}-{wrong.path.stem}-{device}")
    for lab in LABS
    for wrong in catalog.wrong_submissions(lab)
    for device in DEVICES
]

each_lab = pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.number)


def files_of(lab: Lab, wrong: Wrong) -> dict[str, Path]:
    return lab.solution() | {wrong.in_place_of: wrong.path}


def finding_of(lab: Lab, wrong: Wrong, device: str) -> Finding | None:
    return grade.first_finding(lab, files_of(lab, wrong), device)


def why_skipped(wrong: Wrong, device: str) -> str | None:
    if device == "gpu" and wrong.only_by_cpu_device:
        return "only the CPU device can tell this fault"
    return programs.lacking(device, library=True)


@pytest.fixture(scope="module")
def graded(request: pytest.FixtureRequest) -> Iterator[dict[tuple[Path, str], Future]]:
    """What the chosen tests ask about, graded two at a time."""
    chosen: dict[tuple[Path, str], tuple[Lab, Wrong, str]] = {}
    for item in request.session.items:
        asked = getattr(getattr(item, "callspec", None), "params", {})
        if {"lab", "wrong", "device"} <= asked.keys():
            what = (asked["lab"], asked["wrong"], asked["device"])
            if not why_skipped(*what[1:]):
                chosen[what[1].path, what[2]] = what
    with ThreadPoolExecutor(2) as pool:
        begun = {key: pool.submit(finding_of, *what) for key, what in chosen.items()}
        yield begun
        for one in begun.values():
            one.cancel()


@pytest.mark.slow
@pytest.mark.parametrize(("lab", "wrong", "device"), SUBMISSIONS)
def test_a_wrong_submission_is_rejected_for_its_reason(
    lab: Lab, wrong: Wrong, device: str, graded: dict[tuple[Path, str], Future]
) -> None:
    if reason := why_skipped(wrong, device):
        pytest.skip(reason)
    found = graded[wrong.path, device].result()
    assert found is not None, "the check accepts it"
    assert (found.property, found.reason) == (wrong.property, wrong.reason), found
    assert found.message
    if device == "cpu":
        assert wrong.only_by_cpu_device == (found.by_cpu_device or found.counted)


@functools.cache
def program_of(lab_folder: Path, device: str) -> Path:
    lab = catalog.read(lab_folder)
    return building.build(lab, lab.solution(), device)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("device", DEVICES)
@each_lab
def test_the_solution_passes(lab: Lab, device: str, seed: int) -> None:
    skip_where_lacking(device)
    program = program_of(lab.folder, device)
    with ThreadPoolExecutor(2 if device == "cpu" else 1) as pool:
        judged = pool.map(
            lambda case: grade.run_case(program, case, device, seed), grade.cases_of(program)
        )
        assert list(filter(None, judged)) == []


@each_lab
def test_properties_and_cases_belong_together(lab: Lab) -> None:
    skip_where_lacking("cpu")
    cases = grade.cases_of(program_of(lab.folder, "cpu"))
    assert {case.property for case in cases} == set(lab.properties)
    names = [(case.property, case.name) for case in cases]
    assert len(set(names)) == len(names), "two cases of a property have the same name"


@each_lab
def test_the_skeleton_compiles_and_fails(lab: Lab, tmp_path: Path) -> None:
    skip_where_lacking("cpu")
    files = {}
    for name, text in tasks.of_lab(lab).skeletons().items():
        files[name] = tmp_path / name
        files[name].write_text(text, encoding="utf-8")
    found = grade.first_finding(lab, files)
    assert found is not None and found.property != "builds", found and found.output


@each_lab
def test_each_file_of_the_skeleton_alone_is_not_accepted(lab: Lab, tmp_path: Path) -> None:
    """A reader who has written all files but one is told so."""
    skip_where_lacking("cpu")
    skeletons = tasks.of_lab(lab).skeletons()
    for name, text in skeletons.items() if len(skeletons) > 1 else ():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert grade.first_finding(lab, lab.solution() | {name: path}) is not None, name


@each_lab
def test_enough_wrong_submissions_and_no_two_alike(lab: Lab) -> None:
    wrong = catalog.wrong_submissions(lab)
    assert len(wrong) >= FEWEST
    texts = [program_text(one.path) for one in wrong]
    assert len(set(texts)) == len(texts)
    solutions = {name: program_text(path) for name, path in lab.solution().items()}
    for one in wrong:
        assert program_text(one.path) != solutions[one.in_place_of], f"{one.path.name} is right"


def program_text(path: Path) -> str:
    """Without comments, and with single spaces."""
    text = path.read_text(encoding="utf-8")
    return " ".join(re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL).split())


@each_lab
def test_wrong_submissions_say_what_is_wrong(lab: Lab) -> None:
    for wrong in catalog.wrong_submissions(lab):
        first = wrong.path.read_text(encoding="utf-8").splitlines()[0]
        assert re.fullmatch(r"// Wrong: \S.*\.", first), f"{wrong.path.name}: {first}"
        assert wrong.in_place_of in lab.files, wrong.path.name
        assert wrong.property in {*lab.properties, "builds"}, wrong.path.name


@each_lab
def test_each_reason_has_a_hint(lab: Lab) -> None:
    declared = {wrong.reason for wrong in catalog.wrong_submissions(lab)}
    assert declared - lab.hints.keys() == set()
    assert reasons_in(lab) - lab.hints.keys() == set()


def reasons_in(lab: Lab) -> set[str]:
    """Codes that stand in a lab's check."""
    found = set()
    for path in [*lab.folder.glob("check*.?pp")]:
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r'(?:reason = |return \{)"([a-z]+(?:_[a-z]+)+)"', text))
    return found


@each_lab
def test_hints_are_sentences(lab: Lab) -> None:
    for reason, hint in lab.hints.items():
        assert re.fullmatch(r"[a-z]+(_[a-z0-9]+)*", reason), reason
        assert re.fullmatch(r"\S.*[.?]", hint, re.DOTALL), f"{reason}: {hint}"


def test_a_wrong_submission_without_its_line_is_refused(twice: Lab, tmp_path: Path) -> None:
    (tmp_path / "wrong").mkdir()
    (tmp_path / "wrong" / "careless.cu").write_text("// Wrong: no line.\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"careless\.cu"):
        catalog.wrong_submissions(replace(twice, folder=tmp_path))
