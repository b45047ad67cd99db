"""The difference of two listings: lines are matched, then words within changed lines."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
SAME, ADDED, REMOVED = "same", "added", "removed"
ALIKE = 0.5  # lines less alike than this are shown as removed and added, not as changed


@dataclass(frozen=True)
class Line:
    """One line of the difference. `old` and `new` are indices into the listings; `words` are the
    ranges of characters that changed."""

    kind: str
    old: int | None
    new: int | None
    words: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Pair:
    """What stands on both sides of one row, side by side."""

    left: Line | None
    right: Line | None


def _word_ranges(old: str, new: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    left, right = _WORD.findall(old), _WORD.findall(new)
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    ranges: tuple[list, list] = ([], [])
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        for words, first, last, out in ((left, a1, a2, ranges[0]), (right, b1, b2, ranges[1])):
            if first < last:
                start = sum(map(len, words[:first]))
                out.append((start, start + sum(map(len, words[first:last]))))
    return ranges


def _likeness(old: str, new: str) -> float:
    return difflib.SequenceMatcher(None, _WORD.findall(old.strip()), _WORD.findall(new.strip()),
                                   autojunk=False).ratio()  # fmt: skip


def _matched(old: list[str], new: list[str]) -> list[tuple[int | None, int | None]]:
    """Pairs of a changed stretch: lines that are alike, in order, with the rest left alone."""
    best: dict[tuple[int, int], float] = {}
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            score = _likeness(old[i], new[j]) if old[i].strip() and new[j].strip() else 0.0
            with_pair = score + best.get((i + 1, j + 1), 0.0) if score >= ALIKE else 0.0
            best[i, j] = max(with_pair, best.get((i + 1, j), 0.0), best.get((i, j + 1), 0.0))
    pairs: list[tuple[int | None, int | None]] = []
    i = j = 0
    while i < len(old) and j < len(new):
        score = _likeness(old[i], new[j]) if old[i].strip() and new[j].strip() else 0.0
        if score >= ALIKE and best[i, j] == score + best.get((i + 1, j + 1), 0.0):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best.get((i + 1, j), 0.0) >= best.get((i, j + 1), 0.0):
            pairs.append((i, None))
            i += 1
        else:
            pairs.append((None, j))
            j += 1
    pairs += [(at, None) for at in range(i, len(old))]
    pairs += [(None, at) for at in range(j, len(new))]
    return pairs


def pairs_of(old: list[str], new: list[str]) -> list[Pair]:
    """The difference side by side."""
    rows: list[Pair] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        if tag == "equal":
            for a, b in zip(range(a1, a2), range(b1, b2), strict=True):
                line = Line(SAME, a, b)
                rows.append(Pair(line, line))
            continue
        for i, j in _matched(old[a1:a2], new[b1:b2]):
            left = right = None
            words: tuple[list, list] = ([], [])
            if i is not None and j is not None:
                words = _word_ranges(old[a1 + i], new[b1 + j])
            if i is not None:
                left = Line(REMOVED, a1 + i, None, tuple(words[0]))
            if j is not None:
                right = Line(ADDED, None, b1 + j, tuple(words[1]))
            rows.append(Pair(left, right))
    return rows


def unified(rows: list[Pair]) -> list[Line]:
    """The difference in one column: within a changed stretch, removed lines before added ones."""
    lines: list[Line] = []
    removed: list[Line] = []
    added: list[Line] = []
    for row in rows:
        if row.left is row.right and row.left is not None:
            lines += removed + added + [row.left]
            removed, added = [], []
            continue
        if row.left:
            removed.append(row.left)
        if row.right:
            added.append(row.right)
    return lines + removed + added


def with_context(lines: list[Line], context: int = 2) -> list[Line | int]:
    """Only the changes with lines around them; a number stands for so many lines left out."""
    keep = set()
    for at, line in enumerate(lines):
        if line.kind != SAME:
            keep.update(range(at - context, at + context + 1))
    shown: list[Line | int] = []
    left_out = 0
    for at, line in enumerate(lines):
        if at in keep:
            if left_out:
                shown.append(left_out)
            left_out = 0
            shown.append(line)
        else:
            left_out += 1
    if left_out:
        shown.append(left_out)
    return shown
