"""Runs the commands that the pages show and keeps what they print.

Every `console` and `goes-wrong` block of docs/ and chapters/ is found in the Markdown, its commands
are run from the repository's root in the order of the page (two pages at a time), and what they
print is stored without its volatile parts under `build/capture/`. A block is run again only when
its commands, the built programs they run, or the sources they name have changed.

    python -m tools.capture [--list] [--force] [PAGE …]

runs what is missing and names each command that failed or was skipped. The programs must be built;
`./course site` does all of it in order. Standard library only.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

TIMEOUT_SECONDS = 120
MAX_OUTPUT_BYTES = 200_000
COLUMNS = 90
ANY_FAILURE = "failure"

_FENCE = re.compile(r"^(?P<indent>[ ]*)(?P<fence>`{3,}|:{3,}|~{3,})(?P<info>.*)$")
_DIRECTIVE = re.compile(r"^\{(?P<name>[a-z-]+)\}\s*(?P<argument>.*)$")
_OPTION = re.compile(r"^:(?P<name>[a-z-]+):(?:\s+(?P<value>.*))?$")
# Lines of a failed command that say why: a wrong answer, an error.
_TELLING = re.compile(r"^check: (?!\s*right)|\berror\b|cudaError|WRONG", re.MULTILINE)
_WRITES = re.compile(r"(?:^|\s)(?:>>?\s*\S|tee\s|mkdir\s|cp\s|mv\s|-o[\s=]|cd\s|export\s)")
# What commands of the pages make is no input of theirs; built programs are.
_MADE, _BUILT = ("work/", "build/"), "build/chapters/"
_OUTPUT = re.compile(r"(?:-o[ =]?|>>?[ ]?)([^\s;&|]+)")


class CaptureError(ValueError):
    """A block that cannot be understood. The message names the page and the line."""


@dataclass(frozen=True)
class Block:
    """One block of commands on a page."""

    page: Path
    line: int
    commands: tuple[str, ...]
    expected: int | str = 0
    skip: str | None = None
    recorded: str | None = None
    alone: bool = False  # needs nothing of the blocks above it, and leaves nothing for those below

    @property
    def live(self) -> bool:
        """True when the commands are run here, rather than skipped or recorded elsewhere."""
        return self.skip is None and self.recorded is None

    @property
    def writes(self) -> bool:
        """True when a later block of the page may need what this one leaves behind."""
        return not self.alone and any(_WRITES.search(command) for command in self.commands)


@dataclass
class Result:
    """What the commands of a block printed: one entry a command, in order."""

    commands: list[dict] = field(default_factory=list)
    problem: str | None = None

    def to_json(self) -> dict:
        return {"commands": self.commands, "problem": self.problem}


@dataclass(frozen=True)
class Repository:
    """Where things are. `build` holds the built programs and the captures."""

    root: Path
    build: Path
    digests: dict[Path, str] = field(default_factory=dict, compare=False, repr=False)

    @property
    def store(self) -> Path:
        return self.build / "capture"

    @cached_property
    def tools_digest(self) -> str:
        """A digest of the course's own tools: what `./course` prints may change with them."""
        files = [*sorted((self.root / "tools").glob("*.py")), self.root / "course"]
        return self.digest_files(path for path in files if path.name not in _NOT_PRINTING)

    @cached_property
    def compiler(self) -> list[Path]:
        """What a program that cpucc compiles on a page is made with."""
        sources = self.root / "src"
        found = [*(sources / "cpu_device").rglob("*"), *(sources / "coalesce").glob("*.[hc]*")]
        return [path for path in found if path.is_file() and "__pycache__" not in path.parts]

    def digest_files(self, paths: Iterable[Path]) -> str:
        """A digest of names and contents. Each file is read once."""
        digest = hashlib.sha256()
        for path in paths:
            if path not in self.digests:
                text = path.read_bytes() if path.is_file() else b""
                self.digests[path] = hashlib.sha256(text).hexdigest()
            digest.update(f"{path.name}\0{self.digests[path]}".encode())
        return digest.hexdigest()

    @cached_property
    def programs(self) -> dict[str, Path]:
        """Built programs by name."""
        folder = self.build / "chapters"
        if not folder.is_dir():
            return {}
        return {path.name: path for path in folder.iterdir() if _is_program(path)}


# Changing these never changes what a command of the course prints.
_NOT_PRINTING = {"capture.py", "sitebuild.py", "numbers_check.py"}


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


# Finding blocks -------------------------------------------------------------------------------


