"""What chapter 1 claims beyond its programs' answers: what nvcc makes of a file, what was recorded.

Broken programs and exercises with a check are tested for all chapters in tests/chapters/.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.chapters import support
from tools import capture, record_outputs

CHAPTER = Path(__file__).resolve().parent
SLUG = CHAPTER.name
FIRST_CHECK = CHAPTER / "first_check.cu"
WANTED = record_outputs.wanted(SLUG)


def nvcc(*arguments: object) -> str:
    """What nvcc prints; the test is skipped where there is none."""
    if reason := support.lacking("nvcc"):
        pytest.skip(reason)
    done = subprocess.run(
        [support.tool("nvcc"), *map(str, arguments)], capture_output=True, text=True, check=True
    )
    return done.stdout + done.stderr


def ptx_of(source: Path, folder: Path, *flags: str) -> str:
    output = folder / "out.ptx"
    nvcc("-ptx", *flags, source, "-o", output)
    return output.read_text(encoding="utf-8")


# Recorded outputs --------------------------------------------------------------------------------


@pytest.mark.parametrize("item", WANTED, ids=lambda item: f"{item.machine}-{item.name}")
def test_every_recorded_output_of_the_page_is_there(item: record_outputs.Wanted) -> None:
    if not item.path.is_file() and item.machine == record_outputs.REFERENCE:
        pytest.skip("not recorded yet: python3 -m tools.record_outputs nvidia-h200 " + SLUG)
    kept = capture.recorded_output(capture.repository_root(CHAPTER), SLUG, item.machine, item.name)
    code = int(kept["facts"].get("exit", "0"))
    assert record_outputs.right_exit(item, code)
    assert kept["output"]


@pytest.mark.parametrize(
    "item", [one for one in WANTED if one.machine.startswith("nvcc-")], ids=lambda item: item.name
)
def test_nvcc_still_prints_what_is_recorded(item: record_outputs.Wanted) -> None:
    if reason := record_outputs.why_not_here(item.machine):
        pytest.skip(reason)
    if tool := record_outputs.lacking_tool(item.command):
        pytest.skip(f"{tool} is not on PATH")
    _, code, text = record_outputs.run(item)
    assert record_outputs.compare(item, code, text) == ""


def recorded(name: str) -> str:
    """A GPU's recorded output; the test is skipped until it is there."""
    path = CHAPTER / "recorded" / record_outputs.REFERENCE / f"{name}.txt"
    if not path.is_file():
        pytest.skip(f"{name} is not recorded on the reference GPU yet")
    return path.read_text(encoding="utf-8")


def test_the_program_that_holds_machine_code_runs_it() -> None:
    text = recorded("which_sass")
    assert "machine code for 9.0, made from PTX 9.0" in text
    assert "made from PTX 7.5" not in text


def test_the_program_that_holds_ptx_runs_what_the_driver_made_of_it() -> None:
    assert "machine code for 9.0, made from PTX 7.5" in recorded("which_ptx")


def loading_times(name: str) -> list[float]:
    return [float(time) for time in re.findall(r"loaded in ([\d.]+) ms", recorded(name))]


def test_compiling_at_start_takes_longer_than_loading_from_the_cache() -> None:
    compiled = min(loading_times("which_ptx"))
    first, *cached = loading_times("which_cache")
    assert compiled > max(cached)
    assert first > max(cached)


def test_allocating_needs_no_code_for_the_gpu_but_launching_does() -> None:
    assert "launching the kernel failed: cudaErrorNoKernelImageForDevice (209)" in recorded(
        "no_image"
    )


# What nvcc makes of a file -----------------------------------------------------------------------


def test_arch_sm_90_keeps_machine_code_and_ptx() -> None:
    commands = nvcc("--dryrun", "-arch=sm_90", "-c", FIRST_CHECK, "-o", "never.o")
    images = re.findall(r"--image3=kind=(\w+),sm=(\d+)", commands)
    assert sorted(images) == [("elf", "90"), ("ptx", "90")]


def test_the_pair_of_gencode_flags_keeps_what_it_says() -> None:
    commands = nvcc(
        "--dryrun", "-gencode", "arch=compute_80,code=sm_80",
        "-gencode", "arch=compute_90,code=[sm_90,compute_90]", "-c", FIRST_CHECK, "-o", "never.o",
    )  # fmt: skip
    images = re.findall(r"--image3=kind=(\w+),sm=(\d+)", commands)
    assert sorted(images) == [("elf", "80"), ("elf", "90"), ("ptx", "90")]


def test_only_the_device_pass_defines_cuda_arch() -> None:
    commands = nvcc("--dryrun", "-arch=sm_90", "-c", FIRST_CHECK, "-o", "never.o").splitlines()
    expanding = [line for line in commands if " -E " in line]
    into_host = [line for line in expanding if "__CUDA_ARCH__=" not in line]
    into_device = [line for line in expanding if "__CUDA_ARCH__=900" in line]
    assert len(into_host) == 1
    assert len(into_device) == 1


