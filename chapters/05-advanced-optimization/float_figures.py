"""Charts of the page on floating point and what bounds a kernel."""

from __future__ import annotations

import math

import altair as alt

from figures.style import (
    AXIS,
    MUTED,
    SERIES,
    WIDTH,
    Figure,
    Line,
    bar_ladder,
    bars,
    line_chart,
)
from tools import units

SLUG = "05-advanced-optimization"
SUM = f"{SLUG}/sum_of_squares_f32"
LARGE = 1 << 28
PRODUCT = f"{SLUG}/matrix_product_f32"
ADDITION = "04-optimization/matrix_add/float4_a_thread/n:*/cache:hot/launch:stream/threads:256"


def sum_key(step: str, n: int = LARGE, cache: str = "cold", variant: str = "") -> str:
    """Name of the row of a float sum, by default 2^28 elements and a cold cache."""
    return f"{SUM}/{step}/n:{n}/cache:{cache}/launch:stream{variant}"


def float_ladder(results) -> Figure:
    """All sums of the whole GPU beside CUB's."""
    return bar_ladder(
        bars(
            results,
            [
                ("one atomic a block", sum_key("float_atomic", cache="hot")),
                ("compensated", sum_key("float_kahan", cache="hot")),
                ("pairwise", sum_key("pairwise", cache="hot")),
                ("deterministic", sum_key("deterministic", cache="hot")),
                ("in double", sum_key("float_double", cache="hot")),
                ("CUB", sum_key("cub", cache="hot")),
            ],
            "bytes_per_second",
        ),
        title="Sum of squares of 2²⁸ floats",
        caption="Longer is better. All read the same 1 GiB; what differs is the arithmetic, the "
        "order of the additions, and how the blocks' sums come together.",
    )


def bytes_in_flight(results) -> Figure:
    """Bandwidth over the bytes that each multiprocessor has on its way."""
    made = []
    for loads in (1, 4):
        points = []
        for blocks in (1, 2, 4, 8):
            variant = f"/blocks:{blocks}/loads:{loads}"
            row = results.row(sum_key("in_flight", variant=variant))
            points.append((blocks * 256 * loads * 16, row.value("bytes_per_second")))
        made.append(Line(f"{loads} load{'s' if loads > 1 else ''} a thread", points))
    return line_chart(
        made,
        x_title="bytes in flight on each multiprocessor",
        caption="Each line has 1, 2, 4 and 8 blocks of 256 threads on a multiprocessor. Where the "
        "lines lie over each other, only the product counts: blocks × threads × loads × 16.",
        title="Bandwidth over bytes in flight",
        log_x=True,
        x_unit="B",
    )


def roofline(results) -> Figure:
    """What the memory and the lanes allow, and where four kernels are."""
    device = results.row(sum_key("deterministic", cache="hot")).device
    peak, memory = device.facts["fp32_peak"], device.facts["memory_bandwidth_peak"]
    addition = max(results.rows(ADDITION), key=lambda row: row.key.n, default=None)
    if addition is None:
        results.row(ADDITION)  # says what is missing
    points = []
    for label, row, flops_per_byte in [
        ("addition", addition, 1 / 12),
        ("sum of squares", results.row(sum_key("deterministic", cache="hot")), 2 / 4),
        ("product, plain", results.row(f"{PRODUCT}/product_plain/n:2048/cache:hot/launch:stream"),
         2048 / 6),
        ("product, tiled", results.row(f"{PRODUCT}/product_tiled/n:2048/cache:hot/launch:stream"),
         2048 / 6),
    ]:  # fmt: skip
        rate = row.number("bytes_per_second") * flops_per_byte
        bound = min(peak, memory * flops_per_byte)
        points.append({"label": label, "x": flops_per_byte, "y": rate, "share": rate / bound})
    left, right = 1 / 32, 1024.0
    ridge = peak / memory
    roof = [
        {"x": left, "y": left * memory},
        {"x": ridge, "y": peak},
        {"x": right, "y": peak},
    ]
    low = 10 ** math.floor(math.log10(left * memory))
    ticks_y = [10.0**power for power in range(11, 15) if low <= 10.0**power <= 2 * peak]
    x = (
        alt.X("x:Q")
        .title("operations for each byte of memory traffic, logarithmic")
        .axis(
            grid=False,
            values=[1 / 16, 1 / 4, 1, 4, 16, 64, 256],
            labelExpr="datum.value < 1 ? '1/' + round(1 / datum.value) : datum.value",
        )
        .scale(type="log", base=2, domain=[left, right], nice=False)
    )
    y = (
        alt.Y("y:Q")
        .title("operations a second, logarithmic")
        .axis(
            values=ticks_y,
            labelExpr="replace(format(datum.value, '~s'), /([a-zA-Z]?)$/, '\u202f$1') + 'FLOP/s'",
        )
        .scale(type="log", domain=[low, 2 * peak], nice=False)
    )
    names = [point["label"] for point in points]
    colour = alt.Color("label:N").legend(None).scale(domain=names, range=SERIES[: len(names)])
    base = alt.Chart(alt.Data(values=points)).encode(x=x, y=y, color=colour)
    labels = [
        {"x": 3, "y": 3 * memory, "text": "memory's bandwidth"},
        {"x": right, "y": peak, "text": "all lanes multiply and add"},
    ]
    chart = alt.layer(
        alt.Chart(alt.Data(values=roof)).mark_line(color=AXIS, strokeWidth=2).encode(x=x, y=y),
        alt.Chart(alt.Data(values=labels))
        .mark_text(color=MUTED, align="right", dx=-8, dy=-8)
        .encode(x=x, y=y, text="text:N"),
        base.mark_point(filled=True, size=70, opacity=1),
        base.transform_filter("datum.x < 10")
        .mark_text(align="left", dx=9, dy=6)
        .encode(text="label:N"),
        base.transform_filter("datum.x >= 10")
        .mark_text(align="right", dx=-9, dy=6)
        .encode(text="label:N"),
    ).properties(width=WIDTH, height=300, title="Roofline")
    table = [
        {
            "kernel": point["label"],
            "operations a byte": f"{point['x']:.3g}",
            "rate": units.format_flops(point["y"]),
            "share of the roof": units.format_percent(point["share"]),
        }
        for point in points
    ]
    spoken = "; ".join(f"{row['kernel']} at {row['rate']}" for row in table)
    return Figure(
        chart,
        table,
        f"Roofline chart of {device.name}: {spoken}. The first two lie under the slope of the "
        "memory's bandwidth, the products under the level of the arithmetic.",
        "Below the slope the memory decides, below the level the lanes. The traffic is the least "
        "possible: every input read once, every output written once.",
    )
