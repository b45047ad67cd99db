"""Texture objects, arrays, three-dimensional copies."""

import pytest
from running import run


@pytest.mark.parametrize("name", ["textures", "textures-explain"])
def test_textures_and_arrays(programs, name):
    lines, _ = run(programs[name])
    assert len(lines) == 40
    assert not [line for line in lines if not line.startswith("ok ")]
