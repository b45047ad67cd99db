"""`results-table`: rows of the results, the reader's devices beside the reference."""

from __future__ import annotations

from dataclasses import dataclass

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from .context import REFERENCE, SiteDirective
from .markup import element, escape, phrase, raw
from .values import chapter_slugs, value_html

HEADINGS = {
    "time": "Time",
    "interval": "95 % interval",
    "bandwidth": "Bandwidth",
    "flops": "Rate",
    "share_of_peak": "Share of peak",
    "share_of_read_roof": "Share of read roof",
    "share_of_flops_peak": "Share of peak rate",
    "error": "Largest error",
    "n": "Elements",
}
FIELDS = {"time": "real_time", "bandwidth": "bytes_per_second", "flops": "flops_per_second"}
ABSENT = '<span class="absent" title="not measured on this device">–</span>'


@dataclass(frozen=True)
class Line:
    """A row of the table: a result and the words that stand for it."""

    key: str
    label: str


def readable(step: str) -> str:
    """A step's name in words."""
    return step.replace("_", " ")


class ResultsTable(SiteDirective):
    """Rows from `:rows:` (keys or patterns) or, with a label each, from the body: `KEY label`."""

    has_content = True
    option_spec = {
        "rows": directives.unchanged_required,
        "columns": directives.unchanged_required,
        "devices": directives.unchanged_required,
        "caption": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        from tools.results import MissingKey

        store = self.context.store
        try:
            lines = self._lines()
            devices = self._devices()
            columns = self._columns()
            for slug in chapter_slugs([line.key for line in lines]):
                self.note_input(f"results:{slug}")
            for line in lines:
                store.row(line.key, devices[0])
            html = self._table(lines, columns, devices)
        except MissingKey as problem:
            return self.complain(f"results-table: {problem}")
        return [raw(html)]

    def _lines(self) -> list[Line]:
        entries = [line.split(None, 1) for line in self.content if line.strip()]
        entries += [[word] for word in self.options.get("rows", "").replace(",", " ").split()]
        if not entries:
            raise self.error("results-table needs rows, as an option or in its body")
        lines: list[Line] = []
        for entry in entries:
            pattern, label = entry[0], entry[1].strip() if len(entry) > 1 else ""
            if "*" in pattern or "?" in pattern:
                self.note_input("results:")
                rows = self.context.store.rows(pattern)
                if not rows:
                    raise self.error(f"no result is called {pattern}")
                lines += [Line(row.name, label or readable(row.key.step)) for row in rows]
            else:
                from tools.keys import Key

                lines.append(Line(pattern, label or readable(Key.parse(pattern).step)))
        return lines

    def _devices(self) -> list:
        store = self.context.store
        if "devices" in self.options:
            names = self.options["devices"].replace(",", " ").split()
            return [store.device(name) for name in names]
        return [store.device(REFERENCE), *self.context.readers]

    def _columns(self) -> list[str]:
        return self.options.get("columns", "time interval bandwidth").replace(",", " ").split()

    def _heading(self, column: str) -> str:
        if column.startswith("ratio:"):
            from tools.keys import Key

            return f"Against {readable(Key.parse(column[6:]).step)}"
        if column.startswith("ratio_to_"):
            return f"Against {readable(column[9:])}"
        return HEADINGS.get(column, readable(column).capitalize())

    def _table(self, lines: list[Line], columns: list[str], devices: list) -> str:
        several = len(devices) > 1
        head = element("th", "Step", scope="col")
        head += element("th", "Device", scope="col") if several else ""
        head += "".join(
            element("th", escape(self._heading(column)), scope="col", class_="number")
            for column in columns
        )
        body = "".join(self._rows(line, columns, devices) for line in lines)
        caption = ""
        if "caption" in self.options:
            caption = element("caption", phrase(self.options["caption"]))
        table = element(
            "table",
            caption + element("thead", element("tr", head)) + element("tbody", body),
            class_="results-table",
        )
        return element("div", table, class_="table-wrapper")

    def _rows(self, line: Line, columns: list[str], devices: list) -> str:
        """The rows of one step: the reference, below it each device that has the result too."""
        found = [(device, self.context.store.find(line.key, device)) for device in devices]
        found = [(device, row) for device, row in found if row is not None]
        html = ""
        for at, (device, row) in enumerate(found):
            cells = ""
            if at == 0:
                span = str(len(found)) if len(found) > 1 else None
                cells = element("th", phrase(line.label), scope="row", title=line.key, rowspan=span)
            if len(devices) > 1:
                yours = device.role == "reader"
                name = f"yours: {device.name}" if yours else device.name
                cells += element("td", escape(name), class_="device")
            for column in columns:
                cells += element("td", self._cell(row, column, device) or ABSENT, class_="number")
            css = [device.role] + (["more"] if at < len(found) - 1 else [])
            html += element("tr", cells, class_=" ".join(css))
        return html

    def _cell(self, row, column: str, device) -> str | None:
        from tools.expressions import ExpressionError
        from tools.results import MissingKey

        try:
            if column == "n":
                from tools import units

                return escape(units.format_count(row.key.n))
            if column == "interval":
                text = row.interval_text()
                return text and escape(text)
            if column.startswith("ratio:"):
                if column[6:] == row.name:
                    return value_html(self.context.store.ratio(row.name, row.name, device), "ratio")
                return value_html(self.context.store.ratio(column[6:], row.name, device), "ratio")
            return value_html(row.value(FIELDS.get(column, column)), "value")
        except (MissingKey, ExpressionError):
            return None


def setup(app: Sphinx) -> None:
    app.add_directive("results-table", ResultsTable)
