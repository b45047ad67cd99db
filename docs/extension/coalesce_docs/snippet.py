"""`snippet`: a named region of a source file, with the way to the whole file."""

from __future__ import annotations

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from .context import SiteDirective
from .markup import code_block, element, escape, highlighted_lines, raw
from .sources import raw_link, root_of, ship, source_link
from .tagged import Region, TagError, lexer_name, read_region


def lines_text(region: Region) -> str:
    """ "line 7" or "lines 7–31"."""
    if region.first == region.last:
        return f"line {region.first}"
    return f"lines {region.first}–{region.last}"


def code_head(env: BuildEnvironment, name: str, region: Region, *, note: str = "") -> str:
    """The strip above a listing: file, lines, raw file, and the button that copies the file."""
    file_name = name.rsplit("/", 1)[-1]
    label = element("span", escape(file_name), class_="code-file")
    lines = element("span", lines_text(region), class_="code-lines")
    link = element("a", f"{label} {lines}", href=source_link(env, name, region.first), title=name)
    tools = element("a", "raw", href=raw_link(env, name), class_="code-raw")
    tools += element(
        "button",
        "copy whole file",
        type="button",
        class_="copy-file",
        data_file=name,
        data_script=f"{root_of(env.docname)}sources/raw/{name}.js",
    )
    return element(
        "div", f"{link}{note}{element('span', tools, class_='code-tools')}", class_="code-head"
    )


class Snippet(SiteDirective):
    """Shows a tagged region of a file, or the whole file."""

    required_arguments = 1
    final_argument_whitespace = True
    option_spec = {
        "tag": directives.unchanged_required,
        "caption": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        path = self.resolve(self.arguments[0])
        try:
            region = read_region(path, self.options.get("tag"))
        except TagError as problem:
            raise self.error(str(problem)) from None
        name = ship(self.env, path)
        lexer = lexer_name(path)
        block = code_block(highlighted_lines(region.text, lexer), lexer)
        figure = nodes.container(classes=["snippet"])
        figure += raw(code_head(self.env, name, region))
        figure += raw(block)
        if "caption" in self.options:
            caption = nodes.paragraph(classes=["code-caption"])
            caption += self.inline(self.options["caption"])
            figure += caption
        return [figure]


def setup(app: Sphinx) -> None:
    app.add_directive("snippet", Snippet)
