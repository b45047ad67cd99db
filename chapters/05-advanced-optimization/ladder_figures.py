"""Charts of the page on the integer ladder."""

from __future__ import annotations

from figures.style import Cell, Figure, bar_ladder, bars, heat_map, line_chart, lines

SLUG = "05-advanced-optimization"
SUM = f"{SLUG}/sum_of_squares_i32"
LARGE = 1 << 28


def sum_key(step: str, n: int | str = LARGE, cache: str = "hot", launch: str = "stream") -> str:
    """Name of the row of a step."""
    return f"{SUM}/{step}/n:{n}/cache:{cache}/launch:{launch}"


def ladder_large(results) -> Figure:
    """All steps on an array far larger than any cache."""
    steps = [
        ("one atomic an element", "many_blocks"),
        ("one sum a block", "block_sums"),
        ("tree, scattered", "tree_divergent"),
        ("tree, conflicts", "tree_bank_conflicts"),
        ("tree, sequential", "tree_sequential"),
        ("first add at load", "first_add_during_load"),
        ("warp shuffle", "warp_shuffle"),
        ("grid-stride", "grid_stride"),
        ("wide loads", "wide_loads"),
        ("one launch", "one_launch"),
        ("cooperative", "cooperative_grid"),
        ("packed ticket", "packed_ticket"),
        ("a tile a block", "tile_a_block"),
        ("CUB", "cub"),
    ]
    return bar_ladder(
        bars(results, [(label, sum_key(step)) for label, step in steps]),
        title="Sum of squares of 2²⁸ integers",
        caption="Shorter is better. The array has 1 GiB and comes from DRAM.",
        log=True,
    )


def ladder_over_size(results) -> Figure:
    """Small arrays: what a launch costs, and two of them."""
    return line_chart(
        lines(
            results,
            [
                ("grid-stride", sum_key("grid_stride", "*", launch="graph")),
                ("one launch", sum_key("one_launch", "*", launch="graph")),
                ("packed ticket", sum_key("packed_ticket", "*", launch="graph")),
                ("by size", sum_key("by_size", "*", launch="graph")),
                ("CUB", sum_key("cub", "*", launch="graph")),
            ],
        ),
        x_title="elements",
        caption="Hot cache, replayed from a graph. On the left a launch is all there is.",
        title="Time over size",
        log_x=True,
        log_y=True,
    )


def ladder_tree_counts(results) -> Figure:
    """Where the work of the steps with a tree goes, by the hardware's counters."""
    counts = [
        ("instructions", "instructions"),
        ("shared loads", "shared_load_instructions"),
        ("passes for them", "shared_load_wavefronts"),
    ]
    steps = [
        ("scattered", "tree_divergent"),
        ("conflicts", "tree_bank_conflicts"),
        ("sequential", "tree_sequential"),
        ("first add", "first_add_during_load"),
        ("shuffle", "warp_shuffle"),
    ]
    return heat_map(
        [
            Cell(column, row, results.count(f"{SLUG}/{step}", name))
            for row, step in steps
            for column, name in counts
        ],
        column_title="count, in whole warps",
        row_title="step",
        caption="Counts of the hardware for 2²⁰ elements. A pass is a wavefront: one trip through "
        "the banks of shared memory.",
        title="What a tree costs",
    )
