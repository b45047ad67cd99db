"""From raw lines to results files, and everything that is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from tests.results import made_up
from tests.results.made_up import CONTIGUOUS, H200, STRIDED, raw_lines, sum_key, write_raw
from tools import record, schema
from tools.intervals import PAIR_RESOLUTION
from tools.schema import FileError

ROOT = Path(__file__).resolve().parents[2]
TIMES = {CONTIGUOUS: 539e-6, STRIDED: 35.6e-6}


def rows_of(path: Path) -> dict[str, dict]:
    return {row["name"]: row for row in json.loads(path.read_text())["benchmarks"]}


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_run_becomes_two_good_files(raw, tmp_path):
    written = record.record(raw, tmp_path / "results")
    folder = tmp_path / "results/nvidia-h200"
    assert written == [folder / "04-optimization.json", folder / "device.json"]
    assert sorted(p.name for p in folder.iterdir()) == ["04-optimization.json", "device.json"]
    for path in written:
        schema.read(path)
    times = json.loads(written[0].read_text())
    context = times["context"]
    assert context["device"] == "nvidia-h200"
    assert context["commit"] == made_up.COMMIT
    assert context["date"] == "2025-12-01T12:00:00Z"
    assert (context["sm_clock_mhz"], context["power_w"]) == (1980, 310.5)
    assert context["regime"] == "burst"
    row = rows_of(written[0])[STRIDED]
    samples = [json.loads(line) for line in raw.read_text().splitlines()]
    mine = [s["seconds"] for s in samples if s["type"] == "sample" and s["name"] == STRIDED]
    assert row["samples"] == mine
    assert row["real_time"] == median(mine)
    assert row["low"] < row["real_time"] < row["high"]
    assert row["bytes_per_second"] == pytest.approx(4 * 2**20 / row["real_time"])
    facts = json.loads(written[1].read_text())
    assert facts["memory_bandwidth_peak"] == 2 * 3.201e9 * 6016 / 8
    assert facts["slug"] == "nvidia-h200"


def test_the_devices_own_folder_is_taken_as_it_is(raw, tmp_path):
    own = tmp_path / "nvidia-h200"
    assert record.record(raw, own)[0] == own / "04-optimization.json"


def test_another_devices_folder_is_refused(raw, tmp_path):
    other = tmp_path / "test-gpu-9000"
    other.mkdir()
    (other / "device.json").write_text("{}")
    with pytest.raises(FileError, match="another device's folder"):
        record.record(raw, other)


def test_ratios_come_from_pairs_of_one_round(tmp_path):
    ours, rival = sum_key("ours", 1024), sum_key("cub", 1024)
    lines = raw_lines(H200, {ours: 2e-6, rival: 3e-6}, noise=0.002)
    path = record.record(write_raw(tmp_path / "raw.jsonl", lines), tmp_path)[0]
    rows = rows_of(path)
    by_round = {
        name: {
            s["round"]: s["seconds"] for s in lines if s["type"] == "sample" and s["name"] == name
        }
        for name in (ours, rival)
    }
    pairs = [by_round[rival][number] / by_round[ours][number] for number in range(31)]
    assert rows[ours]["ratio_to_cub"] == median(pairs)
    assert rows[ours]["ratio_to_cub_low"] == sorted(pairs)[9] * (1 - PAIR_RESOLUTION)
    assert rows[ours]["ratio_to_cub_high"] == sorted(pairs)[21] * (1 + PAIR_RESOLUTION)
    assert rows[ours]["ratio_to_cub"] == pytest.approx(1.5, rel=0.01)
    assert not any(name.startswith("ratio_to") for name in rows[rival])


def test_baselines_are_rivals_and_the_fastest_setting_counts(tmp_path):
    ours = sum_key("ours", 1024)
    times = {
        ours: 2e-6,
        sum_key("cub", 1024) + "/setting:1": 5e-6,
        sum_key("cub", 1024) + "/setting:2": 3e-6,
        "05-advanced-optimization/sum_of_squares_i32/cpu_one_thread/n:1024": 8e-6,
    }
    raw = write_raw(tmp_path / "raw.jsonl", raw_lines(H200, times))
    row = rows_of(record.record(raw, tmp_path)[0])[ours]
    assert row["ratio_to_cub"] == pytest.approx(1.5, rel=0.02)
    assert row["ratio_to_cpu_one_thread"] == pytest.approx(4, rel=0.02)


def test_rates_are_compared_where_a_rival_moves_other_bytes(tmp_path):
    ours, rival = sum_key("ours", 1024), sum_key("cub", 1024)
    lines = raw_lines(H200, {ours: 3e-6, rival: 2e-6})
    for line in lines:
        if line["type"] == "row" and line["name"] == rival:
            line["bytes"] = 4096 * 2 / 3
    row = rows_of(record.record(write_raw(tmp_path / "raw.jsonl", lines), tmp_path)[0])[ours]
    assert row["ratio_to_cub"] == pytest.approx(1, rel=0.02)


def test_the_mean_error_is_kept_and_the_larger_one_counts(tmp_path):
    lines = raw_lines(H200, TIMES)
    checks = [line for line in lines if line["type"] == "verify" and line["name"] == STRIDED]
    checks[0]["mean_error"] = 3e-8
    lines.append({**checks[0], "mean_error": 5e-8})
    path = record.record(write_raw(tmp_path / "raw.jsonl", lines), tmp_path)[0]
    assert rows_of(path)[STRIDED]["mean_error"] == 5e-8
    assert "mean_error" not in rows_of(path)[CONTIGUOUS]


def test_a_baseline_that_ran_once_is_recorded(tmp_path):
    ours, baseline = sum_key("ours", 1024), sum_key("cpu", 1024)
    lines = raw_lines(H200, {ours: 2e-6, baseline: 3.0})
    samples = [x for x in lines if x["type"] == "sample" and x["name"] == baseline]
    for sample in samples[1:]:
        lines.remove(sample)
    row = rows_of(record.record(write_raw(tmp_path / "raw.jsonl", lines), tmp_path)[0])[baseline]
    assert (row["repetitions"], row["low"]) == (1, None)
    assert row["real_time"] == samples[0]["seconds"] and row["interval_reason"]


def test_few_rounds_give_no_interval_and_say_why(tmp_path):
    ours, rival = sum_key("ours", 1024), sum_key("cub", 1024)
    lines = raw_lines(H200, {ours: 2e-6, rival: 3e-6}, rounds=5)
    row = rows_of(record.record(write_raw(tmp_path / "raw.jsonl", lines), tmp_path)[0])[ours]
    assert row["low"] is row["high"] is row["ratio_to_cub_low"] is None
    assert "at least 6" in row["interval_reason"]
    assert "at least 6" in row["ratio_to_cub_reason"]


def test_rows_of_an_older_run_stay_with_their_context(raw, tmp_path):
    path = record.record(raw, tmp_path)[0]
    before = rows_of(path)
    later = raw_lines(H200, {STRIDED: 30e-6}, seed=5, date="2026-01-02T03:04:05+01:00")
    record.record(write_raw(raw, later), tmp_path)
    document = schema.read(path)
    assert document["context"]["date"] == "2026-01-02T02:04:05Z"
    after = rows_of(path)
    assert list(after) == list(before)
    assert after[CONTIGUOUS]["context"]["date"] == "2025-12-01T12:00:00Z"
    kept = {name: value for name, value in after[CONTIGUOUS].items() if name != "context"}
    assert kept == before[CONTIGUOUS]
    assert "context" not in after[STRIDED]
    assert after[STRIDED]["real_time"] != before[STRIDED]["real_time"]


def test_a_second_run_replaces_and_adds(raw, tmp_path):
    path = record.record(raw, tmp_path)[0]
    new = CONTIGUOUS.replace("contiguous", "wide")
    record.record(write_raw(raw, raw_lines(H200, {STRIDED: 3e-5, new: 1e-5}, seed=6)), tmp_path)
    assert list(rows_of(path)) == [CONTIGUOUS, STRIDED, new]


def test_measured_roofs_come_from_large_rows_only(tmp_path):
    head = "04-optimization/add_f32"
    times = {
        f"{head}/read/n:{1 << 30}/cache:cold/launch:stream": 4 * 2**30 / 4.6e12,
        f"{head}/read/n:{1 << 29}/cache:cold/launch:stream": 4 * 2**29 / 4.1e12,
        f"{head}/read/n:{1 << 20}/cache:hot/launch:stream": 4 * 2**20 / 9e12,
        f"{head}/memcpy/n:{1 << 30}/direction:host_to_device": 4 * 2**30 / 50e12,
    }
    raw = write_raw(tmp_path / "raw.jsonl", raw_lines(H200, times))
    facts = json.loads(record.record(raw, tmp_path)[1].read_text())
    assert facts["read_bandwidth_measured"] == pytest.approx(4.6e12, rel=0.05)
    assert f"n:{1 << 30}" in facts["read_bandwidth_measured_key"]
    assert "copy_bandwidth_measured" not in facts
    slower = f"05-advanced-optimization/add_f32/read/n:{1 << 30}/cache:cold/launch:stream"
    for rate, key in ((3e12, head), (4.7e12, slower)):
        again = raw_lines(H200, {slower: 4 * 2**30 / rate})
        record.record(write_raw(raw, again), tmp_path)
        facts = json.loads((tmp_path / "nvidia-h200/device.json").read_text())
        assert facts["read_bandwidth_measured_key"].startswith(key)


def test_facts_under_other_names_are_understood():
    facts = record.device_facts(
        {"name": "NVIDIA GeForce RTX 4090", "cc": "8.9", "runtime": 13000, "driver": 13010,
         "memory_clock_khz": 10501000, "memory_bus_bits": 384, "slug": "wrong", "free_bytes": 3}
    )  # fmt: skip
    assert facts["slug"] == "geforce-rtx-4090"
    assert facts["compute_capability"] == "8.9"
    assert (facts["cuda_runtime"], facts["driver"]) == ("13.0", "13.1")
    assert facts["memory_bandwidth_peak"] == 2 * 10501e6 * 384 / 8
    assert "free_bytes" not in facts


def spoil(change) -> list[dict]:
    lines = raw_lines(dict(H200), TIMES)
    change(lines)
    return lines


def first(lines: list[dict], kind: str) -> dict:
    return next(line for line in lines if line["type"] == kind)


def last_verify(lines: list[dict]) -> None:
    lines.append({"type": "verify", "name": STRIDED, "verified": False, "error": None,
                  "message": "element 3 is 1 instead of 2"})  # fmt: skip


def first_verify(lines: list[dict]) -> None:
    first(lines, "verify").update(verified=False)
    lines.append({**first(lines, "verify"), "verified": True})


REFUSED = {
    "wrong at first": (first_verify, "was found wrong"),
    "unverified": (last_verify, "was found wrong.*element 3"),
    "never checked": (lambda ls: ls.remove(first(ls, "verify")), "was never checked"),
    "device debug": (lambda ls: ls[0].update(device_debug=True), "device-debug"),
    "debug build": (lambda ls: ls[0].update(build="debug"), "device-debug"),
    "no context": (lambda ls: ls.pop(0), "before any context"),
    "two runs": (lambda ls: ls.append(ls[0]), "second run"),
    "no device": (lambda ls: ls[0].update(device={}), "does not name the device"),
    "no date": (lambda ls: ls[0].update(date="yesterday"), "no ISO 8601 date"),
    "negative time": (lambda ls: first(ls, "sample").update(seconds=-1), "a time of -1 s"),
    "time is text": (lambda ls: first(ls, "sample").update(seconds="1"), "not a number"),
    "time is missing": (lambda ls: first(ls, "sample").pop("seconds"), "seconds is None"),
    "no round": (lambda ls: first(ls, "sample").pop("round"), "round is None"),
    "bad name": (lambda ls: first(ls, "sample").update(name="x"), "not a result's name"),
    "other chapter": (lambda ls: ls[0].update(slug="03-x"), "not of 03-x"),
    "no samples": (lambda ls: ls.__delitem__(slice(3, None)), "no samples"),
    "bad facts": (lambda ls: ls[0]["device"].update(sms="many"), "not be a good file"),
    "bad commit": (lambda ls: ls[0].update(commit="HEAD"), "not be a good file"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_runs_are_refused_by_name_and_nothing_changes(case, tmp_path, capsys):
    change, why = REFUSED[case]
    into = tmp_path / "results"
    record.record(write_raw(tmp_path / "good.jsonl", raw_lines(H200, TIMES)), into)
    before = contents(into)
    bad = write_raw(tmp_path / "bad.jsonl", spoil(change))
    assert record.main([str(bad), "--into", str(into)]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "bad.jsonl" in said or "04-optimization.json" in said or "device.json" in said
    with pytest.raises(FileError, match=why):
        record.record(bad, into)
    assert contents(into) == before


@pytest.mark.parametrize("text", ["{", "[]\n", "nothing\n", '{"type":"context"}\n{"ty', "\xff", ""])
def test_damaged_raw_files_are_refused(text, tmp_path):
    bad = tmp_path / "raw.jsonl"
    bad.write_bytes(text.encode("latin-1"))
    with pytest.raises(FileError, match=r"damaged|no run"):
        record.record(bad, tmp_path / "results")
    assert not (tmp_path / "results").exists()


def test_a_missing_raw_file_is_named(tmp_path, capsys):
    assert record.main([str(tmp_path / "gone.jsonl"), "--into", str(tmp_path)]) == 1
    assert "gone.jsonl: it cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["04-optimization.json", "device.json"])
@pytest.mark.parametrize(
    ("spoiled", "why"),
    [
        (lambda text: text[: len(text) // 2], "damaged"),
        (lambda text: text.replace('"schema_version": 1', '"schema_version": 2'), "version 2"),
        (lambda text: text.replace('"schema_version": 1,', ""), "lacks 'schema_version'"),
        (lambda text: text.replace("nvidia-h200", "tesla-t4"), "lies under"),
    ],
)
def test_a_bad_file_in_place_is_refused_and_left(name, spoiled, why, raw, tmp_path):
    record.record(raw, tmp_path)
    folder = tmp_path / "nvidia-h200"
    (folder / name).write_text(spoiled((folder / name).read_text()))
    before = contents(folder)
    with pytest.raises(FileError, match=why) as caught:
        record.record(raw, tmp_path)
    assert caught.value.path == folder / name
    assert contents(folder) == before


def test_an_unverified_row_in_place_is_refused(raw, tmp_path):
    path = record.record(raw, tmp_path)[0]
    path.write_text(path.read_text().replace('"verified": true', '"verified": false', 1))
    with pytest.raises(FileError, match="verified"):
        record.record(raw, tmp_path)


def test_an_interrupted_write_leaves_the_old_files(raw, tmp_path, monkeypatch):
    record.record(raw, tmp_path)
    before = contents(tmp_path / "nvidia-h200")

    def interrupted(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "chmod", interrupted)
    write_raw(raw, raw_lines(H200, TIMES, seed=9))
    with pytest.raises(FileError, match=r"cannot be written .No space left"):
        record.record(raw, tmp_path)
    assert contents(tmp_path / "nvidia-h200") == before


def test_commit_from_git_and_without(tmp_path):
    assert record.commit_of(tmp_path) == "unknown"
    git = ["git", "-C", str(tmp_path), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    (tmp_path / "file").write_text("1")
    for arguments in (["init", "-q"], ["add", "file"], ["commit", "-qm", "Begin"]):
        subprocess.run([*git, *arguments], check=True)
    clean = record.commit_of(tmp_path)
    assert len(clean) == 40
    (tmp_path / "file").write_text("2")
    assert record.commit_of(tmp_path) == f"{clean}-dirty"
    (tmp_path / "inner").mkdir()
    assert record.commit_of(tmp_path / "inner") == "unknown"


def test_it_runs_on_bare_python(raw, tmp_path):
    """-I -S: no site packages, no environment; as on a GPU machine without .venv."""
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tools.record import main; "
        "sys.exit(main(sys.argv[1:]))"
    )
    arguments = [str(raw), "--into", str(tmp_path / "out"), "--commit", "abcdef0",
                 "--regime", "sustained"]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, *arguments],
        capture_output=True, text=True, env={"PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    context = schema.read(tmp_path / "out/nvidia-h200/04-optimization.json")["context"]
    assert (context["commit"], context["regime"]) == ("abcdef0", "sustained")


def test_further_facts_are_taken_and_bad_ones_named(raw, tmp_path, capsys):
    facts = tmp_path / "facts.json"
    facts.write_text('{"max_block_z": 64}')
    assert record.main([str(raw), "--into", str(tmp_path), "--facts", str(facts)]) == 0
    assert json.loads((tmp_path / "nvidia-h200/device.json").read_text())["max_block_z"] == 64
    facts.write_text("{")
    assert record.main([str(raw), "--into", str(tmp_path), "--facts", str(facts)]) == 1
    assert "facts.json" in capsys.readouterr().err


# Throttling, and launches that nobody waited for --------------------------------------------------


def throttled_lines(clocks: list[int], seconds: list[float]) -> list[dict]:
    """One step, a sample for each clock."""
    name = sum_key("ours", 1 << 20)
    lines = raw_lines(H200, {name: 1e-3}, rounds=len(clocks), noise=0)
    samples = [line for line in lines if line["type"] == "sample"]
    for sample, clock, time in zip(samples, clocks, seconds, strict=True):
        sample["clock_mhz"], sample["seconds"] = clock, time
    return lines


def recorded_row(lines: list[dict], tmp_path: Path) -> dict:
    path = record.record(write_raw(tmp_path / "raw.jsonl", lines), tmp_path)[0]
    return next(iter(rows_of(path).values()))


COLD, HOT = [1700] * 8, [1100] * 5
COLD_TIMES, HOT_TIMES = [2.0e-3] * 7 + [2.1e-3], [3.4e-3, 3.5e-3, 3.5e-3, 3.6e-3, 3.3e-3]


def test_throttled_samples_stand_apart_and_are_counted(tmp_path, capsys):
    lines = throttled_lines(COLD + HOT, COLD_TIMES + HOT_TIMES)
    row = recorded_row(lines, tmp_path)
    assert row["real_time"] == 2.0e-3
    assert row["throttled"] == HOT_TIMES
    assert "unsteady" not in row
    raw = write_raw(tmp_path / "raw.jsonl", lines)
    assert record.main([str(raw), "--into", str(tmp_path / "again")]) == 0
    assert "5 of 13 repetitions were throttled" in capsys.readouterr().err
    assert record.main([str(raw), "--into", str(tmp_path / "strict"), "--strict"]) == 1


def test_a_row_of_throttled_samples_only_is_no_nan_but_marked(tmp_path):
    row = recorded_row(throttled_lines(COLD[:4] + HOT, COLD_TIMES[:4] + HOT_TIMES), tmp_path)
    assert row["unsteady"] is True
    assert row["real_time"] == median(COLD_TIMES[:4] + HOT_TIMES)
    assert len(row["samples"]) == 9


def test_a_steady_run_has_no_throttled_samples(tmp_path):
    row = recorded_row(throttled_lines([1700, 1400] * 5, [2e-3] * 10), tmp_path)
    assert "throttled" not in row


@pytest.mark.parametrize(("large", "refused"), [(0.21e-3, True), (1.6e-3, False)])
def test_times_that_do_not_grow_are_refused(tmp_path, large, refused):
    times = {sum_key("ours", 2**25): 0.2e-3, sum_key("ours", 2**28): large}
    raw = write_raw(tmp_path / "raw.jsonl", raw_lines(H200, times))
    if not refused:
        assert record.record(raw, tmp_path)
        return
    with pytest.raises(FileError, match="nobody waited for"):
        record.record(raw, tmp_path)


@pytest.mark.parametrize("system", ["Linux", "WSL"])
def test_the_system_that_launched_is_recorded(tmp_path, system):
    raw = write_raw(tmp_path / "raw.jsonl", raw_lines(H200, TIMES, system=system))
    document = json.loads(record.record(raw, tmp_path)[0].read_text())
    assert document["context"]["system"] == system


def test_small_sizes_may_take_the_same_time(tmp_path):
    times = {sum_key("ours", 2**10): 2e-6, sum_key("ours", 2**14): 2e-6}
    assert record.record(write_raw(tmp_path / "raw.jsonl", raw_lines(H200, times)), tmp_path)
