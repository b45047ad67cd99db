"""What the tests of the labs share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.labs.flow import HALVE, Flow
from tools import programs
from tools.labs import catalog
from tools.labs.catalog import Lab

TWICE = Path(__file__).parent / "twice"


def skip_where_lacking(device: str) -> None:
    reason = programs.lacking(device, library=True)
    if reason:
        pytest.skip(reason)


@pytest.fixture(scope="session")
def twice() -> Lab:
    """A lab of the tests' own, the smallest there can be."""
    skip_where_lacking("cpu")
    return catalog.read(TWICE)


@pytest.fixture
def flow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flow:
    """The verb without a GPU; beside lab 5.1 there is the tests' own lab 9.1."""
    no_gpu = tmp_path / "no-gpu"
    no_gpu.write_text("count_error=35\ndevices=0\ndriver_version=0\n")
    monkeypatch.setenv("COALESCE_WORK", str(tmp_path / "work"))
    monkeypatch.setenv("COALESCE_BUILT", "1")
    monkeypatch.setenv("DOCTOR_PROBE", str(no_gpu))
    known = [one for one in catalog.labs() if one.number == "5.1"]
    own = catalog.read(HALVE)
    monkeypatch.setattr(catalog, "labs", lambda: [*known, own])
    return Flow(tmp_path / "work")


@pytest.fixture
def built(flow: Flow) -> Flow:
    """The same, where programs can be built for the CPU device."""
    skip_where_lacking("cpu")
    return flow
