"""What debug information says of where a variable or function is declared, and as what."""

import functools
import pathlib
import re


class DebugInfo:
    """The metadata of one module; a description is a node's text, empty where there is none."""

    def __init__(self, module):
        self.module = module

    @functools.cached_property
    def nodes(self):
        return dict(re.findall(r"^(!\d+) = ([^\n]*)$", self.module, re.M))

    def part(self, text, field):
        """The description that a field, such as `type`, of another one refers to."""
        reference = re.search(rf"\b{field}: (!\d+)", text)
        return self.nodes.get(reference[1], "") if reference else ""

    def attached(self, line):
        """The description that the line of a global variable or function has at its end."""
        reference = re.search(r"!dbg (!\d+)", line)
        text = self.nodes.get(reference[1], "") if reference else ""
        return self.part(text, "var") if "DIGlobalVariableExpression" in text else text

    def place(self, text):
        """(file, line) of a declaration."""
        file = re.search(r'filename: "([^"]*)"', self.part(text, "file"))
        line = re.search(r"\bline: (\d+)", text)
        return (file and file[1]), (line and int(line[1]))

    def parameters(self, function):
        """The descriptions of the parameters' types."""
        types = self.part(self.part(function, "type"), "types")
        return [self.nodes[reference] for reference in re.findall(r"!\d+", types)]


def name(text):
    return re.search(r'\bname: "([^"]*)"', text)[1]


def statement(file, line):
    """The source from a line on, to the next semicolon; empty where there is no such file."""
    lines = source(file)[(line or 1) - 1 :]
    end = next((number for number, text in enumerate(lines) if ";" in text), len(lines))
    return "\n".join(lines[: end + 1]).partition(";")[0]


@functools.cache
def source(file):
    path = pathlib.Path(file or "")
    return path.read_text(errors="replace").splitlines() if path.is_file() else []
