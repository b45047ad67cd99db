"""The Sphinx extension of the course: one small module for each directive or role.

`context` holds what they share (the repository, the results, the files that pages depend on),
`tagged` reads regions of source files, `sources` ships the files that pages show. Authors find
every directive with an example in docs/guide/writing.md.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MODULES = (
    "context",
    "highlighting",
    "sources",
    "snippet",
    "step_diff",
    "targets",
    "sanitizer",
    "console",
    "numbers",
    "claim",
    "results_table",
    "chart",
    "lanes",
    "boxes",
    "troubles",
    "goes_wrong",
    "exercise",
    "check_yourself",
    "lab_lists",
    "chapter_header",
    "cards",
    "predict",
    "api_role",
    "api_pages",
    "glossary",
    "reference",
    "mathml",
    "page_links",
    "pages",
)


def setup(app: Sphinx) -> dict:
    """Registers every module of the extension."""
    for name in MODULES:
        importlib.import_module(f"{__name__}.{name}").setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
