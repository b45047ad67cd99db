"""The reader of all numbers: devices, rows, ratios, counts, claims."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.results import made_up
from tests.results.made_up import CONTIGUOUS, CPU, ONE_THREAD, STRIDED, sum_key
from tools.expressions import ExpressionError
from tools.intervals import ratio_of_pairs
from tools.record import times_by_round
from tools.results import MissingKey, Results
from tools.schema import FileError


def plain(text: str) -> str:
    return text.replace("\u202f", " ")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A copy of the made-up course that a test may spoil."""
    shutil.copytree(made_up.FIXTURES, tmp_path / "fixtures")
    return tmp_path / "fixtures"


def load(course: Path) -> Results:
    return Results.load(course / "course", [course / "reader"])


def test_devices_have_roles_and_an_order(store):
    assert [(d.id, d.role) for d in store.devices()] == [
        ("nvidia-h200", "reference"), ("test-gpu-9000", "reader"),
    ]  # fmt: skip
    assert [device.name for device in store.readers()] == ["Test GPU 9000"]
    assert store.facts("test-gpu-9000")["sms"] == 40


def test_every_row_of_the_reader_stands_beside_the_reference(store):
    for key in store.keys("test-gpu-9000"):
        ours, theirs = store.row(key), store.row(key, "test-gpu-9000")
        assert ours.value().text != theirs.value().text
        assert ours.value().device.role == "reference"
        assert theirs.value().title.startswith("device: Test GPU 9000")
    assert store.find(sum_key("cub", 1 << 26), "test-gpu-9000") is None


def test_made_up_results_can_stand_beside_any_reference(store, tmp_path):
    made_up.beside(store.device().directory, tmp_path)
    found = Results.load(made_up.FIXTURES / "course", [tmp_path])
    assert found.keys("test-gpu-9000") == store.keys()
    assert found.row(STRIDED, "test-gpu-9000").seconds == 1.5 * store.row(STRIDED).seconds


def test_the_fixtures_are_what_their_maker_makes(tmp_path):
    made_up.make(tmp_path)
    for path in tmp_path.rglob("*.json"):
        assert path.read_bytes() == (made_up.FIXTURES / path.relative_to(tmp_path)).read_bytes()


def test_a_value_says_where_it_comes_from(store):
    value = store.resolve(ONE_THREAD)
    assert (value.unit, value.field, value.device.id) == ("s", "real_time", "nvidia-h200")
    assert plain(value.text).endswith(" ms")
    assert value.low < value.value < value.high
    assert list(value.origin) == ["device", "driver", "CUDA", "date", "command", "commit",
                                  "samples"]  # fmt: skip
    for part in ("NVIDIA H200", "580.0", "2025-12-01", "03-first-gpu-program-bench"):
        assert part in value.title


def test_fields(store):
    row = store.row(STRIDED)
    assert row.value("time") == row.value("seconds") == row.value()
    assert plain(row.value("bytes_per_second").text).endswith("GB/s")
    assert row.value("bytes_per_second").low < row.bytes_per_second
    assert plain(row.value("share_of_peak").text).endswith("%")
    share = row.bytes_per_second / (2 * 3.201e9 * 6016 / 8)
    assert row.value("share_of_peak").value == pytest.approx(share)
    assert row.value("repetitions").text == "31"
    assert plain(row.interval_text()).count("µs") == 2
    ends = f"{row.value('low').text} to {row.value('high').text}"
    assert row.interval_text() == ends
    ratio = store.row(sum_key("warp_shuffle", 1 << 22)).value("ratio_to_cub")
    assert ratio.unit == "x"
    assert 1.1 < ratio.low < ratio.value < ratio.high < 1.15
    for name in row.fields():
        assert row.value(name).text


