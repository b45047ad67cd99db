"""`./course doctor --fix`: safe steps only, each printed first and asked for."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.doctor.machine import Machine
from tests.doctor.situations import toolkits
from tools.doctor import fix
from tools.doctor.rules import all_rules

REPO = Path(__file__).resolve().parents[2]


@pytest.fixture(params=[11], ids=["seed11"])
def draw(request: pytest.FixtureRequest):
    from tests.doctor.machine import Draw

    return Draw(f"{request.node.originalname}{request.param}")


@pytest.fixture
def checkout(tmp_path: Path, machine: Machine) -> Path:
    """A copy of the course whose set-up only makes an empty .venv; its .venv is DOCTOR_ROOT's."""
    folder = tmp_path / "ein Kurs 课程"
    shutil.copytree(REPO / "tools", folder / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("course", "requirements.lock", "requirements-cuda.lock"):
        shutil.copy(REPO / name, folder / name)
    (folder / "docs/data").mkdir(parents=True)
    shutil.copy(REPO / "docs/data/compatibility.toml", folder / "docs/data")
    set_up = folder / "tools/verbs/setup.py"
    set_up.write_text(
        "import sys\nfrom pathlib import Path\nfrom tools import paths\n"
        'DESCRIPTION, EXAMPLES = "", ""\ndef add_arguments(parser): pass\n'
        "def run(options, console):\n"
        '    python = paths.venv_dir() / "bin" / "python"\n'
        "    python.parent.mkdir(parents=True)\n    python.symlink_to(sys.executable)\n"
        '    print("set up")\n    return 0\n'
    )
    machine.folder = tmp_path / "machine"
    return folder


def environment(machine: Machine, folder: Path) -> dict[str, str]:
    machine.write()
    shutil.rmtree(machine.root / ".venv", ignore_errors=True)
    if not (machine.root / ".venv").is_symlink():
        (machine.root / ".venv").symlink_to(folder / ".venv")
    return {"LC_ALL": "C.UTF-8"} | machine.variables()


def run(machine: Machine, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(folder / "course"), "doctor", "--wait", "10", *words],
        env=environment(machine, folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def run_in_terminal(machine: Machine, folder: Path, answers: str) -> str:
    """With a terminal as standard input, on which the answers are typed."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, str(folder / "course"), "doctor", "--wait", "10", "--fix"],
        env=environment(machine, folder),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    os.write(ours, answers.encode())
    said, _ = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    return said


def break_venv(folder: Path) -> Path:
    python = folder / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.symlink_to("/nowhere/python3")
    (folder / ".venv/mine.txt").write_text("kept")
    return folder / ".venv"


def test_without_a_terminal_it_refuses(machine: Machine, checkout: Path) -> None:
    venv = break_venv(checkout)
    answer = run(machine, checkout, "--fix")
    assert answer.returncode == 2
    assert "--yes" in answer.stderr
    assert (venv / "mine.txt").exists()
    assert not (checkout / "work").exists()


def test_a_broken_venv_is_put_aside_and_made_anew(machine: Machine, checkout: Path) -> None:
    break_venv(checkout)
    answer = run(machine, checkout, "--fix", "--yes")
    (aside,) = checkout.glob(".venv.broken-*")
    assert (aside / "mine.txt").read_text() == "kept"
    assert (checkout / ".venv/bin/python").exists()
    assert (checkout / "work").is_dir()
    lines = answer.stdout.splitlines()
    printed = [i for i, line in enumerate(lines) if line.startswith(("mv ", "mkdir ", "./course"))]
    assert len(printed) == 3, answer.stdout
    assert lines.index("set up") > max(printed)
    assert "[venv-broken]" not in lines[-1]


def test_in_a_terminal_it_asks_before_each_step(machine: Machine, checkout: Path) -> None:
    break_venv(checkout)
    said = run_in_terminal(machine, checkout, "n\ny\nn\n")
    assert said.count("Run it? [y/N]") == 3
    assert said.count("Left as it is.") == 2
    assert (checkout / "work").is_dir()
    assert not list(checkout.glob(".venv.broken-*"))


def test_no_answer_is_a_no(machine: Machine, checkout: Path) -> None:
    break_venv(checkout)
    said = run_in_terminal(machine, checkout, "\n\n\n")
    assert said.count("Left as it is.") == 3
    assert not (checkout / "work").exists()


def test_what_is_the_readers_own_is_printed_only(machine: Machine, checkout: Path) -> None:
    """A line for a shell file is shown; nothing outside the checkout is written."""
    break_venv(checkout)
    toolkits.installed_beside_path(machine)
    home = machine.folder / "home"
    home.mkdir(parents=True)
    machine.environment["HOME"] = str(home)
    answer = run(machine, checkout, "--fix", "--yes")
    assert 'By hand: Add it: export PATH="' in answer.stdout
    assert list(home.iterdir()) == []


def test_a_refusal_of_the_system_is_said(machine: Machine, checkout: Path) -> None:
    """work is a file, so the folder cannot be made: no traceback."""
    break_venv(checkout)
    (checkout / "work").symlink_to("/nowhere/there")
    answer = run(machine, checkout, "--fix", "--yes")
    assert "The system refused" in answer.stdout
    assert "Traceback" not in answer.stderr


def test_nothing_to_do(machine: Machine, checkout: Path) -> None:
    (checkout / "work").mkdir()
    machine.without_gpu()
    machine.tools["nvcc"] = None
    machine.write()
    shutil.copytree(machine.root / ".venv", checkout / ".venv", symlinks=True)
    stamp = next((checkout / ".venv").glob("*.stamp"))
    stamp.write_text(stamp.read_text().partition("\n")[0] + f"\nin {machine.root}/.venv\n")
    answer = run(machine, checkout, "--fix")
    assert "Nothing here that --fix could do." in answer.stdout
    assert answer.returncode == 4


def test_drivers_are_never_touched() -> None:
    """The repairs know rules of the set-up alone, and no command of theirs needs root."""
    areas = {rule.id: rule.area for rule in all_rules()}
    assert {areas[name] for name in fix.CURED_BY_SETUP} <= {"Packages", "Meson", "Ninja"}
    source = Path(fix.__file__).read_text(encoding="utf-8")
    for word in ("sudo", "modprobe", "apt", "nvidia", "bashrc", "profile"):
        assert word not in source
