"""Runs the blocks of the pages that need a GPU, on a GPU, and keeps what they print.

    python3 -m tools.record_outputs [--into nvidia-h200] [--only NAME …] [PAGE …]

Every `console` block with `:needs: gpu` and `:recorded: NAME`, and every `goes-wrong` program with
`:recorded: NAME`, is built and run here; its text goes to `chapters/<slug>/recorded/<device>/NAME.txt`
with the command, the device, the driver, the toolkit and the date. Blocks that name another
`:device:` are left alone. Nothing is written for a block that ends otherwise than the page says.
Standard library only, so that it runs on a bare GPU machine.
"""

from __future__ import annotations

import argparse
import datetime
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tools import capture, keys, toolchain
from tools.atomic import write_text

REPO = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Recording:
    """One text to record."""

    page: Path
    name: str
    commands: tuple[str, ...]
    expected: int | str

    @property
    def command(self) -> str:
        return " && ".join(self.commands)


def gpu_commands(page: Path, argument: str) -> tuple[str, ...]:
    """How a broken program is built and run on the GPU."""
    source = (REPO / argument[1:]) if argument.startswith("/") else page.parent / argument
    name = Path(os.path.relpath(source, REPO)).as_posix()
    program = f"work/broken/{source.stem}"
    return (f"nvcc -arch=native -std=c++20 -lineinfo -I src {name} -o {program}", program)


def recordings(page: Path, device: str) -> list[Recording]:
    """The blocks of a page that are recorded on `device`."""
    found = []
    for name, argument, options, body in directives(page):
        recorded = options.get("recorded")
        if not recorded or options.get("device", device) != device:
            continue
        if name == "console" and options.get("needs") == "gpu":
            expected = options.get("exit", "0")
            commands = capture.commands_of(body)
        elif name == "goes-wrong":
            expected = options.get("gpu-exit", capture.ANY_FAILURE)
            commands = gpu_commands(page, argument)
        else:
            continue
        code = int(expected) if expected.lstrip("-").isdigit() else expected
        found.append(Recording(page, recorded, commands, code))
    return found


def directives(page: Path):
    """Name, argument, options and body of every directive of a page, nested ones too."""
    yield from _directives(page.read_text(encoding="utf-8").splitlines())


def _directives(lines: list[str]):
    at = 0
    while at < len(lines):
        fence = capture._FENCE.match(lines[at])
        directive = fence and capture._DIRECTIVE.match(fence["info"])
        if not directive:
            at += 1
            continue
        end = capture._closing(lines, at, fence["fence"])
        options, body = capture.split_options(lines[at + 1 : end])
        yield directive["name"], directive["argument"].strip(), options, body
        yield from _directives(body)
        at = end + 1


def run_recording(recording: Recording, header: dict[str, str]) -> str | None:
    """Runs it and writes the file. Returns a complaint, or None."""
    done = subprocess.run(
        ["bash", "-c", recording.command],
        cwd=REPO,
        env=os.environ | {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": str(capture.COLUMNS)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=capture.TIMEOUT_SECONDS,
        check=False,
    )
    text = capture.normalise(done.stdout.decode("utf-8", "replace"), REPO)
    wrong = (
        done.returncode == 0
        if recording.expected == capture.ANY_FAILURE
        else done.returncode != recording.expected
    )
    if wrong:
        return f"{recording.name}: `{recording.command}` ended with {done.returncode}: {text[-400:]}"
    facts = header | {"exit": str(done.returncode)}
    lines = [recording.command, *(f"#: {key}: {value}" for key, value in facts.items()), text]
    folder = recording.page.parent / "recorded" / header["slug"]
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / f"{recording.name}.txt", "\n".join(lines) + "\n")
    return None


def header_of_this_machine() -> dict[str, str]:
    """Device, driver, toolkit and date."""
    answer = toolchain.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    if answer is None or answer.returncode != 0 or not answer.stdout.strip():
        sys.exit("record_outputs: no GPU answers nvidia-smi here; recording needs one.")
    name, driver = (part.strip() for part in answer.stdout.splitlines()[0].split(","))
    version = toolchain.cuda_version(toolchain.find_nvcc().path)
    return {
        "slug": keys.device_slug(name),
        "device": name,
        "driver": driver,
        "toolkit": ".".join(map(str, version or ())),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python3 -m tools.record_outputs", description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    options = parser.parse_args()
    header = header_of_this_machine()
    for folder in ("work/broken", "work"):
        (REPO / folder).mkdir(parents=True, exist_ok=True)
    complaints = []
    count = 0
    for page in options.pages or sorted((REPO / "chapters").glob("*/index.md")):
        for recording in recordings(page.resolve(), header["slug"]):
            if options.only and recording.name not in options.only:
                continue
            complaint = run_recording(recording, header)
            count += complaint is None
            print(f"{'ok    ' if complaint is None else 'FAILED'} {recording.page.parent.name}/{recording.name}")
            if complaint:
                complaints.append(complaint)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    print(f"{count} recorded, {len(complaints)} failed")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
