"""The machine and its system: container, WSL, Jetson, C library, Python, disk, permissions."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shutil
import sys
from dataclasses import dataclass, field

from tools import paths
from tools.doctor.look import exists, matching, root, text, there, under, writable
from tools.errors import Failure

# A file that tells the kind of container, or a word in PID 1's environment or control group.
CONTAINERS = (
    ("Podman", "/run/.containerenv", r"libpod|podman"),
    ("Docker", "/.dockerenv", r"docker"),
    ("Apptainer", "/.singularity.d", r"apptainer|singularity"),
    ("Kubernetes", "/var/run/secrets/kubernetes.io", r"kubepods"),
    ("LXC", "/dev/.lxc", r"lxc"),
)
WSL_DRIVER = "/usr/lib/wsl/lib/libcuda.so.1"
LINUX_DRIVERS = (
    "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
    "/usr/lib/aarch64-linux-gnu/libcuda.so.1",
    "/usr/lib64/libcuda.so.1",
)


@dataclass
class System:
    name: str = "Linux"
    machine: str = ""  # x86_64
    container: str = ""  # its kind
    wsl: int = 0  # 1 or 2
    wsl_driver: bool = False  # Windows lends its driver's library
    linux_driver: str = ""  # a driver's library of Linux itself
    jetson: str = ""  # its model
    glibc: str = ""  # "2.36"
    musl: bool = False
    encoding: str = ""  # of what is printed
    language: str = ""  # LC_ALL, LC_CTYPE or LANG
    python: str = ""
    python_path: str = ""
    makes_venvs: bool = True
    free: int = -1  # bytes on the disk of the checkout; -1: unknown
    checkout_read_only: bool = False
    build: str = ""  # where programs are built; empty: nowhere
    read_only: list[str] = field(default_factory=list)  # folders in it that cannot be written to
    work: bool = True  # work/ is there


def gather() -> System:
    return System(
        name=platform.system(),
        machine=platform.machine(),
        container=container(),
        wsl=wsl(),
        wsl_driver=there(WSL_DRIVER),
        linux_driver=next((path for path in LINUX_DRIVERS if own_library(path)), ""),
        jetson=jetson(),
        glibc=glibc(),
        musl=bool(matching(under("/lib"), "ld-musl-*")),
        encoding=(sys.stdout.encoding or "").lower(),
        language=next((v for n in ("LC_ALL", "LC_CTYPE", "LANG") if (v := os.environ.get(n))), ""),
        python=platform.python_version(),
        python_path=sys.executable or "",
        makes_venvs=importlib.util.find_spec("ensurepip") is not None,
        free=free(),
        checkout_read_only=not writable(paths.REPO),
        build=build_folder(),
        read_only=read_only(),
        work=exists(paths.REPO / "work"),
    )


def container() -> str:
    words = text("/proc/1/cgroup")
    for kind, path, pattern in CONTAINERS:
        if there(path) or re.search(pattern, words):
            return kind
    return ""


def wsl() -> int:
    """By the kernel's version: WSL 2 has a kernel of its own, WSL 1 only plays one."""
    version = text("/proc/version").lower()
    if "microsoft" not in version:
        return 0
    return 2 if "wsl2" in version or "microsoft-standard" in version else 1


def own_library(path: str) -> bool:
    """Not a link into the folder that Windows lends."""
    return there(path) and "/wsl/" not in os.path.realpath(under(path))


def jetson() -> str:
    model = text("/proc/device-tree/model").strip("\0\n ")
    if re.search(r"jetson|\borin\b|\bxavier\b|\bthor\b", model, re.IGNORECASE):
        return model
    return "Jetson" if there("/etc/nv_tegra_release") else ""


def glibc() -> str:
    """From the header that programs are compiled with, else from the running library."""
    header = text("/usr/include/features.h")
    major = re.search(r"^#define\s+__GLIBC__\s+(\d+)", header, re.MULTILINE)
    minor = re.search(r"^#define\s+__GLIBC_MINOR__\s+(\d+)", header, re.MULTILINE)
    if major and minor:
        return f"{major[1]}.{minor[1]}"
    name, number = platform.libc_ver() if not root() else ("", "")
    return number if name == "glibc" else ""


def free() -> int:
    try:
        return shutil.disk_usage(paths.REPO).free
    except OSError:
        return -1


def read_only() -> list[str]:
    """Folders of a checkout that is ours, but that belong to somebody else."""
    places = [paths.REPO / name for name in (".venv", "build", "work")]
    return [place.name for place in places if exists(place) and not writable(place)]


def build_folder() -> str:
    """Where programs are built; empty where nothing can be written anywhere."""
    try:
        return str(paths.build_dir())
    except Failure:
        return ""
