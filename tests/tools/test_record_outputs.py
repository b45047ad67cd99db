"""What the comparison with a recorded output passes over, and what it does not."""

from __future__ import annotations

import pytest

from tools import record_outputs

RECORDED = (
    "/usr/local/cuda/bin/../targets/x86_64-linux/include/texture_indirect_functions.h(119): "
    "note #3327-D: deduction failed; host compiler /usr/bin/g++-13"
)


@pytest.mark.parametrize("place", ["/usr/local/cuda-13.0", "/opt/nvidia/hpc_sdk/cuda", "/home/a/x"])
def test_the_place_of_the_toolkit_and_of_the_compiler_is_passed_over(place: str) -> None:
    here = RECORDED.replace("/usr/local/cuda", place).replace("/usr/bin/g++-13", "/opt/g++-14")
    assert record_outputs._comparable(here) == record_outputs._comparable(RECORDED)


@pytest.mark.parametrize(
    ("said", "other"), [("(119)", "(120)"), ("#3327-D", "#3322-D"), ("failed", "succeeded")]
)
def test_what_the_compiler_says_is_compared(said: str, other: str) -> None:
    here = RECORDED.replace(said, other)
    assert record_outputs._comparable(here) != record_outputs._comparable(RECORDED)


def test_what_the_reports_of_labs_show_is_recorded_too() -> None:
    found = {item.name: item for item in record_outputs.wanted("06-labs")}
    timeline = found["timeline"]
    assert timeline.command == "./course run 6 timeline --device gpu --n 268435456"
    assert timeline.machine == "nvidia-h200"
    assert timeline.path.parts[-4:] == ("06-labs", "recorded", "nvidia-h200", "timeline.txt")
    assert {"what_kahan_buys", "row_limits", "best_shape"} <= set(found)
    assert "timeline" not in {item.name for item in record_outputs.wanted("04-optimization")}
