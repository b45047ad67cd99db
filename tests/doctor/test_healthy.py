"""Where nothing is wrong, nothing is said to be wrong."""

from __future__ import annotations

from tests.doctor.machine import Machine
from tools import probe
from tools.errors import NO_GPU, RIGHT


def complaints(examined) -> list[str]:
    return [f.rule.id for f in examined.findings if f.rule.level in ("warning", "error")]


def test_a_machine_with_a_gpu(machine: Machine) -> None:
    examined = machine.examine()
    assert complaints(examined) == [], examined.text()
    assert examined.verdict.exit_code == RIGHT
    assert "--device gpu" in examined.verdict.next_step
    assert machine.cards[0].name in examined.finding("gpu-works").message


def test_variables_that_others_read_are_no_misspellings(machine: Machine) -> None:
    for maker in ("NVIDIA", "HIP", "ROCR"):
        machine.environment[f"{maker}_VISIBLE_DEVICES"] = "all"
    assert complaints(machine.examine()) == []


def test_a_slow_probe_is_no_stuck_driver(machine: Machine) -> None:
    """Where nothing hints at a driver, a probe that is late means a busy machine."""
    machine.without_gpu()
    machine.tools["nvcc"] = None
    late = probe.Answer(False, 0, 0, 0, [], late=True)
    machine.monkeypatch.setattr("tools.doctor.facts.driver.probe", lambda: late)
    assert machine.examine().verdict.exit_code == NO_GPU


def test_a_machine_without_a_gpu(machine: Machine) -> None:
    machine.without_gpu()
    machine.tools["nvcc"] = None
    examined = machine.examine()
    assert complaints(examined) == [], examined.text()
    assert examined.verdict.exit_code == NO_GPU
    assert "--device cpu" in examined.verdict.next_step
