"""The set-up: packages, locks, the virtual environment, read-only places, no network."""

from __future__ import annotations

import io
import re
import tomllib
from pathlib import Path

import pytest
from conftest import REPO, Course, Fakes

from tools import paths, setup
from tools.console import Console
from tools.errors import Failure


@pytest.fixture(autouse=True)
def fresh_caches() -> None:
    cached = (paths.build_dir, paths.venv_dir, setup.stamp_text)
    for function in cached:
        function.cache_clear()
    yield
    for function in cached:
        function.cache_clear()


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The build folder and the environment in a folder of the test."""
    monkeypatch.setenv("COALESCE_BUILD", str(tmp_path / "build"))
    monkeypatch.setenv("COALESCE_VENV", str(tmp_path / "venv"))
    monkeypatch.delenv("COALESCE_NO_PACKAGES", raising=False)
    return tmp_path


def silent() -> Console:
    return Console(io.StringIO(), io.StringIO())


# --- The locks


def names_in(lock: str) -> dict[str, str]:
    text = (REPO / lock).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9._-]+)==(\S+)", text, re.MULTILINE))


def project() -> dict:
    return tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("requirements.lock", project()["dependencies"]),
        ("requirements-cuda.lock", project()["optional-dependencies"]["cuda"]),
    ],
)
def test_the_lock_pins_what_pyproject_asks_for(lock: str, wanted: list[str]) -> None:
    locked = names_in(lock)
    for requirement in wanted:
        name, sign, version = re.fullmatch(
            r"([a-z0-9-]+)(?:(==|>=)([\d.]+))?.*", requirement
        ).groups()
        assert name in locked
        if sign:
            have = tuple(int(n) for n in re.findall(r"\d+", locked[name]))
            least = tuple(int(n) for n in version.strip(".").split("."))
            assert have >= least
            assert sign == ">=" or have[: len(least)] == least


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-cuda.lock"])
def test_every_pin_has_a_hash_and_no_index_is_named(lock: str) -> None:
    text = (REPO / lock).read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text
    for entry in re.split(r"^(?=\S)", text, flags=re.MULTILINE):
        if entry.strip() and not entry.startswith("#"):
            assert "--hash=sha256:" in entry, entry


# --- System packages


def test_a_need_is_met_by_a_program_a_header_or_a_module(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(fakes.folder))
    monkeypatch.setattr(setup, "INCLUDE_FOLDERS", (str(tmp_path),))
    program = setup.Need("x", ["x"], "", programs=["one", "two"])
    header = setup.Need("y", ["y"], "", header="a/b.hpp")
    clang = setup.Need("c", ["c"], "", programs=["clang++-19"], least=16, unversioned="clang++")
    assert not program.met()
    assert not header.met()
    assert setup.Need("z", ["z"], "", module="json").met()
    assert not setup.Need("z", ["z"], "", module="no_such_module").met()
    fakes.add("two", "")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.hpp").touch()
    assert program.met()
    assert header.met()
    fakes.add("clang++", "echo Debian clang version 14.0.6")
    assert not clang.met()
    fakes.add("clang++", "echo Debian clang version 17.0.6")
    assert clang.met()


def test_the_browser_is_asked_for_only_by_name() -> None:
    assert "Chromium" not in [need.name for need in setup.needs(set())]
    assert "Chromium" in [need.name for need in setup.needs({"browser"})]


MISSING = [
    setup.Need("clang 16 or newer", ["clang-19", "clang-16"], ""),
    setup.Need("D", ["d"], ""),
]


def test_without_root_one_line_to_paste_and_exit_code_3(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, elsewhere: Path
) -> None:
    monkeypatch.setenv("PATH", f"{fakes.folder}:/bin")
    fakes.add("apt-get", "exit 1")
    fakes.add("sudo", "exit 1")
    fakes.add(
        "apt-cache",
        'case $2 in clang-16|d) echo "  Candidate: 1";; *) echo "  Candidate: (none)";; esac',
    )
    monkeypatch.setattr(setup.os, "geteuid", lambda: 1000)
    with pytest.raises(Failure) as caught:
        setup.install_packages(MISSING, silent())
    assert caught.value.exit_code == 3
    assert caught.value.next_step.strip() == (
        "sudo apt-get update && sudo apt-get install --yes --no-install-recommends clang-16 d"
    )


def test_with_sudo_apt_installs_what_is_missing(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, elsewhere: Path
) -> None:
    monkeypatch.setenv("PATH", f"{fakes.folder}:/bin")
    fakes.add("apt-get", f'echo "$@" >> {elsewhere}/called')
    fakes.add("sudo", 'shift; exec "$@"')
    fakes.add("apt-cache", 'echo "  Candidate: 1"')
    monkeypatch.setattr(setup.os, "geteuid", lambda: 1000)
    setup.install_packages(MISSING, silent())
    called = (elsewhere / "called").read_text().splitlines()
    assert called == ["update", "install --yes --no-install-recommends clang-19 d"]


def test_another_system_is_told_what_is_missing(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, elsewhere: Path
) -> None:
    monkeypatch.setenv("PATH", str(fakes.folder))
    with pytest.raises(Failure, match="clang 16 or newer, D") as caught:
        setup.install_packages(MISSING, silent())
    assert caught.value.exit_code == 3


def test_nothing_missing_asks_nobody(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch, elsewhere: Path
) -> None:
    monkeypatch.setattr(setup, "missing_needs", lambda groups: [])
    monkeypatch.setattr(setup, "install_packages", lambda *_: pytest.fail("called apt"))
    setup.ensure_packages(silent(), set())


# --- Python packages


def fake_venv(folder: Path, pip: str) -> None:
    """A .venv whose pip does what the test wants."""
    python = Fakes(folder / "bin").add("python", f'case "$*" in *pip*) {pip};; *) exit 0;; esac')
    assert python.exists()


def last_week(folder: Path) -> None:
    """What an older lock has left."""
    text = f"python 3.11, of last week's lock\nin {folder / 'venv'}\n"
    setup.stamp_path(setup.LOCK).write_text(text)


OFFLINE = "echo 'WARNING: Retrying: NewConnectionError'; exit 1"


def test_a_stamp_makes_the_second_set_up_quick(elsewhere: Path) -> None:
    fake_venv(elsewhere / "venv", "exit 0")
    assert not setup.venv_is_ready()
    setup.install_lock(setup.LOCK, "Installing", silent())
    assert setup.venv_is_ready()
    setup.stamp_path(setup.LOCK).write_text(f"of another lock\nin {elsewhere / 'venv'}\n")
    assert not setup.venv_is_ready()


def test_a_moved_environment_is_made_again(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_venv(elsewhere / "venv", "exit 0")
    text = setup.stamp_text(setup.LOCK)
    setup.stamp_path(setup.LOCK).write_text(text.replace(str(elsewhere), "/elsewhere"))
    assert not setup.venv_is_ready()
    made: list[str] = []
    monkeypatch.setattr(setup, "make_venv", lambda console: made.append("made"))
    setup.ensure_venv(silent())
    assert made == ["made"]
    # Through a read-only mount it stands elsewhere too, and is used as it is.
    setup.stamp_path(setup.LOCK).write_text(text.replace(str(elsewhere), "/elsewhere"))
    monkeypatch.setattr(paths, "writable", lambda folder: False)
    assert setup.venv_is_ready()


@pytest.fixture
def linked(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another checkout's environment, to which this one's is a link."""
    other, link = elsewhere / "other" / ".venv", elsewhere / "linked" / ".venv"
    fake_venv(other, f"touch {elsewhere}/pip-ran")
    link.parent.mkdir()
    link.symlink_to(other)
    monkeypatch.setattr(paths, "venv_dir", lambda: link)
    return other


