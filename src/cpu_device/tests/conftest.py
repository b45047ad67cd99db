"""Fixtures: the programs are compiled once a session."""

import pathlib
import sys

import pytest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import build  # noqa: E402 (the path must be set first)


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes more than a few seconds")
    config.addinivalue_line(
        "markers",
        "compiler: depends on the compiler's version (language, counts, the driver); CI runs these "
        "with a second one",
    )


@pytest.fixture(scope="session")
def programs(tmp_path_factory, pytestconfig):
    """Name -> path of every compiled program (tests/build.py lists them)."""
    every = build.Programs(tmp_path_factory.mktemp("programs"))
    selection = pytestconfig.option.keyword or pytestconfig.option.markexpr
    if not selection:  # a selection builds only what it needs
        every.build_all()
    return every
