"""What happens to the tools that build, to .venv, the disk and the terminal."""

from __future__ import annotations

import sys
from types import SimpleNamespace

from tests.doctor.machine import Machine
from tests.doctor.situations import situation
from tools import meson, paths, setup

MESON, NINJA, PYTHON = (f".venv/bin/{name}" for name in ("meson", "ninja", "python"))


def without_venv(m: Machine) -> None:
    usual = m.usual_files()
    m.monkeypatch.setattr(
        m, "usual_files", lambda: {k: v for k, v in usual.items() if not k.startswith(".venv")}
    )


def free_space(m: Machine, gigabytes: float) -> None:
    answer = SimpleNamespace(free=int(gigabytes * 1e9))
    m.monkeypatch.setattr("tools.doctor.facts.system.shutil.disk_usage", lambda _: answer)


@situation("cpu-device-ready", code=0)
def clang_of_any_release(m: Machine) -> list[str]:
    number = m.draw.randint(16, 30)
    m.tools |= {"clang++-19": None, f"clang++-{number}": f"echo 'clang version {number}.1.0'"}
    return [f"clang++-{number}"]


@situation("clang-not-tried", code=4)
def slow_clang(m: Machine) -> list[str]:
    m.without_gpu()
    m.tools |= {"nvcc": None, "clang++-19": "sleep 60"}
    m.seconds = 0.6
    return ["clang++-19", "no time", "--wait"]


