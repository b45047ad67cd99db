"""Atomic functions of all types and scopes, cuda::atomic."""

import pytest
from running import run


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("name", ["atomics", "atomics-explain"])
def test_atomics(programs, name, threads):
    lines, _ = run(programs[name], CPU_DEVICE_THREADS=threads)
    assert len(lines) == 13
    assert not [line for line in lines if not line.startswith("ok ")]
