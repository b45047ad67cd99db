"""`course run` and `course bench` with made-up programs and devices."""

from __future__ import annotations

import argparse
import json

import pytest
from conftest import REPO, Course

from tools.verbs import run as verb

STEPS = [
    {"name": "one_thread", "family": "sum", "title": "one thread does all", "default_n": 8},
    {"name": "strided", "family": "sum", "title": "all threads", "default_n": 8},
    {"name": "map", "family": "sum", "title": "a setting", "default_n": 8, "variant": "threads:1"},
    {"name": "map", "family": "sum", "title": "a setting", "default_n": 8, "variant": "threads:2"},
]

REPORT = {
    "kernels": [
        {
            "name": "sum",
            "lines": [
                {
                    "file": "../chapters/03-first-gpu-program/step1_one_thread.cu",
                    "line": 14,
                    "op": "load",
                    "space": "global",
                    "requests": 1024,
                    "sectors": 2048,
                },
                {
                    "file": "../chapters/03-first-gpu-program/step1_one_thread.cu",
                    "line": 20,
                    "op": "store",
                    "space": "shared",
                    "requests": 4,
                    "wavefronts": 8,
                    "conflicts": 4,
                },
            ],
        }
    ],
    "problems": [],
}

PROGRAM = f"""
if [ "$1" = list ]; then echo '{json.dumps(STEPS)}'; exit 0; fi
echo "device: the CPU device"
echo "arguments: $@"
[ "$CPU_DEVICE_CHECK" = 1 ] && echo "checks are on"
while [ $# -gt 0 ]; do
  if [ "$1" = --json ]; then echo '{{"verified": true, "result": "sum = 4"}}' > "$2"; fi
  shift
done
[ -n "$CPU_DEVICE_REPORT" ] && echo '{json.dumps(REPORT)}' > "$CPU_DEVICE_REPORT"
exit ${{CODE:-0}}
"""

GPU = "count_error=0\ndevices=1\ndriver_version=13000\ndevice0=Test GPU A;cc=9.0\n"


@pytest.fixture
def programs(course: Course) -> Course:
    course.program("03-first-gpu-program-cpu", PROGRAM)
    course.program("03-first-gpu-program", PROGRAM.replace("the CPU device", "Test GPU A"))
    return course


@pytest.fixture
def with_gpu(programs: Course) -> Course:
    probe = programs.root / "probe"
    probe.write_text(GPU)
    programs.environment["DOCTOR_PROBE"] = str(probe)
    return programs


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("1000", 1000), ("1_000_000", 10**6), ("2^20", 2**20), ("2**4", 16), ("1e6", 10**6)],
)
def test_sizes_are_read(text: str, number: int) -> None:
    assert verb.elements(text) == number


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("-5", "least number of elements is 0"),
        ("many", "not a number of elements"),
        ("1.5", "not a number of elements"),
        ("", "not a number of elements"),
        ("nan", "not a number of elements"),
        ("9223372036854775808", "the limit is 2^63 - 1"),
        ("2^99999999999", "the limit is 2^63 - 1"),
        ("1e99999999999", "the limit is 2^63 - 1"),
    ],
)
def test_wrong_sizes_get_a_sentence_with_the_limit(text: str, said: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError) as caught:
        verb.elements(text)
    assert said in str(caught.value)


@pytest.mark.parametrize("size", ["-5", "x", "2^70", "2^60"])
def test_wrong_sizes_exit_with_2(programs: Course, size: str) -> None:
    answer = programs("run", "3", "one_thread", "--device", "cpu", "--n", size)
    assert answer.returncode == 2
    assert "limit" in answer.stderr or "least" in answer.stderr or "number" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_without_a_gpu_the_cpu_device_runs_and_counts(programs: Course) -> None:
    answer = programs("run", "3", "one_thread", "--n", "0", "--seed", "7")
    assert answer.returncode == 0, answer.stderr
    lines = answer.stdout.splitlines()
    assert lines[0] == "device: the CPU device"
    assert "--n 0" in lines[1]
    assert "--seed 7" in lines[1]
    row = next(line for line in lines if line.startswith("step1_one_thread.cu:14"))
    assert row.split() == ["step1_one_thread.cu:14", "load", "1,024", "2,048", "2.00"]
    shared = next(line for line in lines if ":20" in line)
    assert shared.split()[1:] == ["store", "4", "8", "4"]
    assert " ms" not in answer.stdout


