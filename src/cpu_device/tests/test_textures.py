"""Texture objects, surfaces, arrays, three-dimensional copies."""

import pytest
from running import run

SURFACES = ["two dimensions", "borders", "destroyed", "one dimension", "three dimensions"]


@pytest.mark.parametrize("name", ["textures", "textures-explain"])
def test_textures_and_arrays(programs, name):
    lines, _ = run(programs[name])
    assert len(lines) == 41
    assert not [line for line in lines if not line.startswith("ok ")]


@pytest.mark.parametrize("name", ["surfaces", "surfaces-explain"])
def test_surfaces_and_layers(programs, name):
    lines, errors = run(programs[name])
    assert lines == [*[f"ok {each}" for each in SURFACES], "layers 221 111.5 200 200", "ok trap"]
    assert "an access at (24, 0, 0) is outside of a surface" in errors
