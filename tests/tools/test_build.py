"""The build as Meson sees it: switched-off devices and debug builds. Configures only."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools import paths, toolchain

MESON = Path(sys.executable).parent / "meson"
pytestmark = pytest.mark.skipif(not MESON.exists(), reason="Meson is not in this environment")


def have_nvcc() -> bool:
    try:
        toolchain.find_nvcc()
    except toolchain.ToolchainError:
        return False
    return True


def configure(folder: Path, *options: str, path: str | None = None) -> subprocess.CompletedProcess:
    environment = os.environ | ({"PATH": path} if path is not None else {})
    environment.pop("NVCC", None)
    return subprocess.run(
        [MESON, "setup", folder, *options],
        cwd=paths.REPO,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def targets(folder: Path) -> list[dict]:
    text = (folder / "meson-info" / "intro-targets.json").read_text(encoding="utf-8")
    return json.loads(text)


def names(folder: Path) -> set[str]:
    return {target["name"] for target in targets(folder)}


def test_without_the_gpu_only_the_cpu_device_is_built(tmp_path: Path) -> None:
    done = configure(tmp_path / "b", "-Dgpu=disabled")
    assert done.returncode == 0, done.stdout
    assert "03-first-gpu-program-cpu" in names(tmp_path / "b")
    assert "03-first-gpu-program" not in names(tmp_path / "b")


@pytest.mark.skipif(not have_nvcc(), reason="there is no nvcc here")
def test_without_the_cpu_device_only_the_gpu_is_built(tmp_path: Path) -> None:
    done = configure(tmp_path / "b", "-Dcpu_device=disabled")
    assert done.returncode == 0, done.stdout
    assert "03-first-gpu-program" in names(tmp_path / "b")
    assert not {name for name in names(tmp_path / "b") if name.endswith("-cpu")}


def test_a_demanded_gpu_without_nvcc_is_one_sentence(tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("c++", "g++", "cc", "gcc", "ar", "ld", "as", "python3", "ninja", "pkg-config"):
        if found := shutil.which(name):
            (tools / name).symlink_to(found)
    done = configure(tmp_path / "b", "-Dgpu=enabled", "-Dcpu_device=disabled", path=str(tools))
    assert done.returncode != 0
    told = [line for line in done.stdout.splitlines() if "ERROR" in line]
    assert len(told) == 1
    assert "nvcc" in told[0]


@pytest.mark.skipif(not have_nvcc(), reason="there is no nvcc here")
@pytest.mark.parametrize(("optimization", "debug"), [("0", "1"), ("3", "0")])
def test_a_device_debug_build_tells_its_benchmark(
    tmp_path: Path, optimization: str, debug: str
) -> None:
    folder = tmp_path / "b"
    done = configure(folder, "-Dcpu_device=disabled", f"-Doptimization={optimization}")
    assert done.returncode == 0, done.stdout
    library = next(t for t in targets(folder) if t["name"] == "coalesce")
    flags = {flag for source in library["target_sources"] for flag in source.get("parameters", [])}
    assert f"-DCOALESCE_DEVICE_DEBUG={debug}" in flags
