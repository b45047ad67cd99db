"""The project that lab 5.1 has its readers make by hand."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2] / "chapters/06-labs/5.1-vector-add/project"
MESON = [sys.executable, "-m", "mesonbuild.mesonmain"]


def nvcc_folder() -> str | None:
    found = shutil.which("nvcc", path=f"{os.environ['PATH']}:/usr/local/cuda/bin")
    return str(Path(found).parent) if found else None


@pytest.mark.slow
def test_meson_builds_it_with_nvcc(tmp_path: Path) -> None:
    folder = nvcc_folder()
    if folder is None:
        pytest.skip("nvcc was not found")
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
    shutil.copytree(PROJECT, tmp_path / "project")
    for command in (
        [*MESON, "setup", "build", "-Darch=sm_90"],
        [*MESON, "compile", "-C", "build"],
    ):
        done = subprocess.run(
            command, cwd=tmp_path / "project", env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "project" / "build" / "first_sum").is_file()
