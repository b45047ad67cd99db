"""Doctor on machines where nothing is as it should be: it never fails itself."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.doctor.machine import Draw, Machine
from tests.doctor.test_command import COURSE, call
from tools.console import Console
from tools.doctor.facts import gather
from tools.doctor.report import document, show
from tools.doctor.rules import all_rules
from tools.doctor.rules.rule import judge

TOOLS = (
    *("nvidia-smi", "nvcc", "g++", "clang++-19", "meson", "ninja", "lspci", "lsmod", "mokutil"),
    *("prime-select", "envycontrol", "supergfxctl", "optimus-manager", "ptxas", "pkg-config"),
)
FILES = (
    *("proc/driver/nvidia/version", "proc/modules", "proc/version", "proc/1/cgroup"),
    *("proc/device-tree/model", "usr/include/features.h", ".dockerenv", ".venv/bin/python"),
    *("sys/firmware/efi/efivars/SecureBoot-x", "dev/nvidia0", "usr/lib/wsl/lib/libcuda.so.1"),
    *("sys/bus/pci/devices/0/vendor", "sys/bus/pci/devices/0/class", ".venv/bin/meson"),
    "usr/local/cuda/bin/nvcc",
)
VARIABLES = (
    *("CUDA_VISIBLE_DEVICES", "CUDA_VISABLE_DEVICES", "CUDA_HOME", "CUDA_PATH", "NVCC", "LANG"),
    *("NVCC_CCBIN", "CPU_DEVICE_CLANG", "LD_LIBRARY_PATH", "CONDA_PREFIX", "HOME", "USER", "CPATH"),
)
SCRIPTS = (
    *(
        "exit 1",
        "true",
        "echo",
        "exit 139",
        "kill -11 $$",
        "exec cat /dev/null",
        "echo hello; exit 7",
    ),
    *("head -c 4000 /dev/urandom", "head -c 3000000 /dev/zero", "echo '0, A, 1.2, 9.0, 1 MiB, D'"),
    *("echo '²²²,,,,,'", "echo '0,[N/A],,,,'", "echo 'release 99999999999999999999.1'"),
    *(
        "echo 'version 0.0.0.0.0'",
        "printf '%s' '%n{}{0}$HOME'",
        "echo '٣, x, y, z, a, b'",
        "sleep 9",
    ),
    *(
        "echo '0, A, , 9.x, , Exclusive_Process'",
        "echo 1.8",
        "echo 'compute_0'",
        "echo compute_999999",
    ),
)
TEXTS = (
    *(
        "",
        "\0\0\0",
        "\udcff\udcfe",
        "{}{0}%s",
        "A" * 100000,
        "nouveau 1",
        "Kernel Module 1.2.3.4.5.6",
    ),
    *("#define __GLIBC__ 99999999999999999999\n#define __GLIBC_MINOR__ 0", "microsoft", "0x10de"),
    *("0x030000", "Jetson \x1b[2J", "-1", "GPU-x,,,0", "/dev/null/x", 'a "b', "~", ":::", "sh"),
)
PROBES = (
    *("", "count_error=\n", "count_error=-7\ndevices=9\n", "device²=x;cc=1.0\ncount_error=0\n"),
    *("count_error=0\ndevice0=\n", "count_error=0\ndevice0=;;;=;cc=;mode=;error=x\n", "\0\xff=\n"),
    *(
        "count_error=0\ndriver_version=99999999999999999999\ndevice7=A;cc=99.99\n",
        "count_error=99999\n",
    ),
    *("count_error=0\ndriver_version=-1\ndevice0={0};cc=²\n", "driver_version=7\ncount_error=35\n"),
)


def break_it(machine: Machine, draw: Draw) -> None:
    """Some tools, files, variables and the probe become something that they should not be."""
    for name in draw.sample(TOOLS, draw.randint(0, len(TOOLS))):
        machine.tools[name] = draw.choice([None, *SCRIPTS])
    for name in draw.sample(FILES, draw.randint(0, len(FILES))):
        path = machine.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        kind = draw.choice(["text", "text", "folder", "loop", "gone", "fifo"])
        if kind == "text":
            machine.files[name] = draw.choice([t for t in TEXTS if "\udcff" not in t])
        elif not os.path.lexists(path):
            spoil(path, kind)
    for name in draw.sample(VARIABLES, draw.randint(0, len(VARIABLES))):
        machine.environment[name] = draw.choice(TEXTS).replace("\0", "")
    machine.probe = draw.choice(PROBES)


def spoil(path: Path, kind: str) -> None:
    if kind == "folder":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path.name)
    elif kind == "gone":
        path.symlink_to("/nowhere/at/all")


@pytest.mark.parametrize("seed", range(60))
def test_damaged_machines(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = Draw(f"damage {seed}")
    machine = Machine(tmp_path / "m", draw, monkeypatch)
    break_it(machine, draw)
    usual = machine.usual_files()
    monkeypatch.setattr(machine, "usual_files", lambda: {
        name: text for name, text in usual.items() if not os.path.lexists(machine.root / name)
    })  # fmt: skip
    machine.write()
    for name, value in machine.variables().items():
        monkeypatch.setenv(name, value)
    facts = gather(1.0)
    assert facts.unread == {}
    findings = judge(facts, all_rules())
    stream = io.TextIOWrapper(io.BytesIO(), encoding=draw.choice(["ascii", "utf-8", "latin-1"]))
    code = show(facts, findings, Console(stream, stream), verbose=True)
    report = document(facts, findings)
    assert json.loads(json.dumps(report))["exit_code"] == code
    assert code in (0, 1, 4)
    assert report["next_step"].strip()


BARE = {
    "an empty PATH": {"PATH": ""},
    "a PATH of nonsense": {"PATH": ":/nowhere::/dev/null:/etc/passwd:" + "x" * 5000},
    "a quotation mark alone": {"NVCC": "nvcc 'x", "NVCC_CCBIN": '"', "CPU_DEVICE_CLANG": "'"},
    "no home": {"HOME": ""},
    "a home that is none": {"HOME": "/dev/null/home"},
    "the locale C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "an unknown locale": {"LC_ALL": "xx_YY.UTF-99", "PYTHONIOENCODING": "ascii"},
    "a root that is none": {"DOCTOR_ROOT": "/nowhere"},
    "a root that is a file": {"DOCTOR_ROOT": "/etc/passwd"},
    "a probe that is a folder": {"DOCTOR_PROBE": "/"},
    "a venv that is none": {"COALESCE_VENV": "/dev/null/venv"},
    "a build folder that is none": {"COALESCE_BUILD": "/dev/null/build"},
}


@pytest.mark.parametrize("words", [[], ["--json"], ["--verbose"], ["--docs"], ["--fix"]], ids=str)
@pytest.mark.parametrize("bare", list(BARE))
def test_bare_environments(
    bare: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(tmp_path / "m", Draw(bare), monkeypatch)
    machine.write()
    answer = call(machine, *words, "--wait", "5", **BARE[bare])
    assert "Traceback" not in answer.stderr, answer.stderr
    assert answer.returncode in (0, 1, 2, 4), answer.stdout + answer.stderr
    assert answer.stdout or answer.returncode == 2
    assert "could not be examined" not in answer.stdout, answer.stdout
    if words == ["--json"] and answer.returncode != 2:
        assert json.loads(answer.stdout)["facts"]["unread"] == {}


READ_ONLY = """
mount --rbind / "$0" && mount -o remount,ro,bind "$0" || exit 77
for place in "$0/tmp" "$0$(dirname "$2")"; do  # a mount of its own, or the checkout, may lie there
  mount --rbind "$place" "$place" && mount -o remount,ro,bind "$place" || exit 77
