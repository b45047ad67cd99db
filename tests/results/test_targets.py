"""Targets: reading them, and what the results say of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.results.made_up import H200, raw_lines, sum_key, write_raw
from tools import record, targets
from tools.results import MissingKey, Results

GOOD = """
[[target]]
what = "all sizes"
rows = "sum_of_squares_i32/ours/n:*/cache:hot/launch:graph"
rival = "cub"
take = "geometric_mean"
must = 1.2
aim = 3.0

[[target]]
what = "the worst"
rows = "sum_of_squares_i32/ours/n:*/cache:hot/launch:graph"
rival = "cub"
sizes = [2048, 4096]
must = 0.9
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "05-advanced-optimization" / "targets.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def measured(tmp_path: Path) -> Results:
    """Ours takes 1, 2, 4 and 8 us, the rival 3 us at every size."""
    times = {sum_key("ours", 1024 << k): 1e-6 * 2**k for k in range(4)}
    times |= {sum_key("cub", 1024 << k): 3e-6 for k in range(4)}
    raw = write_raw(tmp_path / "raw.jsonl", raw_lines(H200, times, noise=0.002))
    record.record(raw, tmp_path / "figures" / "results")
    return Results.load(tmp_path)


def test_mean_and_worst_are_taken_of_the_wanted_sizes(tmp_path, measured):
    mean, worst = targets.read(written(tmp_path, GOOD))
    reached = targets.measure(mean, measured)
    assert reached.ratio == pytest.approx((3 * 1.5 * 0.75 * 0.375) ** 0.25, rel=0.02)
    assert reached.low < reached.ratio < reached.high
    assert len(reached.rows) == 4
    assert not reached.must and not reached.aim
    reached = targets.measure(worst, measured)
    assert reached.ratio == pytest.approx(0.75, rel=0.02)
    assert reached.rows == (sum_key("ours", 4096),)
    assert not reached.must


def test_must_and_aim_are_told_apart(tmp_path, measured):
    text = GOOD.replace("must = 1.2", "must = 1.0")
    assert targets.measure(targets.read(written(tmp_path, text))[0], measured).must
    text = text.replace("aim = 3.0", "aim = 1.05")
    assert targets.measure(targets.read(written(tmp_path, text))[0], measured).aim


def test_a_target_that_nothing_measures_is_an_error(tmp_path, measured):
    text = GOOD.replace("/ours/", "/nobody/")
    with pytest.raises(MissingKey, match="nobody"):
        targets.measure(targets.read(written(tmp_path, text))[0], measured)


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ('rival = "cub"', "", "rival"),
        ("must = 0.9", "mist = 0.9", "mist"),
        ("geometric_mean", "best", "best"),
        ("[[target]]", "[[target]", "targets.toml"),
    ],
)
def test_a_wrong_file_is_refused_by_name(tmp_path, old, new, word):
    with pytest.raises(targets.TargetError, match=word):
        targets.read(written(tmp_path, GOOD.replace(old, new)))


def test_the_chapters_targets_can_be_read():
    files = sorted(Path(__file__).resolve().parents[2].glob("chapters/*/targets.toml"))
    assert files
    for path in files:
        assert targets.read(path)
