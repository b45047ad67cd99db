"""`then-and-now` and `inline-svg`: a box on what has changed since, a picture in the page."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from .context import SiteDirective
from .markup import element, raw


def titled_box(
    directive: SiteDirective, kind: str, title: str, css: str, body: list[nodes.Node]
) -> nodes.container:
    """A box with a small word for its kind, a title, and a body."""
    box = nodes.container(classes=["box", css])
    heading = nodes.paragraph(classes=["box-title"])
    heading += raw(element("span", kind, class_="box-kind"))
    heading += directive.inline(title) if title else []
    box += heading
    box += body
    return box


class ThenAndNow(SiteDirective):
    """What an older text said, and what is measured today."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        body = self.parse_body()
        title = self.arguments[0]
        return [titled_box(self, "Then and now", title, "then-and-now", body)]


class InlineSvg(SphinxDirective):
    """Puts an SVG file into the page, so that it follows the page's colours."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        name, path = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(name)
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"^<\?xml.*?\?>\s*", "", file.read())
        return [raw(element("figure", text, class_="inline-svg"))]


def setup(app: Sphinx) -> None:
    app.add_directive("then-and-now", ThenAndNow)
    app.add_directive("inline-svg", InlineSvg)
