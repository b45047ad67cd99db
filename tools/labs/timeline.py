"""Draws the timeline of a pipeline from the table that `./course run 6 timeline` prints.

    python3 -m tools.labs.timeline [FILE] [-o OUT.svg]

A bar for each chunk and part (copy in, compute, copy out). Bars of a part that overlap lie below
each other. Standard library only.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from figures.colours import COLOURS

PARTS = {"copy_in": "copy in", "compute": "compute", "copy_out": "copy out"}
PAINTS = {"copy_in": "--chart-1", "compute": "--chart-3", "copy_out": "--chart-2"}
CAPTION = (
    "Each bar is a part of a chunk, with the chunk's number. It begins when its stream is free, "
    "not when the copy engine is: so the bar of a copy includes its wait for the engine."
)
_LINE = re.compile(r"^ *(\d+) +(copy_in|compute|copy_out) +([\d.]+) +([\d.]+) *$", re.MULTILINE)

LEFT, WIDTH, TOP = 66, 412, 4
LANE, GAP = 22, 8  # from lane to lane, and behind the lanes of a part
MIDDLE = 14  # of a lane: where its text stands


@dataclass(frozen=True)
class Span:
    """When a part of a chunk ran, in milliseconds from the beginning of the run."""

    chunk: int
    part: str
    begin: float
    end: float


def parse(text: str) -> list[Span]:
    """The spans in a program's output, in its order. Raises ValueError when there is none."""
    spans = [Span(int(c), part, float(b), float(e)) for c, part, b, e in _LINE.findall(text)]
    if not spans:
        raise ValueError("there is no timeline in this text")
    return spans


def overlap(spans: Sequence[Span]) -> float:
    """Time of all parts over that from the first to the last: 1 without overlap, at most 3."""
    whole = max(s.end for s in spans) - min(s.begin for s in spans)
    return sum(s.end - s.begin for s in spans) / whole if whole else 1.0


def lanes(spans: Sequence[Span]) -> list[list[Span]]:
    """The same spans, in as few rows as there must be when no two of a row overlap."""
    found: list[list[Span]] = []
    for span in sorted(spans, key=lambda s: s.begin):
        free = [lane for lane in found if lane[-1].end <= span.begin]
        if free:
            free[0].append(span)
        else:
            found.append([span])
    return found


def draw(spans: Sequence[Span]) -> str:
    """An SVG, as wide as its page, in the colours of the course's charts."""
    last = max(s.end for s in spans)
    scale = WIDTH / last if last else 0
    y, shapes = TOP, []
    for part, name in PARTS.items():
        shapes.append(_text(0, y + MIDDLE, name, 13))
        for lane in lanes([s for s in spans if s.part == part]):
            for s in lane:
                shapes += _bar(LEFT + s.begin * scale, y, (s.end - s.begin) * scale, s)
            y += LANE
        y += GAP
    shapes.append(f'  <path d="M{LEFT} {y} H{LEFT + WIDTH}" stroke="currentColor" fill="none"/>')
    shapes.append(_text(LEFT, y + 18, "0", 13))
    shapes.append(_text(LEFT + WIDTH, y + 18, f"{last:.4g} ms", 13, "end"))
    return "\n".join([*_head(spans, y + 26), *shapes, "</svg>", ""])


def _head(spans: Sequence[Span], height: int) -> list[str]:
    chunks = len({s.chunk for s in spans})
    words = "; ".join(
        f"chunk {s.chunk} {PARTS[s.part]} from {s.begin:.4g} to {s.end:.4g} ms" for s in spans
    )
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 2} {height}"'
        ' role="img" font-family="system-ui, sans-serif"'
        f' style="max-width: 600px; width: 100%; height: auto; color: {_paint("--chart-text")}">',
        f"  <title>Timeline of {chunks} chunks</title>",
        f"  <desc>{words}. {CAPTION}</desc>",
    ]


def _bar(x: float, y: float, width: float, s: Span) -> list[str]:
    paint = _paint(PAINTS[s.part])
    bar = (
        f'  <rect x="{x:.2f}" y="{y}" width="{width:.2f}" height="{LANE - 3}" rx="2"'
        f' style="fill: {paint}; stroke: {paint}" fill-opacity="0.35">'
        f"<title>chunk {s.chunk}: {s.begin:.4g} to {s.end:.4g} ms</title></rect>"
    )
    number = str(s.chunk)
    if width < 8 * len(number) + 3:
        return [bar]
    return [bar, _text(x + width / 2, y + MIDDLE, number, 12, "middle")]


def _paint(name: str) -> str:
    """A colour of the page, or where the page has none, that of a light one."""
    return f"var({name}, {COLOURS[name][0]})"


def _text(x: float, y: float, text: str, size: float, anchor: str = "start") -> str:
    return (
        f'  <text x="{x:.2f}" y="{y}" text-anchor="{anchor}" font-size="{size}"'
        f' style="fill: currentColor">{text}</text>'
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m tools.labs.timeline", description=__doc__)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("-o", "--out", type=Path)
    options = parser.parse_args(arguments)
    text = options.file.read_text(encoding="utf-8") if options.file else sys.stdin.read()
    try:
        picture = draw(parse(text))
    except ValueError as problem:
        print(f"{problem}: it is what './course run 6 timeline' prints.", file=sys.stderr)
        return 1
    if options.out is None:
        sys.stdout.write(picture)
    else:
        options.out.write_text(picture, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
