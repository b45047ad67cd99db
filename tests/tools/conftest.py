"""Fakes on PATH, and a copy of the course in a folder with spaces and letters outside ASCII."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO))


class Fakes:
    """A folder of small shell scripts that stand for tools."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, name: str, body: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def nvcc(
        self, version: str = "13.0", architectures: str = "75 80 90 100 103", compiles: str = ""
    ) -> Path:
        listed = "\\n".join(f"compute_{number}" for number in architectures.split())
        return self.add(
            "nvcc",
            f'case "$*" in\n'
            f"*--version*) echo 'Cuda compilation tools, release {version}, V{version}.1';;\n"
            f"*--list-gpu-arch*) printf '{listed}\\n';;\n"
            f"*) {compiles or 'exit 0'};;\nesac",
        )


@pytest.fixture
def fakes(tmp_path: Path) -> Fakes:
    return Fakes(tmp_path / "bin")


def hear_ctrl_c() -> None:
    """A shell starts what runs in the background deaf to Ctrl-C, and so are its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@dataclass
class Course:
    """A copy of the course's tools, and how to call it with a bare environment."""

    root: Path
    fakes: Fakes
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def build(self) -> Path:
        return self.root / "build"

    def env(self) -> dict[str, str]:
        return {
            "PATH": f"{self.fakes.folder}:/usr/bin:/bin",
            "HOME": str(self.root),
            "COALESCE_NO_PACKAGES": "1",
            "DOCTOR_PROBE": str(self.root / "no-gpu"),
            "LC_ALL": "C.UTF-8",
        } | self.environment

    def __call__(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(self.root / "course"), *words],
            env=self.env() | more,
            cwd=self.root,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def start(self, *words: str, **more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(self.root / "course"), *words],
            env=self.env() | more,
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=hear_ctrl_c,
        )

    def program(self, name: str, body: str) -> Path:
        """A fake program of a chapter, as if it had been built."""
        path = self.build / "chapters" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
        return path


@pytest.fixture
def course(tmp_path: Path, fakes: Fakes) -> Course:
    root = tmp_path / "Kurs für alle 课程"
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(REPO / "tools", root / "tools", ignore=ignore)
    for name in ("course", "requirements.lock", "requirements-cuda.lock"):
        shutil.copy(REPO / name, root / name)
    (root / "no-gpu").write_text("count_error=35\ndevices=0\ndriver_version=0\n")
    for slug in ("03-first-gpu-program", "05-advanced-optimization"):
        folder = root / "chapters" / slug
        folder.mkdir(parents=True)
        (folder / "main.cpp").write_text("int main() {}\n")
    return Course(root, fakes)


@pytest.fixture
def quiet_environment(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Takes away what this machine's environment says of compilers, and sets PATH."""
    for name in ("CUDA_HOME", "CUDA_PATH", "NVCC", "NVCC_CCBIN", "CPU_DEVICE_CLANG"):
        monkeypatch.delenv(name, raising=False)
    for name in [name for name in os.environ if name.startswith("COALESCE_")]:
        monkeypatch.delenv(name)

    def set_path(path: str) -> None:
        monkeypatch.setenv("PATH", path)

    return set_path
