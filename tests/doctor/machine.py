"""Made-up machines: every name, version and path on them is drawn at random, by a seed."""

from __future__ import annotations

import random
import string
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tools import setup
from tools.doctor import compatibility
from tools.doctor.facts import Facts, gather
from tools.doctor.report import Verdict, verdict
from tools.doctor.rules import all_rules
from tools.doctor.rules.rule import Finding, judge

TABLE = compatibility.load()
NEEDED = {
    "boost/context/detail/fcontext.hpp": "",
    "CLI/CLI.hpp": "",
    "gtest/gtest.h": "",
    "benchmark/benchmark.h": "",
}
OTHERS = (  # what the environment of the machine that runs the tests may say
    *("CUDA_HOME", "CUDA_PATH", "CUDA_VISIBLE_DEVICES", "NVCC", "NVCC_CCBIN", "CPU_DEVICE_CLANG"),
    *("LD_LIBRARY_PATH", "CONDA_PREFIX", "COALESCE_VENV", "COALESCE_BUILD"),
)


class Draw(random.Random):
    """Draws what machines have."""

    def word(self, least: int = 4) -> str:
        letters = self.choices(string.ascii_lowercase, k=self.randint(least, least + 5))
        return "".join(letters)

    def name(self) -> str:
        return f"{self.word().title()} {self.choice('ABCDEFGX')}{self.randint(100, 9999)}"

    def driver(self, branch: int) -> str:
        return f"{branch}.{self.randint(10, 299)}.{self.randint(1, 99):02d}"

    def toolkit(self, least: str = "12.4", newest: str = "13.0") -> str:
        low, high = compatibility.version(least), compatibility.version(newest)
        known = TABLE.group("driver", "of")
        return self.choice([t for t in known if low <= compatibility.version(t) <= high])


def dotted(architecture: int) -> str:
    return f"{architecture // 10}.{architecture % 10}"


@dataclass
class Card:
    name: str
    capability: str
    memory: str = "8192 MiB"
    mode: str = "Default"
    used: int = 0

    def row(self, index: int, driver: str) -> str:
        return f"{index}, {self.name}, {driver}, {self.capability}, {self.memory}, {self.mode}"


