"""Draws the timeline of a pipeline from the table that `./course run 6 timeline` prints.

    python3 -m tools.labs.timeline [FILE] [-o OUT.svg]

A row of bars for each part (copy in, compute, copy out), a bar for each chunk. Standard library
only.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PARTS = {"copy_in": "copy in", "compute": "compute", "copy_out": "copy out"}
COLOURS = {
    "copy_in": "var(--chart-1, #0072b2)",
    "compute": "var(--chart-3, #009e73)",
    "copy_out": "var(--chart-2, #d55e00)",
}
_LINE = re.compile(r"^ *(\d+) +(copy_in|compute|copy_out) +([\d.]+) +([\d.]+) *$", re.MULTILINE)

LEFT, WIDTH, ROW, TOP = 70, 400, 32, 16


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


def draw(spans: Sequence[Span]) -> str:
    """An SVG, as wide as its page, in the colours of the course's charts."""
    last = max(s.end for s in spans)
    scale = WIDTH / last if last else 0
    chunks = len({s.chunk for s in spans})
    height = TOP + len(PARTS) * ROW + 34
    words = "; ".join(
        f"chunk {s.chunk} {PARTS[s.part]} from {s.begin:.4g} to {s.end:.4g} ms" for s in spans
    )
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 {height}" role="img"'
        ' font-family="system-ui, sans-serif"'
        ' style="max-width: 600px; width: 100%; height: auto; color: var(--chart-text, #222)">',
        f"  <title>Timeline of {chunks} chunks</title>",
        f"  <desc>{words}.</desc>",
    ]
    for row, (part, name) in enumerate(PARTS.items()):
        y = TOP + row * ROW
        out.append(_text(8, y + 16, name, 11.5))
        for s in spans:
            if s.part == part:
                out += _bar(LEFT + s.begin * scale, y, (s.end - s.begin) * scale, s)
    axis = TOP + len(PARTS) * ROW + 4
    out.append(f'  <path d="M{LEFT} {axis} H{LEFT + WIDTH}" stroke="currentColor" fill="none"/>')
    out.append(_text(LEFT, axis + 16, "0", 11))
    out.append(_text(LEFT + WIDTH, axis + 16, f"{last:.4g} ms", 11, "end"))
    return "\n".join([*out, "</svg>", ""])


def _bar(x: float, y: float, width: float, s: Span) -> list[str]:
    bar = (
        f'  <rect x="{x:.2f}" y="{y}" width="{width:.2f}" height="24" rx="2"'
        f' style="fill: {COLOURS[s.part]}; stroke: {COLOURS[s.part]}" fill-opacity="0.35">'
        f"<title>chunk {s.chunk}: {s.begin:.4g} to {s.end:.4g} ms</title></rect>"
    )
    return [bar, _text(x + width / 2, y + 16, str(s.chunk), 11, "middle")] if width > 9 else [bar]


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