done
for form in --verbose --json "--fix --yes"; do
  chroot "$0" "$1" "$2" doctor $form || [ $? -eq 4 ] || [ $? -eq 1 ] || exit 99
done
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a system read-only")
def test_a_read_only_system(tmp_path: Path) -> None:
    if not shutil.which("unshare"):
        pytest.skip("no unshare here")
    answer = subprocess.run(
        ["unshare", "--mount", "sh", "-c", READ_ONLY, str(tmp_path), sys.executable, COURSE],
        capture_output=True,
        text=True,
        check=False,
    )
    if "Operation not permitted" in answer.stderr or answer.returncode == 77:
        pytest.skip("no mounts may be made here")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "Traceback" not in answer.stderr
    assert "[nowhere-to-build]" in answer.stdout
    assert "could not be examined" not in answer.stdout


NOBODY = {"user": 65534, "group": 65534}


def python_of_nobody() -> str:
    """A Python that a user without rights may start, and that may read the course."""
    check = f"import sys; open({COURSE!r}); sys.exit(sys.version_info < (3, 11))"
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            if subprocess.run([python, "-c", check], **NOBODY, check=False).returncode == 0:
                return python
        except OSError:
            continue
    return ""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_folders_that_may_not_be_entered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a user without rights: tools on PATH, files under the root, .venv, all closed."""
    python = python_of_nobody()
    if not python:
        pytest.skip("a user without rights may not start Python here")
    open_folder = Path(f"/tmp/doctor-{os.getpid()}")
    machine = Machine(open_folder, Draw("closed"), monkeypatch)
    try:
        machine.write()
        for name in ("proc", "sys", "usr", "dev", ".venv"):
            (machine.root / name).mkdir(exist_ok=True)
            (machine.root / name).chmod(0)
        closed = machine.folder / "closed"
        closed.mkdir(mode=0)
        environment = machine.variables() | {
            "PATH": f"{closed}:{machine.variables()['PATH']}",
            "CUDA_HOME": str(closed / "cuda"),
            "CONDA_PREFIX": str(closed),
            "LC_ALL": "C.UTF-8",
        }
        for words in ([], ["--json"], ["--docs"]):
            answer = subprocess.run(
                [python, COURSE, "doctor", *words],
                env=environment,
                capture_output=True,
                text=True,
                check=False,
                **NOBODY,
            )
            assert "Traceback" not in answer.stderr, answer.stderr
            assert answer.returncode in (0, 1, 4), answer.stderr
            assert "could not be examined" not in answer.stdout, answer.stdout
    finally:
        subprocess.run(["rm", "-rf", str(open_folder)], check=False)
