"""`lanes`: a picture of the 32 lanes of a warp and the sectors of memory that they touch.

Picture and counts are computed from `:stride:` and `:offset:` (in elements) and
`:element-bytes:`; nothing in them is typed.
"""

from __future__ import annotations

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from .context import SiteDirective
from .markup import element, escape, raw

LANES = 32
SECTOR_BYTES = 32
WIDTH = 640
LANE_PITCH = WIDTH / LANES


def touched_sectors(stride: int, offset: int = 0, element_bytes: int = 4) -> list[list[int]]:
    """For each lane, the numbers of the sectors that its element lies in."""
    sectors = []
    for lane in range(LANES):
        first = (offset + lane * stride) * element_bytes
        last = first + element_bytes - 1
        sectors.append(list(range(first // SECTOR_BYTES, last // SECTOR_BYTES + 1)))
    return sectors


def lanes_svg(stride: int, offset: int = 0, element_bytes: int = 4, label: str = "") -> str:
    """The picture: lanes above, the touched stretch of memory below, a line for each access."""
    touched = touched_sectors(stride, offset, element_bytes)
    distinct = sorted({sector for lane in touched for sector in lane})
    count = len(distinct)
    first, last = distinct[0], distinct[-1]
    # Sectors are drawn to one scale where they fit, else only the touched ones with gaps.
    spread = list(range(first, last + 1)) if last - first < LANES else distinct
    pitch = min(WIDTH / len(spread), WIDTH / 4)
    left = (WIDTH - pitch * len(spread)) / 2
    place = {sector: left + pitch * at for at, sector in enumerate(spread)}
    lane_y, sector_y, gap = 4, 96, 3 if pitch > 24 else 2
    parts = []
    for lane in range(LANES):
        x = LANE_PITCH * (lane + 0.5)
        for sector in touched[lane]:
            # Within a sector an access ends where its bytes lie.
            start = (
                (offset + lane * stride) * element_bytes - sector * SECTOR_BYTES
            ) / SECTOR_BYTES
            inside = min(max(start + element_bytes / SECTOR_BYTES / 2, 0.06), 0.94)
            end = place[sector] + pitch * inside
            parts.append(
                f'<path class="access" d="M{x:.1f} {lane_y + 15} C{x:.1f} 58 {end:.1f} 52 '
                f'{end:.1f} {sector_y}"/>'
            )
    for lane in range(LANES):
        x = LANE_PITCH * lane + 2.5
        parts.append(
            f'<rect class="lane" x="{x:.1f}" y="{lane_y}" width="{LANE_PITCH - 5:.1f}" '
            'height="15" rx="3"/>'
        )
    for sector in spread:
        css = "sector touched" if sector in distinct else "sector"
        parts.append(
            f'<rect class="{css}" x="{place[sector] + gap / 2:.1f}" y="{sector_y}" '
            f'width="{pitch - gap:.1f}" height="22" rx="3"/>'
        )
    noun = "sector" if count == 1 else "sectors"
    text = label or f"{LANES} lanes touch {count} {noun}"
    title = element("title", escape(text))
    return (
        f'<svg class="lanes" viewBox="0 0 {WIDTH} {sector_y + 26}" role="img" '
        f'aria-label="{escape(text)}">{title}{"".join(parts)}</svg>'
    )


class Lanes(SiteDirective):
    """A figure of one access of a warp."""

    has_content = True
    option_spec = {
        "stride": directives.nonnegative_int,
        "offset": directives.nonnegative_int,
        "element-bytes": directives.positive_int,
    }

    def run(self) -> list[nodes.Node]:
        stride = self.options.get("stride", 1)
        offset = self.options.get("offset", 0)
        size = self.options.get("element-bytes", 4)
        touched = {s for lane in touched_sectors(stride, offset, size) for s in lane}
        figure = nodes.container(classes=["lanes-figure"])
        figure += raw(lanes_svg(stride, offset, size))
        noun = "sector" if len(touched) == 1 else "sectors"
        count = element("strong", f"{len(touched)} {noun}")
        caption = nodes.paragraph(classes=["lanes-caption"])
        caption += raw(f"One request, {count}. ")
        figure += caption
        body = self.parse_body()
        if body and isinstance(body[0], nodes.paragraph):
            caption += body[0].children
            body = body[1:]
        figure += body
        return [figure]


def setup(app: Sphinx) -> None:
    app.add_directive("lanes", Lanes)
