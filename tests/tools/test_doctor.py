"""`course doctor` on made-up machines: every finding says what it means, and the exit code fits."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from conftest import Course

from tools.verbs import doctor

CLANG = 'echo "clang version 19.1.7"'
GXX = "echo 'g++ (Debian 12.2.0-14) 12.2.0'"
GPU = "count_error=0\ndevices=1\ndriver_version=13000\ndevice0=Test GPU A;cc=9.0\n"
NONE = "count_error=35\ndevices=0\ndriver_version=0\n"
HIDDEN = "count_error=100\ndevices=0\ndriver_version=13000\n"


def smi(row: str, name: str = "Test GPU A") -> str:
    return f'echo "0, {name}, {row}"'


GOOD_SMI = smi("580.65.06, 9.0, 8192 MiB, Default")


@dataclass
class Machine:
    """One machine: its tools, the driver's answer, and what doctor has to say."""

    name: str
    code: int
    wants: list[str]
    tools: dict[str, str] = field(default_factory=dict)
    nvcc: str = ""  # version
    architectures: str = "75 80 90 100"
    probe: str = GPU
    files: dict[str, str] = field(default_factory=dict)  # under DOCTOR_ROOT
    environment: dict[str, str] = field(default_factory=dict)
    never: list[str] = field(default_factory=list)
    clang: bool = True


