"""Times and figures: how long a kernel may hold a GPU, and what drawing needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chapters import support
from tools import paths

# A small GPU with a display moves 80 GB/s, and waits up to three times as long for its memory. A
# watchdog ends kernels after about two seconds.
BYTES_PER_SECOND = 80e9
SLOWER = 3
LONGEST = 0.5


def default_sizes() -> dict[tuple[str, str], int]:
    """(chapter, step) and the size at which `./course run` starts it."""
    sizes: dict[tuple[str, str], int] = {}
    for chapter in support.chapters():
        program = support.BUILD / "chapters" / f"{chapter.name}-cpu"
        if not program.is_file():
            continue
        listed = subprocess.run(
            [program, "list", "--json"], capture_output=True, text=True, check=True
        )
        for step in json.loads(listed.stdout):
            sizes[(chapter.name, step["name"])] = step["default_n"]
    return sizes


def test_no_step_holds_a_small_gpu_for_long() -> None:
    """From recorded times: those of the size nearest to the step's own, in proportion."""
    sizes = default_sizes()
    if not sizes:
        pytest.skip("no chapter is built for the CPU device")
    longest: dict[tuple[str, str], float] = {}
    for path in sorted((paths.REPO / "figures/results/nvidia-h200").glob("0*.json")):
        if path.name.count(".") > 1:
            continue
        for row in json.loads(path.read_text(encoding="utf-8"))["benchmarks"]:
            key = (path.stem, row["step"])
            if row["kind"] == "measure" and key in sizes and row["n"] > 0:
                share = min(1.0, sizes[key] / row["n"])
                seconds = max(SLOWER * row["real_time"], row.get("bytes", 0) / BYTES_PER_SECOND)
                longest[key] = max(longest.get(key, 0), share * seconds)
    assert len(longest) > 20
    assert {key: seconds for key, seconds in longest.items() if seconds > LONGEST} == {}


FIGURE = """
import sys
from tests.results.made_up import FIXTURES
from tools.results import Results
import importlib.util
path = sys.argv[1]
spec = importlib.util.spec_from_file_location("figures_of_the_chapter", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from figures.style import render_svg
name = sys.argv[2]
sys.stdout.write(render_svg(getattr(module, name)(Results.load(FIXTURES / "course"))))
"""


@pytest.mark.parametrize("backend", ["", "TkAgg", "nonsense"])
def test_figures_need_no_display(backend: str, tmp_path: Path) -> None:
    environment = {k: v for k, v in os.environ.items() if "DISPLAY" not in k and k != "MPLBACKEND"}
    if backend:
        environment["MPLBACKEND"] = backend
    chart = paths.REPO / "tests/site/showcase/chapters/04-optimization/figures.py"
    names = [
        line.split("(")[0].removeprefix("def ")
        for line in chart.read_text(encoding="utf-8").splitlines()
        if line.startswith("def ") and not line.startswith("def _")
    ]
    done = subprocess.run(
        [sys.executable, "-c", FIGURE, chart, names[0]],
        cwd=paths.REPO, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "<svg" in done.stdout


def test_measuring_and_drawing_are_two_commands() -> None:
    text = (paths.REPO / "tools/verbs/bench.py").read_text(encoding="utf-8")
    assert "figures.style" not in text
    assert "altair" not in text
    assert "matplotlib" not in (paths.REPO / "pyproject.toml").read_text(encoding="utf-8")