@dataclass
class Machine:
    """Healthy until somebody takes something away. `examine` writes it down and asks doctor."""

    folder: Path
    draw: Draw
    monkeypatch: pytest.MonkeyPatch
    tools: dict[str, str | None] = field(default_factory=dict)  # name: shell script, None: no tool
    files: dict[str, str] = field(default_factory=dict)  # under DOCTOR_ROOT
    environment: dict[str, str] = field(default_factory=dict)
    probe: str | None = None  # the probe's whole answer, where it is not the usual one
    error: int = 0
    library: bool | None = True
    seconds: float = 10  # plenty: the machine that runs the tests may be busy
    on_path: list[Path] = field(default_factory=list)  # further folders of tools

    def __post_init__(self) -> None:
        draw = self.draw
        self.use_toolkit(draw.toolkit())
        self.use_driver_of(self.toolkit)
        newer = [number for number in self.architectures if number >= 75]
        self.cards = [Card(draw.name(), dotted(draw.choice(newer)))]
        self.glibc = "2.36"

    def use_toolkit(self, toolkit: str) -> None:
        """This toolkit, with a compiler that goes with it."""
        self.toolkit = toolkit
        self.architectures = TABLE.architectures(compatibility.version(toolkit))
        self.gcc = TABLE.newest_compiler(compatibility.version(toolkit), "gcc")

    def use_driver_of(self, toolkit: str) -> None:
        self.driver, self.serves = self.own_driver(toolkit), toolkit

    def own_driver(self, toolkit: str) -> str:
        parts = TABLE.own_driver(compatibility.version(toolkit)).split(".")
        return ".".join([parts[0], str(int(parts[1]) + self.draw.randint(0, 50)), *parts[2:]])

    @property
    def bin(self) -> Path:
        return self.folder / "bin"

    @property
    def root(self) -> Path:
        return self.folder / "root"

    # --- What can be changed

    def without_gpu(self) -> None:
        self.cards, self.error, self.library = [], 35, False
        self.tools["nvidia-smi"] = None
        self.driver = self.serves = ""

    def without_driver(self) -> None:
        """The card stays, as lspci shows it."""
        self.tools["lspci"] = f"echo '{self.pci()}'"
        self.without_gpu()

    def pci(self) -> str:
        kind = self.draw.choice(["VGA compatible controller", "3D controller"])
        return f"01:00.0 {kind}: NVIDIA Corporation {self.draw.name()}"

    def smi_fails(self, text: str, code: int) -> None:
        self.tools["nvidia-smi"] = f'echo "{text}"; exit {code}'

    def add_nvcc(self, folder: Path, version: str) -> Path:
        write_tool(folder / "nvcc", self.nvcc_script(version))
        return folder / "nvcc"

    def header(self, name: str, text: str) -> None:
        """One of the headers in crt/ of the nvcc in `bin`."""
        path = self.folder / "include" / "crt" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    # --- How it is written down

    def nvcc_script(self, version: str) -> str:
        listed = "\\n".join(f"compute_{number}" for number in self.architectures)
        return (
            'case "$*" in *list-gpu-arch*) '
            f"printf '{listed}\\n';; *) echo 'Cuda compilation tools, release {version}, V1';; esac"
        )

    def smi_script(self) -> str:
        table = "\n".join(card.row(i, self.driver) for i, card in enumerate(self.cards))
        use = "\n".join(
            f"{i}, {card.name}, {card.mode}, {card.used} MiB, {int(card.used > 0)} %"
            for i, card in enumerate(self.cards)
        )
        return (
            f"case \"$*\" in *memory.used*) echo '{use}';; *compute_cap*) echo '{table}';; "
            "*) exit 2;; esac"
        )

    def answer(self) -> str:
        number = int(self.serves.split(".")[0]) * 1000 + int(self.serves.split(".")[1]) * 10 \
            if self.serves else 0  # fmt: skip
        lines = [f"count_error={self.error}", f"driver_version={number}"]
        if self.library is not None:
            lines.append(f"library={int(self.library)}")
        if not self.error:
            lines += [f"device{i}={c.name};cc={c.capability}" for i, c in enumerate(self.cards)]
        return "\n".join(lines) + "\n"

    def usual_tools(self) -> dict[str, str | None]:
        return {
            "nvcc": self.nvcc_script(self.toolkit),
            "nvidia-smi": self.smi_script(),
            "g++": f"echo 'g++ (Debian) {self.gcc}.2.0'",
            "clang++-19": "echo 'clang version 19.1.7'",
            "meson": None,
            "ninja": None,
            "pkg-config": "",
            "doxygen": "",
        }

    def usual_files(self) -> dict[str, str]:
        major, minor = self.glibc.split(".") if self.glibc else ("", "")
        stamp = setup.stamp_text(setup.LOCK).partition("\n")[0]
        return {
            "usr/include/features.h": f"#define __GLIBC__ {major}\n"
            f"#define __GLIBC_MINOR__ {minor}\n",
            ".venv/bin/python": "#!/bin/sh\n",
            ".venv/bin/meson": "#!/bin/sh\necho 1.12.1\n",
            ".venv/bin/ninja": "#!/bin/sh\necho 1.13.2\n",
            f".venv/{setup.stamp_path(setup.LOCK).name}": f"{stamp}\nin {self.root}/.venv\n",
        }

    def write(self) -> None:
        for name, script in (self.usual_tools() | self.tools).items():
            if script is not None:
                write_tool(self.bin / name, script)
        for name, text in (self.usual_files() | self.files).items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        for name in NEEDED:
            path = self.folder / "needed" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
        (self.folder / "probe").write_text(self.answer() if self.probe is None else self.probe)
        plain = self.folder / "plain"  # what the scripts themselves need
        plain.mkdir(exist_ok=True)
        for name in ("sh", "sleep", "cat", "head"):
            if not (plain / name).exists():
                (plain / name).symlink_to(f"/bin/{name}")

    def variables(self) -> dict[str, str]:
        folders = [self.bin, *self.on_path, self.folder / "plain"]
        return {
            "PATH": ":".join(str(folder) for folder in folders),
            "CPATH": str(self.folder / "needed"),
            "DOCTOR_ROOT": str(self.root),
            "DOCTOR_PROBE": str(self.folder / "probe"),
        } | self.environment

    def examine(self) -> Examined:
        self.write()
        for name in OTHERS:
            self.monkeypatch.delenv(name, raising=False)
        for name, value in self.variables().items():
            self.monkeypatch.setenv(name, value)
        self.monkeypatch.setattr(setup, "INCLUDE_FOLDERS", ())
        facts = gather(self.seconds)
        assert not facts.unread, facts.unread
        findings = judge(facts, all_rules())
        return Examined(facts, findings, verdict(facts, findings))


@dataclass
class Examined:
    facts: Facts
    findings: list[Finding]
    verdict: Verdict

    @property
    def ids(self) -> set[str]:
        return {finding.rule.id for finding in self.findings}

    def finding(self, name: str) -> Finding:
        assert name in self.ids, self.text()
        return next(finding for finding in self.findings if finding.rule.id == name)

    def text(self) -> str:
        lines = [f"{f.rule.level} {f.rule.id}: {f.message} | {f.step}" for f in self.findings]
        return "\n".join([*lines, str(self.verdict)])


def write_tool(path: Path, script: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
