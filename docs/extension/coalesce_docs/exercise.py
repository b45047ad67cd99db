"""`exercise`, `hint` and `solution`: tasks with folded help."""

from __future__ import annotations

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from .context import SiteDirective
from .markup import code_block, element, escape, highlighted_lines, raw
from .snippet import code_head
from .sources import ship
from .tagged import TagError, lexer_name, read_region

EFFORTS = ("warm-up", "core", "stretch")


def effort(argument: str) -> str:
    return directives.choice(argument, EFFORTS)


def folded(summary: str, css: str, body: list[nodes.Node]) -> list[nodes.Node]:
    """A part that opens on a click, without any script."""
    head = element("summary", summary)
    return [raw(f'<details class="fold {css}">{head}<div class="fold-body">'), *body,
            raw("</div></details>")]  # fmt: skip


class Exercise(SiteDirective):
    """A numbered exercise with its effort."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"effort": effort}

    def run(self) -> list[nodes.Node]:
        number, _, title = self.arguments[0].partition(" ")
        if not number.rstrip(".").isdigit() or not title:
            raise self.error("an exercise needs a number and a title: {exercise} 1 Title")
        number = number.rstrip(".")
        level = self.options.get("effort", "core")
        target = nodes.target("", "", ids=[nodes.make_id(f"exercise-{number}")])
        box = nodes.container(classes=["box", "exercise", f"effort-{level}"])
        heading = nodes.paragraph(classes=["box-title"])
        heading += raw(element("span", f"Exercise {number}", class_="box-kind"))
        heading += self.inline(title)
        heading += raw(element("span", level, class_="effort"))
        box += heading
        box += self.parse_body()
        return [target, box]


class Hint(SiteDirective):
    """A folded hint. The argument, if any, names its level."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        label = f"Hint {escape(self.arguments[0])}" if self.arguments else "Hint"
        return folded(label, "hint", self.parse_body())


class Solution(SiteDirective):
    """A folded solution: the tested file or a region of it, and the reasoning."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"tag": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        body: list[nodes.Node] = []
        if self.arguments:
            path = self.resolve(self.arguments[0])
            try:
                region = read_region(path, self.options.get("tag"))
            except TagError as problem:
                raise self.error(str(problem)) from None
            name = ship(self.env, path)
            lexer = lexer_name(path)
            listing = code_block(highlighted_lines(region.text, lexer), lexer)
            head = code_head(self.env, name, region)
            body.append(raw(element("div", head + listing, class_="snippet")))
        body += self.parse_body()
        return folded("Solution", "solution", body)


def setup(app: Sphinx) -> None:
    app.add_directive("exercise", Exercise)
    app.add_directive("hint", Hint, override=True)
    app.add_directive("solution", Solution)