def test_missing_names_get_the_nearest(store):
    with pytest.raises(MissingKey) as caught:
        store.row(STRIDED.replace("strided", "stridden"))
    assert caught.value.nearest[0] == STRIDED
    assert "nvidia-h200 has no result" in str(caught.value)
    with pytest.raises(MissingKey) as caught:
        store.resolve(f"{STRIDED}#bytes_per_sec")
    assert caught.value.nearest[0] == "bytes_per_second"
    with pytest.raises(MissingKey) as caught:
        store.resolve("nvidia-h20:sms")
    assert caught.value.nearest == ["nvidia-h200"]
    with pytest.raises(MissingKey) as caught:
        store.fact("memory_bandwith_peak")
    assert caught.value.nearest[0] == "memory_bandwidth_peak"
    for ask in (store.context, store.counters, store.build):
        with pytest.raises(MissingKey):
            ask("09-nothing")


def test_rows_by_pattern(store):
    found = store.rows("05-advanced-optimization/*/warp_shuffle/*")
    assert [row.key.n for row in found] == [1 << 14, 1 << 18, 1 << 22, 1 << 26]
    assert store.rows("06-*") == []


def test_facts_print_by_their_unit(store):
    texts = {name: plain(store.fact(name).text) for name in store.facts()}
    assert texts["memory_bandwidth_peak"] == "4.81 TB/s"
    assert texts["sm_clock_hz"] == "1.98 GHz"
    assert texts["memory_bus_bits"] == "6016 bit"
    assert texts["l2_bytes"] == "60 MiB"
    assert texts["shared_per_block"] == "48 KiB"
    assert texts["sms"] == "132"
    assert texts["name"] == "NVIDIA H200"
    assert plain(store.resolve("test-gpu-9000:memory_bandwidth_peak").text) == "640 GB/s"
    assert plain(store.resolve("device:sms", "test-gpu-9000").text) == "40"
    assert plain(store.resolve("sms").text) == "132"


def test_a_ratio_has_the_interval_of_its_pairs(store):
    value = store.ratio(CONTIGUOUS, STRIDED)
    rows = store.row(CONTIGUOUS), store.row(STRIDED)
    assert value.value == rows[0].seconds / rows[1].seconds
    assert value.text == "15.1×"
    pairs = ratio_of_pairs(*(times_by_round(row.record) for row in rows))
    assert (value.low, value.high) == (pairs.low, pairs.high)
    assert "NVIDIA H200" in value.title


def test_a_ratio_over_two_runs_has_no_interval(store):
    value = store.ratio(ONE_THREAD, STRIDED)
    assert value.low is None
    assert "03-first-gpu-program-bench" in value.title
    assert "04-optimization-bench" in value.title


def test_expressions_need_values(store):
    with pytest.raises(ExpressionError, match="compares"):
        store.evaluate(f"{STRIDED} < 1s")
    with pytest.raises(ExpressionError, match="not a number"):
        store.evaluate("2 * nvidia-h200:name")


def test_claims_hold_or_not_by_device(store):
    sentence = f"{CONTIGUOUS} > 10 * {STRIDED}"
    assert [(c.device.id, c.holds) for c in store.claims(sentence)] == [
        ("nvidia-h200", True), ("test-gpu-9000", False),
    ]  # fmt: skip
    (denied,) = store.contradictions(sentence)
    assert denied.device.id == "test-gpu-9000"
    assert plain(denied.values_text()).count("µs") == 2
    assert store.contradictions(f"{ONE_THREAD} > {CPU}") == []


def test_a_claim_without_data_is_undecided(store):
    sentence = f"{sum_key('cub', 1 << 26)} > 1us"
    assert store.claim(sentence).holds is True
    undecided = store.claim(sentence, "test-gpu-9000")
    assert undecided.holds is None
    assert "n:67108864" in undecided.missing
    assert store.contradictions(sentence) == []
    with pytest.raises(ExpressionError, match="compares nothing"):
        store.claim(f"2 * {STRIDED}")


