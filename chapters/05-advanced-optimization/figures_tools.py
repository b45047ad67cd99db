"""Charts of the page about the chapter's tools."""

from __future__ import annotations

from figures.style import Figure, line_chart, lines

CHAPTER = "05-advanced-optimization"
SIZE = 1 << 22


def setting(name: str):
    """The x of a row: the number behind `name:` in its key."""
    return lambda row: int(row.key.parts[name])


def ways(results) -> Figure:
    """The time of a warp whose lanes go in turns, over the number of turns."""
    pattern = f"{CHAPTER}/many_ways/many_ways/n:{SIZE}/cache:hot/launch:stream/ways:*"
    return line_chart(
        lines(results, [("in turns", pattern)], setting("ways")),
        x_title="ways in a warp",
        caption="4,194,304 elements with the same work each. Only the number of turns differs.",
        title="What divergence costs",
    )


def pitches(results) -> Figure:
    """The time of reading rows from shared memory, over the distance of the rows."""
    family = f"{CHAPTER}/tile_sums"
    tail = f"n:{SIZE}/cache:hot/launch:stream/pitch:*"
    return line_chart(
        lines(
            results,
            [
                ("4 bytes", f"{family}/rows_by_4_bytes/{tail}"),
                ("16 bytes", f"{family}/rows_by_16_bytes/{tail}"),
            ],
            setting("pitch"),
        ),
        x_title="pitch: ints from row to row",
        caption="32 lanes read 32 rows of a tile in shared memory, 4 or 16 bytes at a time. "
        "The same bytes are read at every pitch.",
        title="What bank conflicts cost",
        log_y=True,
    )
