"""Reports are the same bytes from run to run, for 1 and 2 OS threads, with and without a seed; and
a seed brings out what depends on the order of lanes, warps and blocks."""

import json

import pytest
import racing
import test_checks
import test_races
from running import run

RACY = 3 * racing.PROGRAMS


# Kernels of cooperative.cu and barriers.cu whose threads ask again and again for what a thread of
# another block must do: how often is a matter of chance when the blocks really run at once.
ASKING = ("locked(", "relay(", "by_hand(")


def counted(file, leave_out):
    launches = json.loads(file.read_text())["kernels"]
    return [json.dumps(each) for each in launches if not each["name"].startswith(leave_out)]


@pytest.mark.parametrize("seed", [None, "3"])
@pytest.mark.parametrize("program", ["golden", "language", "warp", "barriers", "cooperative"])
def test_counts_are_the_same_bytes(programs, tmp_path, program, seed):
    files = []
    for threads in ("1", "1", "2"):
        files.append(tmp_path / f"report{len(files)}.json")
        settings = {"CPU_DEVICE_THREADS": threads, "CPU_DEVICE_REPORT": str(files[-1])}
        if seed:
            settings["CPU_DEVICE_SEED"] = seed
        run(programs[f"{program}-explain"], **settings)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert counted(files[0], ASKING) == counted(files[2], ASKING) != []


@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.parametrize("case", test_checks.CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def test_problems_are_the_same_bytes(programs, tmp_path, case, seed):
    texts = [
        test_checks.run(
            programs[f"check-{case[0]}"],
            case[1],
            "wrong",
            report=tmp_path / f"{threads}.json",
            CPU_DEVICE_SEED=seed,
            CPU_DEVICE_THREADS=threads,
        )[3]
        for threads in ("1", "2")
    ]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("seed", [None, "1", "2", "3"])
def test_reports_of_random_programs_are_the_same_bytes(programs, tmp_path, seed):
    made = [racing.make(number) for number in range(1000, 1000 + RACY)]
    for batch in test_races.batches(made):
        texts = [
            test_races.run(programs["check-racing"], batch, tmp_path / "r.json", seed, threads)[1]
            for threads in ("1", "1", "2")
        ]
        assert texts[0] == texts[1] == texts[2]
        assert b'"race"' in texts[0]


SHUFFLED = {  # case of order.cu -> its answer when lanes, warps and blocks run in order
    "lanes": "31",
    "warps": "7",
    "blocks": "15",
}


@pytest.mark.parametrize("name", SHUFFLED)
def test_a_seed_brings_out_order_dependence(programs, name):
    """Each kernel keeps the last writer: of the lanes of a warp, of the warps, of the blocks."""

    def answer(**settings):
        (line,) = run(programs["order"], name, CPU_DEVICE_THREADS="1", **settings)[0]
        return line.strip()

    seeds = {seed: answer(CPU_DEVICE_SEED=str(seed)) for seed in range(1, 9)}
    assert answer() == SHUFFLED[name]
    assert len(set(seeds.values()) - {SHUFFLED[name]}) >= 2
    assert seeds == {seed: answer(CPU_DEVICE_SEED=str(seed)) for seed in seeds}


def test_no_kernel_of_a_right_program_depends_on_the_order(programs):
    for seed in range(1, 9):
        assert run(programs["order"], "sum", CPU_DEVICE_SEED=str(seed))[0] == ["32640 "]
