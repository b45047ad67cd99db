"""What the test programs printed on a GPU (tests/hardware/, by hardware.py), they print here."""

import hardware
import pytest
from running import run

NAMES = hardware.names()


def test_each_program_is_recorded_or_said_to_differ():
    recorded = sorted(path.stem for path in hardware.RECORDED.glob("*.txt"))
    assert recorded == sorted(NAMES)
    assert set(hardware.DIFFERENT) <= set(hardware.PROGRAMS)


@pytest.mark.parametrize("name", NAMES)
def test_prints_what_a_gpu_printed(programs, name):
    where, *wanted = (hardware.RECORDED / f"{name}.txt").read_text().splitlines()
    assert where.startswith("# NVIDIA")
    lines, _ = run(programs[name], CPU_DEVICE_AS="h200", CPU_DEVICE_THREADS="1")
    assert lines == wanted