def test_counts(store):
    assert store.count("04-optimization/strided", "sectors_per_request").text == "4"
    hardware = store.count(CONTIGUOUS, "load_sectors")
    assert plain(hardware.text) == "1 048 576"
    assert "hardware" in hardware.title
    assert "CPU device" in store.count(CONTIGUOUS, "cpu_device.load_sectors").title
    assert plain(store.count(CONTIGUOUS, "l1_hit_rate").text) == "87.4 %"
    assert store.resolve("count:04-optimization/contiguous#load_requests").value == 32768
    assert store.claim("count:04-optimization/contiguous#sectors == 8 * "
                       "count:04-optimization/strided#sectors").holds  # fmt: skip
    for bad in ("04-optimization/strides", "04-optimization/strided/x"):
        with pytest.raises(MissingKey):
            store.count(bad, "sectors")
    with pytest.raises(MissingKey) as caught:
        store.count(STRIDED, "branches")
    assert caught.value.nearest == ["load_requests", "load_sectors"]


def test_kernels_by_name(store):
    assert store.kernel("04-optimization", "sum_strided_kernel")["registers"] == 40
    with pytest.raises(MissingKey) as caught:
        store.kernel("04-optimization", "sum_strided")
    assert caught.value.nearest[0] == "sum_strided_kernel"


def test_a_readers_own_h200_stands_beside_the_reference(course):
    shutil.copytree(course / "course/figures/results/nvidia-h200", course / "reader/nvidia-h200")
    found = load(course)
    assert [(d.id, d.role) for d in found.devices()] == [
        ("nvidia-h200", "reference"), ("your-nvidia-h200", "reader"), ("test-gpu-9000", "reader"),
    ]  # fmt: skip
    assert found.row(STRIDED, "your-nvidia-h200").device.slug == "nvidia-h200"


def test_another_committed_device_is_no_reader(course):
    shutil.move(course / "reader/test-gpu-9000", course / "course/figures/results/test-gpu-9000")
    assert [d.role for d in load(course).devices()] == ["reference", "contributed"]


def test_a_readers_bad_file_is_left_out_by_name(course):
    bad = course / "reader/test-gpu-9000/04-optimization.json"
    bad.write_text(bad.read_text()[:300])
    found = load(course)
    assert found.find(STRIDED, "test-gpu-9000") is None
    assert found.find(CPU, "test-gpu-9000") is not None
    assert [str(bad) in problem for problem in found.problems] == [True]


def test_a_committed_bad_file_is_an_error(course):
    bad = course / "course/figures/results/nvidia-h200/04-optimization.json"
    bad.write_text(bad.read_text().replace('"schema_version": 1', '"schema_version": 3'))
    with pytest.raises(FileError, match="version 3"):
        load(course)


def test_an_older_row_tells_of_its_own_run(course):
    path = course / "reader/test-gpu-9000/04-optimization.json"
    document = json.loads(path.read_text())
    document["benchmarks"][0]["context"] = {**document["context"], "date": "2024-01-01T00:00:00Z"}
    path.write_text(json.dumps(document))
    found = load(course)
    assert found.row(CONTIGUOUS, "test-gpu-9000").origin()["date"].startswith("2024")
    assert found.row(STRIDED, "test-gpu-9000").origin()["date"].startswith("2025")
    assert found.ratio(CONTIGUOUS, STRIDED, "test-gpu-9000").low is None


def test_nothing_at_all_is_no_error(tmp_path):
    empty = Results.load(tmp_path, [tmp_path / "work"])
    assert empty.devices() == []
    with pytest.raises(MissingKey):
        empty.row(STRIDED)


def test_a_baseline_names_its_processor(tmp_path):
    files = made_up.FIXTURES / "course" / "figures" / "results" / "nvidia-h200"
    folder = tmp_path / "figures" / "results" / "nvidia-h200"
    folder.mkdir(parents=True)
    (folder / "device.json").write_bytes((files / "device.json").read_bytes())
    document = json.loads((files / "03-first-gpu-program.json").read_text(encoding="utf-8"))
    document["context"] |= {"host_cpu": "A Processor", "host_threads": 16}
    for row in document["benchmarks"]:
        row.pop("context", None)
    (folder / "03-first-gpu-program.json").write_text(json.dumps(document), encoding="utf-8")
    rows = Results.load(tmp_path).rows("03-first-gpu-program/*", "nvidia-h200")
    named = {row.name for row in rows if "processor" in row.origin()}
    assert named == {row.name for row in rows if row.record.get("kind") == "baseline"}
    assert named
