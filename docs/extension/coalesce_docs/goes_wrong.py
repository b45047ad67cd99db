"""`goes-wrong`: a program that must fail, and the message it fails with."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from .console import (
    CapturedDirective,
    capture_module,
    command_html,
    output_html,
    shorten,
    show_option,
)
from .context import REFERENCE
from .markup import code_block, element, escape, highlighted_lines, raw
from .snippet import code_head
from .sources import ship
from .tagged import TagError, lexer_name, read_region, tags_of
from .troubles import link_of


class GoesWrong(CapturedDirective):
    """A broken program with the messages that the CPU device and the recorded GPU give."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {
        "tag": directives.unchanged_required,
        "title": directives.unchanged_required,
        "command": directives.unchanged_required,
        "exit": directives.unchanged_required,
        "gpu-exit": directives.unchanged_required,
        "recorded": directives.unchanged_required,
        "device": directives.unchanged_required,
        "cpu": directives.flag,
        "show": show_option,
    }

    def run(self) -> list[nodes.Node]:
        path = self.resolve(self.arguments[0])
        box = nodes.container(classes=["goes-wrong"])
        title = self.options.get("title", path.stem.replace("_", " "))
        heading = nodes.paragraph(classes=["box-title"])
        heading += raw(element("span", "What goes wrong", class_="box-kind"))
        heading += self.inline(title)
        box += heading
        box += self.parse_body()
        box += raw(self._listing(path))
        box += self._messages(path)
        box += self._entries(path)
        return [box]

    def _entries(self, path: Path) -> list[nodes.Node]:
        """Links to what the troubleshooting page tells of this program's trouble."""
        from tools import troubles

        if not troubles.DATA.is_relative_to(self.context.repo):
            return []
        self.note_input("troubles:")
        found = troubles.shown_by(self.context.relative(path))
        links = [
            element("a", escape(entry.symptom), href=link_of(self.env, entry)) for entry in found
        ]
        if not links:
            return []
        return [raw(element("p", "Troubleshooting: " + "; ".join(links), class_="goes-wrong-more"))]

    def _listing(self, path: Path) -> str:
        tag = self.options.get("tag")
        if tag is None and len(tags_of(path)) == 1:
            tag = tags_of(path)[0]
        try:
            region = read_region(path, tag)
        except TagError as problem:
            raise self.error(str(problem)) from None
        name = ship(self.env, path)
        lexer = lexer_name(path)
        listing = code_block(highlighted_lines(region.text, lexer), lexer)
        head = code_head(self.env, name, region)
        return element("div", head + listing, class_="snippet snippet-broken")

    @staticmethod
    def _place(block) -> str:
        """Where the live commands run, or which compiler refuses the program."""
        tool = block.commands[0].split()[0].rpartition("/")[2]
        return f"With {tool}" if tool in ("g++", "clang++", "nvcc") else "On the CPU device"

    def _messages(self, path: Path) -> list[nodes.Node]:
        capture = capture_module()
        page = Path(self.env.doc2path(self.env.docname)).resolve()
        try:
            block = capture.broken_block(page, self.lineno, self.arguments[0], self.options)
        except capture.CaptureError as problem:
            raise self.error(str(problem)) from None
        found: list[nodes.Node] = []
        if block:
            result, problems = self.captured(block)
            html = element("p", self._place(block), class_="console-device")
            if result is None:
                html += "".join(command_html(command) for command in block.commands)
            else:
                for entry in result.commands:
                    text, more = shorten(entry["output"], self.options.get("show"))
                    html += command_html(entry["command"]) + output_html(text, more)
                html += element(
                    "p", f"exit code {result.commands[-1]['exit']}", class_="console-note"
                )
            found += [raw(element("div", html, class_="console")), *problems]
        if "recorded" in self.options:
            machine = self.options.get("device", REFERENCE)
            html, problems = self.recorded_html(self.options["recorded"])
            place = f"On the GPU ({self.device_name(machine)})"
            if machine.startswith("nvcc-"):
                place = f"With nvcc {machine.removeprefix('nvcc-')}"
            head = element("p", escape(place), class_="console-device")
            found += [raw(element("div", head + html, class_="console")), *problems]
        return found


def setup(app: Sphinx) -> None:
    app.add_directive("goes-wrong", GoesWrong)