@situation("clang-not-tried", code=4)
def read_only_system(m: Machine) -> list[str]:
    m.without_gpu()
    m.tools["nvcc"] = None

    def refuse(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    m.monkeypatch.setattr("tools.toolchain.tempfile.TemporaryDirectory", refuse)
    return ["clang++-19", "nowhere can a file be written"]


@situation("libraries-missing", code=0)
def library_missing(m: Machine) -> list[str]:
    name = m.draw.choice(["doxygen", "pkg-config"])
    m.tools[name] = None
    return [{"doxygen": "Doxygen", "pkg-config": "pkg-config"}[name], "./course setup"]


@situation("no-cpu-device", code=1)
def neither_gpu_nor_clang(m: Machine) -> list[str]:
    m.without_gpu()
    m.tools |= {"nvcc": None, "clang++-19": None}
    return ["clang 16 or newer", "./course setup"]


@situation("no-cpu-device", code=0)
def clang_too_old(m: Machine) -> list[str]:
    number = m.draw.randint(9, 15)
    m.tools |= {"clang++-19": None, "clang++": f"echo 'clang version {number}.0.1'"}
    return [f"version {number}.0.1"]


@situation("no-meson", code=0)
def no_meson_anywhere(m: Machine) -> list[str]:
    without_venv(m)
    m.tools["ninja"] = "echo 1.11"
    return ["not found", "./course setup", "1.8.1 or newer"]


@situation("meson-too-old", code=1, is_next=True)
def meson_of_the_distribution(m: Machine) -> list[str]:
    without_venv(m)
    number = f"{m.draw.choice(['0', '1'])}.{m.draw.randint(1, 7)}.{m.draw.randint(0, 9)}"
    m.tools["meson"] = f"echo {number}"
    return [number, "1.8.1 or newer", "headers of .cu files", meson.WHY_LEAST]


@situation("meson-broken", code=0)
def meson_that_fails(m: Machine) -> list[str]:
    m.files[MESON] = f"#!/bin/sh\n{m.draw.choice(['exit 1', 'echo', 'echo hm'])}\n"
    return [MESON, "does not tell"]


@situation("meson-works", code=0)
def meson_on_path(m: Machine) -> list[str]:
    without_venv(m)
    number = f"1.{m.draw.randint(8, 40)}.0"
    m.tools["meson"] = f"echo {number}"
    return [number, str(m.bin / "meson")]


@situation("no-ninja", code=0)
def no_ninja_anywhere(m: Machine) -> list[str]:
    without_venv(m)
    return ["not found"]


@situation("ninja-broken", code=0)
def ninja_that_fails(m: Machine) -> list[str]:
    m.files[NINJA] = "#!/bin/sh\nexit 3\n"
    return [NINJA]


@situation("ninja-works", code=0)
def ninja_of_venv(m: Machine) -> list[str]:
    return ["1.13.2", NINJA]


@situation("python-without-venv", code=0)
def no_ensurepip(m: Machine) -> list[str]:
    without_venv(m)
    m.monkeypatch.setattr("tools.doctor.facts.system.importlib.util.find_spec", lambda _: None)
    return ["virtual environment", "python3-venv"]


@situation("python-works", code=0)
def this_python(m: Machine) -> list[str]:
    return [sys.executable]


@situation("folders-read-only", code=1, is_next=True)
def made_by_root(m: Machine) -> list[str]:
    m.monkeypatch.setattr("tools.doctor.facts.system.writable", lambda path: path.name != "build")
    m.monkeypatch.setattr("tools.doctor.facts.system.exists", lambda path: True)
    return ["build", "sudo chown"]


@situation("nowhere-to-build", code=1, is_next=True)
def nothing_can_be_written(m: Machine) -> list[str]:
    m.monkeypatch.setattr("tools.paths.writable", lambda _: False)
    m.monkeypatch.setattr("tools.doctor.facts.system.writable", lambda _: False)
    m.monkeypatch.setattr("tools.paths.build_dir", paths.build_dir.__wrapped__)
    return ["read-only", "COALESCE_BUILD"]


@situation("checkout-read-only", code=0)
def checkout_of_somebody_else(m: Machine) -> list[str]:
    cache = m.folder / m.draw.word()
    m.environment["XDG_CACHE_HOME"] = str(cache)
    m.monkeypatch.setattr("tools.paths.writable", lambda path: cache in path.parents)
    m.monkeypatch.setattr("tools.doctor.facts.system.writable", lambda _: False)
    m.monkeypatch.setattr("tools.paths.build_dir", paths.build_dir.__wrapped__)
    return ["read-only", str(cache)]


@situation("venv-broken", code=1, is_next=True)
def python_gone(m: Machine) -> list[str]:
    m.files[PYTHON] = m.draw.choice(["#!/nowhere/python\n", "#!/bin/sh\nexit 1\n"])
    return [".venv is broken", "--fix"]


@situation("venv-to-renew", code=0)
def for_other_packages(m: Machine) -> list[str]:
    m.files[f".venv/{setup.stamp_path(setup.LOCK).name}"] = f"python 3.9, {m.draw.word()}\n"
    return ["for other packages"]


@situation("venv-to-renew", code=0)
def moved_checkout(m: Machine) -> list[str]:
    stamp = setup.stamp_text(setup.LOCK).partition("\n")[0]
    name = f".venv/{setup.stamp_path(setup.LOCK).name}"
    m.files[name] = f"{stamp}\nin /{m.draw.word()}/.venv\n"
    return ["from another folder"]


@situation("no-venv", code=0)
def before_the_first_command(m: Machine) -> list[str]:
    without_venv(m)
    return ["no .venv yet", "./course setup"]


@situation("venv-ready", code=0)
def after_it(m: Machine) -> list[str]:
    return [".venv is ready"]


@situation("disk-full", code=1, is_next=True)
def full(m: Machine) -> list[str]:
    free_space(m, m.draw.uniform(0, 0.49))
    return ["GB free", "Make room"]


@situation("disk-nearly-full", code=0)
def nearly_full(m: Machine) -> list[str]:
    space = m.draw.uniform(0.6, 2.9)
    free_space(m, space)
    return [f"{space:.1f} GB free"]


@situation("disk-has-room", code=0)
def room(m: Machine) -> list[str]:
    space = m.draw.randint(4, 900)
    free_space(m, space)
    return [f"{space} GB free"]


@situation("terminal-without-unicode", code=0)
def plain_terminal(m: Machine) -> list[str]:
    encoding = m.draw.choice(["ascii", "ansi_x3.4-1968", "latin-1"])
    m.monkeypatch.setattr("tools.doctor.facts.system.sys", stand_in(encoding))
    return [encoding, "LC_ALL=C.UTF-8"]


@situation("terminal-shows-unicode", code=0)
def unicode_terminal(m: Machine) -> list[str]:
    m.monkeypatch.setattr("tools.doctor.facts.system.sys", stand_in("UTF-8"))
    return ["UTF-8"]


def stand_in(encoding: str) -> SimpleNamespace:
    return SimpleNamespace(stdout=SimpleNamespace(encoding=encoding), executable=sys.executable)
