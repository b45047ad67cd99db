"""Recorded outputs: how they are compared, and that the compiler here still prints them."""

from __future__ import annotations

import pytest

from tools import capture, meson, record_outputs
from tools.paths import REPO as ROOT

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


COMPILERS = [
    item
    for chapter in record_outputs.chapters()
    for item in record_outputs.wanted(chapter)
    if item.machine.startswith("nvcc-")
]


@pytest.mark.slow
@pytest.mark.parametrize("item", COMPILERS, ids=lambda item: f"{item.chapter[:2]}-{item.name}")
def test_the_compiler_says_what_is_recorded(
    item: record_outputs.Wanted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also that the lines it names are still those of the program."""
    monkeypatch.setenv("PATH", meson.environment()["PATH"])  # with the toolkit, wherever it is
    if reason := record_outputs.why_not_here(item.machine):
        pytest.skip(reason)
    if tool := record_outputs.lacking_tool(item.command):
        pytest.skip(f"{tool} is not on PATH")
    kept = capture.recorded_output(ROOT, item.chapter, item.machine, item.name)
    if record_outputs.is_of_another_build(kept["facts"]):
        pytest.skip(f"it was recorded with build {kept['facts']['toolkit']}")
    _, code, text = record_outputs.run(item)
    assert record_outputs.right_exit(item, code), text
    assert record_outputs.compare(item, code, text) == ""


def test_an_unknown_chapter_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        record_outputs.main(["nvidia-h200", "07-nothing"])
    assert "there is no chapter 07-nothing; known: 01-environment" in capsys.readouterr().err
