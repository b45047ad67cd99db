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
A program is built once for each content: build/chapter-tests/ keeps it, so that a second run is
quick. Standard library only, so that it also runs on a bare GPU machine.
"""

from __future__ import annotations

import concurrent.futures
import ctypes
import functools
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("COALESCE_BUILD", ROOT / "build")).resolve()
CPUCC = ROOT / "src" / "cpu_device" / "cpucc"
INCLUDES = [ROOT / "src", ROOT / "tests"]
RUN_SECONDS = 60
BUILD_SECONDS = 300
SANITIZERS = {"sanitizer": "memcheck", "racecheck": "racecheck", "synccheck": "synccheck"}
DEVICES = ("cpu", "gpu", *SANITIZERS, "nogpu", "nvcc", "g++")
BUILT_BY_NVCC = dict.fromkeys(("gpu", *SANITIZERS, "nogpu", "nvcc"), "gpu")

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


@dataclass(frozen=True)
class Outcome:
    """What a build or a run came to. `code` is as a shell shows it: 128 + N for signal N."""

    code: int
    output: str
    command: str
    built: bool = True


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


def exercises() -> list[Path]:
    """Every chapter's exercises: folders with a check."""
    return sorted(p.parent for chapter in chapters() for p in chapter.glob("exercises/*/check.cpp"))


def name_of(path: Path) -> str:
    """Path inside chapters/, for messages and test names."""
    return path.relative_to(ROOT / "chapters").as_posix()


# What this machine has ---------------------------------------------------------------------------


@functools.cache
def gpu_count() -> int:
    """GPUs that CUDA's driver offers; 0 without a driver."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    count = ctypes.c_int(0)
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return 0
    return count.value


@functools.cache
def tool(name: str) -> str | None:
    """Path of one of the toolkit's tools, from PATH, NVCC's folder or the usual places."""
    found = shutil.which(name)
    if found:
        return found
    folders = ["/usr/local/cuda/bin", "/opt/cuda/bin", "/usr/local/cuda/compute-sanitizer"]
    return next((f"{f}/{name}" for f in folders if os.access(f"{f}/{name}", os.X_OK)), None)


@functools.cache
def clang_problem() -> str | None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "toolchain.py", "clang"], capture_output=True, text=True
    )
    return None if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def lacking(device: str, *, library: bool = False) -> str | None:
    """Why programs cannot be built and run for `device` here, in a sentence; None when they can."""
    if device == "cpu" and clang_problem():
        return clang_problem()
    if device == "g++":
        return None if tool("g++") else "g++ was not found"
    if device != "cpu" and tool("nvcc") is None:
        return "nvcc was not found"
    if (device == "gpu" or device in SANITIZERS) and gpu_count() == 0:
        return "no GPU was found"
    if device in SANITIZERS and tool("compute-sanitizer") is None:
        return "compute-sanitizer was not found"
    if library and not library_of(device).is_file():
        return f"{library_of(device)} is not built (meson compile -C {BUILD})"
    return None


def library_of(device: str) -> Path:
    """The course's support library for a device."""
    return BUILD / "src" / "coalesce" / f"libcoalesce{'-cpu' if device == 'cpu' else ''}.a"


def compiler_of(device: str) -> str:
    """The device whose compiler is asked for: "nvcc" for everything that a GPU runs."""
    return "nvcc" if device in BUILT_BY_NVCC else device


# Building ----------------------------------------------------------------------------------------


def compile_command(
    device: str,
    sources: Sequence[Path],
    output: Path,
    *,
    includes: Iterable[Path] = (),
    library: bool = False,
) -> list[str]:
    """The command that makes a program of `sources`; an object file where `output` ends in .o."""
    paths = [f"-I{path}" for path in (*INCLUDES, *includes)]
    files = [str(path) for path in sources]
    if device == "cpu":
        command = [str(CPUCC), "--check", "-std=c++20", *paths, *files]
        runtime = BUILD / "src" / "cpu_device" / "libcpu_device.a"
        if runtime.is_file():  # else cpucc builds one of its own
            command.append(f"--runtime={runtime}")
    elif device == "g++":
        command = ["g++", "-std=c++20", *paths, *files]
    else:
        arch = ["-arch=native"] if gpu_count() else ["-arch=sm_90"]
        command = [tool("nvcc") or "nvcc", *arch, "-std=c++20", "-lineinfo", *paths, *files]
    if output.suffix == ".o":
        return [*command, "-c", "-o", str(output)]
    if library:
        command += [str(library_of(device)), "-lpthread", *(["-ldl"] if device == "cpu" else [])]
    return [*command, "-o", str(output)]


