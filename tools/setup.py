"""The set-up: system packages through apt, Python packages into .venv. Quick when all is there."""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from tools import atomic, paths, process
from tools.console import Console
from tools.errors import SETUP_NEEDED, Failure

LOCK = "requirements.lock"
CUDA_LOCK = "requirements-cuda.lock"
INCLUDE_FOLDERS = ("/usr/include", "/usr/local/include", "/opt/homebrew/include")


# --- System packages -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Need:
    """One thing that the system must offer, as packages.toml tells it."""

    name: str
    packages: list[str]
    why: str
    programs: list[str] = field(default_factory=list)
    header: str = ""
    module: str = ""
    least: int = 0
    unversioned: str = ""
    group: str = ""

    def met(self) -> bool:
        if any(shutil.which(program) for program in self.programs):
            return True
        if self.unversioned and version_of(self.unversioned) >= self.least:
            return True
        if self.header and has_header(self.header):
            return True
        return bool(self.module) and has_module(self.module)


def include_folders() -> list[str]:
    """Where headers are looked for; CPATH adds to them, as for the compilers."""
    return [*filter(None, os.environ.get("CPATH", "").split(os.pathsep)), *INCLUDE_FOLDERS]


def has_header(name: str) -> bool:
    for folder in include_folders():
        try:
            if (Path(folder) / name).exists():
                return True
        except OSError:  # a folder that may not be entered, or no folder at all
            continue
    return False


def has_module(name: str) -> bool:
    import importlib.util

    return importlib.util.find_spec(name) is not None


def version_of(program: str) -> int:
    path = shutil.which(program)
    if not path:
        return 0
    answer = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    match = re.search(r"version (\d+)", answer.stdout)
    return int(match[1]) if match else 0


def needs(groups: set[str]) -> list[Need]:
    text = (paths.REPO / "tools" / "packages.toml").read_text(encoding="utf-8")
    every = [Need(**entry) for entry in tomllib.loads(text)["need"]]
    return [need for need in every if not need.group or need.group in groups]


def missing_needs(groups: set[str]) -> list[Need]:
    have_venv = venv_python().exists()  # then nobody needs Python's venv module again
    return [
        need
        for need in needs(groups)
        if not need.met() and not (need.module == "ensurepip" and have_venv)
    ]


