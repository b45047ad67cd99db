"""`./course figures`."""

from __future__ import annotations

import argparse
import inspect
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from tools import atomic, paths
from tools.console import Console
from tools.errors import FAILED, RIGHT, Failure
from tools.nearest import unknown

DESCRIPTION = """\
Every chapter has a figures.py whose functions draw charts from the recorded results; the pages show
the same charts. Your own results, where there are any, stand beside the reference's.
"""

EXAMPLES = """\
examples:
  ./course figures                  all, into build/figures/<chapter>/<figure>.svg
  ./course figures 3                those of chapter 3
  ./course figures --out pictures   into another folder

exit codes:
  0  drawn
  1  a figure could not be drawn: its name and the reason are printed
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chapter", metavar="CHAPTER", nargs="?", help="only this chapter's")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="default: build/figures")


def load(path: Path) -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location

    spec = spec_from_file_location(f"figures_of_{path.parent.name.replace('-', '_')}", path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def figure_functions(module: ModuleType) -> dict[str, Callable]:
    """The public functions that the module defines itself and that take only the results."""
    return {
        name: function
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and not name.startswith("_")
        and len(required(function)) <= 1
    }


def required(function: Callable) -> list[str]:
    return [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.default is parameter.empty
    ]


def standalone(svg: str, style: str) -> str:
    """An SVG that carries its colours, since outside the site nobody else defines them."""
    head, sign, rest = svg.partition(">")
    return f"{head}{sign}<style>{style}</style>{rest}"


def run(options: argparse.Namespace, console: Console) -> int:
    from figures import colours, style
    from tools.results import Results

    modules = sorted((paths.REPO / "chapters").glob("*/figures.py"))
    if options.chapter:
        names = [path.parent.name for path in modules]
        start = f"{options.chapter:0>2}-"
        chosen = [n for n in names if options.chapter in n or n.startswith(start)]
        if not chosen:
            raise unknown("chapter with figures", options.chapter, names)
        modules = [path for path in modules if path.parent.name in chosen]
    out = options.out or paths.build_dir() / "figures"
    store = Results.load(paths.REPO, [paths.results_dir()])
    count, failed = 0, []
    with console.step("Drawing the figures") as step:
        for path in modules:
            for name, function in figure_functions(load(path)).items():
                step.update(f"{path.parent.name}: {name}")
                try:
                    figure = function(store) if required(function) else function()
                except Exception as error:  # a figure's own mistake must not hide the others
                    failed.append(f"{path.parent.name}: {name}: {error}")
                    continue
                if isinstance(figure, style.Figure):
                    svg = standalone(style.render_svg(figure), colours.css_variables())
                    atomic.write_text(out / path.parent.name / f"{name}.svg", svg)
                    count += 1
    if failed:
        raise Failure(
            f"{len(failed)} figures could not be drawn.",
            "Correct the functions, or record the results that they ask for.",
            FAILED,
            tail="\n".join(failed),
        )
    console.print(f"{count} figures in {os.path.relpath(out)}")
    return RIGHT
