"""`device-table`: facts of devices side by side, the reader's own among them."""

from __future__ import annotations

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from .context import REFERENCE, SiteDirective
from .markup import element, escape, phrase, raw
from .results_table import ABSENT
from .values import value_html


class DeviceTable(SiteDirective):
    """One row a fact: `name label` lines in the body. `:devices:` names the columns. A name with a
    question mark is left out where no device has the fact."""

    has_content = True
    option_spec = {
        "devices": directives.unchanged_required,
        "caption": directives.unchanged_required,
        "no-readers": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        from tools.results import MissingKey

        self.note_input("results:device")
        store = self.context.store
        names = self.options.get("devices", REFERENCE).replace(",", " ").split()
        try:
            devices = [store.device(name) for name in names]
        except MissingKey as problem:
            return self.complain(f"device-table: {problem}")
        if "no-readers" not in self.options:
            devices += [device for device in self.context.readers if device not in devices]
        facts = [line.split(None, 1) for line in self.content if line.strip()]
        body, problems = "", []
        for fact in facts:
            optional = fact[0].endswith("?")
            fact[0] = fact[0].removesuffix("?")
            label = fact[1] if len(fact) > 1 else fact[0].replace("_", " ")
            cells = [self._cell(fact[0], device) for device in devices]
            if not any(cells) and optional:
                continue
            if not any(cells):
                problems += self.complain(f"device-table: no device has the fact {fact[0]}")
            row = element("th", phrase(label), scope="row", title=fact[0])
            row += "".join(element("td", cell or ABSENT, class_="number") for cell in cells)
            body += element("tr", row)
        head = element("td", "") + "".join(
            element("th", escape(self._name(device)), scope="col", class_=f"number {device.role}")
            for device in devices
        )
        caption = ""
        if "caption" in self.options:
            caption = element("caption", phrase(self.options["caption"]))
        table = element(
            "table",
            caption + element("thead", element("tr", head)) + element("tbody", body),
            class_="results-table device-table",
        )
        return [raw(element("div", table, class_="table-wrapper")), *problems]

    def _name(self, device) -> str:
        return f"Yours: {device.name}" if device.role == "reader" else device.name

    def _cell(self, name: str, device) -> str | None:
        from tools.results import MissingKey

        try:
            return value_html(self.context.store.fact(name, device), "value")
        except MissingKey:
            return None


def setup(app: Sphinx) -> None:
    app.add_directive("device-table", DeviceTable)
