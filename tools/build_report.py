"""Turns the compiler's report into `<slug>.build.json`: registers, spills, shared memory a kernel.

    nvcc -Xptxas -v … 2> report.txt     or    cuobjdump --dump-resource-usage FILE > report.txt
    python3 -m tools.build_report report.txt --slug 03-first-gpu-program --device nvidia-h200 \\
        --nvcc 13.0 --into figures/results

Both forms are read, alone or mixed in one text; "Compiling entry function" lines of ptxas tell the
architecture. Where a report covers several architectures, `--arch` picks one. Names are demangled
by c++filt or cu++filt; without either they stay as they are. Standard library only.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tools import schema
from tools.record import commit_of, dump, write_together
from tools.schema import ROOT, SCHEMA_VERSION, FileError

_ENTRY = re.compile(r"Compiling entry function '(?P<symbol>[^']+)' for '(?P<arch>sm_\d+[a-z]?)'")
_SPILLS = re.compile(
    r"(?P<stack>\d+) bytes stack frame, (?P<stores>\d+) bytes spill stores, "
    r"(?P<loads>\d+) bytes spill loads"
)
_USED = re.compile(r"Used (?P<registers>\d+) registers(?P<rest>.*)")
# nvcc names an unnamed namespace after the file: its name's length, the name, and a number.
_FILE = re.compile(r"_GLOBAL__N__[0-9a-f]+_\d+_(?P<stem>\w+?)_cu_[0-9a-f]{8}")
_DUMP_ARCH = re.compile(r"arch = (?P<arch>sm_\d+[a-z]?)")
_DUMP_FUNCTION = re.compile(r"Function (?P<symbol>[^\s:]+):")
_DUMP_USAGE = re.compile(r"REG:(?P<registers>\d+) STACK:(?P<stack>\d+) SHARED:(?P<shared>\d+)")


@dataclass
class Kernel:
    """What the compiler says of one kernel on one architecture. None: it did not say."""

    symbol: str
    architecture: str
    registers: int = 0
    spill_stores: int | None = None
    spill_loads: int | None = None
    shared: int = 0
    stack: int = 0
    constant: int | None = None
    barriers: int | None = None


def parse(text: str) -> list[Kernel]:
    """The kernels in a report of ptxas (-v) or cuobjdump (--dump-resource-usage)."""
    kernels: dict[tuple[str, str], Kernel] = {}
    current: Kernel | None = None
    architecture = ""

    def enter(symbol: str) -> Kernel:
        return kernels.setdefault((symbol, architecture), Kernel(symbol, architecture))

    for line in text.splitlines():
        if match := _ENTRY.search(line):
            architecture = match["arch"]
            current = enter(match["symbol"])
        elif match := _DUMP_ARCH.search(line):
            architecture, current = match["arch"], None
        elif match := _DUMP_FUNCTION.search(line):
            current = enter(match["symbol"])
        elif current is None:
            continue
        elif match := _SPILLS.search(line):
            current.stack = int(match["stack"])
            current.spill_stores, current.spill_loads = int(match["stores"]), int(match["loads"])
        elif match := _USED.search(line):
            current.registers = int(match["registers"])
            for amount, what in re.findall(r"(\d+) (bytes smem|bytes cmem\[0\]|barriers)", line):
                name = {"bytes smem": "shared", "barriers": "barriers"}.get(what, "constant")
                setattr(current, name, int(amount))
            current = None
        elif match := _DUMP_USAGE.search(line):
            current.registers = int(match["registers"])
            current.stack, current.shared = int(match["stack"]), int(match["shared"])
            if constant := re.search(r"CONSTANT\[0\]:(\d+)", line):
                current.constant = int(constant[1])
            current = None
    return [kernel for kernel in kernels.values() if kernel.registers]


def demangle(symbols: Iterable[str]) -> list[str]:
    """Readable names, by c++filt or cu++filt where there is one."""
    symbols = list(symbols)
    tool = shutil.which("c++filt") or shutil.which("cu++filt")
    if not tool or not symbols:
        return symbols
    done = subprocess.run([tool], input="\n".join(symbols), capture_output=True, text=True)
    names = done.stdout.splitlines()
    return names if done.returncode == 0 and len(names) == len(symbols) else symbols


def plain_name(signature: str) -> str:
    """A demangled name without return type and parameters: 'coalesce::(anonymous…)::k<4>'."""
    shown = signature.replace("(anonymous namespace)", "{anonymous}")
    depth, end, start = 0, len(shown), 0
    for at, letter in enumerate(shown):
        depth += (letter == "<") - (letter == ">")
        if letter == "(" and depth == 0:
            end = at
            break
        if letter == " " and depth == 0:
            start = at + 1
    return shown[start:end].replace("{anonymous}::", "")


def source_of(slug: str, stem: str) -> str:
    """The `.cu` file of a chapter, or of one of its labs, by its name; "" when there is none."""
    chapter = ROOT / "chapters" / slug
    labs = sorted(path.parent for path in chapter.glob("*/lab.toml"))
    found = [folder / f"{stem}.cu" for folder in (chapter, *labs)]
    return next((p.relative_to(ROOT).as_posix() for p in found if p.is_file()), "")


def document_of(
    kernels: list[Kernel],
    *,
    slug: str,
    device: str,
    nvcc: str,
    commit: str,
    command: str,
    date: str,
) -> dict[str, Any]:
    """The content of a build file. All kernels are of one architecture."""
    entries = []
    for kernel, signature in zip(kernels, demangle(k.symbol for k in kernels), strict=True):
        entry: dict[str, Any] = {
            "symbol": kernel.symbol,
            "name": plain_name(signature),
            "signature": signature,
            "registers": kernel.registers,
            "spill_store_bytes": kernel.spill_stores,
            "spill_load_bytes": kernel.spill_loads,
            "shared_bytes": kernel.shared,
            "stack_bytes": kernel.stack,
        }
        match = _FILE.search(kernel.symbol)
        if match and (source := source_of(slug, match["stem"])):
            entry["source"] = source
        if kernel.constant is not None:
            entry["constant_bytes"] = kernel.constant
        if kernel.barriers is not None:
            entry["barriers"] = kernel.barriers
        entries.append(entry)
    context = {
        "schema_version": SCHEMA_VERSION,
        "device": device,
        "slug": slug,
        "nvcc": nvcc,
        "architecture": kernels[0].architecture,
        "commit": commit,
        "date": date,
        "command": command,
    }
    return {"context": context, "kernels": sorted(entries, key=lambda entry: entry["name"])}


def record(
    report: Path,
    into: Path,
    *,
    slug: str,
    device: str,
    nvcc: str,
    architecture: str | None = None,
    commit: str | None = None,
    command: str = "nvcc -Xptxas -v",
) -> Path:
    """Writes `<into>/<device>/<slug>.build.json`. Raises FileError; then nothing has changed."""
    try:
        kernels = parse(report.read_text("utf-8", errors="replace"))
    except OSError as error:
        raise FileError(report, f"it cannot be read ({error.strerror})") from error
    found = sorted({kernel.architecture for kernel in kernels})
    if architecture:
        kernels = [kernel for kernel in kernels if kernel.architecture == architecture]
    if not kernels:
        wanted = f" for {architecture}" if architecture else ""
        has = f"; it has {', '.join(found)}" if found else ""
        raise FileError(report, f"it tells of no kernel{wanted}{has}")
    if len({kernel.architecture for kernel in kernels}) > 1:
        raise FileError(report, f"it covers {', '.join(found)}; choose one with --arch")
    document = document_of(
        kernels,
        slug=slug,
        device=device,
        nvcc=nvcc,
        commit=commit or commit_of(ROOT),
        command=command,
        date=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )
    folder = into if into.name == device else into / device
    path = folder / f"{slug}.build.json"
    if problems := schema.problems_of(document, "build", device):
        raise FileError(path, f"it would not be a good file ({'; '.join(problems[:3])})")
    write_together({path: dump(document)})
    return path


def main(arguments: list[str] | None = None) -> int:
    """Records registers, spills and shared memory of a chapter's kernels."""
    parser = argparse.ArgumentParser(prog="python3 -m tools.build_report", description=main.__doc__)
    parser.add_argument("report", type=Path, help="text of ptxas -v or of cuobjdump")
    parser.add_argument("--into", required=True, type=Path, metavar="DIR")
    parser.add_argument("--slug", required=True, help="the chapter")
    parser.add_argument("--device", required=True, help="the device's folder name")
    parser.add_argument("--nvcc", required=True, help="the compiler's version")
    parser.add_argument("--arch", help="where the report covers several, for example sm_90")
    parser.add_argument("--commit", help="of the sources, where there is no .git")
    parser.add_argument("--command", default="nvcc -Xptxas -v", help="to keep as the command")
    options = parser.parse_args(arguments)
    try:
        path = record(
            options.report,
            options.into,
            slug=options.slug,
            device=options.device,
            nvcc=options.nvcc,
            architecture=options.arch,
            commit=options.commit,
            command=options.command,
        )
    except FileError as error:
        print(f"Not recorded: {error}.", file=sys.stderr)
        return 1
    print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