def test_a_gpu_is_the_default_where_there_is_one(with_gpu: Course) -> None:
    answer = with_gpu("run", "first-gpu", "one_thread")
    assert answer.stdout.splitlines()[0] == "device: Test GPU A"
    assert "--gpu 0" in answer.stdout
    assert "sectors" not in answer.stdout


@pytest.mark.parametrize("device", ["gpu", "gpu:0"])
def test_gpu_never_falls_back(programs: Course, device: str) -> None:
    answer = programs("run", "3", "one_thread", "--device", device)
    assert answer.returncode == 4
    assert answer.stdout == ""
    assert "--device cpu" in answer.stderr


def test_a_gpu_that_is_not_there_is_named(with_gpu: Course) -> None:
    answer = with_gpu("run", "3", "one_thread", "--device", "gpu:3")
    assert answer.returncode == 4
    assert "gpu:0 (Test GPU A)" in answer.stderr


@pytest.mark.parametrize("device", ["tpu", "gpu:x", "gpu:-1", "cpu:1"])
def test_unknown_devices_are_wrong_use(programs: Course, device: str) -> None:
    answer = programs("run", "3", "one_thread", "--device", device)
    assert answer.returncode == 2
    assert "gpu:K" in answer.stderr


@pytest.mark.parametrize("word", ["3", "03", "03-first-gpu-program", "first", "FIRST-gpu"])
def test_chapters_go_by_many_names(programs: Course, word: str) -> None:
    answer = programs("run", word, "--device", "cpu")
    assert answer.returncode == 0
    assert "one_thread" in answer.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "frist-gpu"], "03-first-gpu-program"),
        (["run", "99"], "no program of chapter 99"),
        (["run", "0"], "no program of chapter 0"),
        (["run", "-"], "may mean"),
        (["run", "3", "one_thred", "--device", "cpu"], "Did you mean one_thread"),
        (["run", "3", "zzz", "--device", "cpu"], "Known: one_thread, strided"),
        (["bench", "advnced"], "05-advanced-optimization"),
    ],
)
def test_unknown_names_get_the_nearest(programs: Course, words: list[str], said: str) -> None:
    answer = programs(*words)
    assert answer.returncode == 2
    assert said in answer.stderr


@pytest.mark.parametrize(("code", "expected"), [("1", 1), ("2", 2), ("86", 86), ("77", 77)])
def test_the_program_decides_the_exit_code(programs: Course, code: str, expected: int) -> None:
    assert programs("run", "3", "one_thread", "--device", "cpu", CODE=code).returncode == expected


def test_a_crash_is_a_failure(programs: Course) -> None:
    programs.program(
        "03-first-gpu-program-cpu", PROGRAM.replace('echo "arguments', 'kill -SEGV $$; echo "')
    )
    assert programs("run", "3", "one_thread", "--device", "cpu").returncode == 1


def test_json_is_one_object_and_nothing_else(programs: Course) -> None:
    answer = programs("run", "3", "one_thread", "--device", "cpu", "--json", CODE="1")
    assert answer.returncode == 1
    document = json.loads(answer.stdout)
    assert document["result"] == "sum = 4"
    assert document["exit_code"] == 1
    assert document["chapter"] == "03-first-gpu-program"
    assert document["kernels"][0]["lines"][0]["sectors"] == 2048


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("../chapters/03-first/step1.cu", "step1.cu"),
        (str(REPO / "src/coalesce/launch.hpp"), "src/coalesce/launch.hpp"),
        ("../../elsewhere/x.h", "../../elsewhere/x.h"),
        ("/usr/include/x.h", "/usr/include/x.h"),
    ],
)
def test_sources_are_named_as_the_reader_would(
    monkeypatch: pytest.MonkeyPatch, name: str, short: str
) -> None:
    monkeypatch.setattr(verb.paths, "build_dir", lambda: REPO / "build")
    assert verb.short_path(name) == short


