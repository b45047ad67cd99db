"""Small right programs: what the troubleshooting page tells to write instead.

Each says in its comments how it must end, as the chapters' broken programs do (see
tests/chapters/support.py). They need nothing of the course's library.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chapters import support

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.cu"))
RUNS = [
    (source, device)
    for source in PROGRAMS
    for device in support.DEVICES
    if support.expected_on(source, device)
]


@pytest.mark.parametrize(
    ("source", "device"), RUNS, ids=lambda value: value.stem if isinstance(value, Path) else value
)
def test_a_right_program_is_right(source: Path, device: str) -> None:
    if reason := support.lacking(device):
        pytest.skip(reason)
    outcome = support.outcome_of(source, device, alone=True)
    wanted = support.expected_on(source, device)
    assert any(one.met_by(outcome) for one in wanted), outcome.output


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_every_program_compiles_with_nvcc_and_runs_somewhere(source: Path) -> None:
    devices = {one.device for one in support.expectations(source)}
    assert {"cpu"} <= devices
    if reason := support.lacking("nvcc"):
        pytest.skip(reason)
    program, said = support.build("gpu", [source])
    assert program, said.output
