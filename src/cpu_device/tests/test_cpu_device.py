"""Runs small CUDA programs on the CPU device and compares what they say."""

import json
import pathlib
import re

import pytest
from running import HERE, line_of, run

# ---- language

LANGUAGE = """\
template 1.5
deduced, macro 6
member template 18
overloads 1 2
null 7 7 7
by value 5 31
functor 48
lambda 102
empty lambda 3
copied 21
linkage 11 12 13
default arguments 5 -2
function pointer 1
kinds of arguments 124
arch 900 0
shared 499
dynamic shared 34
library 19
launched by name 13
launched with a configuration 4
no error""".splitlines()


@pytest.mark.parametrize("name", ["language", "language-explain"])
def test_language(programs, name):
    assert run(programs[name])[0] == LANGUAGE


@pytest.mark.parametrize("name", ["library", "library-explain"])
def test_standard_library_in_kernels(programs, name):
    assert run(programs[name])[0] == ["use 150", "unpack 126.5", "call 107.0"]


@pytest.mark.parametrize("seed", [None, "7"])
@pytest.mark.parametrize("name", ["warp", "warp-explain"])
def test_warp_operations(programs, name, seed):
    environment = {"CPU_DEVICE_SEED": seed} if seed else {}
    lines, _ = run(programs[name], **environment)
    names = ["shuffles", "votes", "masks", "exited", "partial_block", "groups", "parts"]
    assert lines == [f"ok {each}" for each in names]


BARRIERS = """\
reverse 1023 23
predicates 2511
early exit 40
locked 256
flag 5
atomics 4560 -96 -95 95 | ffffffff 0 0 6 | 96 | 48 24""".splitlines()


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("name", ["barriers", "barriers-explain"])
def test_barriers_and_atomics(programs, name, threads):
    assert run(programs[name], CPU_DEVICE_THREADS=threads)[0] == BARRIERS


def test_deadlock_names_both_places(programs):
    lines, errors = run(programs["barriers"], "deadlock")
    assert lines == ["cudaErrorLaunchTimeout"]
    assert "deadlock in kernel deadlocked(int*), block (0,0,0)" in errors
    assert re.search(
        r"16 threads wait in __syncwarp with mask 0xffffffff at .*barriers\.cu:\d+", errors
    )
    assert re.search(r"16 threads wait in __syncthreads at .*barriers\.cu:\d+", errors)


# ---- faults


@pytest.mark.parametrize(
    "what, instrumented_only, error, where, saying",
    [
        (
            "out_of_bounds",
            True,
            "cudaErrorIllegalAddress",
            "thread (232,0,0) of block (3,0,0)",
            "store of 4 bytes.*0 bytes past the end of an allocation of 4000 bytes",
        ),
        (
            "host_pointer",
            True,
            "cudaErrorIllegalAddress",
            "thread (0,0,0) of block (0,0,0)",
            "load of 4 bytes.*outside device memory, perhaps a pointer of the host",
        ),
        (
            "null",
            False,
            "cudaErrorIllegalAddress",
            "thread (0,0,0) of block (0,0,0)",
            r"kernel null_store\(int\*\): illegal .*\(null pointer\)",
        ),
    ],
)
def test_illegal_access(programs, what, instrumented_only, error, where, saying):
    names = ["faults-explain"] if instrumented_only else ["faults", "faults-explain"]
    for name in names:
        lines, errors = run(programs[name], what, CPU_DEVICE_THREADS="1")
        assert lines[0] == "cudaGetLastError() cudaSuccess"
        assert [line.split()[-1] for line in lines[1:]] == [error] * 5
        assert where in errors
        assert f"faults.cu:{line_of('faults.cu', what)}:" in errors
        assert re.search(saying, errors)


def test_faults_are_in_the_report(programs, tmp_path):
    file = tmp_path / "report.json"
    run(
        programs["faults-explain"],
        "out_of_bounds",
        CPU_DEVICE_THREADS="1",
        CPU_DEVICE_REPORT=str(file),
    )
    report = json.loads(file.read_text())
    check(report, json.loads((HERE.parent / "report.schema.json").read_text()), "report")
    (problem,) = report["problems"]
    assert problem["line"] == line_of("faults.cu", "out_of_bounds")
    assert problem["thread"] == [232, 0, 0] and problem["block"] == [3, 0, 0]
    assert "past the end of an allocation of 4000 bytes" in problem["message"]


