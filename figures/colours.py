"""The colours of the course's charts and drawings, for a light page and a dark one.

Standard library only: what draws without the charts' packages has its colours from here, too.
"""

from __future__ import annotations

# CSS variable: (light, dark). The light values double as the marks' colours in specifications, so
# each occurs once. 1 to 6 are Okabe and Ito's palette, told apart with every colour blindness.
COLOURS = {
    "--chart-1": ("#0072b2", "#56b4e9"),
    "--chart-2": ("#d55e00", "#ff9350"),
    "--chart-3": ("#009e73", "#2fc99d"),
    "--chart-4": ("#aa4499", "#e08ad0"),
    "--chart-5": ("#b07a00", "#e9b44c"),
    "--chart-6": ("#4a5fc1", "#9aa9f5"),
    "--chart-rival": ("#7a7f87", "#9aa0a8"),
    "--chart-then": ("#8a6d4b", "#c4a57c"),
    "--chart-text": ("#1f2328", "#e6e8eb"),
    "--chart-muted": ("#5b626b", "#aeb4bc"),
    "--chart-axis": ("#9aa1a9", "#6d747c"),
    "--chart-grid": ("#e3e6ea", "#33383e"),
    "--chart-on-strong": ("#fefefe", "#0b0d0f"),
    "--chart-seq-1": ("#eaf3fa", "#14222d"),
    "--chart-seq-2": ("#cfe3f2", "#1a3447"),
    "--chart-seq-3": ("#abcfe8", "#1f4a67"),
    "--chart-seq-4": ("#4090c4", "#3f93c7"),
    "--chart-seq-5": ("#2880ba", "#62aede"),
    "--chart-seq-6": ("#0f6199", "#8cc6ec"),
    "--chart-seq-7": ("#084570", "#badff7"),
}


def css_variables() -> str:
    """CSS that defines the charts' colours for light, dark, and the reader's choice of either. What
    is printed is light."""

    def block(selector: str, shade: int) -> str:
        lines = "".join(f"  {name}: {pair[shade]};\n" for name, pair in COLOURS.items())
        return f"{selector} {{\n{lines}}}\n"

    dark = block('body:not([data-theme="light"])', 1)
    chosen = block('body[data-theme="dark"]', 1)
    return (
        block(":root", 0)
        + f"@media screen and (prefers-color-scheme: dark) {{\n{dark}}}\n"
        + f"@media screen {{\n{chosen}}}\n"
        + "svg.chart { display: block; width: 100%; height: auto; font-family: inherit; }\n"
    )
