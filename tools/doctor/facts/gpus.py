"""The GPUs: those that nvidia-smi lists, that CUDA can use, that are in the machine at all."""

from __future__ import annotations

import difflib
import os
import re
from dataclasses import dataclass, field

from tools.ask import ask
from tools.doctor.facts.driver import Driver
from tools.doctor.look import matching, read, under
from tools.probe import Gpu

VARIABLE = "CUDA_VISIBLE_DEVICES"
ALIKE = 0.8  # how much a name resembles another to be its misspelling
READ_BY_OTHERS = {f"{maker}_VISIBLE_DEVICES" for maker in ("NVIDIA", "HIP", "ROCR", "GPU")}
BUSY_MEGABYTES = 64  # an idle GPU holds less; a program's context alone holds more
NVIDIA = "0x10de"  # its number among the makers of PCI cards

# Tools that switch a laptop's graphics chips: how to ask the mode, which modes switch NVIDIA's off.
SWITCHES = {
    "prime-select": (["prime-select", "query"], ("intel", "integrated"), "on-demand"),
    "envycontrol": (["envycontrol", "--query"], ("integrated",), "--switch hybrid"),
    "supergfxctl": (["supergfxctl", "--get"], ("Integrated",), "--mode Hybrid"),
    "optimus-manager": (
        ["optimus-manager", "--print-mode"],
        ("integrated",),
        "--switch hybrid",
    ),
}


@dataclass
class Listed:
    """A row of nvidia-smi's table; a value that it cannot read is an empty text."""

    index: int
    name: str
    capability: str
    memory: str
    mode: str
    busy: bool = False


@dataclass
class Gpus:
    listed: list[Listed] = field(default_factory=list)
    usable: list[Gpu] = field(default_factory=list)  # by CUDA
    pci: list[str] = field(default_factory=list)  # NVIDIA's chips in the machine
    switch: str = ""  # the laptop's switching tool
    switch_mode: str = ""
    visible: str | None = None  # the value of CUDA_VISIBLE_DEVICES
    misspelt: str = ""  # a variable whose name looks like it
    mig_enabled: bool = False
    mig_instances: list[str] = field(default_factory=list)

    @property
    def switched_off(self) -> bool:
        modes = SWITCHES[self.switch][1] if self.switch else ()
        return bool(self.pci) and self.switch_mode in modes

    @property
    def seen(self) -> bool:
        return bool(self.listed or self.usable or self.pci)

    @property
    def chosen(self) -> list[Listed]:
        """The listed GPUs that CUDA_VISIBLE_DEVICES leaves, in its order."""
        if self.visible is None:
            return self.listed
        by_index = {str(gpu.index): gpu for gpu in self.listed}
        words = [word.strip() for word in self.visible.split(",")]
        known = []
        for word in words:  # CUDA stops at the first that it does not know
            if word not in by_index:
                break
            known.append(by_index[word])
        return known


def gather(driver: Driver) -> Gpus:
    answer = driver.answer
    found = Gpus(
        listed=listed(driver.rows),
        usable=answer.gpus if answer and answer.count_error == 0 else [],
        pci=pci(),
        visible=os.environ.get(VARIABLE),
        misspelt=misspelt(),
    )
    if driver.rows:
        details(driver.smi, found)
    graphics_switch(found)
    return found


def listed(rows: str) -> list[Listed]:
    found = []
    for row in rows.splitlines():
        cells = [value(cell) for cell in row.split(",")]
        if len(cells) == 6 and cells[0].isdecimal():
            index, name, _, capability, memory, mode = cells
            found.append(Listed(int(index), name, capability, memory, mode))
    return found


def value(cell: str) -> str:
    """A cell of nvidia-smi; empty for [N/A], [Not Supported] and the like."""
    word = cell.strip()
    return "" if re.fullmatch(r"\[?(N/A|Not Supported|Unknown.*)\]?", word, re.I) else word


def details(smi: str, found: Gpus) -> None:
    """Which GPUs are in use, and how they are divided: asked for only where it matters."""
    if any(gpu.mode not in ("", "Default") for gpu in found.listed):
        query = "index,name,compute_mode,memory.used,utilization.gpu"
        asked = ask([smi, f"--query-gpu={query}", "--format=csv,noheader"])
        use(asked.stdout if asked else "", found.listed)
    asked = ask([smi, "--query-gpu=index,mig.mode.current", "--format=csv,noheader"])
    rows = re.findall(r"^ *\d+ *, *(\w+) *$", asked.stdout if asked else "", re.MULTILINE)
    found.mig_enabled = "Enabled" in rows
    if found.mig_enabled and (asked := ask([smi, "-L"])):
        found.mig_instances = re.findall(r"^\s+MIG (\S+)\s+Device", asked.stdout, re.MULTILINE)


def use(rows: str, gpus: list[Listed]) -> None:
    for row in rows.splitlines():
        cells = [value(cell) for cell in row.split(",")]
        if len(cells) != 5 or not cells[0].isdecimal():
            continue
        used, load = (int(re.sub(r"\D", "", cell) or 0) for cell in cells[3:])
        for gpu in gpus:
            if gpu.index == int(cells[0]):
                gpu.busy = used > BUSY_MEGABYTES or load > 0


def pci() -> list[str]:
    asked = ask(["lspci"])
    chips = [
        line.partition(": ")[2] or line
        for line in (asked.stdout if asked else "").splitlines()
        if "NVIDIA" in line and re.search(r"VGA|3D|Display", line)
    ]
    return chips or kernel_list()


def kernel_list() -> list[str]:
    """The kernel's own list, for machines without lspci; it has numbers, no names."""
    found = []
    for card in matching(under("/sys/bus/pci/devices"), "*"):
        kind = read(card / "class").strip()
        if read(card / "vendor").strip() == NVIDIA and kind.startswith("0x03"):
            found.append(f"an NVIDIA GPU (PCI device {read(card / 'device').strip()})")
    return found


def graphics_switch(found: Gpus) -> None:
    for name, (command, _, _) in SWITCHES.items() if found.pci else ():
        if (asked := ask(command)) and asked.returncode == 0 and asked.stdout.strip():
            found.switch, found.switch_mode = name, asked.stdout.split()[0]
            return


def misspelt() -> str:
    """A variable whose name looks like CUDA_VISIBLE_DEVICES, and which nobody reads."""
    names = set(os.environ) - READ_BY_OTHERS - {VARIABLE}
    return min((name for name in names if meant(name.upper())), default="")


def meant(name: str) -> bool:
    alike = difflib.SequenceMatcher(None, name, VARIABLE).ratio() > ALIKE
    return alike or name.startswith("CUDA_VISIBLE")