def test_report_of_a_plain_build_says_why_it_is_empty(programs, tmp_path):
    _, errors = run(programs["order"], CPU_DEVICE_REPORT=str(tmp_path / "report.json"))
    assert "no kernel was built with --explain" in errors


@pytest.mark.parametrize(
    "what, error, saying",
    [
        ("trap", "cudaErrorLaunchFailure", ""),
        ("overflow", "cudaErrorHardwareStackError", "stack overflow"),
        ("freed", "cudaErrorIllegalAddress", "inside a freed allocation of 4000 bytes"),
    ],
)
def test_other_faults(programs, what, error, saying):
    for name in ("faults", "faults-explain"):
        lines, errors = run(programs[name], what)
        assert [line.split()[-1] for line in lines] == ["cudaSuccess"] + [error] * 5
        assert saying in errors


def test_assert_has_cudas_words(programs):
    lines, errors = run(programs["faults"], "assert")
    assert lines[1].endswith("cudaErrorAssert")
    number = line_of("faults.cu", "assert")
    assert re.search(
        rf"faults\.cu:{number}: void asserts\(int\): block: \[0,0,0\], "
        r"thread: \[5,0,0\] Assertion `static_cast<int>\(threadIdx\.x\) < limit` "
        "failed.",
        errors,
    )


# ---- the API

API = """\
cudaMalloc(&p, size_t{1} << 60): cudaErrorMemoryAllocation
cudaGetLastError(): cudaErrorMemoryAllocation
cudaGetLastError(): cudaSuccess
cudaMalloc(&p, 0): cudaSuccess
cudaMalloc(&p, 1024): cudaSuccess
cudaMemcpy(p, on_host, sizeof on_host, cudaMemcpyHostToDevice): cudaSuccess
cudaMemcpy(back, p, sizeof back, cudaMemcpyDeviceToHost): cudaSuccess
copied 4
cudaMemcpy(back, p, sizeof back, static_cast<cudaMemcpyKind>(9)): cudaErrorInvalidMemcpyDirection
cudaMemcpy(back, on_host, sizeof back, cudaMemcpyHostToDevice): cudaErrorInvalidValue
cudaMemcpy(p, on_host, 2048, cudaMemcpyHostToDevice): cudaErrorInvalidValue
cudaMemcpy(nothing, on_host, 4, cudaMemcpyHostToDevice): cudaErrorInvalidValue
cudaMemcpy(back, p, sizeof back, cudaMemcpyDefault): cudaSuccess
cudaMemset(on_host, 0, 4): cudaErrorInvalidValue
cudaFree(on_host): cudaErrorInvalidValue
cudaFree(nullptr): cudaSuccess
cudaFree(p): cudaSuccess
cudaFree(p): cudaErrorInvalidValue
cudaMallocPitch(&q, &pitch, 100, 7): cudaSuccess
pitch 512
cudaMemcpy2D(q, pitch, on_host, 8, 8, 2, cudaMemcpyHostToDevice): cudaSuccess
cudaMemcpy2D(back, 8, q, pitch, 8, 2, cudaMemcpyDeviceToHost): cudaSuccess
2-D 3
cudaMemcpy2D(back, 4, q, pitch, 8, 2, cudaMemcpyDeviceToHost): cudaErrorInvalidPitchValue
cudaPointerGetAttributes(&attributes, q): cudaSuccess
type 2
type 0
cudaMemGetInfo(&free_bytes, &total): cudaSuccess
memory 1
cudaGetDeviceProperties(&properties, 0): cudaSuccess
cudaGetDeviceProperties(&properties, 1): cudaErrorInvalidDevice
device CPU device (as NVIDIA H200): 9.0, 132 SMs, 1980000 kHz, 1 device, driver 13000
cudaStreamCreate(&stream): cudaSuccess
cudaEventCreate(&start): cudaSuccess
cudaEventCreate(&stop): cudaSuccess
cudaEventElapsedTime(&milliseconds, start, stop): cudaErrorInvalidResourceHandle
cudaEventRecord(start, stream): cudaSuccess
cudaMemsetAsync(q, 0, 4, stream): cudaSuccess
cudaEventRecord(stop, stream): cudaSuccess
cudaEventSynchronize(stop): cudaSuccess
cudaEventElapsedTime(&milliseconds, start, stop): cudaSuccess
time 1
cudaEventDestroy(start): cudaSuccess
cudaEventRecord(start, stream): cudaErrorInvalidResourceHandle
cudaStreamDestroy(stream): cudaSuccess
an illegal memory access was encountered | invalid configuration argument | \
unrecognized error code""".splitlines()


