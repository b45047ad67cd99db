"""200 random kernels: the counts of every line equal an independent replay of the addresses."""

import concurrent.futures
import json
import os

import generated
import pytest
from running import run

import build

pytestmark = pytest.mark.compiler

KERNELS, FILES = 200, 4


@pytest.fixture(scope="module")
def kernels():
    return [generated.Maker(seed).kernel() for seed in range(KERNELS)]


@pytest.fixture(scope="module")
def executed(kernels, tmp_path_factory):
    """Per kernel (results of its threads, lines of the report)."""
    folder = tmp_path_factory.mktemp("generated")
    share = KERNELS // FILES

    def one(number):
        file, program = folder / f"part{number}.cu", folder / f"part{number}"
        file.write_text(generated.source(kernels[number * share : (number + 1) * share]))
        build.cpucc("--explain", "-w", file, "-o", program)
        report = folder / f"part{number}.json"
        lines, _ = run(program, CPU_DEVICE_REPORT=str(report))
        launches = json.loads(report.read_text())["kernels"]
        results = [[int(word) for word in line.split()] for line in lines]
        return list(zip(results, [launch["lines"] for launch in launches], strict=True))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return [kernel for part in pool.map(one, range(FILES)) for kernel in part]


def test_every_line_agrees_with_the_replay(kernels, executed):
    compared = 0
    for number, (kernel, (results, lines)) in enumerate(zip(kernels, executed, strict=True)):
        replay = generated.Replay(kernel)
        assert results == replay.results, f"kernel {number} computes something else"
        seen = {}
        for line in lines:
            seen.setdefault(line["line"], []).append(line)
        for place, expected in replay.counts.items():
            (line,) = seen[place]
            got = {key: line[key] for key in expected}
            assert got == expected, f"kernel {number}, line {place}: {line}"
            compared += 1
    assert compared > 1500
