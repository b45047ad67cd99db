"""The table of rules. Their order is that of causes: where several things are wrong, the first
error is what to repair first, since what comes after it may only be its consequence."""

from __future__ import annotations

from tools.doctor.rules import build, driver, gpu, host, machine, toolkit
from tools.doctor.rules.rule import Rule


def all_rules() -> list[Rule]:
    areas = [
        machine.AREA,
        driver.AREA,
        gpu.AREA,
        toolkit.AREA,
        host.COMPILER,
        host.LIBRARY,
        *build.AREAS,
    ]
    return [rule for area in areas for rule in area]
