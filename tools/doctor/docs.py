"""The pair of packages that renders the site: Breathe relies on Sphinx's inner workings, so that
only pairs that were tried go together."""

from __future__ import annotations

from tools.console import Console
from tools.doctor.facts.build import Build
from tools.errors import FAILED, RIGHT


def show_pair(build: Build, console: Console) -> int:
    fits = True
    for name, wanted in build.docs_pinned.items():
        found = build.docs[name]
        same = bool(found) and found == wanted
        fits = fits and same
        mark = console.paint(console.mark("good" if same else "bad"), "good" if same else "bad")
        console.print(
            f"{mark} {name.capitalize():<8} {found or 'not found'}, expected {wanted or 'unknown'}"
        )
    if not fits:
        console.print("Next: ./course setup puts the pair that goes together into .venv.")
    return RIGHT if fits else FAILED
