"""`./course doctor`: facts first, then a table of rules over them.

It runs on the system's Python alone and changes nothing. Three hooks make it testable: it finds
every tool through PATH; DOCTOR_ROOT stands before every absolute path that it reads; DOCTOR_PROBE
names a file that stands for the answer of the CUDA driver (see tools/probe.py).
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import platform
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tools import meson, paths, setup, toolchain
from tools.console import Console
from tools.errors import FAILED, NO_GPU, RIGHT
from tools.probe import Answer, probe

DESCRIPTION = """\
Looks for the CUDA toolkit, the NVIDIA driver, the GPUs, the compilers, Meson, Ninja and Python.
Every line says what was found; where something is lacking, the line below says what that means
and what to do. It needs no set-up and changes nothing.
"""

EXAMPLES = """\
examples:
  ./course doctor           one line a finding
  ./course doctor --json    the same for programs, with all facts

exit codes:
  0  the GPU path works (warnings are allowed)
  4  no GPU here; the CPU device is ready
  1  something has to be repaired
"""

LEAST_DRIVER = {11: 450, 12: 525, 13: 580}  # least driver of each major toolkit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


# --- Facts ---------------------------------------------------------------------------------------


@dataclass
class Facts:
    """What was found. Rules read this and nothing else."""

    nvccs: list[dict] = field(default_factory=list)  # path, version, on_path; in PATH order
    architectures: list[int] = field(default_factory=list)  # of the nvcc that a build takes
    cuda_libraries: str = ""  # a CUDA runtime library that is there without a compiler
    smi_found: bool = False
    smi_code: int = 0
    smi_output: str = ""
    smi_gpus: list[dict] = field(default_factory=list)  # index, name, driver, capability, mode
    driver: str = ""  # version of the installed driver: "580.65.06"
    loaded_module: str = ""  # version of the kernel module that is loaded
    nouveau: bool = False
    secure_boot: bool = False
    pci_gpus: list[str] = field(default_factory=list)
    graphics_mode: str = ""  # what prime-select says
    visible_devices: str | None = None
    misspelt: list[str] = field(default_factory=list)  # variables that look like it
    stubs: str = ""  # a stubs folder in LD_LIBRARY_PATH
    answer: Answer | None = None
    host_compiler: str = ""
    host_version: str = ""
    host_kind: str = ""
    host_limit: int | None = None
    clang: str = ""
    clang_lack: str = ""
    missing: list[str] = field(default_factory=list)  # other needs of packages.toml
    meson: str = ""
    meson_version: str = ""
    own_meson: bool = False  # it is .venv's
    ninja: str = ""
    ninja_version: str = ""
    python: str = ""

    # Words that the rules use.

    @property
    def nvcc(self) -> dict | None:
        return self.nvccs[0] if self.nvccs else None

    @property
    def toolkit(self) -> str:
        return self.nvcc["version"] if self.nvcc else ""

    @property
    def toolkit_number(self) -> tuple[int, ...]:
        return meson.parse_version(self.toolkit)

    @property
    def gpus(self) -> list:
        return self.answer.gpus if self.answer else []

    @property
    def usable(self) -> bool:
        return bool(self.gpus) and (self.answer.count_error == 0 if self.answer else False)

    @property
    def driver_major(self) -> int:
        match = re.match(r"\d+", self.driver)
        return int(match[0]) if match else 0

    @property
    def least_driver(self) -> int:
        number = self.toolkit_number
        return LEAST_DRIVER.get(number[0], 0) if number else 0

    @property
    def has_driver(self) -> bool:
        return bool(self.driver or (self.answer and self.answer.driver_version))

    @property
    def gpu_seen(self) -> bool:
        return bool(self.smi_gpus or self.pci_gpus or self.gpus)

    @property
    def cpu_device_ready(self) -> bool:
        return bool(self.clang)

    @property
    def too_old_gpus(self) -> list:
        def number(gpu: object) -> int:
            digits = gpu.capability.replace(".", "")
            return int(digits) if digits.isdigit() else 10**6

        least = self.architectures[0] if self.architectures else 0
        return [gpu for gpu in self.gpus if number(gpu) < least]


def gather() -> Facts:
    root = os.environ.get("DOCTOR_ROOT", "")
    facts = Facts(python=platform.python_version())
    gather_toolkit(facts, root)
    gather_driver(facts, root)
    gather_compilers(facts)
    gather_build_tools(facts, root)
    return facts


def gather_toolkit(facts: Facts, root: str) -> None:
    for nvcc in toolchain.all_nvccs(root):
        version = toolchain.cuda_version(nvcc.path)
        text = f"{version[0]}.{version[1]}" if version else ""
        facts.nvccs.append({"path": str(nvcc.path), "version": text, "on_path": nvcc.on_path})
    if facts.nvccs:
        path = Path(facts.nvccs[0]["path"])
        facts.architectures = toolchain.known_architectures(path)
        facts.host_limit = toolchain.host_limits(path)[0]
    else:
        folders = [f"{root}/usr/local/cuda/lib64", f"{root}/usr/lib/x86_64-linux-gnu"]
        if os.environ.get("CONDA_PREFIX"):
            folders.append(os.environ["CONDA_PREFIX"] + "/lib")
        for folder in folders:
            for library in sorted(Path(folder).glob("libcudart.so*")):
                facts.cuda_libraries = facts.cuda_libraries or str(library)
        if not facts.cuda_libraries and (ptxas := shutil.which("ptxas")):
            facts.cuda_libraries = ptxas
    for folder in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep):
        if Path(folder).name == "stubs":
            facts.stubs = folder


def gather_driver(facts: Facts, root: str) -> None:
    facts.answer = probe()
    facts.smi_found = shutil.which("nvidia-smi") is not None
    if facts.smi_found:
        query = "index,name,driver_version,compute_cap,memory.total,compute_mode"
        asked = toolchain.run(["nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader"])
        facts.smi_code = asked.returncode if asked else 1
        facts.smi_output = (asked.stdout + asked.stderr).strip()[:1000] if asked else ""
        if facts.smi_code == 0:
            for line in asked.stdout.splitlines():
                cells = [cell.strip() for cell in line.split(",")]
                if len(cells) == 6 and cells[0].isdigit():
                    names = ("index", "name", "driver", "capability", "memory", "mode")
                    facts.smi_gpus.append(dict(zip(names, cells, strict=True)))
    if facts.smi_gpus:
        facts.driver = facts.smi_gpus[0]["driver"]
    text = read(Path(f"{root}/proc/driver/nvidia/version"))
    if match := re.search(r"Kernel Module\D*?(\d+\.\d+(?:\.\d+)?)", text):
        facts.loaded_module = match[1]
        facts.driver = facts.driver or match[1]
    facts.nouveau = bool(re.search(r"^nouveau ", read(Path(f"{root}/proc/modules")), re.MULTILINE))
    secure = sorted(Path(f"{root}/sys/firmware/efi/efivars").glob("SecureBoot-*"))
    if secure:
        try:
            facts.secure_boot = secure[0].read_bytes()[-1:] == b"\x01"
        except OSError:
            pass
    if state := toolchain.run(["mokutil", "--sb-state"]):
        facts.secure_boot = facts.secure_boot or "SecureBoot enabled" in state.stdout
    if listed := toolchain.run(["lspci"]):
        facts.pci_gpus = [
            line.partition(": ")[2] or line
            for line in listed.stdout.splitlines()
            if "NVIDIA" in line and re.search(r"VGA|3D|Display", line)
        ]
    if mode := toolchain.run(["prime-select", "query"]):
        facts.graphics_mode = mode.stdout.strip()
    facts.visible_devices = os.environ.get("CUDA_VISIBLE_DEVICES")
    facts.misspelt = [
        name
        for name in os.environ
        if name != "CUDA_VISIBLE_DEVICES"
        and difflib.SequenceMatcher(None, name.upper(), "CUDA_VISIBLE_DEVICES").ratio() > 0.85
    ]


def gather_compilers(facts: Facts) -> None:
    facts.host_compiler = shutil.which(toolchain.host_compiler()) or ""
    if facts.host_compiler and (found := toolchain.compiler_version(facts.host_compiler)):
        facts.host_kind, _, facts.host_version = found
    try:
        facts.clang = str(toolchain.find_clang())
    except toolchain.ToolchainError as error:
        facts.clang_lack = str(error)
    skip = {"a C++ compiler", "clang 16 or newer", "Python's venv", "Doxygen"}
    facts.missing = [n.name for n in setup.needs(set()) if n.name not in skip and not n.met()]


def gather_build_tools(facts: Facts, root: str) -> None:
    venv = Path(root) / ".venv" if root else paths.venv_dir()
    for name in ("meson", "ninja"):
        own = venv / "bin" / name
        path = str(own) if own.exists() else shutil.which(name) or ""
        asked = toolchain.run([path, "--version"]) if path else None
        version = asked.stdout.strip().splitlines()[0] if asked and asked.stdout.strip() else ""
        setattr(facts, name, path)
        setattr(facts, f"{name}_version", version)
        if name == "meson":
            facts.own_meson = own.exists()


def read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


# --- Rules ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rule:
    """In each area the first rule that applies speaks; a rule of the area "remarks" always may."""

    area: str
    when: Callable[[Facts], object]
    mark: str  # good, warn, bad, none
    says: Callable[[Facts], str]
    means: Callable[[Facts], str] = lambda f: ""


def least_meson() -> str:
    return ".".join(str(n) for n in meson.LEAST_MESON)


def nvcc_list(f: Facts) -> str:
    return "; ".join(f"{n['version'] or 'unknown version'} at {n['path']}" for n in f.nvccs)


CPU_MEANWHILE = "The CPU device works meanwhile: `./course run 3 one_thread --device cpu`."

RULES = [
    # --- the toolkit
    Rule(
        "CUDA toolkit",
        lambda f: f.nvcc and not f.nvcc["on_path"] and ".venv" in f.nvcc["path"],
        "good",
        lambda f: f"nvcc {f.toolkit} from wheels, at {f.nvcc['path']}",
    ),
    Rule(
        "CUDA toolkit",
        lambda f: f.nvcc and not f.nvcc["on_path"],
        "bad",
        lambda f: f"nvcc {f.toolkit} is in {Path(f.nvcc['path']).parent}, but not on PATH",
        lambda f: f'Add it: export PATH="{Path(f.nvcc["path"]).parent}:$PATH"',
    ),
    Rule(
        "CUDA toolkit",
        lambda f: f.nvcc and not f.toolkit,
        "bad",
        lambda f: f"{f.nvcc['path']} does not tell its version",
        lambda f: "It is no working nvcc: repair the toolkit, or put a working one first on PATH.",
    ),
    Rule(
        "CUDA toolkit",
        lambda f: f.nvcc and f.toolkit_number < toolchain.LEAST_CUDA,
        "bad",
        lambda f: f"nvcc {f.toolkit} at {f.nvcc['path']} is older than 12.4, the oldest that works",
        lambda f: "Install a newer toolkit, or run `./course setup --cuda`. " + CPU_MEANWHILE,
    ),
    Rule(
        "CUDA toolkit",
        lambda f: f.nvcc,
        "good",
        lambda f: f"nvcc {f.toolkit} at {f.nvcc['path']}",
    ),
    Rule(
        "CUDA toolkit",
        lambda f: f.cuda_libraries,
        "bad",
        lambda f: f"CUDA runtime libraries found ({f.cuda_libraries}), but no compiler (nvcc)",
        lambda f: (
            "The runtime wheels and conda's cudatoolkit bring none. `./course setup --cuda` does, "
            "so do the packages cuda-nvcc (conda) and cuda-toolkit (NVIDIA's for Debian)."
        ),
    ),
    Rule(
        "CUDA toolkit",
        lambda f: f.gpu_seen,
        "bad",
        lambda f: "no compiler (nvcc) found",
        lambda f: (
            "The GPU cannot be used without: run `./course setup --cuda`, or install your "
            "distribution's CUDA toolkit (package cuda-toolkit)."
        ),
    ),
    Rule(
        "CUDA toolkit",
        lambda f: True,
        "none",
        lambda f: "no compiler (nvcc) found",
        lambda f: "GPU programs are not built. `./course setup --cuda` brings nvcc.",
    ),
    # --- the driver
    Rule(
        "NVIDIA driver",
        lambda f: "version mismatch" in f.smi_output,
        "bad",
        lambda f: (
            "the driver was upgraded while it was loaded"
            f" (loaded {f.loaded_module or 'unknown'}, installed {installed_version(f)})"
        ),
        lambda f: "Reboot: then the new kernel module is loaded. Nothing has to be installed.",
    ),
    Rule(
        "NVIDIA driver",
        lambda f: f.pci_gpus and f.graphics_mode in ("intel", "integrated"),
        "bad",
        lambda f: f"the NVIDIA GPU is present but switched off (prime-select: {f.graphics_mode})",
        lambda f: (
            "Switch it on: sudo prime-select on-demand, then restart. Timings vary on such laptops."
        ),
    ),
    Rule(
        "NVIDIA driver",
        lambda f: f.smi_found and "communicate with the NVIDIA driver" in f.smi_output,
        "bad",
        lambda f: "nvidia-smi cannot talk to the driver: no kernel module is loaded",
        lambda f: "Likely first: " + "; ".join(module_reasons(f)) + ".",
    ),
    Rule(
        "NVIDIA driver",
        lambda f: f.driver and f.least_driver and f.driver_major < f.least_driver,
        "bad",
        lambda f: (
            f"driver {f.driver} is older than toolkit {f.toolkit} needs: {f.least_driver} or newer"
        ),
        lambda f: (
            f"Two ways out: a driver {f.least_driver} or newer, or an older toolkit"
            f"{' (' + served(f) + ')' if served(f) else ''}."
        ),
    ),
    Rule(
        "NVIDIA driver",
        lambda f: f.answer and f.answer.count_error == 34,
        "bad",
        lambda f: "a stub library answers in place of the driver (error 34)",
        lambda f: (
            "Take the toolkit's `stubs` folder out of LD_LIBRARY_PATH: it is for linking only."
        ),
    ),
    Rule(
        "NVIDIA driver",
        lambda f: f.answer and f.answer.count_error == 802,
        "bad",
        lambda f: "the GPUs are not initialised yet (error 802)",
        lambda f: (
            "The service nvidia-fabricmanager does not run, or is of another version: "
            "ask the administrator."
        ),
    ),
    Rule(
        "NVIDIA driver",
        lambda f: f.has_driver and f.answer.driver_version and newer_toolkit(f),
        "warn",
        lambda f: (
            f"driver {f.driver or 'found'} serves CUDA {served(f)}, older than toolkit {f.toolkit}"
        ),
        lambda f: (
            "Programs with machine code for this GPU run; PTX newer than the driver does not."
        ),
    ),
    Rule(
        "NVIDIA driver",
        lambda f: f.has_driver,
        "good",
        lambda f: f"driver {f.driver}" if f.driver else f"a driver that serves CUDA {served(f)}",
    ),
    Rule(
        "NVIDIA driver",
        lambda f: f.pci_gpus,
        "bad",
        lambda f: f"no NVIDIA driver on this machine, although it has a GPU: {f.pci_gpus[0]}",
        lambda f: "Install your distribution's NVIDIA driver and restart. " + CPU_MEANWHILE,
    ),
    Rule(
        "NVIDIA driver",
        lambda f: True,
        "none",
        lambda f: "no NVIDIA driver on this machine",
        lambda f: (
            "Nothing to repair where there is no NVIDIA card: the CPU device runs every example."
        ),
    ),
    # --- the GPUs
    Rule(
        "GPU",
        lambda f: f.visible_devices is not None and not f.usable and f.smi_gpus,
        "bad",
        lambda f: f"CUDA_VISIBLE_DEVICES='{f.visible_devices}' hides {f.smi_gpus[0]['name']}",
        lambda f: "Let it be seen: unset CUDA_VISIBLE_DEVICES",
    ),
    Rule(
        "GPU",
        lambda f: f.too_old_gpus and f.nvcc,
        "bad",
        lambda f: (
            f"{f.too_old_gpus[0].name} has compute capability {f.too_old_gpus[0].capability}, but "
            f"CUDA {f.toolkit} builds for {toolchain.dotted(f.architectures[0])} and newer only"
        ),
        lambda f: (
            "Install a 12.x toolkit (12.9 is the last that knows this card); the driver is not at "
            "fault. " + CPU_MEANWHILE
        ),
    ),
    Rule(
        "GPU",
        lambda f: f.usable,
        "good",
        lambda f: ", ".join(f"{g.name} (compute capability {g.capability})" for g in f.gpus),
    ),
    Rule(
        "GPU",
        lambda f: f.smi_gpus and f.answer and f.answer.ran,
        "bad",
        lambda f: (
            f"{f.smi_gpus[0]['name']} is there, but CUDA cannot use it "
            f"(error {f.answer.count_error})"
        ),
        lambda f: "See the driver's line above.",
    ),
    Rule(
        "GPU",
        lambda f: f.smi_gpus,
        "warn",
        lambda f: f"{f.smi_gpus[0]['name']} is there; CUDA was not asked",
    ),
    Rule(
        "GPU",
        lambda f: f.pci_gpus,
        "bad",
        lambda f: f"{f.pci_gpus[0]} is there, but cannot be used",
        lambda f: "See the driver's line above.",
    ),
    Rule(
        "GPU",
        lambda f: True,
        "none",
        lambda f: "none that CUDA can use",
        lambda f: "Everything works but timing: the CPU device checks answers and counts accesses.",
    ),
    # --- the compilers
    Rule(
        "Host compiler",
        lambda f: not f.host_compiler,
        "bad",
        lambda f: f"{toolchain.host_compiler()} not found",
        lambda f: "nvcc hands host code to it: run `./course setup`.",
    ),
    Rule(
        "Host compiler",
        lambda f: (
            f.host_limit
            and f.host_kind == "GCC"
            and meson.parse_version(f.host_version)[:1] > (f.host_limit,)
        ),
        "bad",
        lambda f: (
            f"{f.host_kind} {f.host_version} is too new for nvcc {f.toolkit}, "
            f"whose newest is GCC {f.host_limit}"
        ),
        lambda f: f"Install g++-{f.host_limit} and set NVCC_CCBIN=g++-{f.host_limit}.",
    ),
    Rule(
        "Host compiler",
        lambda f: True,
        "good",
        lambda f: f"{f.host_kind} {f.host_version} at {f.host_compiler}",
    ),
    Rule(
        "CPU device",
        lambda f: f.clang and not f.missing,
        "good",
        lambda f: f"ready: {f.clang}",
    ),
    Rule(
        "CPU device",
        lambda f: f.clang,
        "warn",
        lambda f: f"{f.clang}; still missing: {', '.join(f.missing)}",
        lambda f: "`./course setup` installs it; `./course site` and `test` do so by themselves.",
    ),
    Rule(
        "CPU device",
        lambda f: True,
        "warn",
        lambda f: f.clang_lack,
        lambda f: "Without it nothing runs on a machine without a GPU.",
    ),
    # --- the build
    Rule(
        "Meson",
        lambda f: not f.meson,
        "none",
        lambda f: "not found",
        lambda f: f"`./course setup` puts one into .venv ({least_meson()} or newer).",
    ),
    Rule(
        "Meson",
        lambda f: meson.parse_version(f.meson_version) < meson.LEAST_MESON,
        "bad",
        lambda f: (
            f"Meson {f.meson_version} at {f.meson} is too old: needs {least_meson()} or newer"
        ),
        lambda f: f"Why: {meson.WHY_LEAST}. `./course setup` puts a newer one into .venv.",
    ),
    Rule("Meson", lambda f: True, "good", lambda f: f"{f.meson_version} at {f.meson}"),
    Rule(
        "Ninja",
        lambda f: not f.ninja,
        "none",
        lambda f: "not found",
        lambda f: "`./course setup` puts one into .venv.",
    ),
    Rule("Ninja", lambda f: True, "good", lambda f: f"{f.ninja_version} at {f.ninja}"),
    Rule("Python", lambda f: True, "good", lambda f: f"{f.python} at {sys.executable}"),
    # --- remarks: each that applies is printed
    Rule(
        "remarks",
        lambda f: len({n["version"] for n in f.nvccs if n["on_path"]}) > 1,
        "warn",
        lambda f: f"more than one nvcc on PATH: {nvcc_list(f)}",
        lambda f: f"The build takes the first, {f.nvccs[0]['path']}: reorder PATH to take another.",
    ),
    Rule(
        "remarks",
        lambda f: f.misspelt,
        "warn",
        lambda f: (
            f"{f.misspelt[0]} is set, which nothing reads: did you mean CUDA_VISIBLE_DEVICES?"
        ),
    ),
    Rule(
        "remarks",
        lambda f: f.usable and (not f.smi_found or f.smi_code == 127),
        "warn",
        lambda f: "nvidia-smi missing: no clocks or temperatures in timing reports",
        lambda f: "In a container, it comes with the capability 'utility'.",
    ),
    Rule(
        "remarks",
        lambda f: any("exclusive" in g["mode"].lower() for g in f.smi_gpus),
        "warn",
        lambda f: "a GPU is in exclusive mode: one process at a time can use it",
        lambda f: "Error 46 means that another process has it.",
    ),
    Rule(
        "remarks",
        lambda f: f.usable and f.visible_devices is not None,
        "warn",
        lambda f: f"CUDA_VISIBLE_DEVICES={f.visible_devices} chooses which GPUs are seen",
    ),
    Rule(
        "remarks",
        lambda f: f.stubs,
        "warn",
        lambda f: f"LD_LIBRARY_PATH holds {f.stubs}, a folder of stubs for linking only",
        lambda f: "A program that loads a stub ends with error 34: take the folder out.",
    ),
]


def installed_version(f: Facts) -> str:
    match = re.search(r"NVML library version: (\S+)", f.smi_output)
    return match[1] if match else "unknown"


def served(f: Facts) -> str:
    """The CUDA version that the driver serves: "12.4"."""
    number = f.answer.driver_version if f.answer else 0
    return f"{number // 1000}.{number % 1000 // 10}" if number else ""


def newer_toolkit(f: Facts) -> bool:
    return bool(f.toolkit) and f.toolkit_number > meson.parse_version(served(f))


def module_reasons(f: Facts) -> list[str]:
    reasons = {
        "nouveau": "the free driver nouveau holds the card",
        "secure": "Secure Boot refuses an unsigned module",
        "kernel": "there is no module for the running kernel (after a kernel update: "
        "install its headers, rebuild, restart)",
    }
    first = "nouveau" if f.nouveau else "secure" if f.secure_boot else "kernel"
    return [reasons.pop(first), *reasons.values()]


@dataclass(frozen=True)
class Line:
    area: str
    mark: str
    says: str
    means: str


def judge(facts: Facts) -> list[Line]:
    lines: list[Line] = []
    spoken: set[str] = set()
    for rule in RULES:
        if rule.area in spoken or not rule.when(facts):
            continue
        lines.append(Line(rule.area, rule.mark, rule.says(facts), rule.means(facts)))
        if rule.area != "remarks":
            spoken.add(rule.area)
    return lines


def verdict(facts: Facts, lines: list[Line]) -> tuple[int, str]:
    bad = [line for line in lines if line.mark == "bad"]
    if bad:
        count = "one thing has" if len(bad) == 1 else f"{len(bad)} things have"
        return FAILED, f"{count[0].upper()}{count[1:]} to be repaired: see the lines marked above."
    if facts.usable and facts.nvcc:
        return RIGHT, "The GPU path works."
    if facts.cpu_device_ready:
        return NO_GPU, "No GPU here; the CPU device is ready: everything works but timing."
    return FAILED, "Neither a GPU nor the CPU device can be used: run `./course setup`."


def run(options: argparse.Namespace, console: Console) -> int:
    facts = gather()
    lines = judge(facts)
    code, sentence = verdict(facts, lines)
    if options.json:
        document = {
            "exit_code": code,
            "verdict": sentence,
            "lines": [asdict(line) for line in lines],
            "facts": asdict(facts),
        }
        console.print(json.dumps(document, indent=2))
        return code
    width = max(len(line.area) for line in lines)
    for line in lines:
        area = "Remark" if line.area == "remarks" else line.area
        mark = console.paint(console.mark(line.mark), line.mark)
        console.print(f"{mark} {area:<{width}}  {line.says}")
        if line.means:
            console.print(f"  {'':<{width}}  {console.paint(line.means, 'dim')}")
    console.print(console.paint(sentence, "bold"))
    return code
