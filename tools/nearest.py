"""Unknown names get the nearest known ones."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from tools.errors import USAGE, Failure


def nearest(word: str, names: Iterable[str], most: int = 3) -> list[str]:
    """The known names most like `word`: those that contain it first, then those spelt like it."""
    known = list(names)
    low = word.lower()
    containing = [name for name in known if low and low in name.lower()]
    spelt = difflib.get_close_matches(low, [name.lower() for name in known], n=most, cutoff=0.5)
    by_low = {name.lower(): name for name in known}
    return list(dict.fromkeys(containing + [by_low[name] for name in spelt]))[:most]


def unknown(kind: str, word: str, names: Iterable[str], all_with: str = "") -> Failure:
    """The failure for an unknown name: names the nearest ones, or all where none is near."""
    known = list(names)
    near = nearest(word, known)
    if near:
        hint = f"Did you mean {' or '.join(near)}?"
    elif known:
        hint = f"Known: {', '.join(known)}."
    else:
        hint = ""
    return Failure(f"No {kind} is called '{word}'.", f"{hint} {all_with}".strip(), USAGE)