@functools.cache
def _tools_digest(device: str) -> str:
    digest = hashlib.sha256()
    if device == "cpu":
        files = sorted(
            p
            for p in (ROOT / "src" / "cpu_device").rglob("*")
            if p.is_file() and "tests" not in p.parts and p.suffix != ".pyc"
        )
        for path in files:
            digest.update(path.read_bytes())
    else:
        done = subprocess.run([tool("nvcc") or "nvcc", "--version"], capture_output=True)
        digest.update(done.stdout)
    for path in sorted((ROOT / "src" / "coalesce").glob("*.hpp")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


_locks: dict[str, threading.Lock] = {}
_locks_guard = threading.Lock()


def build(
    device: str,
    sources: Sequence[Path],
    *,
    includes: Iterable[Path] = (),
    library: bool = False,
    suffix: str = "",
) -> tuple[Path | None, Outcome]:
    """A program (or, with suffix ".o", an object file) of `sources`, and what the compiler said.

    The path is None when it did not compile. Equal contents are compiled once.
    """
    includes = list(includes)
    digest = hashlib.sha256(f"{device} {library} {gpu_count()} {_tools_digest(device)}".encode())
    for path in sources:
        digest.update(f"{path}\0".encode() + path.read_bytes())
    for folder in [*includes, *{path.parent for path in sources}, Path(__file__).parent]:
        for path in sorted([*folder.glob("*.hpp"), *folder.parent.glob("*.hpp")]):
            digest.update(f"{path}\0".encode() + path.read_bytes())
    if library:
        digest.update(str(library_of(device).stat().st_mtime_ns).encode())
    key = digest.hexdigest()[:20]
    folder = BUILD / "chapter-tests"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{sources[-1].stem}-{key}{suffix}"
    with _locks_guard:
        lock = _locks.setdefault(key, threading.Lock())
    with lock:
        if target.is_file():
            return target, Outcome(0, "", "")
        fresh = folder / f"{target.stem}.{os.getpid()}{suffix}"
        command = compile_command(device, sources, fresh, includes=includes, library=library)
        done = _run(command, BUILD_SECONDS)
        if done.code != 0:
            return None, Outcome(done.code, done.output, done.command, built=False)
        fresh.replace(target)
        return target, done


def _run(command: Sequence[str], seconds: float, **more: str) -> Outcome:
    """Runs a command with `more` in its environment; the whole process group ends with it."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")} | more
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=printed,
            env=environment,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            code = process.wait(seconds)
        except BaseException as problem:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if not isinstance(problem, subprocess.TimeoutExpired):
                raise
            code = 124
        printed.seek(0)
        output = printed.read().decode("utf-8", "replace")
    code = 128 - code if code < 0 else code
    return Outcome(code, output, " ".join(map(str, command)))


def run(program: Path, *arguments: str, device: str = "cpu") -> Outcome:
    """Runs a built program, under a tool of compute-sanitizer where the device is one."""
    front = []
    if device in SANITIZERS:
        named = ["--tool", SANITIZERS[device], "--error-exitcode", "86"]
        front = [tool("compute-sanitizer"), *named]
    more = {"CUDA_VISIBLE_DEVICES": ""} if device == "nogpu" else {}
    return _run([*front, str(program), *arguments], RUN_SECONDS, **more)


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


def starter(exercise: Path) -> str:
    """The file that a reader begins with: the solution without its answer and without tags."""
    lines, inside, found = [], False, False
    for line in (exercise / "solution.cu").read_text(encoding="utf-8").splitlines():
        tag = re.fullmatch(r"\s*// \[(/?)([a-z_-]+)\]", line)
        if tag and tag[2] == "answer":
            inside = not tag[1]
            if inside:
                found = True
                lines.append(line[: line.index("//")] + "// Your code here.")
        elif not tag and not inside:
            lines.append(line)
    if not found:
        raise ExpectationError(f"{name_of(exercise)}/solution.cu has no tag [answer]")
    asked = (exercise / "exercise.hpp").relative_to(ROOT).as_posix()
    if (exercise / "exercise.hpp").is_file():
        lines[0] = f"// Exercise {name_of(exercise)}. What is asked is in\n// {asked}"
    return "\n".join(lines) + "\n"


# Ahead of the tests ------------------------------------------------------------------------------


def build_ahead(jobs: Iterable[tuple], workers: int = 2) -> None:
    """Builds in parallel what the tests will ask for; failures show again where they belong."""
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(function, *arguments) for function, *arguments in jobs]:
            done.exception()