MACHINES = [
    Machine(
        "all is well",
        0,
        ["Test GPU A", "nvcc 13.0", "GPU path works"],
        {"nvidia-smi": GOOD_SMI},
        "13.0",
    ),
    Machine("no GPU", 4, ["no NVIDIA driver on this machine", "CPU device is ready"], probe=NONE),
    Machine(
        "no GPU and no clang", 1, ["clang 16 or newer", "course setup"], probe=NONE, clang=False
    ),
    Machine(
        "driver older than toolkit",
        1,
        [r"470\.199", r"13\.0", "580", "older"],
        {"nvidia-smi": smi("470.199.02, 7.5, 6144 MiB, Default")},
        "13.0",
        probe="count_error=35\ndevices=0\ndriver_version=11040\n",
        never=["no NVIDIA driver"],
    ),
    Machine("no nvidia-smi", 0, ["Test GPU A", "nvidia-smi missing"], nvcc="13.0"),
    Machine(
        "old card",
        1,
        [r"6\.1", r"7\.5", r"12\.9", "CPU device", "not at fault"],
        {"nvidia-smi": smi("580.65.06, 6.1, 6144 MiB, Default")},
        "13.0",
        probe=GPU.replace("9.0", "6.1"),
    ),
    Machine(
        "runtime without compiler",
        1,
        [r"no compiler \(nvcc\)", "cuda-nvcc", "cuda-toolkit"],
        {"nvidia-smi": GOOD_SMI},
        files={"usr/local/cuda/lib64/libcudart.so.12": ""},
    ),
    Machine("GPU without compiler", 1, ["no compiler", "setup --cuda"], {"nvidia-smi": GOOD_SMI}),
    Machine(
        "reboot needed",
        1,
        ["Reboot", r"555\.10\.01", r"555\.20"],
        {
            "nvidia-smi": 'echo "Failed: Driver/library version mismatch"; '
            'echo "NVML library version: 555.20"; exit 18'
        },
        "13.0",
        probe="count_error=803\ndevices=0\ndriver_version=0\n",
        files={"proc/driver/nvidia/version": "NVRM: Kernel Module  555.10.01  Mon Jan 6\n"},
        never=["reinstall"],
    ),
    Machine(
        "module not loaded, nouveau",
        1,
        [
            "cannot talk to the driver",
            "Likely first: the free driver nouveau",
            "Secure Boot",
            "kernel",
        ],
        {"nvidia-smi": 'echo "couldn\'t communicate with the NVIDIA driver."; exit 9'},
        "13.0",
        probe=NONE,
        files={"proc/modules": "nouveau 1 0\n"},
    ),
    Machine(
        "Secure Boot",
        1,
        ["Likely first: Secure Boot"],
        {
            "nvidia-smi": 'echo "couldn\'t communicate with the NVIDIA driver."; exit 9',
            "mokutil": "echo SecureBoot enabled",
        },
        "13.0",
        probe=NONE,
    ),
    Machine(
        "laptop, GPU off",
        1,
        ["present but switched off", "prime-select"],
        {
            "lspci": "echo '01:00.0 3D controller: NVIDIA Corporation Device'",
            "prime-select": "echo intel",
        },
        "13.0",
        probe=NONE,
        never=["no NVIDIA GPU"],
    ),
    Machine(
        "card without driver",
        1,
        ["no NVIDIA driver on this machine, although"],
        {"lspci": "echo '01:00.0 VGA compatible controller: NVIDIA Corporation Device'"},
        "13.0",
        probe=NONE,
    ),
    Machine(
        "hidden GPU",
        1,
        ["CUDA_VISIBLE_DEVICES='-1' hides Test GPU A", "unset CUDA_VISIBLE_DEVICES"],
        {"nvidia-smi": GOOD_SMI},
        "13.0",
        probe=HIDDEN,
        environment={"CUDA_VISIBLE_DEVICES": "-1"},
    ),
    Machine(
        "misspelt variable",
        0,
        ["CUDA_VISABLE_DEVICES", "did you mean"],
        {"nvidia-smi": GOOD_SMI},
        "13.0",
        environment={"CUDA_VISABLE_DEVICES": "0"},
    ),
    Machine(
        "stub", 1, ["stub", "LD_LIBRARY_PATH"], {}, "13.0", probe="count_error=34\ndevices=0\n"
    ),
    Machine(
        "fabric manager",
        1,
        ["802", "fabricmanager"],
        {},
        "13.0",
        probe="count_error=802\ndevices=0\n",
    ),
    Machine(
        "newer toolkit",
        0,
        [r"serves CUDA 12\.8", "PTX"],
        {"nvidia-smi": GOOD_SMI},
        "12.9",
        probe=GPU.replace("13000", "12080"),
    ),
    Machine(
        "exclusive mode",
        0,
        ["exclusive mode", "46"],
        {"nvidia-smi": smi("580.65.06, 9.0, 8192 MiB, Exclusive_Process")},
        "13.0",
    ),
    Machine(
        "toolkit beside PATH",
        1,
        ["not on PATH", "export PATH=.*usr/local/cuda/bin"],
        files={"usr/local/cuda/bin/nvcc": "echo 'release 12.6, V12.6.77'"},
        never=["not installed"],
    ),
    Machine("old toolkit", 1, [r"11\.5", r"12\.4"], {"nvidia-smi": GOOD_SMI}, "11.5"),
    Machine(
        "old Meson",
        1,
        [r"0\.56\.2", r"1\.8 or newer", "headers", "course setup"],
        {"nvidia-smi": GOOD_SMI, "meson": "echo 0.56.2"},
        "13.0",
    ),
    Machine(
        "no host compiler", 1, [r"g\+\+ not found"], {"nvidia-smi": GOOD_SMI, "g++": ""}, "13.0"
    ),
    Machine(
        "driver says nothing",
        1,
        ["but CUDA cannot|CUDA was not asked|no compiler"],
        {"nvidia-smi": GOOD_SMI},
        probe="",
    ),
]


