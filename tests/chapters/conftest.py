"""Collects each chapter's own `test_*.py` together with the tests that all chapters share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chapters import support


def pytest_configure(config: pytest.Config) -> None:
    # Tests of one name lie in many folders, and the folders' names are no module names.
    config.option.importmode = "importlib"


class OwnTests(pytest.File):
    """The tests that lie in the chapters' folders."""

    def collect(self) -> Iterator[pytest.Module]:
        for chapter in support.chapters():
            for path in sorted(chapter.glob("test_*.py")):
                yield pytest.Module.from_parent(self, path=path)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.name == "test_chapters.py" and file_path.parent == Path(__file__).parent:
        return OwnTests.from_parent(parent, path=file_path, name="own tests of the chapters")
    return None
