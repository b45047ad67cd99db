"""The CUDA toolkit: every nvcc, what the first one knows, and parts of toolkits without an nvcc."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from tools import paths, toolchain
from tools.doctor.compatibility import Version, text, version
from tools.doctor.look import exists, matching, root, under

LIBRARY_FOLDERS = (
    "/usr/local/cuda/lib64",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
)


@dataclass
class Nvcc:
    path: str
    version: str  # "13.0"; empty where it does not tell
    on_path: bool
    from_wheels: bool = False

    @property
    def folder(self) -> str:
        return str(Path(self.path).parent)


@dataclass
class Toolkit:
    nvccs: list[Nvcc] = field(default_factory=list)  # in the order in which a build takes them
    architectures: list[int] = field(default_factory=list)  # of the first nvcc: 90 for 9.0
    newest_gcc: int = 0  # as its crt/host_config.h says; 0: it does not say
    newest_clang: int = 0
    newest_glibc: str = ""  # that its crt/math_functions.h allows for; empty: no limit, or unknown
    header_read: bool = False  # whether crt/math_functions.h was found
    runtime: str = ""  # a CUDA runtime library
    ptxas: str = ""
    wheels: dict[str, str] = field(default_factory=dict)  # NVIDIA's wheels in .venv
    empty_home: str = ""  # CUDA_HOME or CUDA_PATH, where it names no toolkit
    stubs: str = ""  # a folder of stubs in LD_LIBRARY_PATH

    @property
    def nvcc(self) -> Nvcc | None:
        return self.nvccs[0] if self.nvccs else None

    @property
    def version(self) -> str:
        return self.nvcc.version if self.nvcc else ""

    @property
    def number(self) -> Version:
        return version(self.version)


def gather() -> Toolkit:
    found = Toolkit(
        nvccs=all_nvccs(),
        runtime=runtime_library(),
        ptxas=shutil.which("ptxas") or "",
        wheels=wheels(),
        empty_home=empty_home(),
        stubs=stubs(),
    )
    if found.nvcc:
        path = Path(found.nvcc.path)
        found.architectures = toolchain.known_architectures(path)
        gcc, clang = toolchain.host_limits(path)
        found.newest_gcc, found.newest_clang = gcc or 0, clang or 0
        header = toolchain.header(path, "math_functions.h")
        found.header_read = bool(header)
        found.newest_glibc = newest_glibc(header)
    return found


def all_nvccs() -> list[Nvcc]:
    found = []
    for nvcc in toolchain.all_nvccs(root()):
        told = toolchain.cuda_version(nvcc.path)
        wheel = "site-packages" in nvcc.path.parts
        found.append(Nvcc(str(nvcc.path), text(told or ()), nvcc.on_path, wheel))
    return found


def runtime_library() -> str:
    folders = [under(folder) for folder in LIBRARY_FOLDERS]
    if os.environ.get("CONDA_PREFIX"):
        folders.append(Path(os.environ["CONDA_PREFIX"]) / "lib")
    folders += matching(venv(), "lib/python3*/site-packages/nvidia/c*/lib")
    found = [library for folder in folders for library in matching(folder, "libcudart.so*")]
    return str(found[0]) if found else ""


def venv() -> Path:
    return under("/.venv") if root() else paths.venv_dir()


def wheels() -> dict[str, str]:
    """{"nvidia-cuda-nvcc": "13.0.88"}: by the names of the folders that pip leaves."""
    found = {}
    for folder in matching(venv(), "lib/python3*/site-packages/nvidia_*.dist-info"):
        name, _, number = folder.name.removesuffix(".dist-info").partition("-")
        found[name.replace("_", "-")] = number
    return found


def empty_home() -> str:
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        named = os.environ.get(variable)
        if named and not exists(Path(named) / "bin" / "nvcc"):
            return f"{variable}={named}"
    return ""


def stubs() -> str:
    folders = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    return next((folder for folder in folders if Path(folder).name == "stubs"), "")


def newest_glibc(header: str) -> str:
    """What crt/math_functions.h prepares for: glibc 2.41 has sinpi and cospi, 2.42 rsqrt."""
    if not header or "_NV_RSQRT_SPECIFIER" in header:
        return ""
    prepared = re.findall(r"__GNUC_PREREQ\s*\(\s*2\s*,\s*(\d+)\s*\)", header)
    return f"2.{max(map(int, prepared))}" if prepared else "2.40"
