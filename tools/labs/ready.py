"""What must be there before a reader's files can be built for a device."""

from __future__ import annotations

import os

from tools import chapters, meson, paths, programs
from tools.console import Console
from tools.errors import SETUP_NEEDED, Failure
from tools.probe import probe

PARTS = {
    "cpu": ["src/coalesce/libcoalesce-cpu.a", "src/cpu_device/libcpu_device.a"],
    "gpu": ["src/coalesce/libcoalesce.a"],
}


def devices(asked: str | None, console: Console) -> tuple[list[str], dict[str, str]]:
    """The devices to use, and for those that were not asked for and are not here, why.

    A device that was asked for and is not here is a Failure."""
    os.environ["PATH"] = meson.environment()["PATH"]
    wanted = [asked] if asked else ["cpu", "gpu"]
    chosen, why_not = [], {}
    for device in wanted:
        try:
            make_ready(device, console)
            chosen.append(device)
        except Failure as failure:
            if asked:
                raise
            why_not[device] = failure.sentence
    if not chosen:
        raise Failure(why_not["cpu"], "`./course doctor` tells more.", SETUP_NEEDED)
    return chosen, why_not


def make_ready(device: str, console: Console) -> None:
    """Builds the library for a device. A Failure says in a sentence what is lacking."""
    if device == "gpu":
        chapters.require_gpu("gpu", "Use `--device cpu` for everything but times")
    if why := programs.lacking(device):
        raise Failure(sentence(why), "`./course doctor` tells more.", SETUP_NEEDED)
    parts = PARTS[device]
    if os.environ.get("COALESCE_BUILT") == "1" and all_there(parts):
        return  # `./course site` and the tests have built it
    if not (meson.find("ninja") and meson.find("meson")):
        if all_there(parts):
            return
        from tools import cli, setup

        setup.ensure(console)
        cli.enter_venv(cli.words_of_this_command())
    if not all(meson.up_to_date(part) for part in parts):
        meson.compile(console, parts, "Building the course's library")


def all_there(parts: list[str]) -> bool:
    return all((paths.build_dir() / part).is_file() for part in parts)


def sentence(why: str) -> str:
    return f"{why[0].upper()}{why[1:].rstrip('.')}."


def no_gpu() -> str:
    """Why no times are measured here, in a sentence that begins "No GPU here"; "" with a GPU."""
    answer = probe()
    if answer.gpus:
        return ""
    said = chapters.no_gpu_sentence(answer)
    return said if said.startswith("No GPU here") else f"No GPU here: {said}"
