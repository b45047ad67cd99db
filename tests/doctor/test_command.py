"""`./course doctor` as a reader calls it: its lines, its exit codes, its patience."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time

import pytest

from tests.doctor.machine import Machine
from tests.doctor.situations import SITUATIONS, driver, gpus, places

COURSE = str(places.__file__).rpartition("/tests/")[0] + "/course"


def course(machine: Machine, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """In a bare environment."""
    machine.write()
    return call(machine, *words, **more)


def call(machine: Machine, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {"LC_ALL": "C.UTF-8"} | machine.variables() | more
    return subprocess.run(
        [sys.executable, COURSE, "doctor", *words],
        env=environment,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.fixture(params=[7], ids=["seed7"])
def draw(request: pytest.FixtureRequest):
    from tests.doctor.machine import Draw

    return Draw(f"{request.node.originalname}{request.param}")


def test_one_line_a_finding_and_then_the_next_step(machine: Machine) -> None:
    driver.old_driver(machine)
    answer = course(machine)
    lines = answer.stdout.splitlines()
    assert answer.returncode == 1, answer.stdout + answer.stderr
    assert all(re.match(r"[✓!✗–] [A-Z]", line) for line in lines[:-2]), answer.stdout
    assert lines[-2] == "One thing has to be repaired."
    assert lines[-1].startswith("Next: Two ways out")
    assert not answer.stderr


@pytest.mark.parametrize("code", [0, 1, 4])
def test_exit_codes(machine: Machine, code: int) -> None:
    if code == 4:
        machine.without_gpu()
    if code == 1:
        machine.error = 999
    assert course(machine).returncode == code
    answer = course(machine, "--json")
    assert answer.returncode == json.loads(answer.stdout)["exit_code"] == code


def test_wrong_use(machine: Machine) -> None:
    for words in (["--jsn"], ["--json", "--verbose"], ["--wait", "long"], ["extra"]):
        answer = course(machine, *words)
        assert answer.returncode == 2
        assert "Traceback" not in answer.stderr


def test_help_tells_the_exit_codes(machine: Machine) -> None:
    answer = course(machine, "--help")
    for words in ("--fix", "--docs", "--verbose", "--json", "4  no GPU here"):
        assert words in answer.stdout


def test_plain_forms_where_the_terminal_knows_no_other(machine: Machine) -> None:
    machine.error = 999
    answer = course(machine, PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8="0")
    lines = answer.stdout.splitlines()
    assert answer.stdout.isascii()
    assert any(line.startswith("ok ") for line in lines)
    assert any(line.startswith("XX ") for line in lines)
    assert any(line.startswith("- Terminal") and "plain forms" in line for line in lines)


def test_verbose_names_rules_steps_and_facts(machine: Machine) -> None:
    gpus.hidden(machine)
    answer = course(machine, "--verbose")
    value = machine.environment["CUDA_VISIBLE_DEVICES"]
    assert "[visible-devices-hides-gpu] Let it be seen" in answer.stdout
    assert f"gpus.visible: {value or 'none'}" in answer.stdout
    assert machine.cards[0].name in answer.stdout


def test_json_has_findings_and_facts(machine: Machine) -> None:
    document = json.loads(course(machine, "--json").stdout)
    assert document["facts"]["toolkit"]["nvccs"][0]["version"] == machine.toolkit
    assert document["facts"]["driver"]["version"] == machine.driver
    assert {"gpu-works", "nvcc-works"} <= {finding["id"] for finding in document["findings"]}
    assert document["next_step"]


HANGING = {
    "nvidia-smi": "sleep 100",
    "nvcc": "sleep 100 & wait",
    "lspci": "trap '' TERM; sleep 100",
}


@pytest.mark.parametrize("names", [[name] for name in HANGING] + [list(HANGING)], ids=str)
def test_it_answers_in_three_seconds(machine: Machine, names: list[str]) -> None:
    machine.tools |= {name: HANGING[name] for name in names}
    began = time.monotonic()
    answer = course(machine, "--wait", "1.5")
    assert time.monotonic() - began < 3 + 3 * busy(), answer.stdout
    assert answer.returncode in (0, 1)
    assert "Next: " in answer.stdout


def busy() -> float:
    """How much slower this machine may be now: it has other work than these tests."""
    return max(0.0, os.getloadavg()[0] / (os.cpu_count() or 1) - 1)


def test_a_slow_driver_is_waited_for_on_request(machine: Machine) -> None:
    machine.tools["nvidia-smi"] = f"sleep 1.0; {machine.smi_script()}"
    assert "nvidia-smi" in course(machine, "--wait", "0.5", "--verbose").stdout
    assert machine.driver in course(machine, "--wait", "20").stdout


def test_the_hooks(machine: Machine) -> None:
    """DOCTOR_PROBE and DOCTOR_ROOT decide: nothing of this machine is seen."""
    machine.without_gpu()
    machine.tools["nvcc"] = None
    document = json.loads(course(machine, "--json").stdout)
    assert document["facts"]["toolkit"]["nvccs"] == []
    assert document["facts"]["driver"]["answer"]["count_error"] == 35
    assert document["facts"]["system"]["container"] == ""
    assert document["facts"]["system"]["glibc"] == machine.glibc


@pytest.mark.parametrize("site", [True, False])
def test_docs_prints_the_pair(machine: Machine, site: bool) -> None:
    from tools.doctor.facts.build import pinned

    wanted = {name: pinned(name) for name in ("sphinx", "breathe")}
    breathe = wanted["breathe"] if site else f"4.{machine.draw.randint(10, 40)}.0"
    packages = ".venv/lib/python3.11/site-packages"
    machine.files[f"{packages}/sphinx-{wanted['sphinx']}.dist-info/METADATA"] = ""
    machine.files[f"{packages}/breathe-{breathe}.dist-info/METADATA"] = ""
    answer = course(machine, "--docs")
    assert answer.returncode == (0 if site else 1)
    assert f"{wanted['sphinx']}, expected {wanted['sphinx']}" in answer.stdout
    assert f"{breathe}, expected {wanted['breathe']}" in answer.stdout


def test_docs_finds_the_pair_of_the_distribution(machine: Machine) -> None:
    machine.files["usr/lib/python3/dist-packages/Sphinx-5.3.0.dist-info/METADATA"] = ""
    machine.files["usr/lib/python3/dist-packages/breathe-4.34.0.egg-info"] = ""
    answer = course(machine, "--docs")
    assert answer.returncode == 1
    for words in ("5.3.0, expected", "4.34.0, expected", "./course setup"):
        assert words in answer.stdout


def test_it_changes_nothing(machine: Machine) -> None:
    machine.write()
    before = sorted((path, path.stat().st_mtime_ns) for path in machine.folder.rglob("*"))
    for words in ([], ["--json"], ["--verbose"], ["--docs"]):
        call(machine, *words)
    after = sorted((path, path.stat().st_mtime_ns) for path in machine.folder.rglob("*"))
    assert before == after


def test_the_command_and_the_rules_say_the_same(machine: Machine) -> None:
    """A few situations, through the command as a whole."""
    for situation in machine.draw.sample(
        [
            s
            for s in SITUATIONS
            if s.make.__module__ in (driver.__name__, places.__name__)
            and "monkeypatch" not in s.make.__code__.co_names
        ],
        3,
    ):
        other = Machine(machine.folder / situation.make.__name__, machine.draw, machine.monkeypatch)
        words = situation.make(other)
        answer = course(other, "--verbose", "--wait", "10")
        for word in words:
            assert word in answer.stdout, situation.name
        if situation.code is not None:
            assert answer.returncode == situation.code, answer.stdout
