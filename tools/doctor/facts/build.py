"""What builds the programs: host compiler, clang, Meson, Ninja, the Python packages."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass, field

from tools import paths, setup, toolchain
from tools.ask import ask, deadline_has_passed
from tools.doctor.facts.toolkit import venv
from tools.doctor.look import exists, matching, read, under

# Their needs have lines of their own.
JUDGED_APART = {"a C++ compiler", "clang 16 or newer", "Python's venv"}
PAIR = ("sphinx", "breathe")


@dataclass
class Tool:
    path: str = ""
    version: str = ""
    own: bool = False  # it is .venv's


@dataclass
class Build:
    host: str = ""  # the path of nvcc's host compiler
    host_wanted: str = ""  # the name under which it was looked for
    host_kind: str = ""  # "GCC" or "clang"
    host_version: str = ""
    other_gcc: list[int] = field(default_factory=list)  # g++-13 and the like, the newest first
    clang: str = ""
    clang_untried: str = ""  # why it could not be made to compile something
    clang_lack: str = ""  # why there is none
    missing: list[str] = field(default_factory=list)  # other needs of packages.toml
    meson: Tool = field(default_factory=Tool)
    ninja: Tool = field(default_factory=Tool)
    venv: str = ""  # "ready", "none", "broken", "old" or "moved"
    docs: dict[str, str] = field(default_factory=dict)  # versions of Sphinx and Breathe
    docs_pinned: dict[str, str] = field(default_factory=dict)


def gather() -> Build:
    found = Build(
        other_gcc=[number for number in range(30, 8, -1) if shutil.which(f"g++-{number}")],
        missing=[n.name for n in setup.needs(set()) if n.name not in JUDGED_APART and not n.met()],
        meson=tool("meson"),
        ninja=tool("ninja"),
        venv=state_of_venv(),
        docs={name: package(name) for name in PAIR},
        docs_pinned={name: pinned(name) for name in PAIR},
    )
    found.host_wanted = toolchain.host_compiler()
    found.host = shutil.which(found.host_wanted) or ""
    if found.host and (known := toolchain.compiler_version(found.host)):
        found.host_kind, _, found.host_version = known
    look_for_clang(found)
    return found


def look_for_clang(found: Build) -> None:
    try:
        found.clang = str(toolchain.find_clang())
    except toolchain.ToolchainError as error:
        found.clang_lack = str(error)
        if deadline_has_passed():
            take_untried(found, "there was no time")
    except OSError as error:  # a system where nothing can be written
        found.clang_lack = f"clang could not be tried: {error.strerror or error}"
        take_untried(found, "nowhere can a file be written")


def take_untried(found: Build, why: str) -> None:
    here = filter(None, map(shutil.which, toolchain.clang_candidates()))
    if first := next(here, ""):
        found.clang, found.clang_untried = first, why


def tool(name: str) -> Tool:
    own = venv() / "bin" / name
    is_own = os.access(own, os.X_OK)
    path = str(own) if is_own else shutil.which(name) or ""
    asked = ask([path, "--version"]) if path else None
    return Tool(path, (asked.stdout.split() or [""])[0] if asked else "", is_own)


def state_of_venv() -> str:
    folder = venv()
    python = folder / "bin" / "python"
    if not os.path.lexists(folder):
        return "none"
    if not exists(python) or not (asked := ask([python, "-c", ""])) or asked.returncode:
        return "broken"
    stamp = read(folder / setup.stamp_path(setup.LOCK).name)
    if stamp.partition("\n")[0] != setup.stamp_text(setup.LOCK).partition("\n")[0]:
        return "old"
    made_in = stamp.partition("\nin ")[2].strip()
    return "moved" if made_in != str(folder) and os.access(folder, os.W_OK) else "ready"


def package(name: str) -> str:
    """The version in .venv, else the distribution's: by the names of the installers' folders."""
    places = [(venv(), "lib/python3*/site-packages"), (under("/usr/lib/python3"), "dist-packages")]
    for folder, packages in places:
        for pattern in (f"{name}-*.dist-info", f"{name}-*.egg-info"):
            for written in (pattern, pattern.capitalize()):
                for found in matching(folder, f"{packages}/{written}"):
                    if match := re.search(r"-(\d+(?:\.\d+)*)", found.name):
                        return match[1]
    return ""


def pinned(name: str) -> str:
    match = re.search(rf"^{name}==(\S+)", read(paths.REPO / setup.LOCK), re.MULTILINE)
    return match[1] if match else ""
