"""Charts of lab 5.4."""

from __future__ import annotations

from figures.style import Figure, line_chart, lines

PIPELINED = "06-labs/pipeline/pipelined/n:268435456/turns:{turns}/chunks:*"


def pipeline_over_chunks(results) -> Figure:
    """Time of the pipeline over the number of its chunks, for three amounts of computation."""
    return line_chart(
        lines(
            results,
            [(f"{turns} turns", PIPELINED.format(turns=turns)) for turns in (1600, 1200, 100)],
            x_of=lambda row: float(row.key.parts["chunks"]),
        ),
        x_title="chunks",
        title="1 GiB there and back, in chunks",
        caption="Few chunks leave long ends, many cost many calls. In between is a flat minimum.",
        log_x=True,
    )
