"""`step-diff`: what changed from one step to the next, and what came of it.

Three views (the change only, the new code, side by side) are tabs made of radio buttons and the
style sheet; without it, all three are readable one after the other. Below stands a strip with what
the compiler, the counters and the clock say of both steps.
"""

from __future__ import annotations

import re
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from . import difference
from .context import SiteDirective
from .difference import ADDED, REMOVED, SAME, Line, Pair
from .markup import code_block, element, escape, highlighted_lines, mark_ranges, raw
from .snippet import code_head
from .sources import ship
from .tagged import Region, TagError, lexer_name, read_region
from .values import value_html

SIGNS = {SAME: " ", ADDED: "+", REMOVED: "\u2212"}
NOT_MEASURED = '<span class="absent">not measured here</span>'


def step_name(path: Path) -> str:
    """A step's name from its file: step2_two_threads.cu is two_threads."""
    return re.sub(r"^step\d+[a-z]?_", "", path.stem)


def _chapter_of(path: Path) -> str:
    """Slug of the chapter that a file belongs to; a lab's files lie in a folder of the chapter."""
    parts = path.parts
    return parts[parts.index("chapters") + 1] if "chapters" in parts else path.parent.name


class StepDiff(SiteDirective):
    """Two files, one region of each."""

    required_arguments = 2
    has_content = True
    option_spec = {
        "tag": directives.unchanged_required,
        "old-tag": directives.unchanged_required,
        "family": directives.unchanged_required,
        "caption": directives.unchanged_required,
        "keys": directives.unchanged_required,
        "no-strip": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        old_path, new_path = (self.resolve(name) for name in self.arguments)
        tag = self.options.get("tag")
        try:
            old = read_region(old_path, self.options.get("old-tag", tag))
            new = read_region(new_path, tag)
        except TagError as problem:
            raise self.error(str(problem)) from None
        ship(self.env, old_path)
        new_name = ship(self.env, new_path)
        views = Views(old, new)
        number = self.env.new_serialno("step-diff")
        note = element("span", f"from {escape(old_path.name)}", class_="code-from")
        parts = [code_head(self.env, new_name, new, note=note)]
        parts.append(views.tabs(f"diff-{number}", old_path.name, new_path.name))
        box = nodes.container(classes=["step-diff"])
        box += raw("".join(parts))
        if "caption" in self.options:
            caption = nodes.paragraph(classes=["code-caption"])
            caption += self.inline(self.options["caption"])
            box += caption
        box += self.parse_body()
        if "no-strip" not in self.options:
            box += raw(self._strip(old_path, new_path))
        return [box]

    def _strip(self, old_path: Path, new_path: Path) -> str:
        strip = Strip(self, old_path, new_path)
        return strip.html()


class Views:
    """The three views of a difference."""

    def __init__(self, old: Region, new: Region) -> None:
        self.old, self.new = old, new
        self.old_html = highlighted_lines(old.text, lexer_name(old.path))
        self.new_html = highlighted_lines(new.text, lexer_name(new.path))
        self.rows = difference.pairs_of(old.text.split("\n"), new.text.split("\n"))

    def tabs(self, name: str, old_name: str, new_name: str) -> str:
        views = [
            ("Change only", "change", self.change()),
            ("New code", "new", self.new_code()),
            ("Side by side", "sides", self.side_by_side(old_name, new_name)),
        ]
        inputs, panels = "", ""
        for at, (title, css, html) in enumerate(views):
            ident = f"{name}-{css}"
            inputs += (
                f'<input type="radio" name="{name}" id="{ident}" class="tab-{css}"'
                f"{' checked' if at == 0 else ''}>" + element("label", title, for_=ident)
            )
            panels += element("div", html, class_=f"diff-panel panel-{css}")
        return element("div", inputs + panels, class_="diff-tabs", role="group",
                       aria_label=f"Change from {old_name} to {new_name}")  # fmt: skip

    def _html_of(self, line: Line, side: str | None = None) -> str:
        if line.kind == REMOVED:
            return mark_ranges(self.old_html[line.old], list(line.words), "del")
        if line.kind == ADDED:
            return mark_ranges(self.new_html[line.new], list(line.words), "ins")
        return self.new_html[line.new] if side != "old" else self.old_html[line.old]

    def change(self) -> str:
        lines = []
        for line in difference.with_context(difference.unified(self.rows)):
            if isinstance(line, int):
                noun = "line" if line == 1 else "lines"
                text = f"{line} unchanged {noun}"
                lines.append(element("span", f"⋯ {text}", class_="left-out"))
                continue
            sign = element("span", SIGNS[line.kind], class_="sign", aria_hidden="true")
            label = {ADDED: "added: ", REMOVED: "removed: "}.get(line.kind, "")
            spoken = element("span", label, class_="visually-hidden") if label else ""
            lines.append(
                element("span", sign + spoken + self._html_of(line), class_=f"line {line.kind}")
            )
        if all(row.left is row.right for row in self.rows):
            return element("p", "Nothing changed here.", class_="code-caption")
        pre = element("pre", "\n".join(lines) + "\n", tabindex="0")
        return element("div", pre, class_="highlight diff-change")

    def new_code(self) -> str:
        added = {row.right.new for row in self.rows if row.right and row.right.kind == ADDED}
        words = {row.right.new: row.right for row in self.rows if row.right}
        lines = []
        for at in range(len(self.new_html)):
            css = "line added" if at in added else "line"
            lines.append(element("span", self._html_of(words[at]), class_=css))
        return code_block(lines, lexer_name(self.new.path))

    def side_by_side(self, old_name: str, new_name: str) -> str:
        body = "".join(self._side_row(row) for row in self.rows)
        head = element(
            "tr",
            element("th", escape(old_name), scope="col")
            + element("th", escape(new_name), scope="col"),
        )
        table = element("table", element("thead", head) + element("tbody", body),
                        class_="side-by-side")  # fmt: skip
        return element("div", table, class_="highlight diff-sides", tabindex="0")

    def _side_row(self, row: Pair) -> str:
        cells = ""
        for line, side in ((row.left, "old"), (row.right, "new")):
            if line is None:
                cells += element("td", "", class_="nothing")
            else:
                code = element("pre", self._html_of(line, side) or " ")
                cells += element("td", code, class_=line.kind)
        return element("tr", cells)


class Strip:
    """What the change did: a small table of both steps, filled from the results."""

    # Label, name in the build file; then label, name in the counters file.
    BUILD = (("Registers", "registers", "1"), ("Shared", "shared_bytes", "B"),
             ("Spilled", "spill_store_bytes", "B"))  # fmt: skip
    COUNTS = (("Requests", "requests"), ("Sectors", "sectors"))

    def __init__(self, directive: StepDiff, old: Path, new: Path) -> None:
        self.directive = directive
        self.store = directive.context.store
        self.options = directive.options
        self.paths = (old, new)
        self.names = tuple(step_name(path) for path in self.paths)
        self.slugs = tuple(_chapter_of(path) for path in self.paths)
        for slug in set(self.slugs):
            directive.note_input(f"results:{slug}")

    def html(self) -> str:
        found = [
            (label, [self._build(at, name, unit) for at in (0, 1)])
            for label, name, unit in self.BUILD
        ]
        found += [(label, [self._count(at, name) for at in (0, 1)]) for label, name in self.COUNTS]
        found.append(("Time", [self._time(at) for at in (0, 1)]))
        known = [(label, values) for label, values in found if any(values)]
        lacking = [label.lower() for label, values in found if not any(values)]
        note = ""
        if lacking:
            note = element(
                "p", f"{', '.join(lacking).capitalize()}: {NOT_MEASURED}.", class_="strip-note"
            )
        if not known:
            return element("div", note, class_="table-wrapper")
        head = element("th", "What changed", scope="col") + "".join(
            element("th", label, scope="col", class_="number") for label, _ in known
        )
        body = ""
        for at in (0, 1):
            cells = element("th", escape(self.names[at].replace("_", " ")), scope="row")
            for _, values in known:
                cells += element("td", values[at] or NOT_MEASURED, class_="number")
            body += element("tr", cells)
        table = element(
            "table",
            element("thead", element("tr", head)) + element("tbody", body),
            class_="change-strip results-table",
        )
        return element("div", table + note, class_="table-wrapper")

    def _build(self, at: int, name: str, unit: str) -> str | None:
        from tools import units
        from tools.results import MissingKey

        try:
            build = self.store.build(self.slugs[at])
        except MissingKey:
            return None
        kernels = [k for k in build["kernels"] if self._of_step(k, at)]
        values = {kernel[name] for kernel in kernels if kernel.get(name) is not None}
        if len(values) != 1:
            return None
        title = f"compiled by {build['context']['nvcc']} for {build['context']['architecture']}"
        return element("span", units.format_unit(values.pop(), unit), title=title, class_="value")

    def _of_step(self, kernel: dict, at: int) -> bool:
        """Whether a kernel stands in the step's file; the build file may name file or step."""
        if kernel.get("source"):
            return self.paths[at].as_posix().endswith("/" + kernel["source"])
        if kernel.get("step"):
            return kernel["step"] == self.names[at]
        plain = kernel["name"].split("<")[0].split("::")[-1]
        text = self.paths[at].read_text(encoding="utf-8")
        return re.search(rf"\b{re.escape(plain)}\s*\(", text) is not None

    def _key(self, at: int) -> str | None:
        """The result that stands for a step: `:keys: OLD NEW`, or its only row, or the row of the
        largest size, cold and launched in a stream."""
        from tools.keys import Key
        from tools.results import MissingKey

        if "keys" in self.options:
            return self.options["keys"].split()[at]
        family = self.options.get("family", "*")
        try:
            rows = self.store.rows(f"{self.slugs[at]}/{family}/{self.names[at]}/n:*")
        except MissingKey:
            return None
        if not rows:
            return None

        def rank(row) -> tuple:
            key: Key = row.key
            return (key.n, key.parts.get("cache") == "cold", key.parts.get("launch") == "stream")

        return max(rows, key=rank).name

    def _count(self, at: int, name: str) -> str | None:
        from tools.results import MissingKey

        for key in (f"{self.slugs[at]}/{self.names[at]}", self._key(at)):
            try:
                if key:
                    return value_html(self.store.count(key, name), "value")
            except MissingKey:
                continue
        return None

    def _time(self, at: int) -> str | None:
        from tools.results import MissingKey

        key = self._key(at)
        if key is None:
            return None
        try:
            html = value_html(self.store.row(key).value(), "value")
        except MissingKey:
            return None
        for device in self.directive.context.readers:
            row = self.store.find(key, device)
            if row is not None:
                html += value_html(row.value(), "value reader", lead="yours: ")
        return html


def setup(app: Sphinx) -> None:
    app.add_directive("step-diff", StepDiff)
