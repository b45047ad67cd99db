"""Charts of chapter 3."""

from __future__ import annotations

from figures.style import Figure, bar_ladder, bars, line_chart, lines

FAMILY = "03-first-gpu-program/sum_of_squares_i32"
SIZE = 1 << 20


def gpu_key(step: str, cache: str) -> str:
    """Name of the row of a step on the GPU, at the chapter's size."""
    return f"{FAMILY}/{step}/n:{SIZE}/cache:{cache}/launch:stream"


def one_thread_ladder(results) -> Figure:
    """One GPU thread, unrolled and not, hot and cold, beside the CPU."""
    return bar_ladder(
        bars(
            results,
            [
                (
                    "GPU thread, hot",
                    gpu_key("one_thread", "hot"),
                    f"geforce-g-103m:{FAMILY}/one_thread/n:{SIZE}",
                ),
                ("GPU thread, cold", gpu_key("one_thread", "cold")),
                ("not unrolled, hot", gpu_key("one_thread_no_unroll", "hot")),
                ("not unrolled, cold", gpu_key("one_thread_no_unroll", "cold")),
                ("CPU, one thread", f"{FAMILY}/cpu_one_thread/n:{SIZE}"),
                ("CPU, all cores", f"{FAMILY}/cpu_all_cores/n:{SIZE}"),
            ],
        ),
        title="Sum of squares of 2²⁰ integers",
        caption="Shorter is better. Every bar is the same sum of the same kind of input.",
        log=True,
    )


def time_over_size(results) -> Figure:
    """How the times grow with the number of elements."""
    return line_chart(
        lines(
            results,
            [
                ("GPU thread", f"{FAMILY}/one_thread/n:*/cache:hot/launch:stream"),
                ("not unrolled", f"{FAMILY}/one_thread_no_unroll/n:*/cache:hot/launch:stream"),
                ("CPU, one thread", f"{FAMILY}/cpu_one_thread/n:*"),
                ("CPU, all cores", f"{FAMILY}/cpu_all_cores/n:*"),
            ],
        ),
        x_title="elements",
        caption="Hot cache. Where a line is straight, an element costs the same at every size.",
        title="Time over size",
        log_x=True,
        log_y=True,
    )