def test_a_link_to_an_environment_that_fits_is_ready(linked: Path) -> None:
    setup.stamp_text.cache_clear()
    text = setup.stamp_text(setup.LOCK)
    assert f"\nin {linked}\n" in text
    (linked / setup.stamp_path(setup.LOCK).name).write_text(text)
    assert setup.venv_is_ready()


@pytest.mark.parametrize("stamp", ["", "of another lock\nin OTHER\n", "of this\nin /elsewhere\n"])
def test_what_a_link_leads_to_is_never_changed(linked: Path, elsewhere: Path, stamp: str) -> None:
    (linked / setup.stamp_path(setup.LOCK).name).write_text(stamp.replace("OTHER", str(linked)))
    before = {path: path.read_bytes() for path in linked.rglob("*") if path.is_file()}
    with pytest.raises(Failure, match="is a link to") as caught:
        setup.ensure_venv(silent())
    assert caught.value.exit_code == 3
    assert {path: path.read_bytes() for path in linked.rglob("*") if path.is_file()} == before
    assert not (elsewhere / "pip-ran").exists()


def test_pip_is_asked_for_hashes_and_nothing_else(elsewhere: Path) -> None:
    fake_venv(elsewhere / "venv", f'echo "$@" > {elsewhere}/asked')
    setup.install_lock(setup.LOCK, "Installing", silent())
    asked = (elsewhere / "asked").read_text()
    assert "--require-hashes" in asked
    assert "--no-deps" in asked
    assert "index" not in asked


