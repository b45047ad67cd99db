"""Planted bugs that --check must name at their lines, and corrected twins that must be silent."""

import json
import os
import pathlib
import re
import subprocess

import pytest
import test_cpu_device

import build

HERE = pathlib.Path(__file__).resolve().parent
SCHEMA = json.loads((HERE.parent / "report.schema.json").read_text())
EXIT_PROBLEMS = 86


def run(program, *arguments, report, **environment):
    """Runs a case; returns (exit code, problems of the report, stderr, the report's bytes)."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")}
    result = subprocess.run(
        [str(program), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**clean, **environment, "CPU_DEVICE_REPORT": str(report)},
    )
    document = json.loads(report.read_text())
    test_cpu_device.check(document, SCHEMA, "report")
    return result.returncode, document["problems"], result.stderr, report.read_bytes()


def line_of(file, marker):
    """The number of the line that carries the comment LINE `marker`."""
    for number, line in enumerate((HERE / "checks" / file).read_text().splitlines(), 1):
        if re.search(rf"LINE {marker}\b", line):
            return number
    raise AssertionError(marker)


# Program, case, and for each problem in order: kind, line, other line, words of the sentence.
CASES = [
    ("memory", "by_one", ("out of bounds", "fill", None, "0 bytes past the end of an allocation")),
    ("memory", "neighbour", ("out of bounds", "store_at", None, "2000 bytes past the end")),
    ("memory", "negative", ("out of bounds", "store_at", None, "4 bytes before an allocation")),
    ("memory", "use_after_free", ("use after free", "store_at", None, "freed before its last")),
    ("memory", "null_pointer", ("null pointer", "store_at", None, "allocation is missing")),
    ("memory", "host_pointer", ("host pointer", "load_from", None, "the host's array")),
    ("memory", "heap_bounds", ("out of bounds", "store_kept", None, "0 bytes past the end of")),
    ("memory", "heap_freed_twice", ("invalid free", "shrink", None, "was freed before")),
    ("memory", "assertion", ("assertion", "asserts", None, "failed")),
    ("memory", "trap", ("trap", "traps", None, "ended itself")),
    ("memory", "stack", ("stack overflow", "deep", None, "deep recursion")),
    ("memory", "misaligned", ("misaligned access", "four_at_once", None, "a wider type")),
    (
        "memory",
        "constant_bounds",
        ("out of bounds", "constant_index", None, "0 bytes past the end of"),
    ),
    ("memory", "variable_bounds", ("out of bounds", "variable_index", None, "table, which has 32")),
    ("memory", "misaligned_shared", ("misaligned access", "wide", None, "a wider type")),
    ("memory", "shared_bounds", ("out of bounds", "two_arrays", None, "past the end of first")),
    ("memory", "dynamic_bounds", ("out of bounds", "dynamic_array", None, "has 124 bytes")),
    ("memory", "shared_unwritten", ("uninitialised read", "unfilled_tile", None, "left unfilled")),
    ("memory", "first_atomic", ("uninitialised read", "first_atomic", None, "left unfilled")),
    ("memory", "global_unwritten", ("uninitialised read", "load_from", None, "or too short")),
    ("memory", "copy_unwritten", ("uninitialised read", "copy_unwritten", None, "928")),
    ("memory", "padding"),
    ("order", "barrier", ("race", "barrier_store", "barrier_load", "__syncthreads() is missing")),
    ("order", "next_round", ("race", "second_store", "second_load", "__syncthreads() is missing")),
    (
        "order",
        "warp",
        ("race", "warp_first_store", "warp_load", "__syncwarp()"),
        ("race", "warp_load", "warp_second_store", "__syncwarp()"),
    ),
    ("order", "half", ("race", "half_load", "half_store", "another lane of the warp")),
    ("order", "left", ("race", "left_load", "left_store", "another lane of the warp")),
    ("order", "counter", ("race", "count", "count", "an atomic access")),
    ("order", "blocks", ("race", "neighbour_store", "neighbour_load", "another block")),
    ("order", "fence", ("race", "partial_load", "partial_store", "__threadfence()")),
    ("order", "reset", ("stale ticket", "ticket", None, "begins this launch with 16")),
    ("order", "reset_larger", ("race", "partial_store", "partial_load", "another block")),
    ("order", "lock", ("race", "locked", "locked", "an atomic access")),
    ("order", "flag", ("race", "consume", "produce", "another block")),
    ("order", "release", ("race", "acquire_load", "release_store", "another block")),
    (
        "order",
        "message",
        ("unfenced message", "message_load", "message_store", "__threadfence() is missing"),
    ),
    (
        "order",
        "message_ticket",
        ("unfenced message", "volatile_sum", "volatile_partial", "has seen a flag"),
    ),
    ("order", "volatile_use"),
    ("order", "grid", ("race", "first_phase", "second_phase", "another block")),
    ("order", "barrier_by_hand", ("race", "own_load", "own_store", "another block")),
    ("order", "harmless"),
    ("warps", "divergent", ("divergent barrier", "second_barrier", "first_barrier", "branch")),
    ("warps", "branch", ("divergent barrier", "branch", "in_branch", "went past the barrier")),
    ("warps", "trips", ("divergent barrier", "trips", "in_loop", "a branch or a loop")),
    ("warps", "legal_waits"),
    ("warps", "early"),
    ("warps", "deadlock", ("deadlock", "waits_in_warp", "waits_in_block", "never come")),
    ("warps", "exited", ("lost lane", "exited", None, "has left the kernel")),
    ("warps", "partial", ("lost lane", "partial", None, "does not exist")),
    ("warps", "outside", ("lost lane", "outside", None, "not in the mask")),
    ("warps", "caller", ("caller not in mask", "not_named", None, "lane 16")),
    ("warps", "legal_use"),
    ("tiles", "inside", ("race", "rotate_store", "rotate_load", "no barrier between")),
    ("tiles", "across", ("race", "foreign_load", "foreign_store", "no barrier between")),
    ("tiles", "next_round", ("race", "round_load", "round_store", "no barrier between")),
    ("tiles", "made", ("race", "partition_load", "partition_store", "no barrier between")),
    ("tiles", "deadlock", ("deadlock", "comes", "stays_away", "never come")),
    ("tiles", "left", ("deadlock", "remain", None, "never come")),
    ("tiles", "branch", ("deadlock", "partition_in_branch", "beside_branch", "never come")),
    ("tiles", "lost", ("lost lane", "rank", None, "rank 64 of a tile of 64 threads")),
    ("tiles", "fences_warp", ("race", "taken_over", "handed_over", "another block")),
    ("tiles", "fences_tile", ("race", "taken_over", "handed_over", "another block")),
    ("tiles", "taken", ("race", "passed_load", "passed_store", "another block")),
    ("streams", "missing_wait", ("early host access", "missing_wait", "missing_copy", "reads")),
    ("streams", "early_reuse", ("early host access", "early_reuse", "reuse_copy", "writes")),
    ("streams", "early_free", ("early host access", "early_free", "freed_copy", "frees memory of")),
    ("streams", "wrong_event", ("race", "set", "add_one", "nothing orders the two streams")),
    ("streams", "other_stream", ("race", "set", "other_copy", "nothing orders the two streams")),
    ("streams", "late_fill", ("race", "late_fill", "add_one", "a copy or fill")),
    ("streams", "lost_tail", ("uninitialised read", "add_one", None, "or too short")),
    ("streams", "device_pointer", ("device pointer on the host", "device_pointer", None, "reads")),
    ("streams", "pageable"),
    ("streams", "ordered"),
    (
        "copies",
        "no_wait",
        ("unfinished copy", "primitive_own", "primitive_copy", "has not waited for the copy"),
        ("unfinished copy", "primitive_other", "primitive_copy", "the target of"),
    ),
    (
        "copies",
        "no_commit",
        ("unfinished copy", "primitive_own", "primitive_copy", "the target of"),
        ("unfinished copy", "primitive_other", "primitive_copy", "the target of"),
    ),
    ("copies", "no_barrier", ("race", "primitive_copy", "primitive_other", "__syncthreads()")),
    (
        "copies",
        "stage_early",
        ("unfinished copy", "stage_use", "first_copy", "the target of"),
        ("unfinished copy", "stage_copy", "first_copy", "store of 4 bytes"),
        ("unfinished copy", "stage_use", "stage_copy", "the target of"),
        ("unfinished copy", "stage_copy", "stage_copy", "store of 4 bytes"),
    ),
    (
        "copies",
        "stage_in_use",
        ("unfinished copy", "stage_copy", "first_copy", "store of 4 bytes"),
        ("unfinished copy", "stage_use", "stage_copy", "the target of"),
    ),
    ("copies", "source", ("unfinished copy", "source_change", "source_copy", "the source of")),
    ("copies", "thread_pipeline", ("unfinished copy", "thread_use", "thread_copy", "the target")),
    (
        "copies",
        "block_pipeline",
        ("unfinished copy", "block_use", "block_copy", "the target of"),
        ("race", "block_copy", "block_use", "another lane of the warp"),
    ),
    ("copies", "early_release", ("race", "block_copy", "block_use", "another warp")),
    ("copies", "barrier_object", ("unfinished copy", "barrier_use", "barrier_copy", "the target")),
    ("copies", "group", ("unfinished copy", "group_use", "group_copy", "no barrier has told")),
    (
        "locals",
        "count",
        ("out of bounds", "histogram", None, "past the end of a local array of 32"),
    ),
    ("locals", "pointer", ("out of bounds", "fill", None, "0 bytes past the end of a local array")),
    ("locals", "constant", ("out of bounds", "constant_index", None, "a local array of 16 bytes")),
    ("locals", "negative", ("out of bounds", "window", None, "4 bytes before a local array")),
    ("locals", "structure", ("out of bounds", "in_structure", None, "a local array of 16 bytes")),
    ("locals", "foreign", ("foreign local variable", "by_address", None, "of another thread")),
    ("locals", "many"),
    (
        "managed",
        "read_early",
        ("early host access", "read_early", "twice", "reads memory of which"),
    ),
    ("managed", "write_early", ("early host access", "write_early", "sum_up", "kernel reads")),
    (
        "managed",
        "write_after_read",
        ("early host access", "write_after_read", "twice", "missing between the launch"),
    ),
    ("managed", "mapped", ("early host access", "mapped", "twice", "reads memory of which")),
    ("managed", "shared_fairly"),
    ("host", "double_free", ("double free", "double_free", None, "freed before")),
    ("host", "inner_free", ("invalid free", "inner_free", None, "no allocation begins")),
    ("host", "pinned_free", ("invalid free", "pinned_free", None, "cudaFreeHost frees it")),
    ("host", "wrong_free_function", ("invalid free", "wrong_free_function", None, "cudaFreeHost")),
    ("host", "refused", ("unread error", "refused", None, "cudaGetLastError() is missing")),
    ("host", "symbol", ("wrong copy", "symbol", None, "which has 32 bytes")),
    (
        "host",
        "managed_bounds",
        ("out of bounds", "managed_bounds", None, "the host writes 0 bytes"),
    ),
    ("host", "managed_freed", ("use after free", "managed_freed", None, "inside a freed")),
    ("host", "leak", ("leak", "leak", None, "123 bytes")),
    ("host", "too_large", ("wrong copy", "too_large", None, "only 400 of 404 bytes")),
    ("host", "direction", ("wrong copy", "direction", None, "is host memory")),
    ("host", "fill_too_large", ("wrong copy", "fill_too_large", None, "only 400 of 1600")),
]


# What the checks promise, and the planted bugs that show it; each has its corrected twin.
PROMISES = {
    "out of bounds": "memory-by_one memory-negative memory-constant_bounds memory-variable_bounds",
    "into a neighbour allocation": "memory-neighbour",
    "in shared memory": "memory-shared_bounds memory-dynamic_bounds",
    "in a local array": "locals-count locals-pointer locals-constant locals-negative",
    "use after free": "memory-use_after_free host-managed_freed",
    "double free": "host-double_free",
    "wrong free": "host-inner_free host-pinned_free host-wrong_free_function streams-early_free",
    "leak at exit": "host-leak",
    "host pointer in a kernel": "memory-host_pointer memory-null_pointer",
    "device pointer on the host": "streams-device_pointer host-managed_bounds",
    "uninitialised global read": "memory-global_unwritten memory-copy_unwritten streams-lost_tail",
    "uninitialised shared read": "memory-shared_unwritten memory-first_atomic",
    "race in shared memory between barriers": "order-barrier order-next_round",
    "race between tiles or within one": "tiles-inside tiles-across tiles-next_round tiles-made",
    "race in global memory between blocks": "order-blocks order-flag order-release order-grid",
    "race in global memory between warps": "order-counter order-lock",
    "last block without fence": "order-fence order-message_ticket order-message",
    "message of a warp or tile without fence": "tiles-fences_warp tiles-fences_tile tiles-taken",
    "ticket not set back": "order-reset order-reset_larger",
    "divergent barrier": "warps-divergent warps-branch warps-trips",
    "deadlock": "warps-deadlock tiles-deadlock tiles-left tiles-branch",
    "lane that has left, or is not there": "warps-exited warps-partial warps-outside tiles-lost",
    "live caller not in the mask": "warps-caller",
    "warp-synchronous code": "order-warp order-half order-left",
    "misaligned vector access": "memory-misaligned memory-misaligned_shared",
    "copy of wrong size": "host-too_large host-fill_too_large host-symbol",
    "copy of wrong direction": "host-direction",
    "missing wait of the host": "streams-missing_wait streams-early_reuse managed-read_early",
    "host writes early": "managed-write_early managed-write_after_read managed-mapped",
    "event or stream that orders nothing": "streams-wrong_event streams-other_stream",
    "unfinished asynchronous copy": "copies-no_wait copies-no_commit copies-stage_in_use",
    "refused launch": "host-refused",
    "address of another thread's variable": "locals-foreign",
    "kernels that end themselves": "memory-assertion memory-trap memory-stack",
}
LEGAL = {  # nothing to report in either form
    "memory-padding": "padding of structures that nothing wrote",
    "order-harmless": "stores of one value, a load that a compare-and-swap verifies",
    "order-volatile_use": "flags and progress by volatile accesses",
    "warps-early": "returning before a barrier",
    "warps-legal_waits": "returning out of a loop, a branch that all take",
    "warps-legal_use": "exited lanes in a mask",
    "locals-many": "calls, recursion, addresses of one's own variables",
    "managed-shared_fairly": "host and kernel at different bytes",
    "streams-pageable": "copies of pageable memory",
    "streams-ordered": "streams that wait for one another",
}


def test_every_promise_has_its_planted_bug():
    cases = {f"{program}-{name}": wanted for program, name, *wanted in CASES}
    planted = {name for text in PROMISES.values() for name in text.split()}
    assert all(cases[name] for name in planted)
    assert {name for name, wanted in cases.items() if not wanted} == set(LEGAL)
    kinds = {kind for wanted in cases.values() for kind, *_ in wanted}
    listed = SCHEMA["properties"]["problems"]["items"]["properties"]["kind"]["enum"]
    assert kinds == set(listed)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def test_planted_bug(programs, tmp_path, case):
    program, name, *wanted = case
    code, problems, errors, text = run(
        programs[f"check-{program}"], name, "wrong", report=tmp_path / "report.json"
    )
    file = f"{program}.cu"
    found = [(p["kind"], p["line"], p.get("other_line")) for p in problems]
    lines = {None: None}
    expected = [
        (kind, *(lines.get(m, m and line_of(file, m)) for m in (line, other)))
        for kind, line, other, _ in wanted
    ]
    assert found == expected
    for problem, (*_, words) in zip(problems, wanted, strict=True):
        assert words in problem["message"]
        assert f"{file}:{problem['line']}" in errors
    assert code == (EXIT_PROBLEMS if wanted else 0)
    again = run(
        programs[f"check-{program}"],
        name,
        "wrong",
        report=tmp_path / "again.json",
        CPU_DEVICE_THREADS="2",
    )
    assert again[3] == text


@pytest.mark.parametrize("seed", [None, "7"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def test_corrected_twin(programs, tmp_path, case, seed):
    environment = {"CPU_DEVICE_SEED": seed} if seed else {}
    code, problems, errors, _ = run(
        programs[f"check-{case[0]}"],
        case[1],
        "right",
        report=tmp_path / "report.json",
        **environment,
    )
    assert (code, problems, errors) == (0, [], "")


@pytest.mark.parametrize(
    "name, right, wrong",
    [
        ("missing_wait", "5", str(-0x32323233)),  # what was not copied yet is nonsense, 0xcdcdcdcd
        ("early_reuse", "7", "8"),
        ("wrong_event", "6", "1"),
        ("other_stream", "5", "0"),
        ("pageable", "9", "9"),
        ("ordered", "5 5", "5 5"),
    ],
)
def test_asynchrony_shows_in_plain_builds(programs, name, right, wrong):
    for argument, value in (("right", right), ("wrong", wrong)):
        lines, _ = test_cpu_device.run(programs["streams"], name, argument)
        assert lines == [value, "cudaSuccess"]


@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.parametrize("name", ["barrier", "next_round", "warp", "half", "blocks", "flag"])
def test_races_are_found_in_any_order(programs, tmp_path, name, seed):
    """Not who came first counts, but whether anything orders the two."""
    code, problems, _, _ = run(
        programs["check-order"],
        name,
        "wrong",
        report=tmp_path / "report.json",
        CPU_DEVICE_SEED=seed,
    )
    assert code == EXIT_PROBLEMS
    assert "race" in {problem["kind"] for problem in problems}


def test_the_file_is_the_one_that_line_directives_name(tmp_path):
    """Also where it is the first of a program, which addr2line took for the program's own."""
    (tmp_path / "made.cu").write_text(
        '#line 100 "/from/a/template.txt"\n__global__ void k(int* p) { p[32] = 1; }\n'
        '#line 3 "made.cu"\n'
        "int main() { int* p; cudaMalloc(&p, 128); k<<<1, 1>>>(p); cudaFree(p); }\n"
    )
    build.cpucc("--check", tmp_path / "made.cu", "-o", tmp_path / "made")
    _, problems, errors, _ = run(tmp_path / "made", report=tmp_path / "report.json")
    assert (problems[0]["file"], problems[0]["line"]) == ("/from/a/template.txt", 100)
    assert "/from/a/template.txt:100" in errors


def test_checks_are_chosen_by_the_environment_too(programs, tmp_path):
    report = tmp_path / "report.json"
    program = programs["check-order"]
    code, problems, errors, _ = run(
        program, "barrier", "wrong", report=report, CPU_DEVICE_CHECK="0"
    )
    assert (code, problems, errors) == (0, [], "")
    explained = programs["explain-order"]  # built with --explain only
    assert run(explained, "barrier", "wrong", report=report)[0] == 0
    code, problems, *_ = run(explained, "barrier", "wrong", report=report, CPU_DEVICE_CHECK="1")
    assert (code, len(problems)) == (EXIT_PROBLEMS, 1)
