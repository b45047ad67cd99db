"""The chapters of the course, and what a reader may call them."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from tools import meson, paths, process
from tools.console import Console
from tools.errors import FAILED, NO_GPU, SETUP_NEEDED, USAGE, Failure
from tools.nearest import unknown
from tools.probe import Answer, probe


def slugs() -> list[str]:
    """Chapters that have a program, in reading order."""
    return sorted(
        folder.name
        for folder in (paths.REPO / "chapters").glob("[0-9]*")
        if (folder / "main.cpp").exists()
    )


def find(word: str) -> str:
    """The slug that the reader means by a slug, a number, or a part that only one slug has."""
    known = slugs()
    if word in known:
        return word
    low = word.strip().lower().removeprefix("chapters/").rstrip("/")
    if re.fullmatch(r"\d+", low):
        matching = [slug for slug in known if int(slug.split("-")[0]) == int(low)]
    else:
        matching = [slug for slug in known if low and low in slug.lower()]
    if len(matching) == 1:
        return matching[0]
    if len(matching) > 1:
        raise Failure(f"'{word}' may mean {', '.join(matching)}.", "Write more of the name.", USAGE)
    if re.fullmatch(r"\d+", low) and known:
        raise Failure(
            f"There is no program of chapter {low}.",
            f"Chapters with one: {', '.join(known)}.",
            USAGE,
        )
    raise unknown("chapter", word, known)


# --- Devices -------------------------------------------------------------------------------------


def parse_device(text: str) -> str:
    """For argparse: cpu, gpu, or gpu:K."""
    if re.fullmatch(r"cpu|gpu|gpu:\d+", text):
        return text
    raise ValueError(text)


def no_gpu_sentence(answer: Answer) -> str:
    if not answer.ran:
        return "The NVIDIA driver did not answer."
    if answer.driver_version == 0:
        return "No GPU here: there is no NVIDIA driver on this machine."
    return f"No GPU here that CUDA can use (error {answer.count_error} from the driver)."


def require_gpu(device: str, instead: str) -> int:
    """The number of the GPU that `gpu` or `gpu:K` means; exit code 4 when it is not there."""
    answer = probe()
    wanted = int(device.partition(":")[2] or 0)
    if not answer.gpus:
        raise Failure(
            no_gpu_sentence(answer),
            f"{instead}; `./course doctor` tells more.",
            NO_GPU,
        )
    if wanted >= len(answer.gpus):
        names = ", ".join(f"gpu:{gpu.index} ({gpu.name})" for gpu in answer.gpus)
        raise Failure(f"There is no GPU number {wanted} here.", f"Present: {names}.", NO_GPU)
    return wanted


def has_gpu() -> bool:
    return bool(probe().gpus)


# --- Programs ------------------------------------------------------------------------------------


def program(slug: str, device: str, kind: str = "") -> Path:
    """build/chapters/<slug>[-bench][-cpu]."""
    suffix = "-cpu" if device == "cpu" else ""
    return paths.build_dir() / "chapters" / f"{slug}{kind}{suffix}"


def build(slug: str, device: str, console: Console, kind: str = "") -> Path:
    """Builds one program, or takes the built one where nothing can be built here."""
    path = program(slug, device, kind)
    if os.environ.get("COALESCE_BUILT") == "1" and path.exists():
        return path  # `./course site` has just built everything
    can_build = meson.configured() and meson.find("ninja") and meson.find("meson")
    if not can_build:
        if path.exists():
            return path
        from tools import cli, setup

        setup.ensure(console)
        cli.enter_venv(cli.words_of_this_command())
    target = str(path.relative_to(paths.build_dir()))
    if meson.up_to_date(target):
        return path
    try:
        with meson.lock(console):
            meson.configure(console)
    except Failure as failure:
        if not path.exists() or failure.exit_code != SETUP_NEEDED:
            raise
        console.line(f"{failure.sentence} Using the program that is built.")
        return path
    if target not in meson.targets():
        raise Failure(*why_not_built(slug, device))
    meson.compile(console, [target], f"Building {path.name}")
    return path


def why_not_built(slug: str, device: str) -> tuple[str, str, int]:
    from tools import toolchain

    try:
        if device == "cpu":
            toolchain.find_clang()
        else:
            os.environ["PATH"] = meson.environment()["PATH"]
            toolchain.ask_nvcc("")
    except toolchain.ToolchainError as error:
        return (str(error), "`./course doctor` tells more.", SETUP_NEEDED)
    name = "the CPU device" if device == "cpu" else "the GPU"
    return (
        f"This build has no program of {slug} for {name}.",
        f"It was configured without: see `{meson.find('meson') or 'meson'} configure build`.",
        FAILED,
    )


def list_steps(path: Path) -> list[dict]:
    """The steps of a program: name, family, title, default n, kind."""
    outcome = process.run([path, "list", "--json"])
    try:
        steps = json.loads(outcome.output)
        steps = steps["steps"] if isinstance(steps, dict) else steps
        assert outcome.code == 0
    except (ValueError, KeyError, AssertionError):
        raise Failure(
            f"{path.name} does not list its steps.",
            "Build it again: `./course run` does when a source has changed.",
            tail=outcome.tail(5),
        ) from None
    return steps


def find_step(path: Path, slug: str, word: str) -> dict:
    steps = list_steps(path)
    names = [step["name"] for step in steps]
    for step in steps:
        if step["name"] == word:
            return step
    raise unknown("step", word, names, f"`./course run {slug}` lists all steps.")
