"""Streams and graphs beyond what the checks' tests hold."""

import pytest
from running import run


@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_host_that_waits_without_a_call(programs, threads):
    lines, _ = run(programs["silent_host"], CPU_DEVICE_THREADS=threads)
    assert lines == ["host function 5", "callback 6", "queries 10", "mapped memory 11"]
