"""What the tests of the labs share."""

from __future__ import annotations

from pathlib import Path

import pytest

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
