"""half and bfloat16."""

import json

import pytest
from running import line_of, run


@pytest.mark.parametrize("name", ["half", "half-explain"])
def test_half_and_bfloat16(programs, name):
    lines, _ = run(programs[name])
    assert len(lines) == 12
    assert not [line for line in lines if not line.startswith("ok ")]


def test_a_pair_is_loaded_whole(programs, tmp_path):
    file = tmp_path / "report.json"
    run(programs["half-explain"], CPU_DEVICE_REPORT=str(file))
    kernels = json.loads(file.read_text())["kernels"]
    (kernel,) = [kernel for kernel in kernels if kernel["name"].startswith("pairs(")]
    number = line_of("half.cu", "pairs")
    loads = [line for line in kernel["lines"] if line["line"] == number]
    assert [(x["op"], x["bytes"], x["requests"], x["sectors"]) for x in loads] == [
        ("load", 4, 2, 8)
    ]