def pages_of(chapter: Path) -> list[Path]:
    """The pages of a chapter: every text in its folder but the notes, `index.md` first; then the
    manuals of its labs."""
    found = [path for path in chapter.glob("*.md") if not path.name.startswith("notes")]
    found.sort(key=lambda path: (path.name != "index.md", path.name))
    return found + sorted(chapter.glob("*/manual.md"))


def pages(root: Path) -> list[Path]:
    """Every page of the site that may hold commands."""
    chapters = sorted(path for path in (root / "chapters").glob("*") if path.is_dir())
    found = [page for chapter in chapters for page in pages_of(chapter)]
    found += sorted(
        path
        for path in (root / "docs").rglob("*.md")
        if "chapters" not in path.relative_to(root / "docs").parts
    )
    return found


def find_blocks(page: Path, text: str | None = None) -> list[Block]:
    """The blocks of a page, in order; blocks inside other directives are found too."""
    lines = (page.read_text(encoding="utf-8") if text is None else text).splitlines()
    blocks: list[Block] = []
    _scan(page, lines, 1, blocks)
    return blocks


def _scan(page: Path, lines: list[str], first_line: int, blocks: list[Block]) -> None:
    at = 0
    while at < len(lines):
        match = _FENCE.match(lines[at])
        if not match:
            at += 1
            continue
        end = _closing(lines, at, match["fence"])
        body = [line[len(match["indent"]) :] for line in lines[at + 1 : end]]
        directive = _DIRECTIVE.match(match["info"].strip())
        if directive and directive["name"] in ("console", "goes-wrong"):
            make = _console_block if directive["name"] == "console" else _broken_block
            block = make(page, first_line + at, directive["argument"].strip(), body)
            if block:
                blocks.append(block)
        elif directive:
            _scan(page, body, first_line + at + 1, blocks)
        at = end + 1


def _closing(lines: list[str], start: int, fence: str) -> int:
    for at in range(start + 1, len(lines)):
        stripped = lines[at].strip()
        if stripped and set(stripped) == {fence[0]} and len(stripped) >= len(fence):
            return at
    return len(lines)


def split_options(body: list[str]) -> tuple[dict[str, str], list[str]]:
    """Options at the head of a directive's body, and the rest."""
    options: dict[str, str] = {}
    at = 0
    while at < len(body):
        match = _OPTION.match(body[at].strip())
        if not match:
            break
        options[match["name"]] = (match["value"] or "").strip()
        at += 1
    return options, body[at:]


def commands_of(lines: Iterable[str]) -> tuple[str, ...]:
    """Commands of a block: one a line, joined where a line ends in a backslash."""
    commands: list[str] = []
    pending = ""
    for line in lines:
        if not line.strip() and not pending:
            continue
        pending += line.rstrip()
        if pending.endswith("\\"):
            pending += "\n"
            continue
        commands.append(pending.strip())
        pending = ""
    if pending:
        commands.append(pending.strip())
    return tuple(commands)


def _expected(page: Path, line: int, text: str) -> int | str:
    if text == ANY_FAILURE:
        return ANY_FAILURE
    if not text.isdigit():
        raise CaptureError(f"{page.name}:{line}: :exit: takes a number or '{ANY_FAILURE}'")
    return int(text)


def _console_block(page: Path, line: int, argument: str, body: list[str]) -> Block | None:
    options, rest = split_options(body)
    return console_block(page, line, options, rest)


def console_block(page: Path, line: int, options: dict[str, str], body: list[str]) -> Block:
    """The block of a `console` directive."""
    commands = commands_of(body)
    recorded = options.get("recorded")
    skip = options.get("skip")
    if not commands and not recorded:
        raise CaptureError(f"{page.name}:{line}: a console block without a command")
    if skip == "":
        raise CaptureError(f"{page.name}:{line}: :skip: must give the reason")
    if "needs" in options and not recorded and skip is None:
        raise CaptureError(f"{page.name}:{line}: :needs: {options['needs']} wants :recorded: too")
    return Block(
        page,
        line,
        commands,
        expected=_expected(page, line, options.get("exit", "0")),
        skip=skip,
        recorded=recorded,
    )


def _broken_block(page: Path, line: int, argument: str, body: list[str]) -> Block | None:
    options, _ = split_options(body)
    return broken_block(page, line, argument, options)


def broken_block(page: Path, line: int, argument: str, options: dict[str, str]) -> Block | None:
    """The block of a `goes-wrong` directive: its command, or the CPU device's compiler and the
    program. None when only a recorded message is shown."""
    if "command" in options:
        commands = commands_of(options["command"].split(" && "))
    elif options.get("recorded") and "cpu" not in options:
        return None
    else:
        commands = broken_commands(page, argument)
    expected = _expected(page, line, options.get("exit", ANY_FAILURE))
    return Block(page, line, commands, expected=expected, alone="command" not in options)


