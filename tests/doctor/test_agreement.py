"""Doctor and the programs' error texts tell a reader the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.doctor.machine import TABLE
from tools.doctor.rules import all_rules

REPO = Path(__file__).resolve().parents[2]
PROGRAM = (REPO / "src" / "coalesce" / "error.cpp").read_text(encoding="utf-8")
RULES = {rule.id: rule for rule in all_rules()}


def sentences() -> str:
    """All literals of the file, joined as the compiler joins them."""
    return re.sub(r'"\s*"', "", PROGRAM)


def test_least_drivers() -> None:
    told = re.findall(r'case (\d+):\s*return "(\d+)";', PROGRAM)
    assert {major: int(least) for major, least in told} == TABLE.group("driver", "least")


@pytest.mark.parametrize(
    ("rule", "number", "word"),
    [
        ("stub-in-place-of-driver", "34", "LD_LIBRARY_PATH"),
        ("fabric-not-ready", "802", "nvidia-fabricmanager"),
        ("gpu-taken", "46", "exclusive"),
        ("toolkit-newer-than-driver", "222", "PTX"),
        ("library-without-driver", "35", "with access to the GPU"),
        ("no-driver", "35", "CPU device"),
        ("visible-devices-hides-gpu", "100", "CUDA_VISIBLE_DEVICES"),
    ],
)
def test_both_know_the_error(rule: str, number: str, word: str) -> None:
    assert re.search(rf"= {number},", PROGRAM), "the program has no sentence for it"
    assert word in sentences()
    words = RULES[rule]
    assert word in " ".join([words.message, words.step, words.cause, words.cure])


def test_the_two_causes_of_error_35_are_told_apart() -> None:
    """By the driver's version, 0 or not, and by whether the library loads; in the same words."""
    for words in ("no NVIDIA driver on this machine", "libcuda.so.1 is on this machine, but no"):
        assert words in sentences()
        messages = [RULES[name].message for name in ("no-driver", "library-without-driver")]
        assert any(words in message for message in messages), words
