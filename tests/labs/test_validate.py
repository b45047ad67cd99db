"""What lab.toml may say of an experiment, and with which sentence the rest is refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.labs.flow import HALVE
from tools.errors import Failure
from tools.labs import catalog, validate

ROWS = {"number": 1, "title": "Rows", "rows": "06-labs/halve/"}
SHOW = {"number": 2, "title": "A show", "show": "ones_halved"}


def test_every_lab_can_be_read() -> None:
    kinds = [one for lab in catalog.labs() for one in lab.more.get("experiments", [])]
    assert {one["show"] for one in kinds if "show" in one} == {
        "what_kahan_buys", "row_limits", "best_shape", "timeline",
    }  # fmt: skip


def test_every_key_that_is_known_may_be_used() -> None:
    rows = ROWS | {"x": "n", "columns": ["time"], "cpu_n": [16], "budget": 60}
    validate.experiments(HALVE, [rows, SHOW | {"n": 1 << 28, "cpu_n": 65536}])


@pytest.mark.parametrize(("listed", "sentence"), [
    ([SHOW | {"show": "ones_doubled"}], "2 shows 'ones_doubled', and rows.hpp makes ones_halved."),
    ([SHOW | ROWS], "1 needs either `rows` or `show`."),
    ([{"number": 3, "title": "Nothing"}], "3 needs either `rows` or `show`."),
    ([SHOW | {"columns": ["time"]}], "2 has `columns`, and beside `show` there may be cpu_n, n."),
    ([ROWS | {"n": 7}], "1 has `n`, and beside `rows` there may be budget, columns, cpu_n, x."),
    ([SHOW | {"cpun": 7}], "2 has `cpun`, and beside `show` there may be cpu_n, n."),
    ([SHOW | {"n": "2^28"}], "2 has `n` = '2^28', which is no size."),
    ([SHOW | {"cpu_n": [16]}], "2 has `cpu_n` = [16], which is no size."),
    ([ROWS | {"cpu_n": 16}], "1 has `cpu_n` = 16, which is no list of sizes."),
    ([ROWS | {"rows": "("}], "1 has `rows` that are no regular expression."),
    ([ROWS, SHOW | {"number": 1}], "1 has the number of another one."),
    ([{"show": "ones_halved", "title": "No number"}], "None needs a number and a title."),
])  # fmt: skip
def test_what_is_wrong_is_refused_in_a_sentence(listed: list[dict], sentence: str) -> None:
    with pytest.raises(Failure) as refused:
        validate.experiments(HALVE, listed)
    assert refused.value.sentence == f"tests/labs/halve/lab.toml: experiment {sentence}"


def test_it_is_refused_when_the_lab_is_read(tmp_path: Path) -> None:
    folder = shutil.copytree(HALVE, tmp_path / "halve")
    assert catalog.read(folder).number == "9.1"
    described = folder / "lab.toml"
    described.write_text(described.read_text().replace('"ones_halved"', '"ones_doubled"'))
    with pytest.raises(Failure, match="shows 'ones_doubled', and rows"):
        catalog.read(folder)