def apt_prefix() -> list[str] | None:
    """How apt-get may be called here: [] as root, ["sudo", "-n"], or None."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        answer = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False)
        if answer.returncode == 0:
            return ["sudo", "-n"]
    return None


def known_to_apt(package: str) -> bool:
    answer = subprocess.run(
        ["apt-cache", "policy", package], capture_output=True, text=True, check=False
    )
    return bool(re.search(r"Candidate: (?!\(none\))\S", answer.stdout))


def chosen_packages(missing: list[Need]) -> list[str]:
    chosen = []
    for need in missing:
        known = [package for package in need.packages if known_to_apt(package)]
        chosen.append((known or need.packages)[0])
    return list(dict.fromkeys(chosen))


def line_to_paste(packages: list[str]) -> str:
    install = f"apt-get install --yes --no-install-recommends {' '.join(packages)}"
    return f"sudo apt-get update && sudo {install}"


def install_packages(missing: list[Need], console: Console) -> None:
    names = ", ".join(need.name for need in missing)
    if not shutil.which("apt-get"):
        raise Failure(
            f"Missing on this system: {names}.",
            "There is no apt-get here: install them with your system's package manager, or set "
            "COALESCE_NO_PACKAGES=1 to go on without them.",
            SETUP_NEEDED,
        )
    prefix = apt_prefix()
    if prefix is None:
        raise Failure(
            f"Missing on this system: {names}. Paste this line, then run the command again:",
            f"    {line_to_paste(chosen_packages(missing))}",
            SETUP_NEEDED,
        )
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    log = paths.build_dir() / "logs" / "apt.log"
    with console.step(f"Installing system packages ({names})") as step:
        step.update("asking apt what there is")
        update = process.run([*prefix, "apt-get", "update"], env=environment, log=log)
        packages = chosen_packages(missing)
        step.update(" ".join(packages))
        install = process.run(
            [*prefix, "apt-get", "install", "--yes", "--no-install-recommends", *packages],
            env=environment,
            log=log,
        )
        if install.code != 0:
            offline = update.code != 0 or "Temporary failure" in install.output
            reason = " (is there a network?)" if offline else f" (see {log})"
            raise Failure(
                f"apt could not install {' '.join(packages)}{reason}.",
                f"Try by hand: {line_to_paste(packages)}",
                SETUP_NEEDED,
                tail=install.tail(8),
            )


def ensure_packages(console: Console, groups: set[str]) -> None:
    if os.environ.get("COALESCE_NO_PACKAGES") == "1":
        return
    missing = missing_needs(groups)
    if missing:
        install_packages(missing, console)
        still = missing_needs(groups)
        if still:
            names = ", ".join(need.name for need in still)
            raise Failure(
                f"apt installed the packages, but still missing: {names}.",
                "Install them by hand, or set COALESCE_NO_PACKAGES=1 to go on without them.",
                SETUP_NEEDED,
            )


# --- Python packages -----------------------------------------------------------------------------


def venv_python() -> Path:
    return paths.venv_dir() / "bin" / "python"


def stamp_path(lock: str) -> Path:
    return paths.venv_dir() / f"coalesce-{Path(lock).stem}.stamp"


@functools.cache
def stamp_text(lock: str) -> str:
    """What the installed packages depend on: the lock file and the Python version."""
    content = (paths.REPO / lock).read_bytes()
    version = ".".join(platform.python_version_tuple()[:2])
    digest = hashlib.sha256(content).hexdigest()
    return f"python {version}, {lock} {digest}\nin {paths.venv_dir().resolve()}\n"


def installed_stamp(lock: str) -> str:
    try:
        return stamp_path(lock).read_text(encoding="utf-8")
    except OSError:
        return ""


def venv_works() -> bool:
    """The interpreter starts: a moved checkout or a removed Python leaves one that does not."""
    if not venv_python().exists():
        return False
    answer = subprocess.run([venv_python(), "-c", ""], capture_output=True, check=False)
    return answer.returncode == 0


def venv_has_moved() -> bool:
    """Its scripts name the folder in which it was made: a moved one has to be made again.

    Unless it cannot be written to: then it is seen through another mount, and served from there."""
    made_in = installed_stamp(LOCK).partition("\nin ")[2].strip()
    return made_in != str(paths.venv_dir().resolve()) and paths.writable(paths.venv_dir())


def venv_is_ready() -> bool:
    """Cheap: looks at two small files."""
    same = installed_stamp(LOCK).partition("\n")[0] == stamp_text(LOCK).partition("\n")[0]
    return same and venv_python().exists() and not venv_has_moved()


def refuse_link() -> None:
    """What a link leads to belongs to another checkout: nothing there is changed or removed."""
    folder = paths.venv_dir()
    if folder.is_symlink():
        raise Failure(
            f"{shown(folder)} is a link to {folder.resolve()}, whose packages do not fit here.",
            "Remove the link, and the same command makes an environment in its place.",
            SETUP_NEEDED,
        )


def pip_environment() -> dict[str, str]:
    environment = dict(os.environ)
    environment["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    environment.pop("PYTHONPATH", None)
    if not paths.writable(Path(environment.get("HOME", "/nonexistent"))):
        environment["PIP_NO_CACHE_DIR"] = "1"
    return environment


def install_lock(lock: str, title: str, console: Console) -> None:
    """Installs what a lock file names, with its hashes. The stamp is written last."""
    refuse_link()
    log = paths.build_dir() / "logs" / f"{Path(lock).stem}.log"
    total = len(re.findall(r"==", (paths.REPO / lock).read_text(encoding="utf-8")))
    with console.step(title) as step:
        count = 0

        def on_line(line: str) -> None:
            nonlocal count
            if line.startswith(("Collecting", "Requirement already")):
                count += 1
                step.update(f"{count} of {total}")
            elif line.startswith("Installing collected"):
                step.update("installing")

        outcome = process.run(
            [
                *(venv_python(), "-m", "pip", "install", "--no-deps", "--require-hashes"),
                *("--progress-bar", "off", "--no-input", "-r", paths.REPO / lock),
            ],
            env=pip_environment(),
            on_line=on_line,
            log=log,
        )
        if outcome.code == 0:
            atomic.write_text(stamp_path(lock), stamp_text(lock))
            return
        signs = (
            "NewConnectionError|Temporary failure|Could not find a version|ConnectTimeout|Retrying"
        )
        offline = re.search(signs, outcome.output)
        raise Failure(
            "The Python packages could not be downloaded: is there a network?"
            if offline
            else f"pip could not install the Python packages (its log: {log}).",
            "Run `./course setup` again when there is.",
            SETUP_NEEDED,
            tail="" if offline else outcome.tail(6),
        )


def make_venv(console: Console) -> None:
    refuse_link()
    folder = paths.venv_dir()
    if not paths.writable(folder):
        raise Failure(
            f"The Python packages cannot be put into {folder}: it is read-only.",
            "Set COALESCE_VENV or COALESCE_BUILD to a folder that you may write to.",
            SETUP_NEEDED,
        )
    with console.step(f"Making {shown(folder)}"):
        interpreter = getattr(sys, "_base_executable", None) or sys.executable
        outcome = process.run([interpreter, "-m", "venv", "--clear", folder])
        if outcome.code != 0:
            raise Failure(
                f"Python could not make {folder}.",
                "Debian and Ubuntu need the package python3-venv for that.",
                SETUP_NEEDED,
                tail=outcome.tail(6),
            )


def shown(path: Path) -> str:
    """A path as the reader would write it from the repository's root."""
    try:
        return str(path.relative_to(paths.REPO))
    except ValueError:
        return str(path)


def ensure_venv(console: Console) -> None:
    if venv_is_ready():
        return
    had = installed_stamp(LOCK)
    if not had or venv_has_moved() or not venv_works():
        make_venv(console)
        install_lock(LOCK, "Installing Python packages into " + shown(paths.venv_dir()), console)
        return
    try:
        install_lock(LOCK, "Updating the Python packages", console)
    except Failure as failure:
        # Without a network what is installed keeps working.
        if "network" not in failure.sentence:
            raise
        console.line(f"{failure.sentence} Going on with those installed before.")


def ensure(console: Console, groups: set[str] | None = None) -> None:
    """Everything a verb that builds needs. Quick and silent when it is all there."""
    ensure_packages(console, groups or set())
    ensure_venv(console)


def ensure_cuda(console: Console) -> Path:
    """A CUDA toolkit from wheels in .venv; returns its nvcc."""
    from tools import toolchain

    if installed_stamp(CUDA_LOCK) != stamp_text(CUDA_LOCK):
        install_lock(CUDA_LOCK, "Installing the CUDA toolkit's wheels", console)
    nvccs = toolchain.wheel_nvccs(paths.venv_dir())
    if not nvccs:
        raise Failure(
            "The toolkit's wheels are installed, but they brought no nvcc for this system.",
            "Install a CUDA toolkit from your distribution or from NVIDIA.",
            SETUP_NEEDED,
        )
    return nvccs[0]
