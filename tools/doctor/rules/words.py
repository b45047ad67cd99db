"""Sentences and small judgements that several rules share."""

from __future__ import annotations

from tools.doctor.compatibility import text, version
from tools.doctor.facts import Facts

CPU_MEANWHILE = "The CPU device works meanwhile (--device cpu)."


def served(f: Facts) -> str:
    """The newest CUDA that the driver serves, as it says itself, else by the table."""
    return f.driver.serves or text(f.table.toolkit_served(version(f.driver.version)))


def branch(f: Facts) -> int:
    """580 of driver 580.123.04; 0 where it is not known."""
    return (version(f.driver.version) or (0,))[0]


def card(f: Facts) -> str:
    """What to call the GPU: by the best name that is known."""
    if f.gpus.usable:
        return f.gpus.usable[0].name
    if f.gpus.listed:
        return f.gpus.listed[0].name or "the GPU"
    return f.gpus.pci[0] if f.gpus.pci else "the GPU"