def broken_commands(page: Path, argument: str) -> tuple[str, ...]:
    """How a broken program is built and run on the CPU device."""
    root = repository_root(page)
    folder = page.resolve().parent
    source = (root / argument[1:]) if argument.startswith("/") else folder / argument
    name = Path(os.path.relpath(source, root)).as_posix()
    # The chapter's number keeps programs of one name in two chapters apart.
    number = re.search(r"chapters/(\d\d)-", name)
    program = f"work/{number[1] if number else 'broken'}/{source.stem}"
    return (f"src/cpu_device/cpucc --check -I src {name} -o {program}", program)


def repository_root(path: Path) -> Path:
    """The folder above `path` that holds `chapters/` and `docs/`."""
    for parent in path.resolve().parents:
        if (parent / "chapters").is_dir() and (parent / "docs").is_dir():
            return parent
    raise CaptureError(f"{path} lies in no checkout of the course")


# Keys -----------------------------------------------------------------------------------------


def outputs_of(block: Block) -> set[str]:
    """Files that the block's commands write, as far as they say so."""
    return set(_OUTPUT.findall("\n".join(block.commands)))


def inputs_of(repository: Repository, block: Block, written: set[str] = frozenset()) -> list[Path]:
    """Programs and sources that the block's output depends on, without what commands of the page
    have `written` themselves."""
    found: list[Path] = []
    written = written | outputs_of(block)
    for command in block.commands:
        try:
            words = shlex.split(command, comments=True)
        except ValueError:
            words = command.split()
        for word in words:
            path = repository.root / word
            made = word in written or (word.startswith(_MADE) and not word.startswith(_BUILT))
            if "/" in word and not made and path.is_file():
                found.append(path)
        if words[:1] == ["./course"] and words[1:2] == ["run"] and len(words) > 2:
            found += _chapter_programs(repository, words[2])
        if any("cpucc" in word for word in words):
            found += repository.compiler
    return sorted({path for path in found if path.is_file()})


def _chapter_programs(repository: Repository, chapter: str) -> list[Path]:
    number = chapter.zfill(2) if chapter.isdigit() else None
    matches = []
    for name, path in repository.programs.items():
        if not name.endswith("-cpu") or "-test" in name:
            continue
        if (number and name.startswith(number + "-")) or (not number and chapter in name):
            matches.append(path)
    return matches


def key_of(repository: Repository, block: Block, before: Iterable[Block] = ()) -> str:
    """Name of the block's capture. `before` are the blocks above it on the page."""
    digest = hashlib.sha256()
    needed = [] if block.alone else [other for other in before if other.writes and other.live]
    written = {name for other in needed for name in outputs_of(other)}
    for one in [*needed, block]:
        digest.update(json.dumps([one.commands, str(one.expected)]).encode())
        digest.update(repository.digest_files(inputs_of(repository, one, written)).encode())
        if any("./course" in command for command in one.commands):
            digest.update(repository.tools_digest.encode())
    return digest.hexdigest()[:20]


def keyed_blocks(repository: Repository, page: Path) -> list[tuple[Block, str]]:
    """The page's live blocks, each with the key of its capture."""
    blocks = [block for block in find_blocks(page) if block.live]
    return [(block, key_of(repository, block, blocks[:at])) for at, block in enumerate(blocks)]


def load(repository: Repository, key: str) -> Result | None:
    """A capture, or None."""
    path = repository.store / f"{key}.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Result(data["commands"], data["problem"])
    except (OSError, ValueError, KeyError):
        return None


# Volatile parts -------------------------------------------------------------------------------

_TIME = r"\d+(?:[.,]\d+)?(?:e[-+]?\d+)?[ \u202f\u00a0]?"
_NORMALISE: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\x1b\[[0-9;?]*[A-Za-z]"), ""),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"), "…"),
    (re.compile(r"\b\d\d:\d\d:\d\d(?:\.\d+)?\b"), "…"),
    (re.compile(rf"\b{_TIME}(ns|µs|us|ms|s|sec|seconds|min)\b(?!/)"), r"… \1"),
    (re.compile(r"0x[0-9a-fA-F]{9,16}\b"), "0x…"),
    (re.compile(r"==\d+=="), "==…=="),
    (re.compile(r"\b(pid|PID|process|Process)([ =:]+)\d+"), r"\1\2…"),
    (re.compile(r"/tmp/[^\s:'\"]+"), "/tmp/…"),
)


