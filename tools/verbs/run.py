"""`./course run`."""

from __future__ import annotations

import argparse
import json
import os
import re
import tempfile
from collections import Counter
from pathlib import Path

from tools import chapters, meson, paths, process
from tools.console import Console
from tools.errors import FAILED, INTERRUPTED, RIGHT, USAGE, Failure

DESCRIPTION = """\
CHAPTER is a chapter's name, its number, or a part of its name that only one chapter has. STEP is
the name of a step; without one, the chapter's steps are listed. The step gets fresh random input
and a poisoned output, and its answer is checked against the plainest CPU code.

On a GPU the time and the bandwidth are printed. The CPU device gives counts instead, never times:
how many requests each source line makes to memory, and how many 32-byte sectors they touch.
"""

EXAMPLES = """\
examples:
  ./course run 3                              the steps of chapter 3
  ./course run 3 one_thread                   on the GPU if there is one, else on the CPU device
  ./course run 3 one_thread --device cpu      on the CPU device
  ./course run 3 one_thread --device gpu:1    on the second GPU; never falls back
  ./course run 3 one_thread --n 0             no element: nothing is launched
  ./course run 3 one_thread --n 2^20 --seed 7 --explain
  ./course run 5 one_launch --check           races, unwritten reads, leaks, on the CPU device

exit codes:
  0  the answer is right        4   no GPU, but --device gpu asks for one
  1  the answer is wrong        86  the CPU device found problems in the program
  2  wrong use: unknown name, or a size that cannot be
"""

MOST_ELEMENTS = 2**63 - 1
SHORT_TABLE = 8  # lines of the table of counts without --explain


def elements(text: str) -> int:
    """A number of elements: 1000, 1_000_000, 2^20 or 1e6."""
    word = text.strip().replace("_", "").replace(",", "")
    if re.fullmatch(r"[+-]?\d+", word):
        number = int(word)
    elif match := re.fullmatch(r"(\d+)(?:\^|\*\*)(\d+)", word):
        number = int(match[1]) ** min(int(match[2]), 4096)
    elif match := re.fullmatch(r"(\d+)[eE]\+?(\d+)", word):
        number = int(match[1]) * 10 ** min(int(match[2]), 4096)
    else:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number of elements; write for example 1000, 2^20 or 1e6"
        )
    if number < 0:
        raise argparse.ArgumentTypeError(
            f"{text} is negative; the least number of elements is 0, which is legal"
        )
    if number > MOST_ELEMENTS:
        raise argparse.ArgumentTypeError(
            f"{text} is beyond any memory; the limit is 2^63 - 1, and the memory here"
        )
    return number


def seed(text: str) -> int:
    if re.fullmatch(r"\d+", text) and int(text) < 2**64:
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is not a seed; write a whole number below 2^64")


def device(text: str) -> str:
    try:
        return chapters.parse_device(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no device; write cpu, gpu, or gpu:K with the number of a GPU"
        ) from None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapter", metavar="CHAPTER", help="name, number, or part of a name")
    parser.add_argument("step", metavar="STEP", nargs="?", help="name of a step")
    parser.add_argument(
        "--device", type=device, help="cpu, gpu, or gpu:K (default: gpu if there is one)"
    )
    parser.add_argument(
        "--variant",
        metavar="V",
        help="settings of a step, such as block:32x8",
    )
    parser.add_argument("--n", type=elements, metavar="N", help="number of elements (0 is legal)")
    parser.add_argument("--seed", type=seed, metavar="S", help="seed of the random input")
    parser.add_argument(
        "--explain",
        action="store_true",
        help="CPU device: every source line",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="CPU device: look for faults, such as races; exit code 86 when there are any",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object and nothing else"
    )


def available_bytes() -> int | None:
    """Memory that this machine can give to a program now."""
    try:
        match = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text())
    except OSError:
        return None
    return int(match[1]) * 1024 if match else None


def check_size(number: int | None) -> None:
    """Refuses what cannot be in memory whatever the step is; the program knows its exact need."""
    room = available_bytes()
    if number is None or room is None:
        return
    most = room // 4  # no step has elements of fewer than four bytes
    if number > most:
        raise Failure(
            f"--n {number} is beyond this machine's memory: one array of 4-byte elements takes "
            f"{number * 4 / 2**30:.1f} GiB, and {room / 2**30:.1f} GiB are free.",
            f"The limit here is --n {most}, and less for steps with several arrays.",
            USAGE,
        )


def choose_device(asked: str | None) -> str:
    if asked:
        return asked
    if not chapters.has_gpu():
        return "cpu"
    return "gpu"


def print_steps(slug: str, path: Path, console: Console, as_json: bool) -> int:
    steps = chapters.list_steps(path)
    if as_json:
        console.print(json.dumps(steps, indent=2))
        return RIGHT
    console.print(f"Steps of {slug}:")
    variants = Counter(step["name"] for step in steps)
    first_of_name = {step["name"]: step for step in reversed(steps)}
    for step in reversed(first_of_name.values()):
        count = variants[step["name"]]
        more = f" ({count} variants, the first: {step['variant']})" if count > 1 else ""
        console.print(f"  {step['name']:<24} {step.get('title', '')}{more}".rstrip())
    console.print(f"Run one: ./course run {slug} {steps[0]['name'] if steps else 'STEP'}")
    return RIGHT


