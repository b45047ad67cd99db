"""Runs small CUDA programs on the CPU device and compares what they say."""

import json
import re

import pytest
from running import HERE, line_of, run
from schema import check

# ---- running


@pytest.mark.parametrize("seed", [None, "7"])
@pytest.mark.parametrize("name", ["warp", "warp-explain"])
def test_warp_operations(programs, name, seed):
    environment = {"CPU_DEVICE_SEED": seed} if seed else {}
    lines, _ = run(programs[name], **environment)
    names = ["shuffles", "votes", "masks", "exited", "partial_block", "groups", "parts"]
    assert lines == [f"ok {each}" for each in names]


@pytest.mark.parametrize("seed", [None, "1", "2"])
@pytest.mark.parametrize("name", ["large_tiles", "large_tiles-explain", "large_tiles-check"])
def test_tiles_of_several_warps(programs, name, seed):
    lines, errors = run(programs[name], **({"CPU_DEVICE_SEED": seed} if seed else {}))
    names = [f"tiles<{size}>" for size in (64, 128, 256, 512, 1024)]
    names += ["parts_of_tiles", "on_their_own", "part_filled", "copies"]
    assert (lines, errors) == ([f"ok {each}" for each in names], "")


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


def stays(error):
    """What faults.cu prints of a kernel's error: all calls but cudaGetLastError repeat it."""
    good = "cudaSuccess"
    return [good, error, error, good, error, error]


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
            r"kernel null_store\(int\*\): illegal .*\(through a null pointer\)",
        ),
    ],
)
def test_illegal_access(programs, what, instrumented_only, error, where, saying):
    names = ["faults-explain"] if instrumented_only else ["faults", "faults-explain"]
    for name in names:
        lines, errors = run(programs[name], what, CPU_DEVICE_THREADS="1")
        assert [line.split()[-1] for line in lines] == stays(error)
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
        ("tiles of five", "cudaErrorLaunchFailure", ""),
        ("tiles of 64", "cudaErrorLaunchFailure", ""),
        ("overflow", "cudaErrorHardwareStackError", "stack overflow"),
        ("freed", "cudaErrorIllegalAddress", "inside a freed allocation of 4000 bytes"),
    ],
)
def test_other_faults(programs, what, error, saying):
    for name in ("faults", "faults-explain"):
        lines, errors = run(programs[name], what)
        assert [line.split()[-1] for line in lines] == stays(error)
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
(plain<<<0, 1>>>(nullptr)): cudaErrorInvalidValue
(plain<<<1, 0>>>(nullptr)): cudaErrorInvalidValue
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
block 0 thread 0 round 2
host after synchronising""".splitlines()


def test_launches(programs):
    assert run(programs["launches"], CPU_DEVICE_THREADS="1")[0] == LAUNCHES


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