def normalise(text: str, root: Path) -> str:
    """`text` without what differs from run to run or from machine to machine."""
    for folder in {str(root), str(root.resolve())}:
        text = text.replace(folder, "~/coalesce")
    home = str(Path.home())
    if home not in ("", "/"):
        text = re.sub(re.escape(home) + r"(?=[/\s:]|$)", "~", text)
    for pattern, replacement in _NORMALISE:
        text = pattern.sub(replacement, text)
    # A line that was drawn over with carriage returns shows its last state.
    text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def environment(root: Path) -> dict[str, str]:
    """The environment of a command: plain text, no progress, no GPU, nothing that pretends one."""
    keep = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("CPU_DEVICE_", "COALESCE_DRAFT", "CUDA_VISIBLE"))
    }
    keep |= {
        "LC_ALL": "C.UTF-8",
        "COLUMNS": str(COLUMNS),
        "TERM": "dumb",
        "NO_COLOR": "1",
        "COALESCE_QUIET": "1",
        "CUDA_VISIBLE_DEVICES": "",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return keep


# Running --------------------------------------------------------------------------------------


def run_command(command: str, root: Path, timeout: float = TIMEOUT_SECONDS) -> tuple[int, str]:
    """Exit code and printed text of one command. The whole process group ends with it."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            ["bash", "-c", command],
            cwd=root,
            env=environment(root),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code = process.wait(timeout)
        except BaseException as problem:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if not isinstance(problem, subprocess.TimeoutExpired):
                raise
            code = -1
        output.seek(0)
        text = output.read(MAX_OUTPUT_BYTES).decode("utf-8", "replace")
    if code == -1:
        text += f"\n(stopped after {timeout:g} s)"
    return code, text


def run_block(repository: Repository, block: Block) -> Result:
    """Runs a block's commands; the last one must end as expected, the others with 0."""
    result = Result()
    for program in re.findall(r"-o (\S+)", " ".join(block.commands)):
        (repository.root / program).parent.mkdir(parents=True, exist_ok=True)
    for at, command in enumerate(block.commands):
        code, text = run_command(command, repository.root)
        result.commands.append(
            {"command": command, "exit": code, "output": normalise(text, repository.root)}
        )
        last = at == len(block.commands) - 1
        if block.expected == ANY_FAILURE:
            if code not in (0, -1):
                return result
            right = not last and code == 0
        else:
            right = code == (block.expected if last else 0)
        if not right:
            wanted = block.expected if last or block.expected == ANY_FAILURE else 0
            result.problem = f"`{command}` ended with {code}, expected {wanted}"
            lines = result.commands[-1]["output"].splitlines()
            telling = [line for line in lines if _TELLING.search(line)][:3] or lines[-3:]
            if telling:
                result.problem += ": " + " / ".join(telling)
            return result
    return result


def _store(repository: Repository, key: str, result: Result) -> None:
    repository.store.mkdir(parents=True, exist_ok=True)
    path = repository.store / f"{key}.json"
    temporary = path.with_suffix(f".{os.getpid()}.tmp")
    temporary.write_text(json.dumps(result.to_json(), ensure_ascii=False, indent=1))
    temporary.replace(path)


@dataclass
class Report:
    """What a capture did."""

    ran: int = 0
    cached: int = 0
    recorded: int = 0
    skipped: list[tuple[str, str, str]] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)

    def add(self, other: Report) -> None:
        self.ran += other.ran
        self.cached += other.cached
        self.recorded += other.recorded
        self.skipped += other.skipped
        self.failed += other.failed


Progress = Callable[[str], None] | None
Chain = list[tuple[Block, str]]


def _place(repository: Repository, block: Block) -> str:
    name = Path(os.path.relpath(block.page.resolve(), repository.root)).as_posix()
    return f"{name}:{block.line}"


def plan_page(repository: Repository, page: Path) -> tuple[Report, list[Chain]]:
    """What is not run, and chains of blocks that may run beside each other: one of the blocks that
    may need each other's files, in the order of the page, and one for each block that stands alone.
    """
    report = Report()
    try:
        blocks = find_blocks(page)
    except CaptureError as problem:
        name = Path(os.path.relpath(page.resolve(), repository.root)).as_posix()
        report.failed.append((name, str(problem)))
        return report, []
    for block in blocks:
        if block.skip is not None:
            report.skipped.append((_place(repository, block), block.commands[0], block.skip))
        elif block.recorded is not None:
            report.recorded += 1
    keyed = keyed_blocks(repository, page)
    chains = [[entry] for entry in keyed if entry[0].alone]
    return report, [[entry for entry in keyed if not entry[0].alone], *chains]


