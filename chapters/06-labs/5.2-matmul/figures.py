"""Charts of lab 5.2."""

from __future__ import annotations

from figures.style import Figure, line_chart, lines

PRODUCT = "06-labs/matmul_f32"
HOT = "cache:hot/launch:stream"


def products_over_size(results) -> Figure:
    """The product over the size of its matrices, on the device and on the host."""
    return line_chart(
        lines(
            results,
            [
                ("rows", f"{PRODUCT}/rows/n:*/{HOT}/threads:256"),
                ("with copies", f"{PRODUCT}/rows/n:*/threads:256/with:copies"),
                ("cuBLAS", f"{PRODUCT}/cublas/n:*/{HOT}"),
                ("one thread", f"{PRODUCT}/matmult/n:*"),
                ("all cores", f"{PRODUCT}/matmult_all_cores/n:*"),
            ],
            field_name="flops_per_second",
        ),
        x_title="n",
        title="Operations a second over size",
        caption="Higher is better. One thread and all cores of the host compute in double.",
        log_x=True,
        log_y=True,
    )
