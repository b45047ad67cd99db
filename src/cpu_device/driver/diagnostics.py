"""Shows the compiler's diagnostics once, although two passes may both issue them."""

import re
import sys

COUNT = re.compile(r"^\d+ (?:warning|error)s?(?: and \d+ errors?)? generated.*$")
START = re.compile(r"^(?:In file included from |[^\s:][^:\n]*:\d+:\d+: |.*: (?:error|warning): )")
CONSTRAINT = re.compile(
    r"^([^\s:][^:\n]*):(\d+):\d+: .*error: (?:invalid (?:in|out)put constraint|"
    r"unknown register name)",
    re.M,
)


class Diagnostics:
    """Collects, removes repetitions and front-end chatter, prints to stderr."""

    def __init__(self, source):
        self.source = source
        self.seen = set()
        self.text = ""

    def show(self, text):
        self.text += text
        for block in blocks(text):
            if block not in self.seen:
                self.seen.add(block)
                sys.stderr.write(block)

    def reason(self):
        """One sentence for failures that come from a feature that a CPU cannot have."""
        match = CONSTRAINT.search(re.sub(r"\x1b\[[\d;]*m", "", self.text))
        if match:
            return (
                f"{match[1]}:{match[2]}: inline PTX cannot run on the CPU device, which has "
                "no GPU instructions"
            )
        return ""


def blocks(text):
    """Splits compiler output into one string per diagnostic with its notes and snippet."""
    current, in_include_stack = "", False
    for line in text.splitlines(keepends=True):
        if COUNT.match(line):
            continue
        included = line.startswith("In file included from ")
        if START.match(line) and ": note: " not in line and not in_include_stack:
            if current:
                yield current
            current = ""
        in_include_stack = included
        current += line
    if current:
        yield current
