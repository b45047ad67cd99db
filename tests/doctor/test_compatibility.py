"""The table of versions: whole, in order, sourced, and of one mind with the toolkit here."""

from __future__ import annotations

import datetime
import itertools
import re
from pathlib import Path

import pytest

from tests.doctor.machine import TABLE, dotted
from tools import toolchain
from tools.doctor import compatibility
from tools.doctor.compatibility import Compatibility, number_of, version
from tools.doctor.facts.toolkit import newest_glibc

GROUPS = ("driver", "architectures", "host_compilers", "glibc")
REPO = Path(__file__).resolve().parents[2]


def by_toolkit(group: str) -> list[tuple[str, object]]:
    return sorted(TABLE.group(group, "of").items(), key=lambda entry: version(entry[0]))


@pytest.mark.parametrize("group", GROUPS)
def test_sources_and_date(group: str) -> None:
    entry = TABLE.data[group]
    assert isinstance(entry["checked"], datetime.date)
    assert entry["checked"] >= datetime.date(2026, 11, 1)
    assert entry["sources"]
    assert entry["read_in"]
    for source in entry["sources"]:
        assert re.fullmatch(r"https://(docs\.nvidia\.com|github\.com)/\S+", source)


def test_a_newer_toolkit_never_takes_an_older_driver() -> None:
    of = by_toolkit("driver")
    assert len(of) >= 10
    for (_, older), (toolkit, newer) in itertools.pairwise(of):
        assert version(older) < version(newer), toolkit


def test_each_driver_belongs_to_its_major_release() -> None:
    least = TABLE.group("driver", "least")
    for toolkit, driver in by_toolkit("driver"):
        major = toolkit.partition(".")[0]
        assert version(driver)[0] >= least[major], toolkit
    branches = [least[major] for major in sorted(least, key=int)]
    assert branches == sorted(branches)
    for major in least:
        assert TABLE.least_driver((int(major), 0)) == least[major]


def test_a_newer_toolkit_never_takes_fewer_compilers() -> None:
    for kind in ("gcc", "clang"):
        limits = [entry[kind] for _, entry in by_toolkit("host_compilers")]
        assert limits == sorted(limits), kind


def test_a_newer_toolkit_never_takes_an_older_glibc() -> None:
    limits = [version(entry.get("newest", "99")) for _, entry in by_toolkit("glibc")]
    assert limits == sorted(limits)


def test_every_toolkit_of_the_course_is_in_every_group() -> None:
    """Those with which tests and pages deal: from the oldest supported to 13.0."""
    toolkits = [t for t, _ in by_toolkit("driver") if (12, 4) <= version(t) <= (13, 0)]
    assert version(toolkits[0]) == toolchain.LEAST_CUDA
    for toolkit in toolkits:
        assert toolkit in TABLE.group("host_compilers", "of")
        assert toolkit in TABLE.group("glibc", "of")
        assert TABLE.architectures(version(toolkit))


def test_architectures_come_before_they_go() -> None:
    for name, entry in TABLE.group("architectures", "of").items():
        assert number_of(name), name
        assert entry["family"]
        assert version(entry["first"]) <= version(entry.get("last", "99"))


def test_only_a_new_major_release_drops_architectures() -> None:
    toolkits = [t for t, _ in by_toolkit("driver")]
    for older, newer in itertools.pairwise(toolkits):
        gone = set(TABLE.architectures(version(older))) - set(TABLE.architectures(version(newer)))
        assert not gone or older.partition(".")[0] != newer.partition(".")[0], (older, newer, gone)


def test_the_installed_nvcc_agrees() -> None:
    found = toolchain.all_nvccs()
    number = toolchain.cuda_version(found[0].path) if found else None
    if not number:
        pytest.skip("no nvcc here")
    listed = toolchain.known_architectures(found[0].path)
    assert TABLE.architectures(number) == listed


def test_the_installed_headers_agree() -> None:
    found = toolchain.all_nvccs()
    number = toolchain.cuda_version(found[0].path) if found else None
    if not number or not toolchain.header(found[0].path, "host_config.h"):
        pytest.skip("no nvcc with headers here")
    gcc, clang = toolchain.host_limits(found[0].path)
    assert TABLE.newest_compiler(number, "gcc") == gcc
    assert TABLE.newest_compiler(number, "clang") == clang
    header = toolchain.header(found[0].path, "math_functions.h")
    assert TABLE.newest_glibc(number) == version(newest_glibc(header))


@pytest.mark.parametrize(
    ("capability", "last"), [("3.7", "11.8"), ("6.1", "12.9"), ("7.0", "12.9"), ("7.5", "")]
)
def test_the_last_toolkit_of_a_gpu(capability: str, last: str) -> None:
    assert TABLE.last_toolkit(capability) == last
    assert dotted(number_of(capability)) == capability


def test_questions_about_what_is_not_there() -> None:
    """A toolkit that is newer than the table is judged by the newest of its major release."""
    newest = max((version(t) for t, _ in by_toolkit("driver")), default=())
    future = (newest[0], newest[1] + 7)
    assert TABLE.least_driver(future) == TABLE.least_driver(newest)
    assert TABLE.newest_compiler(future, "gcc") >= 15
    assert TABLE.least_driver((99, 0)) == 0
    assert TABLE.newest_compiler((99, 0), "gcc") == 0
    assert TABLE.newest_glibc((99, 0)) == ()
    assert TABLE.last_toolkit("99.0") == TABLE.first_toolkit("nonsense") == ""
    for absent in (Compatibility(), compatibility.load(Path("/nowhere"))):
        assert absent.least_driver((13, 0)) == 0
        assert absent.architectures((13, 0)) == []
        assert absent.toolkit_served((580, 1)) == ()


def test_a_damaged_file_is_an_empty_table(tmp_path: Path) -> None:
    path = tmp_path / "compatibility.toml"
    for damage in (b"[driver", b"\xff\xfe\x00", b""):
        path.write_bytes(damage)
        assert compatibility.load(path).group("driver", "of") == {}


def test_no_second_copy_in_python() -> None:
    """Nobody else writes down the driver that a toolkit needs."""
    drivers = {driver for _, driver in by_toolkit("driver")}
    for path in (REPO / "tools").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not any(driver in text for driver in drivers), path
        assert "LEAST_DRIVER" not in text, path
