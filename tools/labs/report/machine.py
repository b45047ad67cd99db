"""The machine, for a report: what a result depends on, and nothing that names a person."""

from __future__ import annotations

import re
from pathlib import Path

from tools.doctor import facts
from tools.doctor.redact import redact
from tools.labs import ready


def known() -> list[tuple[str, str]]:
    found = facts.gather()
    gpus = [f"{gpu.name} (compute capability {gpu.capability})" for gpu in found.gpus.usable]
    nvcc = found.toolkit.nvccs[0].version if found.toolkit.nvccs else ""
    host = f"{found.build.host_kind} {found.build.host_version}".strip()
    pairs = [
        ("GPU", "; ".join(gpus) or ready.no_gpu() or "not known"),
        ("Driver", found.driver.version),
        ("CUDA toolkit", nvcc or "none"),
        ("Compiler of the host", host),
        ("Processor", processor()),
        ("System", f"{found.system.name} {found.system.machine}".strip()),
    ]
    return [(name, str(redact(text))) for name, text in pairs if text]


def processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    match = re.search(r"^(?:model name|Model)\s*:\s*(.+)$", text, re.MULTILINE)
    return match[1] if match else ""