def test_api(programs):
    assert run(programs["api"])[0] == API


def test_other_gpu(programs):
    lines, _ = run(programs["api"], CPU_DEVICE_AS="t4")
    wanted = "device CPU device (as Tesla T4): 7.5, 40 SMs, 1590000 kHz, 1 device, driver 13000"
    assert wanted in lines


LAUNCHES = """\
(plain<<<1, 1024>>>(nullptr)): cudaSuccess
(plain<<<1, 1025>>>(nullptr)): cudaErrorInvalidValue
(plain<<<1, dim3(1, 1, 65)>>>(nullptr)): cudaErrorInvalidValue
(plain<<<dim3(1, 65536), 1>>>(nullptr)): cudaErrorInvalidValue
(plain<<<0, 1>>>(nullptr)): cudaErrorInvalidConfiguration
(plain<<<1, 0>>>(nullptr)): cudaErrorInvalidConfiguration
(plain<<<1, 1, 49152>>>(nullptr)): cudaSuccess
(plain<<<1, 1, 49153>>>(nullptr)): cudaErrorInvalidValue
cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000): cudaSuccess
(plain<<<1, 1, 100000>>>(nullptr)): cudaSuccess
cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000): \
cudaErrorInvalidValue
cudaFuncGetAttributes(&attributes, with_shared): cudaSuccess
static shared 4000
occupancy 8 264 1024
occupancy with much shared memory 2
cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal): cudaSuccess
cudaStreamSynchronize(stream): cudaErrorStreamCaptureUnsupported
cudaStreamEndCapture(stream, &graph): cudaSuccess
captured, not run: 0
cudaGraphInstantiate(&exec, graph): cudaSuccess
cudaStreamSynchronize(stream): cudaSuccess
graph 30
cudaGraphExecDestroy(exec): cudaSuccess
cudaGraphDestroy(graph): cudaSuccess
clock 1
host before
host after the launches
block 0 thread 0 round 1
block 0 thread 1 round 1
block 1 thread 0 round 1
block 1 thread 1 round 1
block 0 thread 0 round 2
host after synchronising""".splitlines()


def test_launches(programs):
    assert run(programs["launches"], CPU_DEVICE_THREADS="1")[0] == LAUNCHES


SYMBOLS = """\
cudaSuccess
counter 16
table 9
managed 6
static 3
template 77
member 6
after a host write 16
cudaSuccess
size 8
through its address 0
cudaErrorInvalidValue
cudaErrorInvalidSymbol
cudaErrorInvalidValue
other file 41""".splitlines()


def test_symbols(programs):
    assert run(programs["symbols"])[0] == SYMBOLS


# ---- environment


@pytest.mark.parametrize(
    "name, value, saying",
    [
        ("CPU_DEVICE_AS", "gt9000", "expected one of h200"),
        ("CPU_DEVICE_THREADS", "0", "expected a number from 1 to 1024"),
        ("CPU_DEVICE_THREADS", "two", "expected a number"),
        ("CPU_DEVICE_SEED", "-1", "expected a number"),
    ],
)
def test_wrong_settings(programs, name, value, saying):
    _, errors = run(programs["order"], exit_code=2, **{name: value})
    assert saying in errors and f"{name}={value}" in errors


def test_order_is_shuffled_by_the_seed_only(programs):
    def order(**environment):
        return run(programs["order"], CPU_DEVICE_THREADS="1", **environment)[0][0].split()

    in_order = [str(i) for i in range(256)]
    assert order() == in_order
    first, again, other = (order(CPU_DEVICE_SEED=seed) for seed in ("1", "1", "2"))
    assert first == again
    assert first != in_order and other != in_order and first != other
    assert sorted(first, key=int) == in_order


# ---- the counts


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


def check(value, schema, where):
    """The part of JSON Schema that report.schema.json uses."""
    kinds = {"object": dict, "array": list, "string": str, "integer": int}
    if "type" in schema:
        assert isinstance(value, kinds[schema["type"]]), where
    if "enum" in schema:
        assert value in schema["enum"], where
    if "minimum" in schema:
        assert value >= schema["minimum"], where
    for key in schema.get("required", ()):
        assert key in value, f"{where}: {key}"
    if isinstance(value, dict):
        for key, each in value.items():
            assert key in schema["properties"], f"{where}: {key}"
            check(each, schema["properties"][key], f"{where}.{key}")
    if isinstance(value, list):
        for each in value:
            check(each, schema["items"], f"{where}[]")


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
