"""What a show printed, with device and date; drawn, where its text can be."""

from __future__ import annotations

from tools import capture, paths
from tools.labs import rows, timeline
from tools.labs.report import plots
from tools.labs.report.blocks import Block, Picture, Printed
from tools.results import REFERENCE

DRAWINGS = {"timeline": timeline}  # by the name of the show


def by_reader(record: dict, on_gpu: bool, drawn: bool) -> list[Block]:
    caption = f"Printed by your program on the {record['device']}, {record['date']}"
    if not on_gpu:
        caption += ": no times of a GPU"
    return blocks(record["show"], record["text"], caption, drawn)


def by_reference(experiment: dict, caption: str) -> list[Block]:
    """What the worked solution printed on the reference device; nothing where none is recorded."""
    show = experiment["show"]
    try:
        kept = capture.recorded_output(paths.REPO, rows.SLUG, REFERENCE, show)
    except capture.CaptureError:
        return []
    date = kept["facts"].get("date", "")
    return blocks(show, kept["output"], f"{caption}, {date}" if date else caption, drawn=True)


def blocks(show: str, text: str, caption: str, drawn: bool) -> list[Block]:
    picture = picture_of(show, text, caption) if drawn else None
    said = Printed(text, f"{caption}.", folded=picture is not None)
    return [picture, said] if picture else [said]


def picture_of(show: str, text: str, caption: str) -> Picture | None:
    drawing = DRAWINGS.get(show)
    if drawing is None:
        return None
    try:
        svg = drawing.draw(drawing.parse(text))
    except ValueError:  # the text has nothing to draw
        return None
    return Picture(plots.inline(svg), f"{caption}. {drawing.CAPTION}")