def test_without_arch_nvcc_builds_for_an_old_architecture(tmp_path: Path) -> None:
    major = int(re.search(r"release (\d+)", nvcc("--version"))[1])
    target = re.search(r"\.target sm_(\d+)", ptx_of(FIRST_CHECK, tmp_path))[1]
    assert target == {12: "52", 13: "75"}[major]


def test_the_ptx_has_the_lines_that_exercise_3_finds(tmp_path: Path) -> None:
    body = ptx_of(FIRST_CHECK, tmp_path, "-arch=sm_90")
    in_order = ["%ctaid.x", "%ntid.x", "%tid.x", "mad.lo.s32", "setp.ge.s32", "bra", "mul.wide.s32",
                "add.s64", "ld.global.u32", "add.s32", "st.global.u32"]  # fmt: skip
    places = [body.index(word) for word in in_order]
    assert places == sorted(places)


def test_with_double_index_and_guard_stay(tmp_path: Path) -> None:
    text = FIRST_CHECK.read_text(encoding="utf-8")
    for old, new in (
        ("int* values, int n", "double* values, int n"),
        ("<int>", "<double>"),
        ("int* d_values", "double* d_values"),
        ("sizeof(int)", "sizeof(double)"),
    ):
        text = text.replace(old, new)
    changed = tmp_path / "doubles.cu"
    changed.write_text(text, encoding="utf-8")
    body = ptx_of(changed, tmp_path, "-arch=sm_90")
    assert re.search(r"mul\.wide\.s32\s+%rd\d+, %r1, 8;", body)
    for line in ("mad.lo.s32", "setp.ge.s32", "ld.global.f64", "add.f64", "st.global.f64"):
        assert line in body
    assert "add_one_kernelPdi" in body


# Exercises without a check of their own ----------------------------------------------------------

SHAPE = CHAPTER / "exercises" / "4-refuse-the-shape"


@pytest.mark.parametrize("device", ["cpu", "nvcc"])
@pytest.mark.parametrize(
    "answer", ["solution.cu", "wrong/asks_the_host_only.cu", "wrong/larger_is_fine.cu"]
)
def test_only_the_solution_of_exercise_4_refuses_to_compile(
    answer: str, device: str, tmp_path: Path
) -> None:
    if reason := support.lacking(device):
        pytest.skip(reason)
    command = support.compile_command(device, [SHAPE / answer], tmp_path / "shape.o")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    refused = done.returncode != 0 and "static assertion failed" in done.stdout + done.stderr
    assert refused == (answer == "solution.cu"), done.stderr
    assert refused or done.returncode == 0, done.stderr


# The small programs ------------------------------------------------------------------------------


def build_and_run(source: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    if reason := support.lacking("cpu"):
        pytest.skip(reason)
    program = folder / "program"
    subprocess.run([support.CPUCC, "-std=c++20", source, "-o", program], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=False)


def test_first_check_needs_nothing_of_the_course_and_passes(tmp_path: Path) -> None:
    done = build_and_run(FIRST_CHECK, tmp_path)
    assert done.returncode == 0
    assert "added 1 to 1000 numbers, all of them right" in done.stdout


def test_first_check_notices_a_kernel_that_adds_two(tmp_path: Path) -> None:
    changed = tmp_path / "changed.cu"
    text = FIRST_CHECK.read_text(encoding="utf-8")
    changed.write_text(text.replace("values[i] + 1;", "values[i] + 2;"), encoding="utf-8")
    assert changed.read_text(encoding="utf-8") != text
    done = build_and_run(changed, tmp_path)
    assert done.returncode == 1
    assert "values[0] is 2 and should be 1" in done.stdout


@pytest.mark.parametrize(
    "path", sorted(CHAPTER.glob("stand_ins/*/*")), ids=lambda path: path.parent.name
)
def test_stand_ins_can_be_started(path: Path) -> None:
    assert os.access(path, os.X_OK)


@pytest.mark.parametrize("path", sorted(CHAPTER.glob("pictures/*.svg")), ids=lambda path: path.stem)
def test_pictures_have_title_and_description_and_are_on_the_page(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "<title id=" in text
    assert "<desc id=" in text
    assert f"pictures/{path.name}" in (CHAPTER / "index.md").read_text(encoding="utf-8")


def test_the_recorded_first_check_is_what_the_program_prints_today(tmp_path: Path) -> None:
    done = build_and_run(FIRST_CHECK, tmp_path)
    name = "CPU device (as NVIDIA H200)"
    assert done.stdout.startswith(name)
    assert done.stdout.replace(name, "NVIDIA H200").strip() in recorded("first_check")
