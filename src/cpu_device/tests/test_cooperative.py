"""Cooperative launches and blocks that wait for one another."""

import json
import re

import pytest
from running import line_of, run

COOPERATIVE = """\
valid 0 1
sum_grid 1 of 1
sum_grid 3 of 3
sum_grid 132 of 132
relax 0
relay 40
by_hand 40
supported 1, room 1056
cooperate(syncs, resident * multiprocessors, 256, 0, m): cudaSuccess
cooperate(syncs, resident * multiprocessors + 1, 256, 0, m): cudaErrorCooperativeLaunchTooLarge
cudaLaunchKernelEx(&config, syncs, m): cudaSuccess
cudaDeviceSynchronize(): cudaSuccess
synchronised 1""".splitlines()

BOTH = pytest.mark.parametrize("name", ["cooperative", "cooperative-explain"])


@pytest.mark.parametrize("environment", [{}, {"CPU_DEVICE_SEED": "7"}])
@pytest.mark.parametrize("threads", ["1", "2"])
@BOTH
def test_grid_barriers_and_waiting_blocks(programs, name, threads, environment):
    lines, _ = run(programs[name], CPU_DEVICE_THREADS=threads, **environment)
    assert lines == COOPERATIVE


def test_a_gpu_without_cooperative_launches(programs):
    lines, _ = run(programs["cooperative"], CPU_DEVICE_AS="m2070")
    assert "supported 0, room 56" in lines
    assert "cooperate(syncs, resident * multiprocessors, 256, 0, m): cudaErrorNotSupported" in lines


def test_counts_do_not_depend_on_parking(programs, tmp_path):
    """One block at a time or all together: the same requests, from run to run."""
    texts = []
    for number, threads in enumerate(("1", "2", "2")):
        file = tmp_path / f"{number}.json"
        run(
            programs["cooperative-explain"],
            CPU_DEVICE_REPORT=str(file),
            CPU_DEVICE_THREADS=threads,
        )
        texts.append(json.loads(file.read_text()))
    spinning = ("relay", "by_hand")  # how often these ask is a matter of luck
    for text in texts:
        text["kernels"] = [k for k in text["kernels"] if not k["name"].startswith(spinning)]
    assert texts[0] == texts[1] == texts[2]
    relax = next(k for k in texts[0]["kernels"] if k["name"].startswith("relax"))
    loads = sum(line["requests"] for line in relax["lines"] if line["op"] == "load")
    assert loads == 9 * 2 * 32  # steps, neighbours, warps


@BOTH
def test_a_block_that_ended_before_the_grid_barrier(programs, name):
    for threads in "1", "2":
        lines, errors = run(programs[name], "leaves_early", CPU_DEVICE_THREADS=threads)
        assert lines[-1] == "cudaErrorLaunchTimeout 0"
        assert "3 of 4 blocks wait in grid.sync() for others that have ended" in errors
        assert "such as block (2,0,0)" in errors
        line = line_of("cooperative.cu", "leaves_early")
        assert re.search(rf"at .*cooperative\.cu:{line}, the first is block \(0,0,0\)", errors)


def test_grid_barrier_by_a_part_of_a_block(programs):
    lines, errors = run(programs["cooperative"], "mixed", CPU_DEVICE_THREADS="1")
    assert lines[-1] == "cudaErrorLaunchTimeout 0"
    line = line_of("cooperative.cu", "mixed")
    assert re.search(rf"1 thread waits in grid\.sync\(\) at .*cooperative\.cu:{line}", errors)


def test_grid_barrier_in_a_plain_launch(programs):
    lines, errors = run(programs["cooperative"], "syncs")
    assert lines == ["cudaErrorLaunchFailure 0"]
    assert "grid.sync() in a launch that is not cooperative" in errors


@BOTH
def test_a_fault_wakes_the_blocks_that_wait(programs, name):
    for threads in "1", "2":
        lines, _ = run(programs[name], "faults", CPU_DEVICE_THREADS=threads)
        assert lines[-1] == "cudaErrorIllegalAddress 0"