def run_chain(
    repository: Repository, chain: Chain, *, force: bool = False, progress: Progress = None
) -> Report:
    """Runs the blocks of a chain that have no capture."""
    report = Report()
    found = {key: None if force else load(repository, key) for _, key in chain}
    missing = [at for at, (_, key) in enumerate(chain) if found[key] is None]
    for at, (block, key) in enumerate(chain):
        result = found[key]
        # A missing block needs the files that earlier blocks of the page write.
        if result is not None and not (block.writes and any(later > at for later in missing)):
            report.cached += 1
            continue
        if progress:
            progress(f"{_place(repository, block)}: {block.commands[-1]}")
        result = run_block(repository, block)
        report.ran += 1
        if result.problem:
            report.failed.append((_place(repository, block), result.problem))
        else:
            _store(repository, key, result)
    return report


def capture_page(
    repository: Repository, page: Path, *, force: bool = False, progress: Progress = None
) -> Report:
    """Runs the blocks of a page that have no capture."""
    report, chains = plan_page(repository, page)
    for chain in chains:
        report.add(run_chain(repository, chain, force=force, progress=progress))
    return report


def capture_all(
    root: Path,
    build: Path,
    *,
    only: list[Path] | None = None,
    force: bool = False,
    progress: Progress = None,
) -> Report:
    """Captures every page, two chains at a time."""
    repository = Repository(root.resolve(), build.resolve())
    total = Report()
    chains: list[Chain] = []
    planned: set[str] = set()
    for page in only or pages(repository.root):
        report, found = plan_page(repository, page)
        total.add(report)
        for chain in found:
            names = [key for _, key in chain]
            if len(chain) != 1 or names[0] not in planned:
                chains.append(chain)
            planned.update(names)
    # Long chains first, so that no worker is left with one at the end.
    chains.sort(key=len, reverse=True)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        jobs = [
            pool.submit(run_chain, repository, chain, force=force, progress=progress)
            for chain in chains
            if chain
        ]
        try:
            for job in jobs:
                total.add(job.result())
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    total.failed.sort()
    return total


def recorded_output(root: Path, chapter: str, device: str, name: str) -> dict:
    """A recorded output: `chapters/<slug>/recorded/<device>/<name>.txt`.

    The first line is the command, then come `#: key: value` lines, then the output as printed.
    """
    path = root / "chapters" / chapter / "recorded" / device / f"{name}.txt"
    if not path.is_file():
        raise CaptureError(f"no recorded output {path.relative_to(root)}")
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or not lines[0].strip():
        raise CaptureError(f"{path.relative_to(root)} has no command in its first line")
    command = lines[0].removeprefix("$ ").strip()
    facts: dict[str, str] = {}
    at = 1
    while at < len(lines) and lines[at].startswith("#:"):
        key, _, value = lines[at][2:].partition(":")
        facts[key.strip()] = value.strip()
        at += 1
    return {
        "command": facts.get("command", command),
        "facts": facts,
        "output": "\n".join(lines[at:]).strip("\n"),
        "path": path,
    }


def use_built_programs() -> None:
    """Commands of the course take the programs as they are built, and print answers only.

    A build in the middle would change the programs under the names of the captures.
    """
    os.environ.setdefault("COALESCE_BUILT", "1")
    os.environ.setdefault("COALESCE_QUIET", "1")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.capture", description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE")
    parser.add_argument("--build", type=Path, default=None, help="build folder (default: build)")
    parser.add_argument("--force", action="store_true", help="run every block again")
    parser.add_argument("--list", action="store_true", help="list the blocks, run nothing")
    options = parser.parse_args(arguments)
    root = Path(__file__).resolve().parent.parent
    build = options.build or root / "build"
    if options.list:
        for page in options.pages or pages(root):
            for block in find_blocks(page):
                state = block.skip or (f"recorded {block.recorded}" if block.recorded else "live")
                print(f"{page.relative_to(root)}:{block.line}: {state}: {block.commands}")
        return 0
    only = [page.resolve() for page in options.pages] or None
    use_built_programs()
    report = capture_all(root, build, only=only, force=options.force, progress=print)
    for place, command, reason in report.skipped:
        print(f"skipped  {place}: {command}: {reason}")
    for place, problem in report.failed:
        print(f"failed   {place}: {problem}")
    print(
        f"{report.ran} run, {report.cached} unchanged, {report.recorded} recorded, "
        f"{len(report.skipped)} skipped, {len(report.failed)} failed"
    )
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
