"""Counts of memory requests: they equal the hardware's."""

import json
import pathlib
import re

import pytest
from running import HERE, line_of, run
from schema import check

pytestmark = pytest.mark.compiler


@pytest.fixture(scope="module")
def report(programs, tmp_path_factory):
    file = tmp_path_factory.mktemp("report") / "report.json"
    lines, _ = run(programs["golden-explain"], CPU_DEVICE_REPORT=str(file))
    assert lines == ["cudaSuccess"]
    return json.loads(file.read_text())


def total(report, kernel, op, space):
    """(requests, sectors) or (requests, wavefronts, conflicts) of a kernel's lines."""
    entry = next(
        k for k in report["kernels"] if re.match(rf"(void )?{re.escape(kernel)}\(", k["name"])
    )
    lines = [line for line in entry["lines"] if line["op"] == op and line["space"] == space]
    wanted = (
        ["requests", "sectors"] if space == "global" else ["requests", "wavefronts", "conflicts"]
    )
    return tuple(sum(line[key] for line in lines) for key in wanted)


# Read with Nsight Compute on an H200: kernel, op, space, figures.
GOLDEN = [
    ("contiguous", "load", "global", (2048, 65536)),
    ("contiguous", "store", "global", (16, 64)),
    ("strided", "load", "global", (2048, 8192)),
    ("strided", "store", "global", (16, 64)),
    ("transpose", "load", "global", (512, 2048)),
    ("transpose", "store", "global", (512, 16384)),
    ("transpose_tiled<32>", "load", "global", (512, 2048)),
    ("transpose_tiled<32>", "store", "global", (512, 2048)),
    ("transpose_tiled<32>", "load", "shared", (512, 16384, 15872)),
    ("transpose_tiled<32>", "store", "shared", (512, 512, 0)),
    ("transpose_tiled<33>", "load", "global", (512, 2048)),
    ("transpose_tiled<33>", "store", "global", (512, 2048)),
    ("transpose_tiled<33>", "load", "shared", (512, 512, 0)),
    ("transpose_tiled<33>", "store", "shared", (512, 512, 0)),
    ("product", "load", "global", (1024, 4096)),
    ("product", "store", "global", (128, 512)),
    ("product", "store", "shared", (1024, 1024, 0)),
    ("copy_float4", "load", "global", (128, 2048)),
    ("copy_float4", "store", "global", (128, 2048)),
    ("add_in_place", "load", "global", (128, 512)),
    ("add_in_place", "store", "global", (128, 512)),
    ("two_way", "store", "global", (1, 4)),
    ("two_way", "load", "shared", (1, 2, 1)),
    ("two_way", "store", "shared", (2, 2, 0)),
    ("all_in_one_bank", "store", "global", (1, 4)),
    ("all_in_one_bank", "load", "shared", (1, 32, 31)),
    ("all_in_one_bank", "store", "shared", (32, 32, 0)),
    ("interleaved_tree", "load", "global", (64, 256)),
    ("interleaved_tree", "store", "global", (8, 8)),
]


@pytest.mark.parametrize("kernel, op, space, figures", GOLDEN)
def test_counts_agree_with_the_hardware(report, kernel, op, space, figures):
    assert total(report, kernel, op, space) == figures


# Read in the same way: structure, figures of copy_each in global memory, of copy_through_shared in
# shared memory; loads and stores are alike.
COPIES = [
    ("Pair", (8, 64), (1, 2)),
    ("float3", (12, 144), (3, 3)),
    ("Doubles", (8, 128), (1, 4)),
    ("Mixed", (8, 128), (1, 4)),
    ("Six", (24, 576), (3, 6)),
    ("double2", (4, 64), (1, 4)),
]


@pytest.mark.parametrize("op", ["load", "store"])
@pytest.mark.parametrize("kind, in_global, in_shared", COPIES)
def test_copies_of_structures_go_by_their_alignment(report, kind, in_global, in_shared, op):
    assert total(report, f"copy_each<{kind}>", op, "global") == in_global
    assert total(report, f"copy_through_shared<{kind}>", op, "shared")[:2] == in_shared


# Where nvcc merges or widens loads, or hardware counts instructions that no lane executes.
EXPLAINED = [
    # nvcc reads four floats of A at a time: 10,240 requests and 12,288 wavefronts on hardware.
    ("product", "load", "shared", (16384, 16384, 0)),
    # nvcc reads s[2t], s[2t+1] of the first step as 8 bytes: 64 wavefronts and conflicts fewer.
    ("interleaved_tree", "load", "shared", (200, 696 + 64, 496 + 64)),
    # Hardware counts 576 instructions, most of them with every lane switched off.
    ("interleaved_tree", "store", "shared", (160, 440, 280)),
]


@pytest.mark.parametrize("kernel, op, space, figures", EXPLAINED)
def test_counts_differ_from_the_hardware_for_a_reason(report, kernel, op, space, figures):
    assert total(report, kernel, op, space) == figures


