"""Charts of chapter 2."""

from __future__ import annotations

from figures.style import Bar, Figure, bar_ladder, bars
from tools.results import MissingKey

FAMILY = "02-first-program/scale_i32"
STEPS = {
    "one_block": "one block",
    "one_thread_each": "one thread each",
    "grid_stride": "grid-stride",
}
SIZES = {1 << 20: ("2²⁰", "hot"), 1 << 26: ("2²⁶", "cold")}
OLDER = ("geforce-g-103m", "tesla-m2070")


def many_blocks(results) -> Figure:
    """The three ways of spreading the work, at both sizes."""
    entries = [
        (f"{label}, {words}", f"{FAMILY}/{step}/n:{size}/cache:{cache}/launch:stream")
        for size, (words, cache) in SIZES.items()
        for step, label in STEPS.items()
    ]
    return bar_ladder(
        bars(results, entries),
        title="b[i] = 3 a[i] + 1, one block and many",
        caption="Shorter is better. At 2²⁰ elements the arrays lie in the L2 cache, at 2²⁶ they "
        "do not.",
        log=True,
    )


def device_bars(results, fact: str) -> list[Bar]:
    """A bar for each device that has the fact: the older ones, the reference, the reader's."""
    found = []
    for device in (*OLDER, "nvidia-h200", *results.readers()):
        try:
            value = results.fact(fact, device)
        except MissingKey:
            continue
        older = value.device.role == "historical"
        found.append(
            Bar(value.device.name, None if older else value, then=value if older else None)
        )
    return found


def device_bandwidth(results) -> Figure:
    """Peak bandwidth of the devices."""
    return bar_ladder(
        device_bars(results, "memory_bandwidth_peak"),
        title="Peak bandwidth of device memory",
        caption="Computed from the memory's clock and the width of its bus.",
        log=True,
        axis_title="bandwidth",
    )


def device_rate(results) -> Figure:
    """Peak rate of the devices."""
    return bar_ladder(
        device_bars(results, "fp32_peak"),
        title="Peak rate of 32-bit floating-point operations",
        caption="Computed from lanes, multiprocessors and clock; a multiply-add counts as two.",
        log=True,
        axis_title="rate",
    )
