"""Figures of the made-up chapter."""

from figures.style import bar_ladder, bars

SUM = "04-optimization/sum_of_squares_i32"
TAIL = "n:1048576/cache:hot/launch:stream"


def ladder(results):
    """Both orders of access."""
    return bar_ladder(
        bars(results, [("contiguous", f"{SUM}/contiguous/{TAIL}"),
                       ("strided", f"{SUM}/strided/{TAIL}")]),
        title="Sum of squares on one block",
        caption="The same additions in another order.",
    )  # fmt: skip
