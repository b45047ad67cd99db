"""What the directives share: the repository, the results, and what each page depends on.

A page is read again when one of its inputs changed. Inputs that are not plain files (the results of
a chapter on every device, a captured output) are recorded by name with a digest; `outdated` asks
for the digests anew at the start of each build.
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import os
import re
import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

logger = logging.getLogger(__name__)

REFERENCE = "nvidia-h200"


class SiteContext:
    """The repository that the site shows. One for each build, see `context_of`."""

    def __init__(self, repo: Path, build: Path, results_dirs: list[Path], draft: bool) -> None:
        self.repo = repo.resolve()
        self.build = build
        self.results_dirs = results_dirs
        self.draft = draft
        if str(self.repo) not in sys.path and (self.repo / "tools").is_dir():
            sys.path.insert(0, str(self.repo))

    @cached_property
    def store(self):
        """The results of every device, read by tools/results.py."""
        results = importlib.import_module("tools.results")
        return results.Results.load(self.repo, extra_dirs=self.results_dirs)

    @cached_property
    def readers(self) -> list:
        """The reader's own devices."""
        return list(self.store.readers())

    def relative(self, path: Path) -> str:
        """`path` as seen from the repository's root, with slashes."""
        return Path(os.path.relpath(path.resolve(), self.repo)).as_posix()

    def results_files(self, slug: str) -> list[Path]:
        """Every file that may hold results of a chapter (all of them without one), or facts."""
        roots = [self.repo / "figures" / "results", self.repo / "figures" / "historical"]
        found: list[Path] = []
        for root in [*roots, *self.results_dirs]:
            if root.is_dir():
                found += root.glob("*.json")
                found += root.glob(f"*/{slug}*.json" if slug else "*/*.json")
                found += root.glob("*/device.json")
        return sorted(set(found))


_contexts: dict[int, SiteContext] = {}


def context_of(env: BuildEnvironment) -> SiteContext:
    """The context of this build."""
    key = id(env.config)
    if key not in _contexts:
        config = env.config
        repo = Path(config.coalesce_repo)
        _contexts.clear()
        _contexts[key] = SiteContext(
            repo,
            Path(config.coalesce_build),
            [Path(folder) for folder in config.coalesce_results_dirs],
            config.coalesce_draft,
        )
    return _contexts[key]


class SiteDirective(SphinxDirective):
    """A directive with the course's helpers."""

    @property
    def context(self) -> SiteContext:
        return context_of(self.env)

    @property
    def page_folder(self) -> Path:
        """Folder of the page's source; a chapter's page lies beside its programs."""
        return Path(self.env.doc2path(self.env.docname)).resolve().parent

    @property
    def chapter(self) -> str:
        """Slug of the chapter that the page belongs to, or an empty string."""
        return chapter_of(self.env)

    def resolve(self, name: str) -> Path:
        """A file named on a page: beside the page, or from the repository's root with `/`."""
        path = self.context.repo / name[1:] if name.startswith("/") else self.page_folder / name
        if not path.is_file():
            raise self.error(f"no file {name}{self._nearest_file(path)}")
        self.env.note_dependency(str(path))
        return path.resolve()

    def _nearest_file(self, path: Path) -> str:
        if not path.parent.is_dir():
            return f" (no folder {self.context.relative(path.parent)} either)"
        names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
        near = difflib.get_close_matches(path.name, names, n=3, cutoff=0.4)
        return f"; near: {', '.join(near)}" if near else ""

    def note_input(self, name: str) -> None:
        note_input(self.env, name)

    def parse_body(self) -> list[nodes.Node]:
        """The directive's body as nodes."""
        return self.parse_content_to_nodes(allow_section_headings=False)

    def inline(self, text: str) -> list[nodes.Node]:
        """A line of MyST text as nodes."""
        parsed, messages = self.parse_inline(text)
        return [*parsed, *messages]

    def complain(self, message: str) -> list[nodes.Node]:
        """Fails the build with a sentence; in a draft the page shows it instead."""
        return complain(self, message)


class SiteRole(SphinxRole):
    """A role with the course's helpers."""

    @property
    def context(self) -> SiteContext:
        return context_of(self.env)

    def complain(self, message: str) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        return complain(self, message), []


def complain(where: SiteDirective | SiteRole, message: str) -> list[nodes.Node]:
    """A warning at the place of the directive or role, an error with `-W`, and a visible mark."""
    inline = isinstance(where, SphinxRole)
    if not context_of(where.env).draft:
        if isinstance(where, Directive):
            location: object = where.get_location()
        else:
            location = where.get_location()
        logger.warning(message, location=location, type="coalesce")
    mark = nodes.inline(text=message, classes=["missing"])
    return [mark] if inline else [nodes.paragraph("", "", mark)]


def chapter_of(env: BuildEnvironment) -> str:
    """Slug of the chapter of the page being read, or an empty string."""
    match = re.match(r"chapters/([^/]+)/", env.docname)
    return match[1] if match else ""


# Inputs that are not plain files -------------------------------------------------------------

_digesters: dict[str, Callable[[SiteContext, str], str]] = {}


def digester(kind: str) -> Callable:
    """Registers how inputs of a kind (the part of their name before the colon) are digested."""

    def register(function: Callable[[SiteContext, str], str]) -> Callable[[SiteContext, str], str]:
        _digesters[kind] = function
        return function

    return register


def digest_of(context: SiteContext, name: str) -> str:
    kind, _, rest = name.partition(":")
    return _digesters[kind](context, rest)


def note_input(env: BuildEnvironment, name: str) -> None:
    """Records that the page being read depends on an input."""
    inputs = _inputs(env).setdefault(env.docname, {})
    if name not in inputs:
        inputs[name] = digest_of(context_of(env), name)


def hash_files(paths: list[Path]) -> str:
    """A digest of names and contents."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(str(path).encode() + b"\0")
        digest.update(path.read_bytes() if path.is_file() else b"(absent)")
    return digest.hexdigest()[:20]


@digester("results")
def _results_digest(context: SiteContext, slug: str) -> str:
    return hash_files(context.results_files(slug))


def _inputs(env: BuildEnvironment) -> dict[str, dict[str, str]]:
    if not hasattr(env, "coalesce_inputs"):
        env.coalesce_inputs = {}
    return env.coalesce_inputs


def _outdated(app: Sphinx, env: BuildEnvironment, added, changed, removed) -> list[str]:
    context = context_of(env)
    fresh: dict[str, str] = {}
    pages = []
    for page, inputs in _inputs(env).items():
        for name, digest in inputs.items():
            if name not in fresh:
                fresh[name] = digest_of(context, name)
            if fresh[name] != digest:
                pages.append(page)
                break
    return pages


def _purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    _inputs(env).pop(docname, None)


def _merge(app: Sphinx, env: BuildEnvironment, docnames, other: BuildEnvironment) -> None:
    for docname in docnames:
        if docname in _inputs(other):
            _inputs(env)[docname] = _inputs(other)[docname]


def setup(app: Sphinx) -> None:
    # Pages are read anew when the extension itself has changed.
    code = hash_files(sorted(Path(__file__).parent.glob("*.py")))
    app.add_config_value("coalesce_code", code, "env", str)
    app.add_config_value("coalesce_repo", "", "env", str)
    app.add_config_value("coalesce_build", "", "", str)
    app.add_config_value("coalesce_results_dirs", [], "", list)
    app.add_config_value("coalesce_draft", False, "env", bool)
    app.connect("env-get-outdated", _outdated)
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)
