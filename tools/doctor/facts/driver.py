"""The NVIDIA driver: what is installed, what is loaded, and whether it answers."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field

from tools.ask import Reply, ask
from tools.doctor.look import matching, text, there, under, writable
from tools.probe import Answer, probe

QUERY = "index,name,driver_version,compute_cap,memory.total,compute_mode"
NODES = ("nvidiactl", "nvidia[0-9]*", "nvidia-uvm")


@dataclass
class Driver:
    smi: str = ""  # the path of nvidia-smi
    smi_code: int = 0
    smi_says: str = ""
    rows: str = ""  # its table of GPUs, as lines of values
    version: str = ""  # of the installed driver: "580.123.04"
    loaded: str = ""  # of the kernel module that is loaded
    library: str = ""  # of the library, where nvidia-smi tells it apart
    module: bool = False  # a kernel module called nvidia is loaded
    nouveau: bool = False
    secure_boot: bool = False
    nodes: list[str] = field(default_factory=list)  # device files in /dev
    closed: list[str] = field(default_factory=list)  # those that this user may not open
    answer: Answer | None = None  # CUDA's own

    @property
    def smi_late(self) -> bool:
        return self.smi_code == 124

    @property
    def error(self) -> int:
        return self.answer.count_error if self.answer and self.answer.ran else 0

    @property
    def serves(self) -> str:
        """The CUDA version that the driver serves: "12.4"; empty where nobody answered."""
        number = self.answer.driver_version if self.answer else 0
        return f"{number // 1000}.{number % 1000 // 10}" if number else ""

    @property
    def found(self) -> bool:
        return bool(self.version or self.serves)


def gather() -> Driver:
    found = Driver(answer=probe(), smi=shutil.which("nvidia-smi") or "")
    if found.smi:
        ask_smi(found)
    kernel_module(found)
    device_files(found)
    return found


def ask_smi(found: Driver) -> None:
    asked = ask([found.smi, f"--query-gpu={QUERY}", "--format=csv,noheader"])
    asked = asked or Reply(126, "", "")
    found.smi_code, found.smi_says = asked.returncode, asked.output.strip()
    if asked.returncode == 0:
        found.rows = asked.stdout
        versions = re.findall(r"^[^,\n]*,[^,\n]*, *(\d+(?:\.\d+)+) *,", asked.stdout, re.MULTILINE)
        banner = re.findall(r"Driver Version: *(\d+(?:\.\d+)+)", asked.stdout)
        found.version = next(iter(versions + banner), "")
    if match := re.search(r"NVML library version: *(\d+(?:\.\d+)+)", asked.output):
        found.library = match[1]


def kernel_module(found: Driver) -> None:
    if match := re.search(r"Kernel Module\D*?(\d+(?:\.\d+)+)", text("/proc/driver/nvidia/version")):
        found.loaded = match[1]
        found.version = found.version or match[1]
    modules = text("/proc/modules")
    if not modules and (listed := ask(["lsmod"])):
        modules = listed.stdout
    names = set(re.findall(r"^(\w+)", modules, re.MULTILINE))
    found.module = "nvidia" in names or bool(found.loaded)
    found.nouveau = "nouveau" in names
    found.secure_boot = secure_boot()


def secure_boot() -> bool:
    for variable in matching(under("/sys/firmware/efi/efivars"), "SecureBoot-*"):
        try:
            return variable.read_bytes()[-1:] == b"\x01"
        except OSError:
            break
    state = ask(["mokutil", "--sb-state"])
    return bool(state and "SecureBoot enabled" in state.stdout)


def device_files(found: Driver) -> None:
    for pattern in NODES:
        for node in matching(under("/dev"), pattern):
            found.nodes.append(node.name)
            if not writable(node):
                found.closed.append(node.name)
    if there("/dev/dxg"):
        found.nodes.append("dxg")
