"""Helpers for the tests of the chapters: build a small `.cu`, run it, check what it promises.

A broken program says in its comments how it must fail, one line a way:

    // expect: cpu exit 86 /regular expression/    built by cpucc --check, run on the CPU device
    // expect: gpu exit 1 /regular expression/     built by nvcc, run on a GPU
    // expect: sanitizer exit 86 /…/               the same under compute-sanitizer
    // expect: racecheck exit 86 /…/               the same under its tool; also `synccheck`
    // expect: nogpu exit 1 /…/                    the same where no GPU can be seen
    // expect: nvcc compile-error /…/              must not compile; also `cpu` and `g++`
    // expect: cpu not-run: reason in words        cannot be shown there

Several lines for one device are alternatives. The expression is searched in everything printed, and
`.` matches a line's end. An exercise is a folder with `solution.cu`, `check.cpp` and `wrong/*.cu`.
How programs are built stands in `tools/programs.py`. Standard library only, so that it also runs on
a bare GPU machine.
"""

from __future__ import annotations

import concurrent.futures
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.labs.skeleton import skeleton_of_exercise as starter  # noqa: F401
from tools.labs.tasks import exercise_folders as exercises  # noqa: F401
from tools.programs import (  # noqa: F401 - the tests use them by this module's name
    BUILD,
    BUILD_SECONDS,
    BUILT_BY_NVCC,
    CPUCC,
    INCLUDES,
    ROOT,
    SANITIZERS,
    Outcome,
    build,
    compile_command,
    compiler_of,
    gpu_count,
    lacking,
    library_of,
    run_command,
    tool,
)

RUN_SECONDS = 60
DEVICES = ("cpu", "gpu", *SANITIZERS, "nogpu", "nvcc", "g++")

_EXPECT = re.compile(
    r"^// expect: (?P<device>cpu|gpu|sanitizer|racecheck|synccheck|nogpu|nvcc|g\+\+) "
    r"(?:exit (?P<code>\d+)|(?P<error>compile-error)|not-run: (?P<reason>.+?))"
    r"(?: /(?P<regex>.*)/)?$"
)


class ExpectationError(ValueError):
    """A broken program whose `// expect:` lines cannot be read. Names the file and the line."""


@dataclass(frozen=True)
class Expectation:
    """One way in which a broken program may end. `code` is None for a compile error or a skip."""

    device: str
    code: int | None = None
    regex: str = ""
    skip: str = ""

    @property
    def compile_error(self) -> bool:
        return self.code is None and not self.skip

    def met_by(self, outcome: Outcome) -> bool:
        if self.compile_error:
            return not outcome.built and bool(re.search(self.regex, outcome.output, re.DOTALL))
        return (
            outcome.built
            and outcome.code == self.code
            and bool(re.search(self.regex, outcome.output, re.DOTALL))
        )

    def __str__(self) -> str:
        if self.skip:
            return f"{self.device} not-run: {self.skip}"
        how = "compile-error" if self.compile_error else f"exit {self.code}"
        return f"{self.device} {how} /{self.regex}/"


# Expectations -----------------------------------------------------------------------------------


def expectations(source: Path) -> list[Expectation]:
    """The `// expect:` lines of a program, in order. At least one, or ExpectationError."""
    found = []
    for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("// expect"):
            continue
        match = _EXPECT.match(line)
        if match is None:
            raise ExpectationError(f"{source.name}:{number}: cannot read '{line}'")
        if match["reason"] and match["regex"]:
            raise ExpectationError(f"{source.name}:{number}: not-run has no expression")
        if not match["reason"]:
            re.compile(match["regex"] or "")
        code = int(match["code"]) if match["code"] else None
        found.append(
            Expectation(match["device"], code, match["regex"] or "", match["reason"] or "")
        )
    if not found:
        raise ExpectationError(f"{source.name} has no '// expect: DEVICE exit CODE /regex/'")
    return found


def expected_on(source: Path, device: str) -> list[Expectation]:
    return [one for one in expectations(source) if one.device == device]


def chapters() -> list[Path]:
    """Every chapter's folder."""
    return sorted(path for path in (ROOT / "chapters").glob("[0-9][0-9]-*") if path.is_dir())


def broken_programs() -> list[Path]:
    """Every chapter's programs that must fail."""
    return sorted(path for chapter in chapters() for path in chapter.glob("broken/*.c*"))


def name_of(path: Path) -> str:
    """Path inside chapters/, for messages and test names."""
    return path.relative_to(ROOT / "chapters").as_posix()


