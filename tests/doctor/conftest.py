"""A machine to examine, drawn anew for every seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.doctor.machine import Draw, Machine

SEEDS = (1, 2, 3)


@pytest.fixture(params=SEEDS, ids=lambda seed: f"seed{seed}")
def draw(request: pytest.FixtureRequest) -> Draw:
    return Draw(f"{request.node.originalname}{request.param}")


@pytest.fixture
def machine(draw: Draw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path / f"Rechner {draw.word()} 机", draw, monkeypatch)
