"""`chart`: a figure drawn from the results as SVG in the page, interactive only on request.

The page's folder has a `figures.py`; its function of the chart's name takes the results store and
returns a Figure (figures/style.py): an Altair chart, the rows behind it, a text alternative and a
caption. The SVG uses the page's colours. The interactive form needs Vega, which is loaded from the
site when the reader asks for it, never before.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import json
import re
import sys
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from .context import SiteDirective, context_of
from .markup import element, escape, phrase, raw
from .rendered_numbers import numbers_in
from .sources import root_of, write_changed


def load_figures(path: Path):
    """The module of a page's figures, read anew."""
    name = f"coalesce_figures_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def draw(function, store):
    """Calls a figure's function, with the store where it takes one."""
    wants = [
        parameter
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty
    ]
    return function(store) if wants else function()


def drawn(figure, specification: str, cache: Path) -> str:
    """The SVG of a figure, drawn once for each content."""
    from figures import colours, style

    digest = hashlib.sha256()
    for module in (colours, style):
        digest.update(Path(module.__file__).read_bytes())
    digest.update(f"{specification}\0{figure.alt}".encode())
    path = cache / f"{digest.hexdigest()[:20]}.svg"
    if path.is_file():
        return path.read_text(encoding="utf-8")
    svg = style.render_svg(figure)
    cache.mkdir(parents=True, exist_ok=True)
    path.write_text(svg, encoding="utf-8")
    return svg


class Chart(SiteDirective):
    """A chart by its name in the page folder's figures.py."""

    required_arguments = 1
    option_spec = {"from": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        from tools.results import MissingKey

        name = self.arguments[0]
        path = self.resolve(self.options.get("from", "figures.py"))
        for source in sorted((self.context.repo / "figures").glob("*.py")):
            self.env.note_dependency(str(source))
        self.note_input(f"results:{self.chapter or ''}")
        self.note_input("results:device")
        module = load_figures(path)
        function = getattr(module, name, None)
        if function is None:
            raise self.error(f"{path.name} has no function {name}")
        try:
            figure = draw(function, self.context.store)
        except MissingKey as problem:
            return self.complain(f"chart {name}: {problem}")
        for part in ("alt", "caption"):
            if not getattr(figure, part, ""):
                raise self.error(f"chart {name} has no {part}")
        self._check_words(name, figure)
        return [raw(self._html(name, figure))]

    def _check_words(self, name: str, figure) -> None:
        """Numbers in the alternative and the caption must stand in the table behind the chart."""
        cells = " | ".join(str(cell) for row in _rows(figure.table) for cell in row)
        cells = _plain(cells)
        for part in ("alt", "caption"):
            for number in numbers_in(getattr(figure, part)):
                if _plain(number) not in cells:
                    raise self.error(
                        f"the {part} of chart {name} says '{number}', which is not in its table: "
                        "make it from the same data"
                    )

    def _html(self, name: str, figure) -> str:
        from figures import style

        specification = style.spec_json(figure)
        svg = drawn(figure, specification, self.context.build / "charts")
        ident = f"chart-{name.replace('_', '-')}"
        page = self.env.docname.replace("/", "-")
        script = f"charts/{page}-{name}.js"
        charts = _charts(self.env).setdefault(self.env.docname, {})
        charts[script] = f"coalesceChart({json.dumps(ident)}, {specification});\n"
        button = element("button", "interactive", type="button", class_="chart-interactive",
                         data_script=f"{root_of(self.env.docname)}{script}",
                         data_chart=ident)  # fmt: skip
        caption = element("figcaption", f"{phrase(figure.caption)} {button}")
        table = element(
            "details",
            element("summary", "The numbers") + _table_html(figure.table),
            class_="fold chart-table",
        )
        drawing = element("div", svg, class_="chart-drawing")
        return element("figure", drawing + caption + table, class_="chart", id=ident)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\u202f", " ").replace("\u00a0", " ")).lower()


def _rows(table) -> list[list[object]]:
    """The table as a list of rows; the first is the heading."""
    rows = [list(row.values()) if isinstance(row, dict) else list(row) for row in table]
    if table and isinstance(table[0], dict):
        rows.insert(0, list(table[0]))
    return rows


def _table_html(table) -> str:
    rows = _rows(table)
    if not rows:
        return ""
    head = "".join(element("th", escape(cell), scope="col") for cell in rows[0])
    body = "".join(
        element("tr", "".join(element("td", escape(cell)) for cell in row)) for row in rows[1:]
    )
    html = element("table", element("thead", element("tr", head)) + element("tbody", body))
    return element("div", html, class_="table-wrapper")


def _charts(env) -> dict[str, dict[str, str]]:
    if not hasattr(env, "coalesce_charts"):
        env.coalesce_charts = {}
    return env.coalesce_charts


def _write(app: Sphinx, exception: Exception | None) -> None:
    charts = _charts(app.env)
    if exception is not None or app.builder.format != "html" or not any(charts.values()):
        return
    from figures import colours

    out = Path(app.outdir)
    write_changed(out / "_static" / "charts.css", colours.css_variables())
    for scripts in charts.values():
        for name, text in scripts.items():
            write_changed(out / name, text)
    bundle = out / "_static" / "vega.js"
    cached = context_of(app.env).build / "charts" / "vega.js"
    if not cached.is_file():
        import vl_convert

        cached.parent.mkdir(parents=True, exist_ok=True)
        cached.write_text(f"(() => {{{vl_convert.javascript_bundle()}}})();\n", encoding="utf-8")
    if not bundle.is_file() or bundle.stat().st_size != cached.stat().st_size:
        bundle.write_bytes(cached.read_bytes())


def _style_sheet(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Only pages with a chart load the charts' colours."""
    if _charts(app.env).get(pagename):
        app.add_css_file("charts.css")


def _purge(app: Sphinx, env, docname: str) -> None:
    _charts(env).pop(docname, None)


def _merge(app: Sphinx, env, docnames, other) -> None:
    for docname in docnames:
        if docname in _charts(other):
            _charts(env)[docname] = _charts(other)[docname]


def setup(app: Sphinx) -> None:
    app.add_directive("chart", Chart)
    app.connect("html-page-context", _style_sheet)
    app.connect("build-finished", _write)
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)
