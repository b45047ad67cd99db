"""What builds: the CPU device's clang, Meson, Ninja, Python, .venv, disk, permissions, terminal."""

from __future__ import annotations

from tools import meson
from tools.doctor.compatibility import version
from tools.doctor.facts import Facts
from tools.doctor.facts.build import Tool
from tools.doctor.rules.rule import Area, Values

CPU_DEVICE = Area("CPU device")
MESON = Area("Meson")
NINJA = Area("Ninja")
PYTHON = Area("Python")
PACKAGES = Area("Packages")
DISK = Area("Disk")
TERMINAL = Area("Terminal")
AREAS = [CPU_DEVICE, MESON, NINJA, PYTHON, PACKAGES, DISK, TERMINAL]

GIGABYTE = 10**9
LEAST_FREE, ENOUGH_FREE = GIGABYTE // 2, 3 * GIGABYTE


# --- The CPU device ------------------------------------------------------------------------------


@CPU_DEVICE.rule(
    "note",
    "{clang}, which was not tried: {why}",
    "Give it longer: ./course doctor --wait 30.",
    facts=("build.clang", "build.clang_lack"),
)
def clang_not_tried(f: Facts) -> Values:
    why = f.build.clang_untried
    return {"clang": f.build.clang, "why": why} if why else None


@CPU_DEVICE.rule("ok", "ready: {clang}", facts=("build.clang",))
def cpu_device_ready(f: Facts) -> Values:
    return {"clang": f.build.clang} if f.build.clang and not f.build.missing else None


@CPU_DEVICE.rule(
    "warning",
    "{clang}; still missing: {missing}",
    "`./course setup` installs it; `./course site` and `./course test` do so by themselves.",
    facts=("build.clang", "build.missing"),
)
def libraries_missing(f: Facts) -> Values:
    return (
        {"clang": f.build.clang, "missing": ", ".join(f.build.missing)} if f.build.clang else None
    )


@CPU_DEVICE.rule(
    "warning",
    "{lack}",
    "Run `./course setup`: without clang nothing runs on a machine without a GPU.",
    facts=("build.clang_lack",),
    symptom="The CPU device needs clang 16 or newer",
    cause="The CPU device compiles .cu files with clang; a distribution may have an older one, or "
    "none.",
    cure="./course setup, or apt-get install clang-19 (Debian and Ubuntu).",
    log=84,
)
def no_cpu_device(f: Facts) -> Values:
    return {"lack": f.build.clang_lack.rstrip(".") or "not examined"}


# --- Meson and Ninja -----------------------------------------------------------------------------


def least_meson() -> str:
    return ".".join(str(part) for part in meson.LEAST_MESON)


def told(tool: Tool) -> dict[str, object]:
    return {"version": tool.version, "path": tool.path}


@MESON.rule(
    "note",
    "not found",
    "`./course setup` puts one into .venv ({least} or newer).",
    facts=("build.meson",),
)
def no_meson(f: Facts) -> Values:
    return {"least": least_meson()} if not f.build.meson.path else None


@MESON.rule(
    "error",
    "{version} at {path} is too old: needs {least} or newer",
    "`./course setup` puts a newer one into .venv. Why: {why}.",
    facts=("build.meson", "build.venv"),
    symptom="ERROR: Meson version is … but project requires >= 1.8.1, or: c++20 is not one of the "
    "choices",
    cause="Distributions ship old ones. An older Meson misses changed headers of .cu files and "
    "mixes up the C++ standards.",
    cure="./course setup puts a newer one into .venv; ./course uses that one.",
    sources=(
        "luigifcruz/CyberEther#38",
        "ErikReider/SwayAudioIdleInhibit#1",
        "mesonbuild/meson#8084",
    ),
    log=26,
)
def meson_too_old(f: Facts) -> Values:
    number = version(f.build.meson.version)
    if not number or number >= meson.LEAST_MESON:
        return None
    return {**told(f.build.meson), "least": least_meson(), "why": meson.WHY_LEAST}


@MESON.rule(
    "warning",
    "{path} does not tell its version",
    "`./course setup` puts a working one into .venv.",
    facts=("build.meson",),
)
def meson_broken(f: Facts) -> Values:
    return told(f.build.meson) if not version(f.build.meson.version) else None


@MESON.rule("ok", "{version} at {path}", facts=("build.meson",))
def meson_works(f: Facts) -> Values:
    return told(f.build.meson)


@NINJA.rule("note", "not found", "`./course setup` puts one into .venv.", facts=("build.ninja",))
def no_ninja(f: Facts) -> Values:
    return not f.build.ninja.path


@NINJA.rule(
    "warning",
    "{path} does not tell its version",
    "`./course setup` puts a working one into .venv.",
    facts=("build.ninja",),
)
def ninja_broken(f: Facts) -> Values:
    return told(f.build.ninja) if not version(f.build.ninja.version) else None


@NINJA.rule("ok", "{version} at {path}", facts=("build.ninja",))
def ninja_works(f: Facts) -> Values:
    return told(f.build.ninja)


# --- Python and its packages ---------------------------------------------------------------------


@PYTHON.rule(
    "warning",
    "{version} at {path}, which cannot make a virtual environment",
    "Install its venv module (Debian and Ubuntu: apt-get install python3-venv); `./course setup` "
    "does.",
    facts=("system.python", "system.makes_venvs"),
    symptom="The virtual environment was not created successfully because ensurepip is not "
    "available",
    cause="Debian and Ubuntu ship Python's venv module in a package of its own.",
    cure="apt-get install python3-venv, or ./course setup.",
)
def python_without_venv(f: Facts) -> Values:
    if f.system.makes_venvs or f.build.venv == "ready":
        return None
    return {"version": f.system.python, "path": f.system.python_path}


