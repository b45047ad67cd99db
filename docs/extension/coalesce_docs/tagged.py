"""Regions of source files: `// [tag]` opens one, `// [/tag]` closes it, each on its own line.

Shell, Python and Meson files use `#` in place of `//`. Regions may be nested or overlap. Tag lines
are never shown. Standard library only, so that tests and tools can use it without the site.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from pathlib import Path

_TAG_LINE = re.compile(r"^\s*(?://|#)\s*\[(/?)([a-z][a-z0-9_-]*)\]\s*$")

LEXERS = {
    ".cu": "cuda",
    ".cuh": "cuda",
    ".hpp": "cuda",
    ".h": "cuda",
    ".cpp": "cpp",
    ".py": "python",
    ".sh": "bash",
    ".json": "json",
    ".toml": "toml",
    ".build": "meson",
    ".md": "markdown",
}


class TagError(ValueError):
    """A tag is missing, doubled, unclosed or empty. The message names the file and the tag."""


@dataclass(frozen=True)
class Region:
    """Lines of a file: the text without tag lines, and for each line its number in the file."""

    path: Path
    text: str
    line_numbers: tuple[int, ...]

    @property
    def first(self) -> int:
        return self.line_numbers[0]

    @property
    def last(self) -> int:
        return self.line_numbers[-1]


def lexer_name(path: Path) -> str:
    """Name of the Pygments lexer for a file."""
    if path.name == "meson.options":
        return "meson"
    return LEXERS.get(path.suffix, "text")


def is_tag_line(line: str) -> bool:
    """True for a line that only opens or closes a region."""
    return _TAG_LINE.match(line) is not None


def read_region(path: Path, tag: str | None = None) -> Region:
    """The region `tag` of a file, or the whole file, always without tag lines.

    Common indentation is removed, blank lines at both ends too.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    if tag is None:
        first, last = 0, len(lines)
    else:
        first, last = _bounds(path, lines, tag)
    numbered = [
        (number + 1, lines[number].rstrip())
        for number in range(first, last)
        if not is_tag_line(lines[number])
    ]
    while numbered and not numbered[0][1]:
        numbered.pop(0)
    while numbered and not numbered[-1][1]:
        numbered.pop()
    if not numbered:
        where = f"tag [{tag}] in {path.name}" if tag else path.name
        raise TagError(f"{where} holds no lines")
    indent = min(len(text) - len(text.lstrip()) for _, text in numbered if text)
    text = "\n".join(text[indent:] for _, text in numbered)
    return Region(path, text, tuple(number for number, _ in numbered))


def tags_of(path: Path) -> list[str]:
    """Names of the regions that a file opens, in order."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        match = _TAG_LINE.match(line)
        if match and not match[1]:
            found.append(match[2])
    return found


def _bounds(path: Path, lines: list[str], tag: str) -> tuple[int, int]:
    opened, closed = [], []
    for number, line in enumerate(lines):
        match = _TAG_LINE.match(line)
        if match and match[2] == tag:
            (closed if match[1] else opened).append(number)
    if not opened and not closed:
        known = tags_of(path)
        near = difflib.get_close_matches(tag, known, n=3) or known[:5]
        hint = f"; it has {', '.join(near)}" if near else "; it has no tags"
        raise TagError(f"no tag [{tag}] in {path.name}{hint}")
    if len(opened) != 1 or len(closed) != 1:
        raise TagError(
            f"tag [{tag}] in {path.name} opens {len(opened)} times and closes {len(closed)} times, "
            "each must happen once"
        )
    if closed[0] < opened[0]:
        raise TagError(f"tag [{tag}] in {path.name} closes before it opens")
    return opened[0] + 1, closed[0]