def test_lanes_that_skip_iterations(report):
    """Half of the lanes in each of eight iterations: eight requests, not four full ones."""
    assert total(report, "skipping", "load", "global") == (8, 32)
    entry = next(k for k in report["kernels"] if k["name"].startswith("skipping"))
    load = next(line for line in entry["lines"] if line["op"] == "load")
    assert load["active_lanes"] == 8 * 16 and load["divergent"] == 8
    assert entry["divergent_basic_blocks"] == 8


def test_lanes_meet_again_after_a_call(report):
    entry = next(k for k in report["kernels"] if k["name"].startswith("calling"))
    after = next(
        line
        for line in entry["lines"]
        if line["line"] == line_of("golden.cu", "after_call") and line["op"] == "load"
    )
    assert (after["requests"], after["active_lanes"]) == (8, 8 * 32)


def test_logs_that_fill_at_different_times(report):
    """Bounded logs may not tear requests apart: the lanes wait for one another."""
    entry = next(k for k in report["kernels"] if k["name"].startswith("uneven"))
    loads = {line["line"]: line for line in entry["lines"] if line["op"] == "load"}
    everybody = loads.pop(line_of("golden.cu", "all_lanes"))
    assert (everybody["requests"], everybody["sectors"]) == (1000, 4000)
    assert everybody["active_lanes"] == 32 * 1000 and everybody["divergent"] == 0
    (odd,) = loads.values()
    assert (odd["requests"], odd["active_lanes"], odd["divergent"]) == (1000, 16 * 1000, 1000)


def test_a_full_log_while_the_others_wait(report):
    entry = next(k for k in report["kernels"] if k["name"].startswith("waited_for"))
    load = next(k for k in entry["lines"] if k["line"] == line_of("golden.cu", "long_way"))
    assert (load["requests"], load["sectors"], load["active_lanes"]) == (1000, 1000, 1000)


def test_fill_loops_stay_stores(report):
    assert total(report, "filling", "store", "global") == (8, 8 * 32)


def test_wide_shared_accesses(report):
    """16 bytes a lane: four wavefronts a warp, two when neighbours agree."""
    entry = next(k for k in report["kernels"] if k["name"].startswith("wide_shared"))
    shared = [line for line in entry["lines"] if line["space"] == "shared"]
    # Of b only one component is used, but the copy is whole, as on a GPU.
    agreeing = [line for line in shared if line["line"] == line_of("golden.cu", "pairs_agree")]
    assert [(line["bytes"], line["wavefronts"], line["conflicts"]) for line in agreeing] == [
        (16, 2, 0)
    ]
    others = [line for line in shared if line not in agreeing]
    assert [(line["bytes"], line["wavefronts"]) for line in others] == [(16, 4), (16, 4)]


def test_report_follows_its_schema(report):
    schema = json.loads((HERE.parent / "report.schema.json").read_text())
    check(report, schema, "report")
    files = {line["file"] for kernel in report["kernels"] for line in kernel["lines"]}
    assert {pathlib.Path(file).name for file in files} == {"golden.cu"}


def test_report_does_not_depend_on_threads(programs, tmp_path):
    texts = []
    for name, threads in (("a", "1"), ("b", "2"), ("c", "2")):
        file = tmp_path / f"{name}.json"
        run(programs["golden-explain"], CPU_DEVICE_REPORT=str(file), CPU_DEVICE_THREADS=threads)
        texts.append(file.read_bytes())
    assert texts[0] == texts[1] == texts[2]


def test_requests_show_which_lane_touches_what(programs, tmp_path):
    """What pictures are drawn from: the first request of each line of a chosen block."""
    file = tmp_path / "report.json"

    def shown(setting, kernel, op, space):
        run(programs["golden-explain"], CPU_DEVICE_REPORT=str(file), CPU_DEVICE_REQUESTS=setting)
        report = json.loads(file.read_text())
        check(report, json.loads((HERE.parent / "report.schema.json").read_text()), "report")
        entry = next(k for k in report["kernels"] if re.match(rf"(void )?{kernel}\(", k["name"]))
        return [
            request
            for line in entry["lines"]
            if (line["op"], line["space"]) == (op, space)
            for request in line["shown"]
        ]

    (store,) = shown("1", "transpose", "store", "global")
    assert store["lanes"] == list(range(32)) and store["warp"] == 0
    assert store["offsets"] == [512 * lane for lane in range(32)]
    assert store["array"] == "" and store["array_bytes"] == 4 * 65536
    first, second = shown("2@1", "transpose", "store", "global")  # block (1,0)
    assert first["offsets"] == [512 * (32 + lane) for lane in range(32)]
    assert second["warp"] == 1 and second["offsets"][0] == 512 * 32 + 4
    (load,) = shown("1", "two_way", "load", "shared")
    assert load["array"] == "s" and load["offsets"] == [8 * lane for lane in range(32)]
