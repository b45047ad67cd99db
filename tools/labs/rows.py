"""The program of a lab's rows, made of the reader's files instead of the solution's.

rows.hpp of a lab names its families and steps. Nothing of the solution is linked: what the reader's
files lack is missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from tools import atomic, programs
from tools.labs import building, catalog
from tools.labs.catalog import Lab

SLUG = "06-labs"
FAST = {"gpu": ["-O3"], "cpu": []}

PROGRAM = """\
// Made by tools/labs/rows.py: the rows of lab {number} alone, each to be run by itself.
#include "coalesce/chapter.hpp"
#include "{rows}"

int main(int argc, char** argv) {{
  const coalesce::chapter rows{{
      .slug = "{slug}", .families = {names}::families(), .steps = {names}::steps()}};
  return coalesce::chapter_main(argc, argv, rows);
}}
"""

BENCHMARK = """\
// Made by tools/labs/rows.py: the rows of lab {number} alone, to be timed.
#include <algorithm>

#include "coalesce/bench.hpp"
{peers_header}#include "{rows}"

int main(int argc, char** argv) {{
  coalesce::chapter rows{{
      .slug = "{slug}", .families = {names}::families(), .steps = {names}::steps()}};
  {add_peers}std::erase_if(rows.steps, [&](const coalesce::step& step) {{
    return std::ranges::none_of(rows.families, [&](const coalesce::family& family) {{
      return family.name == step.family;
    }});
  }});
  return coalesce::bench_main(argc, argv, rows);
}}
"""


def main_file(lab: Lab, stem: str, text: str) -> Path:
    """A main program, in the build folder."""
    peers = peers_of(lab)
    filled = text.format(
        number=lab.number,
        slug=SLUG,
        names=f"lab{lab.number.replace('.', '')}",
        rows=lab.folder / "rows.hpp",
        peers_header='#include "peers.hpp"\n' if peers else "",
        add_peers="chapter06::add_peers(rows);\n  " if peers else "",
    )
    path = programs.BUILD / "labs" / f"{stem}-{lab.number}.cu"
    if not path.is_file() or path.read_text(encoding="utf-8") != filled:
        atomic.write_text(path, filled)
    return path


def peers_of(lab: Lab) -> list[Path]:
    """Rivals: the chapter has them in one file."""
    path = catalog.FOLDER / "peers.cu"
    return [path] if path.is_file() and lab.folder.parent == catalog.FOLDER else []


def libraries(lab: Lab) -> list[str]:
    """What the benchmark needs of other makers."""
    used = re.findall(r"#include <((\w+)_v2\.h)>", "".join(p.read_text() for p in peers_of(lab)))
    headers = Path(programs.tool("nvcc") or "nvcc").resolve().parent.parent / "include"
    there = [name for header, name in dict.fromkeys(used) if (headers / header).is_file()]
    return ["-lbenchmark", *(f"-l{name}" for name in there)]


def other_sources(lab: Lab) -> list[Path]:
    """What the rows need beside the reader's files: all other sources of the lab's folder."""
    known = {*lab.files, *(path.name for path in building.check_sources(lab))}
    found = sorted([*lab.folder.glob("*.cu"), *lab.folder.glob("*.cpp")])
    return [path for path in found if path.name not in known]


def program(lab: Lab, files: Mapping[str, Path], device: str) -> Path:
    """The program that runs one row, with the reader's files. Raises NotBuilt."""
    sources = [*files.values(), *other_sources(lab), main_file(lab, "rows", PROGRAM)]
    return building.link(building.objects(lab, sources, device, FAST[device]), device)


def benchmark(lab: Lab, files: Mapping[str, Path]) -> Path:
    """The program that times the rows on a GPU, with the reader's files. Raises NotBuilt."""
    sources = [*files.values(), *other_sources(lab), main_file(lab, "bench", BENCHMARK)]
    objects = building.objects(lab, [*sources, *peers_of(lab)], "gpu", FAST["gpu"])
    return building.link(objects, "gpu", libraries(lab))
