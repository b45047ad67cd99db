"""What chapter 2 claims beyond its programs' answers: the small programs, the page's tables.

Broken programs and exercises are tested for all chapters in tests/chapters/; the steps and the
evidence in test.cpp.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.chapters import support

CHAPTER = Path(__file__).resolve().parent
PAGE = (CHAPTER / "index.md").read_text(encoding="utf-8")
STEPS = (CHAPTER / "table.hpp").read_text(encoding="utf-8")
PICTURES = sorted((CHAPTER / "pictures").glob("*.svg"))
DEVICE_LAUNCH = CHAPTER / "evidence" / "device_launch.cu"
HELLO = {f"hello from block {block}, thread {thread}" for block in range(2) for thread in range(4)}
NVCC_RECORDED = sorted((CHAPTER / "recorded" / "nvcc-13.0").glob("*.txt"))


# Programs of their own ---------------------------------------------------------------------------


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_hello_prints_a_line_for_each_thread(device: str) -> None:
    if reason := support.lacking(device):
        pytest.skip(reason)
    program, said = support.build(device, [CHAPTER / "hello.cu"])
    assert program, said.output
    outcome = support.run(program)
    assert outcome.code == 0
    assert sorted(outcome.output.splitlines()) == sorted(HELLO)


def test_hello_compiles_with_nvcc(tmp_path: Path) -> None:
    nvcc("-c", CHAPTER / "hello.cu", "-o", tmp_path / "hello.o")


def test_device_launch_compiles_with_relocatable_code_only(tmp_path: Path) -> None:
    nvcc("-rdc=true", "-c", DEVICE_LAUNCH, "-o", tmp_path / "with.o")
    done = nvcc("-c", DEVICE_LAUNCH, "-o", tmp_path / "without.o", check=False)
    assert done.returncode != 0
    assert "requires separate compilation mode" in done.stdout + done.stderr


def test_device_launch_runs_on_a_gpu(tmp_path: Path) -> None:
    if reason := support.lacking("gpu"):
        pytest.skip(reason)
    program = tmp_path / "device_launch"
    nvcc("-rdc=true", DEVICE_LAUNCH, "-lcudadevrt", "-o", program, arch="native")
    assert support.problem_with(DEVICE_LAUNCH, "gpu", support.run(program)) is None


def nvcc(*arguments: object, check: bool = True, arch: str = "sm_90"):
    """Runs nvcc; the test is skipped where there is none."""
    if reason := support.lacking("nvcc"):
        pytest.skip(reason)
    command = [support.tool("nvcc"), f"-arch={arch}", "-std=c++20", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=support.ROOT)
    assert done.returncode == 0 or not check, done.stdout + done.stderr
    return done


# Recorded messages of nvcc -----------------------------------------------------------------------


@pytest.mark.parametrize("recorded", NVCC_RECORDED, ids=lambda path: path.stem)
def test_nvcc_still_says_what_is_recorded(recorded: Path, tmp_path: Path) -> None:
    if reason := support.lacking("nvcc"):
        pytest.skip(reason)
    version = subprocess.run(
        [support.tool("nvcc"), "--version"], capture_output=True, text=True, check=True
    )
    if "release 13.0" not in version.stdout:
        pytest.skip("recorded with nvcc 13.0")
    command, *rest = recorded.read_text(encoding="utf-8").splitlines()
    facts = dict(line[3:].split(": ", 1) for line in rest if line.startswith("#: "))
    source = command.split()[command.split().index("-c") + 1]
    done = nvcc("-c", source, "-o", tmp_path / "out.o", check=False)
    assert done.returncode == int(facts["exit"])
    said = [line for line in rest if not line.startswith("#: ")]
    assert (done.stdout + done.stderr).strip() == "\n".join(said).strip()


# The page ----------------------------------------------------------------------------------------


def test_every_step_that_the_page_runs_exists() -> None:
    names = set(re.findall(r'(?:show|make_step\(scale_i32, |show\()\(?"([a-z0-9_]+)"', STEPS))
    run = set(re.findall(r"\./course run 2 ([a-z_]+)", PAGE))
    assert run
    assert run <= names, f"the page runs {run - names}"


def test_every_claim_has_evidence_that_exists() -> None:
    section = PAGE.split("## Old claims, checked", 1)[1].split("\nThe CPU device runs", 1)[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 13
    for row in rows:
        evidence = row.strip("| ").rsplit("|", 1)[1]
        files = re.findall(r"`((?:evidence|broken)/\w+\.cu)`", evidence)
        tests = re.findall(r"test `(\w+)\.(\w+)`", evidence)
        steps = re.findall(r"\./course run 2 (\w+)", evidence)
        assert files or tests or steps, row
        for name in files:
            assert (CHAPTER / name).is_file(), name
        for suite, name in tests:
            assert f"TEST({suite}, {name})" in (CHAPTER / "test.cpp").read_text(encoding="utf-8")
        for name in steps:
            assert f'"{name}"' in STEPS, name


def test_lanes_on_the_page_are_those_of_the_support_library() -> None:
    head = re.search(r"^\| compute capability (\|.*)$", PAGE, re.MULTILINE)
    lanes = re.search(r"^\| 32-bit floating-point lanes an SM (\|.*)$", PAGE, re.MULTILINE)
    assert head and lanes
    source = (support.ROOT / "src" / "coalesce" / "device.cpp").read_text(encoding="utf-8")
    body = source.split("fp32_lanes_per_sm(int", 1)[1].split("default:", 1)[0]
    in_library: dict[str, str] = {}
    waiting: list[str] = []
    for case, value in re.findall(r"case (\d+)|return (\d+)", body):
        if case:
            waiting.append(f"{int(case) // 10}.{int(case) % 10}")
        else:
            in_library |= dict.fromkeys(waiting, value)
            waiting = []
    cells = list(zip(head[1].strip("| ").split("|"), lanes[1].strip("| ").split("|"), strict=True))
    for capabilities, value in cells:
        for capability in capabilities.split(","):
            assert in_library[capability.strip()] == value.strip(), capability


def test_every_broken_program_and_evidence_is_on_the_page() -> None:
    for path in [*CHAPTER.glob("broken/*.cu"), *CHAPTER.glob("evidence/*.cu")]:
        name = path.stem if path.parent.name == "evidence" else f"broken/{path.name}"
        assert name in PAGE, path.name


@pytest.mark.parametrize("path", sorted(CHAPTER.glob("**/step*.cu")), ids=lambda path: path.stem)
def test_step_is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 80


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_picture_has_words_and_follows_the_theme(path: Path) -> None:
    root = ElementTree.parse(path).getroot()
    space = {"svg": "http://www.w3.org/2000/svg"}
    for name in ("title", "desc"):
        found = root.find(f"svg:{name}", space)
        assert found is not None and (found.text or "").strip(), f"{path.name} lacks <{name}>"
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"(?:fill|stroke)=\"#", text), "colours are CSS variables"
    assert float(root.get("viewBox", "0 0 0 0").split()[2]) <= 520, "readable on a phone"
    assert f"pictures/{path.name}" in PAGE
    assert path.stat().st_size < 20_000
