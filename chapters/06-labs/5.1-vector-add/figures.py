"""Charts of lab 5.1."""

from __future__ import annotations

from figures.style import Figure, line_chart, lines

ADD = "06-labs/vector_add"


def sums_over_size(results) -> Figure:
    """The kernel alone, all of vector_add(), and the loop on the CPU."""
    return line_chart(
        lines(
            results,
            [
                ("kernel", f"{ADD}/add_slice/n:*/cache:hot/launch:stream"),
                ("vector_add", f"{ADD}/vector_add/n:*"),
                ("CPU", f"{ADD}/cpu_one_thread/n:*"),
            ],
        ),
        x_title="elements",
        title="A sum, with and without what is around it",
        caption="Where two lines cross, the other one begins to win.",
        log_x=True,
        log_y=True,
    )