def test_no_network_at_first_is_one_sentence(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_venv(elsewhere / "venv", OFFLINE)
    monkeypatch.setattr(setup, "make_venv", lambda console: None)
    with pytest.raises(Failure, match="is there a network") as caught:
        setup.ensure_venv(silent())
    assert caught.value.exit_code == 3
    assert not setup.venv_is_ready()


def test_no_network_later_keeps_what_is_installed(elsewhere: Path) -> None:
    fake_venv(elsewhere / "venv", OFFLINE)
    last_week(elsewhere)
    console = silent()
    setup.ensure_venv(console)
    assert "Going on with those installed before" in console.err.getvalue()


def test_a_wrong_hash_is_no_network_trouble(elsewhere: Path) -> None:
    fake_venv(elsewhere / "venv", "echo 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES'; exit 1")
    last_week(elsewhere)
    with pytest.raises(Failure, match="pip could not install") as caught:
        setup.ensure_venv(silent())
    assert "DO NOT MATCH" in caught.value.tail


# --- Places


def test_a_read_only_checkout_builds_in_a_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("COALESCE_BUILD", raising=False)
    monkeypatch.delenv("COALESCE_VENV", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(paths, "REPO", tmp_path / "checkout")
    real = paths.writable
    inside = tmp_path / "checkout"
    monkeypatch.setattr(paths, "writable", lambda p: False if p.is_relative_to(inside) else real(p))
    assert paths.build_dir().parent.parent == tmp_path
    assert "read-only" in paths.remark_on_build_dir()
    assert paths.venv_dir().parent == paths.build_dir().parent
    assert paths.work_dir() == paths.build_dir() / "work"


def test_nowhere_to_write_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COALESCE_BUILD", raising=False)
    monkeypatch.setattr(paths, "writable", lambda folder: False)
    with pytest.raises(Failure, match="read-only") as caught:
        paths.build_dir()
    assert "COALESCE_BUILD" in caught.value.next_step


def test_a_home_that_cannot_be_written_is_no_obstacle(course: Course) -> None:
    course.program("03-first-gpu-program-cpu", "echo '[]'")
    answer = course("run", "3", "--device", "cpu", HOME="/proc/nowhere")
    assert answer.returncode == 0, answer.stderr


def test_a_real_environment_is_made_and_kept(course: Course) -> None:
    """The whole of set-up but the packages: an empty lock needs no network."""
    (course.root / "requirements.lock").write_text("")
    answer = course("setup", COALESCE_QUIET="1")
    assert answer.returncode == 0, answer.stderr
    assert (course.root / ".venv" / "bin" / "python").exists()
    assert answer.stderr == ""
    again = course("setup")
    assert again.returncode == 0
    assert again.stderr == ""
