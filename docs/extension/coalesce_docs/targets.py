"""`targets`: the figures that a chapter set out to reach, from its targets.toml, and what came out.

```{targets}
:caption: What the ladder reached.
```
"""

from __future__ import annotations

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from .context import SiteDirective
from .markup import element, escape, phrase, raw

HEADINGS = ("Ours against", "Measured", "95 % interval", "Must", "Aim", "Reached")


def in_digits(ratio: float | None) -> str:
    return "–" if ratio is None else f"{ratio:.3f}"


class Targets(SiteDirective):
    """A table with a line a target."""

    option_spec = {"caption": directives.unchanged_required, "only": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        from tools import targets
        from tools.results import MissingKey

        path = self.context.repo / "chapters" / self.chapter / "targets.toml"
        self.env.note_dependency(str(path))
        self.note_input(f"results:{self.chapter}")
        try:
            wanted = targets.read(path)
            only = self.options.get("only", "")
            found = [
                targets.measure(target, self.context.store)
                for target in wanted
                if f"/{only}" in target.rows
            ]
        except (MissingKey, targets.TargetError) as problem:
            return self.complain(f"targets: {problem}")
        head = element("tr", "".join(element("th", text, scope="col") for text in HEADINGS))
        caption = self.options.get("caption")
        html = element(
            "table",
            (element("caption", phrase(caption)) if caption else "")
            + element("thead", head)
            + element("tbody", "".join(self._row(each) for each in found)),
            class_="results-table targets",
        )
        return [raw(element("div", html, class_="table-wrapper"))]

    def _row(self, reached) -> str:
        target = reached.target
        word = "aim" if reached.aim else "must" if reached.must else "no"
        mark = {"aim": "✓ aim", "must": "✓ must", "no": "✗ not reached"}[word]
        several = f"worst of its sizes: {reached.rows[0]}"
        if target.take == "geometric_mean":
            several = f"geometric mean of {len(reached.rows)} sizes"
        interval = "–"
        if reached.low is not None and reached.high is not None:
            interval = f"{in_digits(reached.low)} to {in_digits(reached.high)}"
        cells = element("th", phrase(target.what), scope="row", title=several)
        cells += element(
            "td",
            element("span", in_digits(reached.ratio), class_="measured", title=several,
                    data_key=" ".join(reached.rows), tabindex="0"),
            class_="number",
        )  # fmt: skip
        for text in (interval, in_digits(target.must), in_digits(target.aim)):
            cells += element("td", escape(text), class_="number")
        cells += element("td", mark, class_=f"target-{word}")
        return element("tr", cells)


def setup(app: Sphinx) -> None:
    app.add_directive("targets", Targets)