def test_counts_of_several_launches_are_added() -> None:
    twice = {"kernels": REPORT["kernels"] * 2}
    sums = verb.sum_lines(twice)
    assert [line["requests"] for line in sums] == [2048, 8]


# --- bench


def test_a_name_with_settings_is_listed_once(programs: Course) -> None:
    lines = programs("run", "3").stdout.splitlines()
    named = [line for line in lines if line.strip().startswith("map")]
    assert len(named) == 1
    assert "2 variants, the first: threads:1" in named[0]


def test_a_setting_is_handed_on(programs: Course) -> None:
    answer = programs("run", "3", "map", "--device", "cpu", "--variant", "threads:2")
    assert "--variant threads:2" in answer.stdout


def test_checks_are_the_cpu_devices(with_gpu: Course) -> None:
    answer = with_gpu("run", "3", "one_thread", "--check")
    assert answer.stdout.splitlines()[0] == "device: the CPU device"
    assert "checks are on" in answer.stdout
    assert "found nothing" in answer.stdout
    assert "checks are on" not in with_gpu("run", "3", "one_thread", "--device", "cpu").stdout
    with_gpu.environment["CODE"] = "86"
    assert with_gpu("run", "3", "one_thread", "--check").returncode == 86
    assert with_gpu("run", "3", "one_thread", "--check", "--device", "gpu").returncode == 2


def test_bench_needs_a_gpu(programs: Course) -> None:
    answer = programs("bench", "3")
    assert answer.returncode == 4
    assert "No GPU here" in answer.stderr
    assert "./course run 03-first-gpu-program" in answer.stderr


def test_bench_never_times_the_cpu_device(with_gpu: Course) -> None:
    answer = with_gpu("bench", "3", "--device", "cpu")
    assert answer.returncode == 2
    assert "never timed" in answer.stderr


@pytest.mark.parametrize("words", [["--rounds", "0"], ["--filter", "("], ["--budget", "0"]])
def test_bench_refuses_wrong_options(with_gpu: Course, words: list[str]) -> None:
    assert with_gpu("bench", "3", *words).returncode == 2


def test_a_failed_benchmark_records_nothing(with_gpu: Course) -> None:
    with_gpu.program(
        "03-first-gpu-program-bench", "echo 'one_thread gave a wrong answer' >&2; exit 1"
    )
    answer = with_gpu("bench", "3")
    assert answer.returncode == 1
    assert "one_thread gave a wrong answer" in answer.stderr
    assert "nothing was overwritten" in answer.stderr
    assert not (with_gpu.root / "work").exists()


def test_a_damaged_raw_file_is_refused(with_gpu: Course) -> None:
    with_gpu.program(
        "03-first-gpu-program-bench",
        'while [ "$1" != --out ]; do shift; done; echo "{damaged" > "$2"',
    )
    answer = with_gpu("bench", "3")
    assert answer.returncode == 1
    assert "Not recorded" in answer.stderr
    assert not (with_gpu.root / "work").exists()


def test_bench_hands_its_options_on(with_gpu: Course) -> None:
    with_gpu.program(
        "03-first-gpu-program-bench", f'echo "$@" > "{with_gpu.root}/asked"; echo stop; exit 1'
    )
    with_gpu("bench", "3", "--filter", "one", "--rounds", "5", "--n", "2^10", "7")
    asked = (with_gpu.root / "asked").read_text()
    assert "--filter one" in asked
    assert "--rounds 5" in asked
    assert "--n 1024 7" in asked
    assert "--gpu 0" in asked
    assert "--resume" in asked
    assert "--budget 150" in asked
    with_gpu("bench", "3", "--thorough", "--budget", "60")
    assert "--thorough" in (with_gpu.root / "asked").read_text()
    assert "--budget 60" in (with_gpu.root / "asked").read_text()


def test_bench_says_what_was_left_out(with_gpu: Course) -> None:
    with_gpu.program(
        "03-first-gpu-program-bench",
        "echo 'sum at n = 8 left out: too large' >&2; echo 'wrong answer' >&2; exit 0",
    )
    answer = with_gpu("bench", "3")
    assert "sum at n = 8 left out: too large" in answer.stdout + answer.stderr
