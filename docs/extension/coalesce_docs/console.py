"""`console`: commands and what they printed when the site was built, or on a recorded GPU."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from .context import REFERENCE, SiteContext, SiteDirective, digester, hash_files
from .markup import element, escape, highlighted_lines, raw

_SHOW = re.compile(r"first (\d+)$")


def capture_module():
    return importlib.import_module("tools.capture")


def capture_repository(context: SiteContext):
    """The repository as tools/capture.py sees it; it reads each file once in a build."""
    if not hasattr(context, "capture_repository"):
        context.capture_repository = capture_module().Repository(context.repo, context.build)
    return context.capture_repository


def keyed_blocks(context: SiteContext, page: Path) -> list:
    """The blocks of a page with the keys of their captures, worked out once in a build."""
    if not hasattr(context, "keyed_blocks"):
        context.keyed_blocks = {}
    if page not in context.keyed_blocks:
        capture, repository = capture_module(), capture_repository(context)
        try:
            context.keyed_blocks[page] = capture.keyed_blocks(repository, page)
        except capture.CaptureError:  # the directive at fault says what is wrong
            context.keyed_blocks[page] = []
    return context.keyed_blocks[page]


def command_html(command: str, copy: bool = True) -> str:
    """One command. The prompt is drawn by the style sheet, so that it is never copied."""
    lines = "\n".join(highlighted_lines(command, "bash"))
    inner = element("div", element("pre", f"{lines}\n", tabindex="0"), class_="highlight")
    return element("div", inner, class_="console-command highlight-console notranslate")


def output_html(text: str, note: str = "") -> str:
    """What a command printed."""
    if not text.strip():
        return ""
    inner = element("pre", f"{escape(text)}\n", tabindex="0")
    return element("div", inner + note, class_="console-output")


def shorten(text: str, show: str | None) -> tuple[str, str]:
    """The first lines of a text, and a sentence that says how many were left out."""
    if not show:
        return text, ""
    count = int(_SHOW.match(show)[1])
    lines = text.splitlines()
    if len(lines) <= count:
        return text, ""
    left = len(lines) - count
    noun = "line" if left == 1 else "lines"
    return "\n".join(lines[:count]), element("p", f"… {left} more {noun}", class_="console-more")


def recorded_html(recorded: dict, device_name: str, show: str | None = None) -> str:
    """A recorded command with its output, and where and when it was recorded."""
    facts = recorded["facts"]
    text, more = shorten(recorded["output"], show)
    where = [f"recorded on {facts.get('device', device_name)}"]
    where += [f"{key} {facts[key]}" for key in ("driver", "toolkit") if key in facts]
    where += [facts["date"]] if "date" in facts else []
    note = element("p", escape(" · ".join(where)), class_="console-note")
    commands = "".join(command_html(part) for part in recorded["command"].split(" && "))
    return commands + output_html(text, more) + note


def show_option(argument: str) -> str:
    if not _SHOW.match(argument.strip()):
        raise ValueError("takes 'first N'")
    return argument.strip()


@digester("capture")
def _capture_digest(context: SiteContext, name: str) -> str:
    """The digest of one block's capture, `page:number` being its place among the page's blocks."""
    page, _, number = name.rpartition("#")
    capture = capture_module()
    repository = capture_repository(context)
    path = context.repo / page
    if not path.is_file():
        return ""
    keyed = keyed_blocks(context, path)
    if int(number) >= len(keyed):
        return ""
    key = keyed[int(number)][1]
    result = capture.load(repository, key)
    return f"{key}:{result is not None}"


@digester("recorded")
def _recorded_digest(context: SiteContext, name: str) -> str:
    chapter, device, output = name.rsplit("/", 2)
    folder = context.repo / "chapters" / chapter / "recorded" / device
    return hash_files([folder / f"{output}.txt"])


class CapturedDirective(SiteDirective):
    """A directive that shows what a command printed."""

    def captured(self, block) -> tuple[object | None, list[nodes.Node]]:
        """The capture of a block, or None and a complaint."""
        capture = capture_module()
        repository = capture_repository(self.context)
        page = Path(self.env.doc2path(self.env.docname)).resolve()
        keyed = keyed_blocks(self.context, page)
        for number, (other, key) in enumerate(keyed):
            if other.commands == block.commands and other.expected == block.expected:
                self.note_input(f"capture:{self.context.relative(page)}#{number}")
                result = capture.load(repository, key)
                if result is not None:
                    return result, []
                break
        command = block.commands[0]
        return None, self.complain(
            f"`{command}` has not been captured, or failed: run .venv/bin/python -m tools.capture"
        )

    def device_name(self, ident: str) -> str:
        """A device's name from its results, or its slug."""
        device = next((one for one in self.context.store.devices() if one.id == ident), None)
        return device.name if device else ident

    def recorded_html(self, name: str) -> tuple[str, list[nodes.Node]]:
        """A recorded output of the page's chapter, or a complaint."""
        capture = capture_module()
        device = self.options.get("device", REFERENCE)
        self.note_input(f"recorded:{self.chapter}/{device}/{name}")
        try:
            recorded = capture.recorded_output(self.context.repo, self.chapter, device, name)
        except capture.CaptureError as problem:
            return "", self.complain(str(problem))
        html = recorded_html(recorded, self.device_name(device), self.options.get("show"))
        return html, []


class Console(CapturedDirective):
    """Shows commands with their captured output."""

    has_content = True
    option_spec = {
        "exit": directives.unchanged_required,
        "needs": directives.unchanged_required,
        "recorded": directives.unchanged_required,
        "device": directives.unchanged_required,
        "show": show_option,
        "no-output": directives.flag,
        "skip": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        capture = capture_module()
        page = Path(self.env.doc2path(self.env.docname)).resolve()
        try:
            block = capture.console_block(page, self.lineno, self.options, list(self.content))
        except capture.CaptureError as problem:
            raise self.error(str(problem)) from None
        frame = nodes.container(classes=["console"])
        if block.recorded:
            html, problems = self.recorded_html(block.recorded)
            frame += raw(html or "".join(command_html(command) for command in block.commands))
            frame += problems
        elif block.skip is not None or "no-output" in self.options:
            frame += raw("".join(command_html(command) for command in block.commands))
        else:
            result, problems = self.captured(block)
            if result is None:
                frame += raw("".join(command_html(command) for command in block.commands))
                frame += problems
            else:
                frame += raw(self._shown(result))
        return [frame]

    def _shown(self, result) -> str:
        parts = []
        for entry in result.commands:
            text, more = shorten(entry["output"], self.options.get("show"))
            parts.append(command_html(entry["command"]) + output_html(text, more))
        if self.options.get("exit", "0") != "0":
            code = result.commands[-1]["exit"]
            parts.append(element("p", f"exit code {code}", class_="console-note"))
        return "".join(parts)


def setup(app: Sphinx) -> None:
    app.add_directive("console", Console)
