"""Links between pages, written as a reader of the repository would: `../02-first-program/index.md`.

MyST follows the link docs/chapters to the folder behind it and then knows no such page. Here the
address is turned back, so that the same link works in the repository and on the site. Works for
`../../docs/guide/….md` from a chapter too.
"""

from __future__ import annotations

import posixpath
from pathlib import PurePosixPath

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

from .context import context_of


def page_of(target: str, repo: str, folder: str) -> str:
    """The page behind an address that MyST could not place."""
    path = target if target.startswith("/") else posixpath.join(folder, target)
    path = posixpath.normpath(path)
    for prefix, start in ((f"{repo}/docs/", ""), (f"{repo}/chapters/", "chapters/")):
        if path.startswith(prefix):
            return start + path.removeprefix(prefix)
    return target


def _mend(app: Sphinx, doctree: nodes.document) -> None:
    env = app.env
    repo = str(context_of(env).repo)
    folder = str(PurePosixPath(repo) / PurePosixPath(env.docname).parent)
    for node in doctree.findall(pending_xref):
        to_page = node.get("refdomain") == "doc" and node.get("reftype") == "myst"
        if to_page and node["reftarget"] not in env.found_docs:
            node["reftarget"] = page_of(node["reftarget"], repo, folder)


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", _mend)
