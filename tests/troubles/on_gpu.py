"""Runs on a GPU what the troubleshooting page can only show there.

    python3 -m tests.troubles.on_gpu [--cases FOLDER] [--device gpu|cpu] [--write FILE]

1. every program that a page or the table of troubles shows, as it expects to end on a GPU;
2. with --cases, a folder of case-NN-….cu files, each against the result that its head names;
3. names the GoogleTests and planted faults that need a GPU, and how to run them.

One line for each: right, WRONG, or skipped and why. Exit code 1 when anything is wrong. Standard
library only, so that it runs on a bare GPU machine; each program is compiled once. recorded/ holds
what it wrote on the reference device; a test compares the names.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.chapters import support

PROGRAMS = Path(__file__).resolve().parent / "programs"
GOOGLETESTS = "GlobalIndex.*:GpuTiming.*:GraphReplay.*:StickyErrorDeathTest.*:Launch.*:*GpuRivals*"


@dataclass(frozen=True)
class Case:
    """How a given case is built and must end; `refused` where it must not compile."""

    number: int
    code: int = 0
    flags: tuple[str, ...] = ()
    refused: bool = False
    device: str = ""  # only there; both where empty

    @property
    def name(self) -> str:
        return " ".join([f"case {self.number:02}", *self.flags])


def gencode(number: int) -> tuple[str, ...]:
    return (f"-gencode=arch=compute_{number},code=sm_{number}", f"-DBUILT_FOR={number}")


PTX = ("-gencode=arch=compute_75,code=compute_75",)
FAST_HOST = ("-O3", "-Xcompiler=-ffast-math")
CASES = [
    Case(1), Case(4, flags=PTX, device="gpu"),
    Case(40, flags=gencode(90), device="gpu"), Case(40, flags=gencode(100), device="gpu"),
    Case(40, flags=gencode(75), device="gpu"),
    Case(46), Case(47), Case(48, device="gpu"), Case(50), Case(51), Case(53),
    Case(54, refused=True), Case(56, refused=True),
    Case(57), Case(57, flags=("-DOLD",), refused=True, device="gpu"),
    Case(58), Case(58, flags=("-DOLD",), refused=True, device="gpu"),
    Case(59), Case(59, flags=("-DSTATIC_TILE",), refused=True, device="gpu"),
    Case(61), Case(64), Case(68), Case(70), Case(71),
    Case(70, 1, FAST_HOST, device="gpu"), Case(71, 3, FAST_HOST, device="gpu"),
    Case(71, flags=("-use_fast_math",), device="gpu"),
    Case(75), Case(77, device="gpu"), Case(78, device="gpu"),
]  # fmt: skip


def expected(device: str) -> Iterator[tuple[str, Path, str, list[support.Expectation]]]:
    """(name, source, where, what is expected) of each program that has an expectation."""
    devices = ("gpu", *support.SANITIZERS) if device == "gpu" else (device,)
    for source in [*support.broken_programs(), *sorted(PROGRAMS.glob("*.cu"))]:
        for where in devices:
            if wanted := support.expected_on(source, where):
                yield f"{source.relative_to(support.ROOT)} on {where}", source, where, wanted


def of_programs(device: str) -> Iterator[tuple[str, str, str]]:
    """(outcome, name, remark) of every program with an expectation for the device."""
    for name, source, where, wanted in expected(device):
        if skips := [one.skip for one in wanted if one.skip]:
            yield "skipped", name, skips[0]
        elif reason := support.lacking(where):
            yield "skipped", name, reason
        else:
            outcome = support.outcome_of(source, where, alone=source.parent == PROGRAMS)
            right = any(one.met_by(outcome) for one in wanted)
            said = f"exit code {outcome.code}: {outcome.output.strip()[-300:]}"
            yield ("right" if right else "WRONG"), name, said


def of_cases(folder: Path, device: str, scratch: Path) -> Iterator[tuple[str, str, str]]:
    for case in CASES:
        found = sorted(folder.glob(f"case-{case.number:02}-*.cu"))
        if not found:
            yield "skipped", case.name, f"{folder} has no such case"
        elif case.device not in ("", device):
            yield "skipped", case.name, f"needs {case.device}"
        elif reason := support.lacking(device):
            yield "skipped", case.name, reason
        else:
            yield of_case(case, found[0], device, scratch / "program")


def of_case(case: Case, source: Path, device: str, program: Path) -> tuple[str, str, str]:
    program.unlink(missing_ok=True)
    if device == "cpu":
        command = [str(support.CPUCC), *case.flags, str(source), "-o", str(program)]
    else:
        arch = [] if any("-gencode" in flag for flag in case.flags) else ["-arch=native"]
        command = [
            support.tool("nvcc") or "nvcc",
            *arch,
            *case.flags,
            str(source),
            "-o",
            str(program),
        ]
    built = support.run_command(command, support.BUILD_SECONDS)
    if built.code != 0:
        first = next((line for line in built.output.splitlines() if "error" in line), built.output)
        first = first.replace(f"{source.parent}/", "")
        return ("right" if case.refused else "WRONG"), case.name, f"refused: {first[-200:]}"
    if case.refused:
        return "WRONG", case.name, "compiled, and must not"
    ran = support.run(program, device=device)
    lines = ran.output.strip().splitlines()
    remark = f"exit code {ran.code}: {lines[0] if lines else ''}"
    return ("right" if ran.code == case.code else "WRONG"), case.name, remark


def main(arguments: list[str] | None = None) -> int:
    """Runs on a GPU what the troubleshooting page can only show there."""
    parser = argparse.ArgumentParser(
        prog="python3 -m tests.troubles.on_gpu", description=main.__doc__
    )
    parser.add_argument("--cases", type=Path, help="folder of case-NN-….cu files")
    parser.add_argument("--device", choices=("gpu", "cpu"), default="gpu")
    parser.add_argument("--write", type=Path, help="also write the lines to this file")
    options = parser.parse_args(arguments)
    lines: list[str] = []
    counts = {"right": 0, "WRONG": 0, "skipped": 0}

    def tell(results: Iterator[tuple[str, str, str]]) -> None:
        for outcome, name, remark in results:
            counts[outcome] += 1
            quiet = outcome == "right" and not name.startswith("case")
            told = "" if quiet else f" ({' '.join(remark.split())})"
            lines.append(f"{outcome:8} {name}{told}")
            print(lines[-1], flush=True)

    with tempfile.TemporaryDirectory(prefix="coalesce-") as scratch:
        if options.cases:
            tell(of_cases(options.cases, options.device, Path(scratch)))
        tell(of_programs(options.device))
    lines.append(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    print(lines[-1])
    print("Besides: build/tests/coalesce-test --gtest_filter='" + GOOGLETESTS + "'")
    print("         python -m pytest tests/troubles/test_planted_faults.py -k timer")
    if options.write:
        options.write.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 1 if counts["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
