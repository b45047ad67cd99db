"""Builds a lab's check with a submission's files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools import programs
from tools.labs import catalog
from tools.labs.catalog import Lab

GRADING = catalog.FOLDER / "grading"


class NotBuilt(Exception):  # noqa: N818
    """`reason` is does_not_compile or does_not_link; `output` is the tool's."""

    def __init__(self, reason: str, message: str, output: str):
        super().__init__(message)
        self.reason, self.message, self.output = reason, message, output


def includes(lab: Lab) -> list[Path]:
    return [catalog.FOLDER, lab.folder, GRADING]


def objects(lab: Lab, sources: list[Path], device: str, more: Sequence[str] = ()) -> list[Path]:
    """The object files of sources, two at a time. Raises NotBuilt for the first that fails."""

    def made(path: Path) -> tuple[Path | None, programs.Outcome]:
        return programs.build(device, [path], includes=includes(lab), suffix=".o", more=more)

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(made, sources))
    for path, (found, said) in zip(sources, results, strict=True):
        if found is None:
            raise NotBuilt("does_not_compile", f"{path.name} does not compile", said.output)
    return [found for found, _ in results]


def link(objects: list[Path], device: str, more: Sequence[str] = ()) -> Path:
    program, said = programs.build(device, objects, library=True, more=more)
    if program is None:
        raise NotBuilt("does_not_link", "the files do not make a program", said.output)
    return program


def build(lab: Lab, files: Mapping[str, Path], device: str = "cpu") -> Path:
    """The check's program with these files. Raises NotBuilt."""
    return link(objects(lab, [*check_sources(lab), *files.values()], device), device)


def check_sources(lab: Lab) -> list[Path]:
    """The check's own: what all labs share, and the lab's check*. Kernels are in a .cu."""
    return sorted(GRADING.glob("*.cpp")) + sorted(lab.folder.glob("check*.c*"))
