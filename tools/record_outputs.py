"""Records what commands print on machines that not every reader has.

    python3 -m tools.record_outputs MACHINE [CHAPTER …]           runs and writes
    python3 -m tools.record_outputs MACHINE [CHAPTER …] --check   runs and compares

A page shows such an output with `:recorded: NAME` in a `console` or `goes-wrong` block, and with
`:device: MACHINE` when it is not the reference GPU. The block's own line is the command; this tool
runs it from the repository's root and writes `chapters/<slug>/recorded/MACHINE/NAME.txt`: the
command, lines `#: key: value` on where and when, then the output. `#: exit: N` stands for an exit
code other than 0. What the reports of labs show of the worked solution, each `show` of a lab.toml,
is recorded the same way.

MACHINE is `nvidia-h200`, the slug of another GPU, `nvcc-13.0` for a machine with that nvcc and no
GPU, or a free name. Standard library only: it runs on a GPU machine without .venv.
"""

from __future__ import annotations

import argparse
import datetime
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tools import capture, toolchain
from tools.atomic import write_text

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = toolchain.REFERENCE_DEVICE
TIMEOUT_SECONDS = 300


@dataclass(frozen=True)
class Wanted:
    """An output that a page shows and this machine may record."""

    chapter: str
    name: str
    machine: str
    command: str
    exit: int | str

    @property
    def path(self) -> Path:
        return ROOT / "chapters" / self.chapter / "recorded" / self.machine / f"{self.name}.txt"


def chapters() -> list[str]:
    """The slugs of all chapters that have a page."""
    return sorted(path.parent.name for path in (ROOT / "chapters").glob("*/index.md"))


def wanted(chapter: str) -> list[Wanted]:
    """Every recorded block of a chapter's pages, in order."""
    pages = capture.pages_of(ROOT / "chapters" / chapter)
    lines = [line for page in pages for line in page.read_text(encoding="utf-8").splitlines()]
    found = []
    for at, line in enumerate(lines):
        fence = re.match(r"^\s*(`{3,}|:{3,})\{(console|goes-wrong)\}\s*(.*)$", line)
        if not fence:
            continue
        end = next(
            (k for k in range(at + 1, len(lines)) if lines[k].strip() == fence[1]), len(lines)
        )
        options, body = capture.split_options([text.strip() for text in lines[at + 1 : end]])
        if not options.get("recorded"):
            continue
        machine = options.get("device", REFERENCE)
        if fence[2] == "console":
            command = " && ".join(capture.commands_of(body))
            code = options.get("exit", "0")
        else:
            source = _source_of(chapter, fence[3].strip())
            command, code = _broken_command(source), _promised_exit(source)
        code = int(code) if code.isdigit() else code
        found.append(Wanted(chapter, options["recorded"], machine, command, code))
    named = {item.name for item in found}
    return found + [item for item in of_labs(chapter) if item.name not in named]


def of_labs(chapter: str) -> list[Wanted]:
    """The experiments of a chapter's labs that are what a step prints."""
    found = []
    for path in sorted((ROOT / "chapters" / chapter).glob("*/lab.toml")):
        for one in tomllib.loads(path.read_text(encoding="utf-8")).get("experiments", []):
            if "show" in one:
                size = f" --n {one['n']}" if "n" in one else ""
                command = f"./course run {int(chapter[:2])} {one['show']} --device gpu{size}"
                found.append(Wanted(chapter, one["show"], REFERENCE, command, 0))
    return found


def _source_of(chapter: str, argument: str) -> str:
    """Path from the root of a program that a page names."""
    return argument[1:] if argument.startswith("/") else f"chapters/{chapter}/{argument}"


def _broken_command(source: str) -> str:
    """How a broken program is built and run with nvcc."""
    program = f"work/broken/{Path(source).stem}"
    return f"nvcc -arch=$ARCH -std=c++20 -lineinfo -I src {source} -o {program} && {program}"


def _promised_exit(source: str) -> str:
    """The exit code in the program's own line `// expect: gpu exit N`, else any failure."""
    path = ROOT / source
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    promise = re.search(r"^// expect: gpu exit (\d+)", text, re.MULTILINE)
    return promise[1] if promise else capture.ANY_FAILURE


def machine_facts(machine: str) -> dict[str, str]:
    """What stands in the head of a recording."""
    facts = {}
    answer = toolchain.run(
        ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    )
    if answer and answer.returncode == 0 and answer.stdout.strip():
        name, _, driver = answer.stdout.strip().splitlines()[0].partition(",")
        facts |= {"device": name.strip(), "driver": driver.strip()}
    elif machine.startswith("nvcc-"):
        facts["device"] = "a machine without a GPU"
    else:
        facts["device"] = machine
    build = nvcc_build()
    if build and (machine.startswith("nvcc-") or "driver" in facts):
        facts["toolkit"] = build
    return facts


def nvcc_release() -> str:
    """ "13.0", or "" where there is no nvcc."""
    found = toolchain.all_nvccs()
    version = toolchain.cuda_version(found[0].path) if found else None
    return f"{version[0]}.{version[1]}" if version else ""


def nvcc_build() -> str:
    """ "13.0.88", or "" where there is no nvcc."""
    found = toolchain.all_nvccs()
    answer = toolchain.run([str(found[0].path), "--version"]) if found else None
    match = re.search(r"V(\d+\.\d+\.\d+)", answer.stdout) if answer else None
    return match[1] if match else ""


