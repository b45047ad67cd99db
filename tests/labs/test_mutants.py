"""Solutions changed by one token at random are rejected, or stand among the lab's survivors.

All 50 of each lab: `python3 -m tools.labs.mutate 5.1 5.2 5.3 5.4 --record`, whose outcome stands in
chapters/06-labs/notes.md. Here are the first few of them; COALESCE_MUTANTS=50 sets how many.
"""

from __future__ import annotations

import os

import pytest

from tests.labs.conftest import skip_where_lacking
from tools.labs import catalog, mutate, mutation_record, mutations
from tools.labs.catalog import Lab

FEW = int(os.environ.get("COALESCE_MUTANTS", "3"))

each_lab = pytest.mark.parametrize("lab", catalog.labs(), ids=lambda lab: lab.number)


@pytest.mark.slow
@each_lab
def test_mutants_are_rejected_or_justified(lab: Lab) -> None:
    skip_where_lacking("cpu")
    order = mutate.drawn(mutations.mutations(lab), mutate.SEED)
    mutants = list(mutate.graded(lab, order, FEW))
    assert sum(one.compiled for one in mutants) == FEW
    assert mutate.problems(lab, mutants) == []


@each_lab
def test_survivors_are_possible_and_say_why(lab: Lab) -> None:
    assert mutate.problems(lab, []) == []
    for why in mutate.equivalents(lab).values():
        assert len(why.split()) >= 4, "a sentence"


@each_lab
def test_all_mutants_were_graded_as_the_lab_stands(lab: Lab) -> None:
    row = mutation_record.recorded().get(lab.number)
    command = f"python3 -m tools.labs.mutate {lab.number} --record"
    assert row, f"notes.md has no row: {command}"
    assert row.digest == mutation_record.digest(lab), f"the lab was changed since: {command}"
    assert row.seed == mutate.SEED and row.compiled >= mutate.COUNT
    assert row.compiled == row.rejected + row.equivalent