def run(program: Path, *arguments: str, device: str = "cpu") -> Outcome:
    """Runs a built program, under a tool of compute-sanitizer where the device is one."""
    front = []
    if device in SANITIZERS:
        named = ["--tool", SANITIZERS[device], "--error-exitcode", "86"]
        front = [tool("compute-sanitizer"), *named]
    more = {"CUDA_VISIBLE_DEVICES": ""} if device == "nogpu" else {}
    return run_command([*front, str(program), *arguments], RUN_SECONDS, **more)


# Broken programs ---------------------------------------------------------------------------------

_INCLUDE = re.compile(r"^\s*#\s*include\s*([<\"])([^>\"]+)[>\"].*$")


def bundle(sources: Sequence[Path]) -> str:
    """One source of many programs: each in a namespace of its own, chosen by its name.

    One compilation takes hardly longer than that of one program. File names and line numbers in
    messages stay those of the programs.
    """
    includes: dict[str, None] = {}
    bodies = []
    for source in sources:
        lines = source.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            match = _INCLUDE.match(line)
            if match:
                name = match[2]
                own = match[1] == '"' and (source.parent / name).is_file()
                wanted = f'"{(source.parent / name).resolve()}"' if own else f"{match[1]}{name}"
                wanted += "" if own else {"<": ">", '"': '"'}[match[1]]
                includes[f"#include {wanted}"] = None
                lines[number] = ""
        bodies += [
            f"namespace broken_{source.stem} {{",
            f'#line 1 "{source.resolve()}"',
            *lines,
            "",
            "}",
        ]
    choices = [f'  if (name == "{s.stem}") return broken_{s.stem}::program();' for s in sources]
    return "\n".join([
        "#include <string_view>", *includes, "#define main program", *bodies, "#undef main",
        "int main(int argc, char** argv) {",
        '  const std::string_view name = argc > 1 ? argv[1] : "";',
        *choices, "  return 2;", "}", "",
    ])  # fmt: skip


def compiles(source: Path) -> bool:
    """True when a broken program is meant to compile."""
    return not any(one.compile_error for one in expectations(source))


def build_bundle(device: str, sources: Sequence[Path]) -> tuple[Path | None, Outcome]:
    """The bundle of programs, built for a device."""
    text = bundle(sources)
    name = hashlib.sha256(text.encode()).hexdigest()[:12]
    folder = BUILD / "chapter-tests"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"bundle-{name}.cu"
    if not source.is_file():
        source.write_text(text, encoding="utf-8")
    return build(BUILT_BY_NVCC.get(device, device), [source])


def neighbours(source: Path) -> list[Path]:
    """The programs of the same folder, this one included, that compile."""
    return [path for path in sorted(source.parent.glob("*.cu")) if compiles(path)]


def outcome_of(source: Path, device: str, *, alone: bool = False) -> Outcome:
    """Builds (with its neighbours, unless `alone`) and runs a broken program on a device."""
    if alone or not compiles(source):
        program, built = build(BUILT_BY_NVCC.get(device, device), [source])
        arguments: list[str] = []
    else:
        program, built = build_bundle(device, neighbours(source))
        arguments = [source.stem]
        if program is None:  # some cannot live in a namespace, or one does not compile
            return outcome_of(source, device, alone=True)
    if program is None or device in ("nvcc", "g++"):
        return built
    return run(program, *arguments, device=device)


def problem_with(source: Path, device: str, outcome: Outcome) -> str | None:
    """Why an outcome is none of those that the program promises; None when it is one."""
    wanted = [one for one in expected_on(source, device) if not one.skip]
    if any(one.met_by(outcome) for one in wanted):
        return None
    said = outcome.output.strip() or "(nothing)"
    how = f"exit code {outcome.code}" if outcome.built else "a compile error"
    return (
        f"{name_of(source)} on {device}: expected {' or '.join(map(str, wanted))}, got {how} "
        f"and the output\n{said}"
    )


# Exercises ---------------------------------------------------------------------------------------


def outcome_of_answer(exercise: Path, answer: Path, device: str) -> Outcome:
    """Builds an answer with the exercise's check and runs it."""
    check, said = build(device, [exercise / "check.cpp"], includes=[exercise], suffix=".o")
    if check is None:
        return said
    program, said = build(device, [check, answer], includes=[exercise], library=True)
    return said if program is None else run(program, device=device)


# Ahead of the tests ------------------------------------------------------------------------------


def build_ahead(jobs: Iterable[tuple], workers: int = 2) -> None:
    """Builds in parallel what the tests will ask for; failures show again where they belong."""
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(function, *arguments) for function, *arguments in jobs]:
            done.exception()
