"""`api`: a name of CUDA, linked to NVIDIA's reference. Nothing is loaded to show the page."""

from __future__ import annotations

import difflib
import functools
import tomllib
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from .context import SiteRole

DATA = Path(__file__).resolve().parents[2] / "data" / "cuda_api.toml"


@functools.cache
def addresses() -> dict[str, str]:
    """The address of every known name."""
    data = tomllib.loads(DATA.read_text(encoding="utf-8"))
    found = dict(data["pages"])
    for name, anchor in data["guide"].items():
        found[name] = f"{data['guide_base']}#{anchor}"
    for group, names in data["runtime"].items():
        page = f"{data['runtime_base']}group__{group.replace('_', '__')}.html"
        for name in names:
            found[name] = f"{page}#:~:text={name}"
    return found


class Api(SiteRole):
    """Links a function, type or tool of CUDA."""

    def run(self):
        name = self.text.strip()
        key = name.removesuffix("()")
        known = addresses()
        if key not in known:
            near = difflib.get_close_matches(key, known, n=3)
            hint = f"; near: {', '.join(near)}" if near else ""
            return self.complain(f"docs/data/cuda_api.toml does not know {key}{hint}")
        reference = nodes.reference("", "", refuri=known[key], classes=["api", "external"])
        reference += nodes.literal(text=name)
        return [reference], []


def setup(app: Sphinx) -> None:
    app.add_role("api", Api())
