"""`./course site`."""

from __future__ import annotations

import argparse
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools import meson, paths, setup
from tools.console import Console
from tools.errors import RIGHT, SETUP_NEEDED, Failure
from tools.inputs import Stamp
from tools.verbs import bench

DESCRIPTION = """\
Builds the programs of every chapter, runs every command that the pages show, draws the figures and
renders the pages; warnings are errors. Where there is a GPU, each chapter is timed on it once, so
that your numbers stand beside the reference's (`./course bench` measures again). What has not
changed is not done again: a second run with nothing changed ends at once. The site needs no
network: open build/site/index.html.
"""

EXAMPLES = """\
examples:
  ./course site              into build/site
  ./course site --zip        also build/coalesce-site.zip, which opens wherever it is unpacked
  ./course site --check      also looks for broken links between the rendered pages

exit codes:
  0  the site is rendered, or was up to date
  1  a listing, a command, a claim or a page is wrong: the page and the line are named
  3  set-up needed
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--zip", action="store_true", help="pack the site into one archive")
    parser.add_argument(
        "--no-bench", action="store_true", help="do not time the chapters on this machine's GPU"
    )
    parser.add_argument("--check", action="store_true", help="check the links between the pages")


def places() -> list[Path]:
    """Everything that the site is made from."""
    names = ["docs", "chapters", "src", "tools", "figures", "meson.build", "meson.options"]
    names += ["tests/meson.build", setup.LOCK, "README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    return [paths.REPO / name for name in names] + [paths.results_dir()]


def site_stamp() -> Stamp:
    return Stamp(paths.build_dir() / "site.stamp.json", places(), meson.toolchain_stamp())


def site_dir() -> Path:
    return paths.build_dir() / "site"


def build_programs(console: Console) -> None:
    """The chapters' programs for each device, and what they need; no tests, no rivals."""
    with meson.lock(console):
        meson.configure(console)
    programs = sorted(
        target
        for target in meson.targets()
        if re.fullmatch(r"chapters/[^/]+", target)
        and not re.search(r"-(test|bench)(-cpu)?$|\.a$|\.so$", target)
    )
    meson.compile(console, programs, "Building the chapters' programs")


@contextmanager
def built_environment() -> Iterator[None]:
    """Commands on the pages find everything built, and print answers only."""
    before = dict(os.environ)
    os.environ.update(meson.environment())
    os.environ.update(COALESCE_BUILT="1", COALESCE_QUIET="1")
    os.environ.pop("CPU_DEVICE_REPORT", None)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def build_site(console: Console, measure: bool = True) -> bool:
    """Makes the site where something changed. Returns whether anything was done."""
    if not shutil.which("doxygen"):
        raise Failure(
            "Doxygen is not found, which the reference pages need.",
            "Run `./course setup`.",
            SETUP_NEEDED,
        )
    stamp = site_stamp()
    before = stamp.now()
    if stamp.current() and (site_dir() / "index.html").exists():
        return False
    from tools import sitebuild

    stamp.forget()
    build_programs(console)
    if measure and bench.measure_what_is_missing(console):
        before = stamp.now()
    try:
        with built_environment():
            sitebuild.build(paths.REPO, paths.build_dir(), console)
    except BaseException:
        # Sphinx warns of a page only when it reads it: the next run has to read all pages again.
        (paths.build_dir() / "doctrees" / "environment.pickle").unlink(missing_ok=True)
        raise
    site_stamp().write(before)
    return True


def run(options: argparse.Namespace, console: Console) -> int:
    done = build_site(console, measure=not options.no_bench)
    index = site_dir() / "index.html"
    if options.check:
        from tools import links

        broken = links.broken_links(site_dir())
        if broken:
            raise Failure(
                f"{len(broken)} links between the pages lead nowhere.",
                "Correct the pages that are named above.",
                tail="\n".join(broken[:40]),
            )
    console.print(f"{'The site is ready' if done else 'The site is up to date'}: {shown(index)}")
    if options.zip:
        from tools import sitebuild

        archive = paths.build_dir() / "coalesce-site.zip"
        with console.step("Packing the site"):
            sitebuild.zip_site(site_dir(), archive)
        console.print(f"Packed: {shown(archive)} ({archive.stat().st_size / 1e6:.1f} MB)")
    return RIGHT


def shown(path: Path) -> str:
    return os.path.relpath(path) if path.is_relative_to(paths.REPO) else str(path)
