"""What the tests of the labs share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chapters import support
from tools.labs import catalog
from tools.labs.catalog import Lab

TWICE = Path(__file__).parent / "twice"


def skip_where_lacking(device: str) -> None:
    reason = support.lacking(device, library=True)
    if reason:
        pytest.skip(reason)


@pytest.fixture(scope="session")
def twice() -> Lab:
    """A lab of the tests' own, the smallest there can be."""
    skip_where_lacking("cpu")
    return catalog.read(TWICE)