def run(options: argparse.Namespace, console: Console) -> int:
    slug = chapters.find(options.chapter)
    if options.check and options.device and options.device != "cpu":
        raise Failure("--check is the CPU device's.", "Leave out --device, or say cpu.", USAGE)
    chosen = "cpu" if options.check else choose_device(options.device)
    check_size(options.n)
    instead = "Use `--device cpu` for answers and counts"
    number = chapters.require_gpu(chosen, instead) if chosen != "cpu" else 0
    try:
        path = chapters.build(slug, chosen, console)
    except Failure as failure:
        if options.device or chosen == "cpu" or failure.exit_code != 3:
            raise
        console.line(f"{failure.sentence} Using the CPU device.")
        chosen = "cpu"
        path = chapters.build(slug, chosen, console)
    if not options.step:
        return print_steps(slug, path, console, options.json)
    step = chapters.find_step(path, slug, options.step)
    with tempfile.TemporaryDirectory(prefix="coalesce-") as folder:
        return run_step(options, console, path, step["name"], chosen, number, Path(folder))


def run_step(
    options: argparse.Namespace,
    console: Console,
    path: Path,
    step: str,
    chosen: str,
    number: int,
    folder: Path,
) -> int:
    outcome_path, report_path = folder / "outcome.json", folder / "report.json"
    command = [str(path), "run", step, "--json", str(outcome_path)]
    if options.variant:
        command += ["--variant", options.variant]
    if options.n is not None:
        command += ["--n", str(options.n)]
    if options.seed is not None:
        command += ["--seed", str(options.seed)]
    environment = meson.environment()
    if chosen == "cpu":
        environment["CPU_DEVICE_REPORT"] = str(report_path)
        environment["CPU_DEVICE_CHECK"] = "1" if options.check else "0"
    else:
        command += ["--gpu", str(number)]
    if options.json:
        outcome = process.run(command, env=environment)
        code = outcome.code
        printed = read_json(outcome_path) or {"message": outcome.tail(5).strip()}
        printed |= {
            "chapter": path.name.removesuffix("-cpu"),
            "step": step,
            "exit_code": exit_code(code),
        }
        report = read_json(report_path)
        if report:
            printed["kernels"] = report.get("kernels", [])
            printed["problems"] = report.get("problems", [])
        console.print(json.dumps(printed, indent=2))
        return exit_code(code)
    code = process.run_shown(command, env=environment)
    report = read_json(report_path)
    if report:
        print_counts(report, console, options.explain)
        if options.check and not report.get("problems"):
            console.print("The CPU device's checks found nothing.")
    return exit_code(code)


def exit_code(code: int) -> int:
    """A program that a signal ended failed; Ctrl-C is told apart."""
    if code < 0:
        return INTERRUPTED if code == -2 else FAILED
    return code


def read_json(path: Path) -> dict | None:
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return read if isinstance(read, dict) else None


def short_path(name: str) -> str:
    """A source's path as the reader would write it: in a chapter, without the chapter.

    The compiler names sources relative to the build folder."""
    full = Path(os.path.normpath(paths.build_dir() / name))
    if not full.is_relative_to(paths.REPO):
        return name
    return re.sub(r"^chapters/[^/]+/", "", str(full.relative_to(paths.REPO)))


def sum_lines(report: dict) -> list[dict]:
    """Counts per source line over all launches, global memory before shared, in source order."""
    sums: dict[tuple, dict] = {}
    for kernel in report.get("kernels", []):
        for line in kernel.get("lines", []):
            key = (line.get("space", "global"), line["file"], line["line"], line["op"])
            entry = sums.setdefault(
                key, dict.fromkeys(("requests", "sectors", "wavefronts", "conflicts", "lanes"), 0)
            )
            requests = line.get("requests", 0)
            entry["requests"] += requests
            for name in ("sectors", "wavefronts", "conflicts"):
                entry[name] += line.get(name) or 0
            entry["lanes"] += line.get("active_lanes") or 0
    return [
        dict(zip(("space", "file", "line", "op"), key, strict=True)) | entry
        for key, entry in sorted(sums.items())
    ]


def print_counts(report: dict, console: Console, explain: bool) -> None:
    lines = sum_lines(report)
    if not lines:
        return
    memory = [line for line in lines if line["space"] == "global"]
    shared = [line for line in lines if line["space"] == "shared"]
    console.print()
    if memory:
        shown = memory if explain else memory[:SHORT_TABLE]
        console.table(
            ["global memory", "op", "requests", "sectors", "sectors/request"],
            [
                [
                    f"{short_path(line['file'])}:{line['line']}",
                    line["op"],
                    f"{line['requests']:,}",
                    f"{line['sectors']:,}",
                    per(line["sectors"], line["requests"]),
                ]
                for line in shown
            ],
            right={2, 3, 4},
        )
        if len(shown) < len(memory):
            console.print(f"and {len(memory) - len(shown)} more lines: --explain shows all")
    if shared and (explain or not memory or any(line["conflicts"] for line in shared)):
        console.table(
            ["shared memory", "op", "requests", "wavefronts", "conflicts"],
            [
                [
                    f"{short_path(line['file'])}:{line['line']}",
                    line["op"],
                    f"{line['requests']:,}",
                    f"{line['wavefronts']:,}",
                    f"{line['conflicts']:,}",
                ]
                for line in (shared if explain else shared[:SHORT_TABLE])
            ],
            right={2, 3, 4},
        )
    if explain:
        console.print(
            "A request is one warp executing one load or store; a sector is 32 bytes. A warp that\n"
            "reads 32 neighbouring 4-byte elements touches 4 sectors: the fewer, the less traffic."
        )


def per(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "–"
