"""Shared by the tests of the results."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.results import made_up
from tools.results import Results


@pytest.fixture(scope="session")
def store() -> Results:
    """The made-up reference with the made-up reader beside it."""
    return Results.load(made_up.FIXTURES / "course", [made_up.FIXTURES / "reader"])


@pytest.fixture(scope="session")
def historical() -> Results:
    """What the repository itself holds."""
    return Results.load(Path(__file__).resolve().parents[2])


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    """A good raw file of the made-up reference: contiguous and strided."""
    times = {made_up.CONTIGUOUS: 539e-6, made_up.STRIDED: 35.6e-6}
    return made_up.write_raw(tmp_path / "raw.jsonl", made_up.raw_lines(made_up.H200, times))
