"""What was seen on the reference GPU: everything that needs one was run there, and was right."""

from __future__ import annotations

from pathlib import Path

from tests.troubles import on_gpu

RECORDED = Path(__file__).parent / "recorded" / "nvidia-h200.txt"


def outcomes() -> dict[str, str]:
    """The outcome of each program and case by its name."""
    lines = RECORDED.read_text(encoding="utf-8").splitlines()
    pairs = [line.split(" (")[0].split(maxsplit=1) for line in lines[:-1]]
    return {name: outcome for outcome, name in pairs}


def test_every_program_of_a_page_and_every_case_was_right_on_the_gpu() -> None:
    names = {name for name, *_ in on_gpu.expected("gpu")} | {case.name for case in on_gpu.CASES}
    assert outcomes() == dict.fromkeys(names, "right")
