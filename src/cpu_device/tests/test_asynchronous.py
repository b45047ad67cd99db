"""Asynchronous copies within kernels, barrier objects, pipelines."""

import json
import re

import pytest
from running import line_of, run

NAMES = [
    "primitives",
    "groups",
    "hand_over",
    "tokens",
    "unified",
    "specialised",
    "specialised by role",
    "single",
    "across",
]


@pytest.mark.parametrize("environment", [{}, {"CPU_DEVICE_SEED": "7"}])
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("name", ["asynchronous", "asynchronous-explain"])
def test_copies_and_barrier_objects(programs, name, threads, environment):
    lines, _ = run(programs[name], CPU_DEVICE_THREADS=threads, **environment)
    assert lines == [f"ok {each}" for each in NAMES]


def test_copies_are_counted_as_wide_loads_and_stores(programs, tmp_path):
    file = tmp_path / "report.json"
    run(programs["asynchronous-explain"], CPU_DEVICE_REPORT=str(file))
    kernel = json.loads(file.read_text())["kernels"][0]
    number = line_of("asynchronous.cu", "primitives")
    lines = {(x["op"], x["space"]): x for x in kernel["lines"] if x["line"] == number}
    load, store = lines["load", "global"], lines["store", "shared"]
    assert (load["requests"], load["sectors"], load["bytes"]) == (2, 32, 16)
    assert (store["requests"], store["wavefronts"], store["conflicts"]) == (2, 8, 0)


def test_a_barrier_object_that_never_completes(programs):
    lines, errors = run(programs["asynchronous"], "incomplete")
    assert lines == ["cudaErrorLaunchTimeout"]
    number = line_of("asynchronous.cu", "incomplete")
    assert re.search(rf"63 threads wait in a cuda::barrier at .*asynchronous\.cu:{number}", errors)
