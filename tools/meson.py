"""Meson and Ninja: configuring, compiling and testing the build folder."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools import atomic, paths, process, toolchain
from tools.console import Console
from tools.errors import FAILED, SETUP_NEEDED, Failure

LEAST_MESON = (1, 8, 1)
WHY_LEAST = "older Meson misses changed headers of .cu files and mixes up the C++ standards"


def environment() -> dict[str, str]:
    """The environment of every build: tools of .venv first, and an nvcc where one is found."""
    env = dict(os.environ)
    folders = []
    scripts = paths.venv_dir() / "bin"
    if scripts.is_dir():
        folders.append(str(scripts))
    nvccs = toolchain.all_nvccs()
    if nvccs and not nvccs[0].on_path:
        folders.append(str(nvccs[0].folder))
    env["PATH"] = os.pathsep.join([*folders, env.get("PATH", os.defpath)])
    env["COALESCE_BUILD"] = str(paths.build_dir())
    env["COALESCE_VENV"] = str(paths.venv_dir())
    env["PYTHONDONTWRITEBYTECODE"] = "1"
    if not paths.writable(Path(env.get("HOME", "/nonexistent"))):
        env["HOME"] = str(paths.build_dir() / "home")  # tools that insist on one
        Path(env["HOME"]).mkdir(parents=True, exist_ok=True)
    return env


def parse_version(text: str) -> tuple[int, ...]:
    match = re.match(r"\s*(\d+)\.(\d+)(?:\.(\d+))?", text)
    return tuple(int(n) for n in match.groups() if n) if match else ()


def find(program: str) -> Path | None:
    """meson or ninja: from .venv first."""
    own = paths.venv_dir() / "bin" / program
    if own.exists():
        return own
    found = shutil.which(program)
    return Path(found) if found else None


def find_meson() -> Path:
    path = find("meson")
    least = ".".join(str(n) for n in LEAST_MESON)
    if not path:
        raise Failure("Meson is not found.", "Run `./course setup`.", SETUP_NEEDED)
    answer = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    version = parse_version(answer.stdout)
    if version < LEAST_MESON:
        raise Failure(
            f"Meson {answer.stdout.strip() or 'of unknown version'} at {path} is too old: "
            f"the course needs {least} or newer ({WHY_LEAST}).",
            "Run `./course setup`, which puts a newer one into .venv.",
            SETUP_NEEDED,
        )
    return path


@contextmanager
def lock(console: Console) -> Iterator[None]:
    """One build at a time in a build folder; a second command waits."""
    folder = paths.build_dir()
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".course.lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            with console.step("Waiting for another ./course that builds"):
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


def toolchain_stamp() -> str:
    """What the configuration depends on outside the sources: the compilers found."""
    parts = []
    nvccs = toolchain.all_nvccs()
    if nvccs:
        parts.append(f"{nvccs[0].path} {nvccs[0].path.stat().st_mtime_ns}")
    for name in toolchain.clang_candidates():
        if path := shutil.which(name):
            parts.append(path)
    parts.extend(sorted(str(path) for path in Path("/dev").glob("nvidia[0-9]*")))
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return f"{digest}\n{paths.REPO}"


def moved(stamp: str) -> bool:
    """Whether the build folder was configured for a checkout at another place."""
    return stamp.partition("\n")[2] != str(paths.REPO)


def configured() -> bool:
    folder = paths.build_dir()
    private = folder / "meson-private" / "coredata.dat"
    return private.exists() and (folder / "build.ninja").exists()


def configure(console: Console) -> None:
    """`meson setup` the first time, and again when compilers came or went."""
    folder = paths.build_dir()
    stamp = folder / ".course-toolchain"
    now = toolchain_stamp()
    if configured() and stamp.exists() and stamp.read_text() == now:
        return
    command = [find_meson(), "setup", folder, paths.REPO]
    if configured() and stamp.exists() and moved(stamp.read_text()):
        command += ["--wipe"]
    elif configured():
        command += ["--reconfigure", "--clearcache"]
    with console.step("Configuring the build"):
        outcome = process.run(
            command, cwd=paths.REPO, env=environment(), log=folder / "logs" / "setup.log"
        )
        if outcome.code != 0:
            errors = re.findall(r"ERROR: (.*)", outcome.output)
            raise Failure(
                f"Meson could not configure the build: {errors[-1] if errors else 'see above'}",
                "`./course doctor` tells what this machine has and lacks.",
                FAILED,
                tail="" if errors else outcome.tail(15),
            )
    atomic.write_text(stamp, now)


def compile(console: Console, targets: list[str], title: str = "Building") -> None:
    """Builds targets (all that is built by default when empty). Shows the compiler's errors."""
    with lock(console):
        configure(console)
        ninja = find("ninja")
        if not ninja:
            raise Failure("Ninja is not found.", "Run `./course setup`.", SETUP_NEEDED)
        folder = paths.build_dir()
        with console.step(title) as step:

            def on_line(line: str) -> None:
                if match := re.match(r"\[(\d+)/(\d+)\]", line):
                    step.update(f"{match[1]} of {match[2]}")

            outcome = process.run(
                [ninja, "-C", folder, *targets],
                cwd=paths.REPO,
                env=environment(),
                on_line=on_line,
                log=folder / "logs" / "compile.log",
            )
            if outcome.code != 0:
                raise failed_build(outcome.output)


def up_to_date(target: str) -> bool:
    """Whether a target is built already. Asks without the lock, and changes nothing."""
    ninja, stamp = find("ninja"), paths.build_dir() / ".course-toolchain"
    if not ninja or not configured() or not (paths.build_dir() / target).exists():
        return False
    if not stamp.exists() or stamp.read_text() != toolchain_stamp():
        return False
    outcome = process.run([ninja, "-C", paths.build_dir(), "-n", target], env=environment())
    return outcome.code == 0 and "no work to do" in outcome.output


def failed_build(output: str) -> Failure:
    unknown = re.search(r"unknown target '([^']+)'", output)
    if unknown:
        return Failure(
            f"The build has no target {unknown[1]}.",
            "`./course doctor` tells what this machine has and lacks.",
        )
    return Failure(
        "The build failed; the compiler's words are above.",
        "Correct the file it names and run the command again.",
        tail=errors_of(output),
    )


def errors_of(output: str) -> str:
    """The part of Ninja's output that tells of failures: without the lines of steps that passed."""
    kept: list[str] = []
    failing = False
    for line in output.splitlines():
        if line.startswith("FAILED:"):
            failing = True
        elif re.match(r"\[\d+/\d+\]", line):
            failing = False
        if failing and not (kept and kept[-1].startswith("FAILED:")):  # the command line is long
            kept.append(line)
        elif failing:
            kept.append(line[:200])
    return "\n".join(kept[:80]) or "\n".join(output.splitlines()[-20:])


def targets() -> set[str]:
    """Names of what the build can make, such as chapters/03-first-gpu-program-cpu."""
    import json

    path = paths.build_dir() / "meson-info" / "intro-targets.json"
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    return {
        os.path.relpath(name, paths.build_dir()) for entry in entries for name in entry["filename"]
    }
