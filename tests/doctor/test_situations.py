"""Every rule speaks where it should, in the right words; the one next step is the right one."""

from __future__ import annotations

import re

import pytest

from tests.doctor.machine import Machine
from tests.doctor.situations import SITUATIONS, Situation, builds, driver, gpus, places, toolkits
from tools.doctor.rules import all_rules

MODULES = (builds, driver, gpus, places, toolkits)  # importing them fills SITUATIONS

# The last word of an area where nothing could be examined: only a failure inside doctor reaches it.
LAST_WORDS = {"venv-unknown"}


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.name)
def test_doctor_names_it(machine: Machine, situation: Situation) -> None:
    words = situation.make(machine)
    examined = machine.examine()
    finding = examined.finding(situation.rule)
    said = f"{finding.message}\n{finding.step}"
    for word in words:
        assert word in said, f"{word!r} is not in\n{examined.text()}"
    for pattern in situation.never:
        assert not re.search(pattern, examined.text(), re.IGNORECASE), examined.text()
    if situation.code is not None:
        assert examined.verdict.exit_code == situation.code, examined.text()
    if situation.is_next:
        assert examined.verdict.next_step == finding.step, examined.text()


def test_every_rule_has_a_situation() -> None:
    assert {rule.id for rule in all_rules()} - LAST_WORDS == {s.rule for s in SITUATIONS}
