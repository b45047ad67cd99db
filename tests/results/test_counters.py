"""Counts from the CPU device's report and from ncu's CSV, side by side."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.results.made_up import STRIDED
from tools import counters, schema
from tools.results import Results
from tools.schema import FileError

HEAD = '"ID","Kernel Name","Block Size","Grid Size","Metric Name","Metric Unit","Metric Value"'
LOADS = "l1tex__t_{}_pipe_lsu_mem_global_op_ld.sum"


def ncu_line(ident: int, metric: str, value: str, unit: str = "") -> str:
    return f'"{ident}","sum_strided_kernel","(512, 1, 1)","(1, 1, 1)","{metric}","{unit}","{value}"'


@pytest.fixture
def ncu(tmp_path: Path) -> Path:
    path = tmp_path / "ncu.csv"
    path.write_text("\n".join([
        "==PROF== Connected to process 1", HEAD,
        ncu_line(0, LOADS.format("sectors"), "7"),
        ncu_line(0, "dram__bytes_write.sum", "7", "byte"),
        ncu_line(1, LOADS.format("requests"), "32,768"),
        ncu_line(1, LOADS.format("sectors"), "131,072"),
        ncu_line(1, "dram__bytes_read.sum", "4.5", "Mbyte"),
        ncu_line(1, "l1tex__t_sector_hit_rate.pct", "12.5", "%"),
        ncu_line(1, "launch__registers_per_thread", "16"),
    ]))  # fmt: skip
    return path


@pytest.fixture
def report(tmp_path: Path) -> Path:
    line = {"file": "a.cu", "line": 3, "op": "load", "space": "global", "bytes": 4,
            "requests": 16384, "sectors": 65536, "wavefronts": 0, "conflicts": 0}  # fmt: skip
    shared = {**line, "op": "store", "space": "shared", "requests": 8, "wavefronts": 12,
              "conflicts": 4}  # fmt: skip
    launch = {"name": "sum_strided_kernel", "grid": [1, 1, 1], "block": [512, 1, 1]}
    path = tmp_path / "report.json"
    path.write_text(json.dumps({"kernels": [
        {**launch, "lines": [line]}, {**launch, "lines": [line, line, shared]},
        {**launch, "name": "other", "lines": []},
    ], "problems": []}))  # fmt: skip
    return path


def record(tmp_path: Path, **sources) -> Path:
    return counters.record(STRIDED, tmp_path / "figures/results", device="nvidia-h200",
                           kernel="strided", commit="abcdef0", **sources)  # fmt: skip


def test_both_sources_stand_side_by_side(tmp_path, report, ncu):
    record(tmp_path, cpu=report)
    path = record(tmp_path, ncu=ncu)
    (entry,) = schema.read(path)["counters"]
    assert entry["block"] == "512 x 1 x 1"
    assert entry["cpu_device"] == {
        "load_requests": 32768, "load_sectors": 131072, "shared_store_instructions": 8,
        "shared_store_wavefronts": 12, "shared_store_conflicts": 4,
    }  # fmt: skip
    assert entry["ncu"] == {
        "load_requests": 32768, "load_sectors": 131072, "dram_read_bytes": 4500000,
        "l1_hit_rate": 0.125,
    }  # fmt: skip
    store = Results.load(tmp_path)
    assert store.resolve("count:04-optimization/strided#sectors_per_request").text == "4"


def test_bad_reports_are_refused_and_nothing_changes(tmp_path, report, ncu, capsys):
    path = record(tmp_path, cpu=report)
    before = path.read_bytes()
    with pytest.raises(FileError, match="no kernel in it matches"):
        counters.record(STRIDED, tmp_path, device="nvidia-h200", cpu=report, kernel="nothing")
    with pytest.raises(FileError, match="none of our metrics"):
        counters.record(STRIDED, tmp_path, device="nvidia-h200", ncu=ncu, kernel="nothing")
    for text in ("{", '{"kernels": [{"name": "strided"}]}'):
        report.write_text(text)
        with pytest.raises(FileError, match="no report"):
            record(tmp_path, cpu=report)
    ncu.write_text("nothing")
    with pytest.raises(FileError, match="no CSV"):
        record(tmp_path, ncu=ncu)
    assert path.read_bytes() == before
    arguments = [STRIDED, "--into", str(tmp_path), "--device", "nvidia-h200", "--ncu", str(ncu)]
    assert counters.main(arguments) == 1
    assert "ncu.csv" in capsys.readouterr().err


def test_the_metrics_can_be_listed(capsys):
    assert counters.main(["--list-metrics"]) == 0
    assert LOADS.format("sectors") in capsys.readouterr().out
