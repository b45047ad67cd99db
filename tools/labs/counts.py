"""What the CPU device counted, as sums over all launches of a run."""

from __future__ import annotations

import math
from collections.abc import Mapping

KINDS = (("lanes", "active_lanes"), ("requests", "requests"), ("sectors", "sectors"))


def counts_of(report: Mapping) -> dict[str, float]:
    """By the names that `count_limit` of grading/cases.hpp lists."""
    sums: dict[str, float] = {"launches": 0, "threads": 0}
    for kernel in report["kernels"]:
        sums["launches"] += 1
        sums["threads"] += math.prod((*kernel["grid"], *kernel["block"]))
        for line in kernel["lines"]:
            front = ("shared_" if line["space"] == "shared" else "") + line["op"]
            for name, key in KINDS:
                sums[f"{front}_{name}"] = sums.get(f"{front}_{name}", 0) + line[key]
            if line["space"] == "shared":
                sums["shared_conflicts"] = sums.get("shared_conflicts", 0) + line["conflicts"]
    return sums


def count(counts: Mapping[str, float], name: str) -> float:
    """A count, or the quotient that `A/B` names; 0 where there is none."""
    above, _, below = name.partition("/")
    if not below:
        return counts.get(above, 0)
    return counts.get(above, 0) / counts[below] if counts.get(below) else 0
