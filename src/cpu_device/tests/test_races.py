"""Generated programs: --check finds a race where there is one, and none where there is none.

What races is decided by racing.py, which follows the program and knows nothing of the device.
"""

import json
import subprocess

import pytest
import racing
from running import clean_environment

SILENT, PLANTED = 240, 192
SEEDS = [None, "1", "2"]


def run(program, programs, report, seed=None, threads="1"):
    """Runs up to 16 programs; returns (tickets, races by steps, text of the report) of each."""
    rest = [racing.Program(1, 32, [racing.Step(racing.NOTHING)] * racing.STEPS)]
    padded = programs + rest * (racing.PROGRAMS - len(programs))
    settings = {"CPU_DEVICE_REPORT": str(report), "CPU_DEVICE_THREADS": threads}
    result = subprocess.run(
        [str(program)],
        input="".join(each.text() for each in padded),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=clean_environment(**settings, **({"CPU_DEVICE_SEED": seed} if seed else {})),
    )
    problems = json.loads(report.read_text())["problems"]
    assert result.returncode == (86 if problems else 0), result.stderr
    found = []
    for number, (each, line) in enumerate(zip(programs, result.stdout.splitlines(), strict=False)):
        numbers = [int(word) for word in line.split()]
        tickets = [numbers[i : i + each.blocks] for i in range(0, len(numbers), each.blocks)]
        mine = [problem for problem in problems if f"<{number}>" in problem["kernel"]]
        assert {problem["kind"] for problem in mine} <= {"race"}
        found.append((tickets, {steps_of(problem) for problem in mine}))
    return found, report.read_bytes()


FIRST_LINE = next(
    number
    for number, line in enumerate(racing.SOURCE.read_text().splitlines(), 1)
    if "LINE step0" in line
)


def steps_of(problem):
    return tuple(sorted(problem[name] - FIRST_LINE for name in ("line", "other_line")))


def judged(programs, found):
    """Per program (pairs of steps that race, pairs that were reported)."""
    return [
        (racing.Judge(program, tickets).races(), reported)
        for program, (tickets, reported) in zip(programs, found, strict=True)
    ]


@pytest.fixture(scope="module")
def made():
    """Programs without a race, and others with one order less, which race; by the judge alone."""
    silent, planted, seed = [], [], 0
    while len(silent) < SILENT or len(planted) < PLANTED:
        program = racing.make(seed)
        if racing.ever_races(program):
            seed += 1
            continue
        if len(silent) < SILENT:
            silent.append(program)
        for each in range(4):
            broken = racing.without_one_order(program, 4 * seed + each)
            if len(planted) < PLANTED and racing.ever_races(broken):
                planted.append(broken)
                break
        seed += 1
    return silent, planted


def batches(programs):
    return [programs[i : i + racing.PROGRAMS] for i in range(0, len(programs), racing.PROGRAMS)]


@pytest.mark.parametrize("seed", SEEDS)
def test_silent_where_nothing_races(programs, made, tmp_path, seed):
    for batch in batches(made[0]):
        found, _ = run(programs["check-racing"], batch, tmp_path / "report.json", seed)
        for races, reported in judged(batch, found):
            assert (races, reported) == (set(), set())


@pytest.mark.parametrize("seed", SEEDS)
def test_planted_races_are_found(programs, made, tmp_path, seed):
    """Every program is reported, every reported pair of steps does race."""
    pairs = missed = 0
    for batch in batches(made[1]):
        found, _ = run(programs["check-racing"], batch, tmp_path / "report.json", seed)
        for races, reported in judged(batch, found):
            assert reported <= races
            assert reported or not races
            pairs += len(races)
            missed += len(races - reported)
    print(f"{missed} of {pairs} pairs missed")
