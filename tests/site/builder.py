"""Builds small sites for the tests: a folder that looks like a checkout, rendered by the real
configuration and the real extension."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tools import capture

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "results" / "fixtures"
SHOWCASE = Path(__file__).resolve().parent / "showcase"

CONF = """
import sys
from pathlib import Path

REAL = Path({root!r}) / "docs"
exec(compile((REAL / "conf.py").read_text(), str(REAL / "conf.py"), "exec"), globals())
sys.path[:0] = [str(REAL / "extension"), {root!r}]
coalesce_repo = {repo!r}
coalesce_build = {build!r}
coalesce_results_dirs = {results!r}
coalesce_draft = False
html_static_path = [str(REAL / "_static")]
templates_path = [str(REAL / "_templates")]
html_favicon = str(REAL / "_static" / "icon.svg")
breathe_projects = {{"coalesce": {build!r} + "/doxygen/xml"}}
"""


@dataclass
class Site:
    """A small checkout and what rendering it gave."""

    repo: Path
    build: Path
    code: int = 0
    log: str = ""

    @property
    def out(self) -> Path:
        return self.build / "site"

    def page(self, name: str) -> str:
        return (self.out / f"{name}.html").read_text(encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        path = self.repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def render(self, reader: bool = False) -> Site:
        """Runs the commands of the pages, then Sphinx with warnings as errors."""
        results = [str(FIXTURES / "reader")] if reader else []
        conf = CONF.format(
            root=str(ROOT), repo=str(self.repo), build=str(self.build), results=results
        )
        path = self.repo / "docs" / "conf.py"
        if not path.is_file() or path.read_text() != conf:
            path.write_text(conf)
        capture.capture_all(self.repo, self.build)
        command = [sys.executable, "-m", "sphinx", "-b", "html", "-n", "-W", "--keep-going"]
        command += ["-d", str(self.build / "doctrees"), str(self.repo / "docs"), str(self.out)]
        environment = os.environ | {"COALESCE_BUILD": str(self.build), "LC_ALL": "C.UTF-8"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        self.code, self.log = done.returncode, done.stdout + done.stderr
        return self


def bare_site(folder: Path, page: str = "", files: dict[str, str] | None = None) -> Site:
    """A site of one chapter, `chapters/04-optimization/index.md`, with the fixtures' results."""
    site = Site(folder / "repo", folder / "build")
    (site.repo / "docs").mkdir(parents=True)
    (site.repo / "chapters").mkdir()
    (site.repo / "docs" / "chapters").symlink_to("../chapters")
    shutil.copytree(FIXTURES / "course" / "figures", site.repo / "figures")
    site.write("docs/index.md", "# Home\n\n```{toctree}\nchapters/04-optimization/index\n```\n")
    site.write("chapters/04-optimization/index.md", f"# Chapter\n\n{page}\n")
    for name, text in (files or {}).items():
        site.write(f"chapters/04-optimization/{name}", text)
    return site


def showcase(folder: Path) -> Site:
    """A site that uses every directive once."""
    site = Site(folder / "repo", folder / "build")
    shutil.copytree(SHOWCASE, site.repo, symlinks=True)
    shutil.copytree(FIXTURES / "course" / "figures", site.repo / "figures")
    return site
