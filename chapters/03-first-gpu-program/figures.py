"""Charts of chapter 3."""

from __future__ import annotations

import re
from pathlib import Path

from figures.style import Figure, Line, bar_ladder, bars, line_chart, lines
from tools import units
from tools.results import Value

QUEUE = Path(__file__).resolve().parent / "recorded" / "nvidia-h200" / "launch_queue.txt"

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


def queue_of_launches(results) -> Figure:
    """What a launch costs the host while the queue has room, and when it is full, as recorded."""
    text = QUEUE.read_text(encoding="utf-8")
    loop = re.findall(r"^ *(\d+) +([\d.]+)$", text, re.MULTILINE)
    kernel = re.search(r"^events around all of them: ([\d.]+) us", text, re.MULTILINE)

    def point(launches: str, microseconds: str) -> tuple[float, Value]:
        seconds = float(microseconds) * 1e-6
        printed = units.format_unit(seconds, "s")
        value = Value(seconds, "s", printed, results.device(), "launch_queue", "printed", {})
        return float(launches), value

    return line_chart(
        [
            Line("host, a launch", [point(*each) for each in loop]),
            Line("the kernel", [point(loop[at][0], kernel[1]) for at in (0, -1)], rival=True),
        ],
        x_title="launches so far",
        title="A loop of launches that nobody waits for",
        caption="While the queue has room, the clock sees only what a launch costs the host.",
    )