def why_not_here(machine: str) -> str:
    """Why this is not that machine; "" when it is."""
    if not machine.startswith("nvcc-"):
        return ""
    release = nvcc_release()
    if machine != f"nvcc-{release}":
        return f"{machine} is asked for, and " + (
            f"nvcc here is {release}" if release else "no nvcc is here"
        )
    if toolchain.gpu_architectures(None):
        return f"{machine} stands for a machine without a GPU, and one is here"
    return ""


def lacking_tool(command: str) -> str:
    """A tool of the toolkit that the command needs and that is not on PATH; or ""."""
    for tool in ("cuobjdump", "nvdisasm", "compute-sanitizer", "cuda-gdb", "ncu", "nsys", "meson"):
        if re.search(rf"(?:^|[\s|&])({tool})\s", command):
            found = subprocess.run(["which", tool], capture_output=True, check=False)
            if found.returncode != 0:
                return tool
    return ""


def run(item: Wanted) -> tuple[str, int, str]:
    """The command as run, its exit code, and what it printed."""
    command = item.command
    if "$ARCH" in command:
        gpus = toolchain.gpu_architectures(None)
        command = command.replace("$ARCH", f"sm_{gpus[0] if gpus else 90}")
    for target in re.findall(r"-o (\S+)", command):
        (ROOT / target).parent.mkdir(parents=True, exist_ok=True)
    environment = os.environ | {
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "90",
        "TERM": "dumb",
        "NO_COLOR": "1",
    }
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    answer = subprocess.run(
        [
            "bash",
            "-c",
            f"{command}\nexit $?",
        ],  # not the last command: bash names a signal that ends it
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    text = answer.stdout.decode("utf-8", "replace").replace(str(ROOT), "~/coalesce")
    text = re.sub(r"/tmp/[^\s:'\"]+", "/tmp/…", text)
    text = re.sub(r"tmpxft_[0-9a-f_]+", "tmpxft_…", text)
    return (
        command,
        answer.returncode,
        "\n".join(line.rstrip() for line in text.splitlines()).strip("\n"),
    )


def right_exit(item: Wanted, code: int) -> bool:
    return code not in (0, -1) if item.exit == capture.ANY_FAILURE else code == item.exit


def render(item: Wanted, command: str, code: int, text: str) -> str:
    """The file of a recording."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    facts = machine_facts(item.machine) | {"date": today}
    if facts["device"] == item.machine and item.path.is_file():
        # A machine with a free name is described by hand.
        kept = capture.recorded_output(ROOT, item.chapter, item.machine, item.name)["facts"]
        facts["device"] = kept.get("device", item.machine)
    if code:
        facts["exit"] = str(code)
    head = "\n".join(f"#: {key}: {value}" for key, value in facts.items())
    return f"{command}\n{head}\n{text}\n"


def _comparable(text: str) -> str:
    """The text without times, this machine's compilers, and the place of its toolkit."""
    text = re.sub(r"[\w./-]*(?:g\+\+|clang\+\+)-\d+", "g++-…", capture.normalise(text, ROOT))
    return re.sub(r"/\S+?/targets/", "…/targets/", text)


def is_of_another_build(facts: dict[str, str]) -> bool:
    """Was it recorded with another build of nvcc, which may rightly print something else?"""
    return facts.get("toolkit", "") not in ("", nvcc_build())


def compare(item: Wanted, code: int, text: str) -> str:
    """What differs from the recording, or ""; times are passed over."""
    try:
        kept = capture.recorded_output(ROOT, item.chapter, item.machine, item.name)
    except capture.CaptureError as problem:
        return str(problem)
    if is_of_another_build(kept["facts"]):
        return ""
    if int(kept["facts"].get("exit", "0")) != code:
        return f"ended with {code}, recorded is {kept['facts'].get('exit', '0')}"
    if _comparable(kept["output"]) != _comparable(text):
        return f"prints something else now:\n{text}"
    return ""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m tools.record_outputs", description=__doc__.splitlines()[0]
    )
    parser.add_argument("machine", help="nvidia-h200, nvcc-13.0, …: the name after :device:")
    parser.add_argument("chapters", nargs="*", help="slugs; all chapters when none is named")
    parser.add_argument(
        "--check", action="store_true", help="compare with what is recorded, write nothing"
    )
    parser.add_argument(
        "--only", default="", help="names of outputs that match this regular expression"
    )
    options = parser.parse_args(arguments)
    if reason := why_not_here(options.machine):
        print(reason)
        return 2
    known = chapters()
    if unknown := sorted(set(options.chapters) - set(known)):
        parser.error(f"there is no chapter {unknown[0]}; known: {', '.join(known)}")
    slugs = options.chapters or known
    done = failed = 0
    for item in (one for slug in slugs for one in wanted(slug)):
        if item.machine != options.machine or not re.search(options.only, item.name):
            continue
        if tool := lacking_tool(item.command):
            print(f"skipped  {item.chapter} {item.name}: {tool} is not on PATH")
            continue
        command, code, text = run(item)
        if not right_exit(item, code):
            problem = f"ended with {code}, expected {item.exit}:\n{text}"
        elif options.check:
            problem = compare(item, code, text)
        else:
            problem = ""
            write_text(item.path, render(item, command, code, text))
        print(
            f"{'failed  ' if problem else 'fine    '} {item.chapter} {item.name}"
            + (f": {problem}" if problem else "")
        )
        failed += bool(problem)
        done += 1
    print(f"{done - failed} fine, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
