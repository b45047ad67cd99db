"""The table of rules itself: names, words, templates; and that causes come before consequences."""

from __future__ import annotations

import re
import string

import pytest

from tests.doctor.machine import Draw, Machine
from tests.doctor.situations import SITUATIONS, builds, driver, gpus, places, toolkits
from tools.doctor.facts import Facts
from tools.doctor.report import fact, shown
from tools.doctor.rules import all_rules
from tools.doctor.rules.rule import LEVELS, Rule, judge

RULES = all_rules()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_whole(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.id)
    assert rule.level in LEVELS
    assert rule.message
    if rule.level in ("warning", "error"):
        assert rule.step, "it complains and does not say what to do"
    if rule.symptom:
        assert rule.cause
        assert rule.cure
        assert rule.cause[-1] == rule.cure[-1] == "." or rule.cure.split()[0].islower()
    for source in rule.sources:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", source), source
    for name in rule.facts:
        shown(fact(Facts(), name))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_messages_are_plain(rule: Rule) -> None:
    """No sentence ends twice, and none says where it was learnt."""
    for text in (rule.message, rule.step, rule.cause, rule.cure):
        assert ".." not in text.replace("…", "")
        assert "  " not in text
        fields = {name for _, name, _, _ in string.Formatter().parse(text) if name}
        assert all(re.fullmatch(r"[a-z]+", name) for name in fields)


def test_ids_are_unique() -> None:
    ids = [rule.id for rule in RULES]
    assert len(ids) == len(set(ids))


def test_every_error_of_the_driver_is_on_the_page() -> None:
    for rule in RULES:
        if rule.level == "error":
            assert rule.symptom, rule.id


def test_nothing_known_is_no_crash() -> None:
    """Every area has a last word, also where no group of facts could be gathered."""
    areas = {finding.rule.area for finding in judge(Facts(), RULES)}
    assert areas >= {rule.area for rule in RULES} - {"Disk"}


def test_values_are_shown_never_read_as_templates(machine: Machine) -> None:
    """A name with braces in it is printed as it stands."""
    machine.cards[0].name = "Card {0} {toolkit} %s"
    examined = machine.examine()
    assert "Card {0} {toolkit} %s" in examined.finding("gpu-works").message


# Pairs of troubles on one machine: the cause, and what is to be repaired after it.
CAUSES = [
    (driver.upgraded_under_the_module, toolkits.installed_beside_path),
    (driver.secure_boot_refuses, builds.python_gone),
    (driver.old_driver, builds.meson_of_the_distribution),
    (gpus.hidden, toolkits.no_compiler),
    (places.linux_driver_in_wsl, toolkits.nvcc_without_a_version),
    (driver.stub_library, builds.full),
    (toolkits.driver_alone, toolkits.no_compiler),
]


@pytest.mark.parametrize("pair", CAUSES, ids=lambda pair: f"{pair[0].__name__}")
def test_the_next_step_is_the_causes(machine: Machine, pair: tuple) -> None:
    cause, consequence = pair
    consequence(machine)
    cause(machine)
    examined = machine.examine()
    (rule,) = {s.rule for s in SITUATIONS if s.make is cause}
    assert examined.verdict.next_step == examined.finding(rule).step, examined.text()
    errors = [f for f in examined.findings if f.rule.level == "error"]
    assert len(errors) >= 2, examined.text()
    assert examined.verdict.sentence.startswith(f"{len(errors)} things")


def test_draws_differ() -> None:
    """The seeds make different machines: else random tests were none."""
    assert len({Draw(seed).name() for seed in range(20)}) == 20