@PYTHON.rule("ok", "{version} at {path}", facts=("system.python",))
def python_works(f: Facts) -> Values:
    return {"version": f.system.python, "path": f.system.python_path}


@PACKAGES.rule(
    "error",
    "nowhere can programs be built: the checkout is read-only, and so are the cache folders",
    "Set COALESCE_BUILD to a folder that you may write to.",
    facts=("system.checkout_read_only", "system.build"),
    symptom="This checkout is read-only, and no cache or temporary folder can be written to",
    cause="The course builds in its own folder, else in your cache, else in the temporary folder.",
    cure="export COALESCE_BUILD=FOLDER, a folder that you may write to.",
)
def nowhere_to_build(f: Facts) -> Values:
    return f.system.checkout_read_only and not f.system.build


@PACKAGES.rule(
    "note",
    "the checkout is read-only: programs are built in {build}",
    "COALESCE_BUILD names another folder.",
    remark=True,
    facts=("system.checkout_read_only", "system.build"),
)
def checkout_read_only(f: Facts) -> Values:
    elsewhere = f.system.checkout_read_only and f.system.build
    return {"build": f.system.build} if elsewhere else None


@PACKAGES.rule(
    "error",
    "this user cannot write to {folders}",
    "It was probably made by root: sudo chown -R $USER FOLDER, in the checkout.",
    facts=("system.read_only",),
    symptom="Permission denied (.venv, build or work)",
    cause="A command of the course was run once with sudo, so that root owns the folder.",
    cure="sudo chown -R $USER .venv build work. The course itself needs no sudo.",
)
def folders_read_only(f: Facts) -> Values:
    if f.system.checkout_read_only or not f.system.read_only:
        return None
    return {"folders": ", ".join(f.system.read_only)}


@PACKAGES.rule(
    "error",
    ".venv is broken: its Python does not start",
    "./course doctor --fix puts it aside and makes a new one.",
    facts=("build.venv",),
    symptom="bad interpreter: No such file or directory (.venv/bin/python)",
    cause="The Python that .venv was made with was removed or upgraded, or its making was "
    "interrupted.",
    cure="./course doctor --fix puts it aside and makes a new one.",
)
def venv_broken(f: Facts) -> Values:
    return f.build.venv == "broken"


@PACKAGES.rule(
    "note",
    ".venv is {state}",
    "The next command that needs it renews it; `./course setup` does so now.",
    facts=("build.venv",),
)
def venv_to_renew(f: Facts) -> Values:
    states = {"old": "for other packages or another Python", "moved": "from another folder"}
    return {"state": states[f.build.venv]} if f.build.venv in states else None


@PACKAGES.rule(
    "note",
    "no .venv yet",
    "`./course setup` makes one; so does the first command that needs it.",
    facts=("build.venv",),
)
def no_venv(f: Facts) -> Values:
    return f.build.venv == "none"


@PACKAGES.rule("ok", ".venv is ready", facts=("build.venv",))
def venv_ready(f: Facts) -> Values:
    return f.build.venv == "ready"


@PACKAGES.rule("note", "not examined", facts=("build.venv",))
def venv_unknown(f: Facts) -> Values:
    return True


# --- The rest ------------------------------------------------------------------------------------


@DISK.rule(
    "error",
    "{free} GB free: too little for the build",
    "Make room: the Python packages and the build take 2 GB, a toolkit from wheels 1 GB more.",
    facts=("system.free",),
    symptom="No space left on device",
    cause="The packages, the build and a toolkit from wheels take some gigabytes.",
    cure="Make room, or set COALESCE_BUILD and COALESCE_VENV to folders on another disk.",
)
def disk_full(f: Facts) -> Values:
    free = f.system.free
    return {"free": f"{free / GIGABYTE:.1f}"} if 0 <= free < LEAST_FREE else None


@DISK.rule(
    "warning",
    "{free} GB free",
    "The Python packages and the build take 2 GB, a toolkit from wheels 1 GB more.",
    facts=("system.free",),
)
def disk_nearly_full(f: Facts) -> Values:
    free = f.system.free
    return {"free": f"{free / GIGABYTE:.1f}"} if 0 <= free < ENOUGH_FREE else None


@DISK.rule("ok", "{free} GB free", facts=("system.free",))
def disk_has_room(f: Facts) -> Values:
    return {"free": f"{f.system.free / GIGABYTE:.0f}"} if f.system.free >= 0 else None


@TERMINAL.rule(
    "note",
    "shows {encoding}, not UTF-8: marks appear in plain forms",
    "export LC_ALL=C.UTF-8",
    facts=("system.encoding", "system.language"),
    symptom="? in place of ✓, × and µ",
    cause="The locale is C or POSIX, so programs may print ASCII only.",
    cure="export LC_ALL=C.UTF-8",
)
def terminal_without_unicode(f: Facts) -> Values:
    encoding = f.system.encoding.replace("-", "")
    return {"encoding": f.system.encoding} if encoding and encoding != "utf8" else None


@TERMINAL.rule("ok", "shows {encoding}", facts=("system.encoding", "system.language"))
def terminal_shows_unicode(f: Facts) -> Values:
    return {"encoding": (f.system.encoding or "text").upper()}