def examine(course: Course, machine: Machine, *words: str, **environment: str):
    root = course.root / "root"
    for name, text in machine.files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}" if name.endswith("nvcc") else text)
        path.chmod(0o755)
    root.mkdir(exist_ok=True)
    (course.root / "probe").write_text(machine.probe)
    for name, body in ({"g++": GXX} | machine.tools).items():
        if body:
            course.fakes.add(name, body)
    if machine.nvcc:
        course.fakes.nvcc(machine.nvcc, machine.architectures)
    if machine.clang:
        course.fakes.add("clang++-19", CLANG)
    tools = course.root / "plain"  # what the fakes themselves need, and no compilers
    tools.mkdir(exist_ok=True)
    for name in ("sh", "printf", "echo"):
        link = tools / name
        if not link.exists():
            link.symlink_to(f"/bin/{name}")
    return course(
        "doctor",
        *words,
        PATH=f"{course.fakes.folder}:{tools}",
        DOCTOR_ROOT=str(root),
        DOCTOR_PROBE=str(course.root / "probe"),
        **machine.environment,
        **environment,
    )


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_doctor_names_it(course: Course, machine: Machine) -> None:
    answer = examine(course, machine)
    assert "Traceback" not in answer.stderr
    assert answer.returncode == machine.code, answer.stdout
    for wanted in machine.wants:
        assert re.search(wanted, answer.stdout), f"{wanted}\n{answer.stdout}"
    for unwanted in machine.never:
        assert not re.search(unwanted, answer.stdout, re.IGNORECASE), answer.stdout


def test_two_nvccs_are_both_listed(course: Course) -> None:
    second = course.root / "second"
    second.mkdir()
    course.fakes.nvcc("12.8")
    (second / "nvcc").write_text("#!/bin/sh\necho 'release 13.0, V13.0.88'\n")
    (second / "nvcc").chmod(0o755)
    answer = course("doctor", PATH=f"{course.fakes.folder}:{second}:/bin", DOCTOR_ROOT="/nowhere")
    for wanted in ("12.8", "13.0", str(second / "nvcc"), "more than one nvcc", "takes the first"):
        assert wanted in answer.stdout


def test_plain_forms_where_the_terminal_knows_no_other(course: Course) -> None:
    answer = examine(course, MACHINES[2], PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8="0")
    assert answer.stdout.isascii()
    assert "XX" in answer.stdout or "! " in answer.stdout


def test_json_holds_lines_and_facts(course: Course) -> None:
    answer = examine(course, MACHINES[0], "--json")
    document = json.loads(answer.stdout)
    assert document["exit_code"] == answer.returncode == 0
    assert document["facts"]["nvccs"][0]["version"] == "13.0"
    assert {line["area"] for line in document["lines"]} >= {"CUDA toolkit", "NVIDIA driver", "GPU"}


def test_every_area_has_an_answer_for_every_machine() -> None:
    """The last rule of each area applies to everything, so that no line is ever missing."""
    facts = doctor.Facts(meson_version="1.12.1", meson="/x/meson", ninja="/x/ninja")
    areas = {rule.area for rule in doctor.RULES} - {"remarks"}
    assert {line.area for line in doctor.judge(facts)} == areas


def test_doctor_changes_nothing(course: Course) -> None:
    before = sorted(path for path in course.root.rglob("*") if "__pycache__" not in str(path))
    course("doctor")
    after = sorted(path for path in course.root.rglob("*") if "__pycache__" not in str(path))
    assert before == after


def test_na_is_never_a_number(course: Course) -> None:
    """A Jetson's nvidia-smi is full of N/A: the driver's own answer decides."""
    machine = Machine(
        "Jetson",
        0,
        ["Orin"],
        {"nvidia-smi": smi("540.0.0, [N/A], [N/A], [N/A]", "Orin (nvgpu)")},
        "12.6",
        probe=GPU.replace("Test GPU A", "Orin (nvgpu)").replace("9.0", "8.7"),
    )
    answer = examine(course, machine)
    assert answer.returncode == 0, answer.stdout
    assert "Orin" in answer.stdout
    assert " 0 MiB" not in answer.stdout


def test_the_probe_reads_damaged_answers(tmp_path: Path) -> None:
    from tools.probe import parse

    assert not parse("").ran
    assert not parse("garbage\n\x00=1").ran
    assert parse("count_error=x\n").count_error == 0
    assert parse("count_error=0\ndevice0=A;cc=9.0\ndevice1=B\n").gpus[1].capability == "unknown"
