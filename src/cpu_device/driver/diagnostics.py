"""Shows the compiler's diagnostics once, although two passes may both issue them, and says in a
sentence what the CPU device cannot do."""

import pathlib
import re
import sys

COUNT = re.compile(r"^\d+ (?:warning|error)s?(?: and \d+ errors?)? generated.*$")
START = re.compile(r"^(?:In file included from |[^\s:][^:\n]*:\d+:\d+: |.*: (?:error|warning): )")
PLACE = r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):\d+: [^\n]*error: "
# What the compiler says of something that a CPU cannot have, and our sentence about it.
REASONS = [
    (
        r"(?:invalid (?:in|out)put constraint|unknown register name|"
        r"invalid % escape in inline assembly|unknown token in expression|invalid instruction)",
        "inline PTX cannot run on the CPU device, which has no GPU instructions",
    ),
    (
        r"reference to __global__ function '(?P<what>[^']*)' in __(?:global|device)__ function",
        "a kernel cannot launch another ({what}) on the CPU device: launches are the host's",
    ),
    (
        r"'(?P<what>[\w:]+)[^']*' is unavailable: the CPU device has (?P<why>[^\n]*)",
        "{what} cannot be had: the CPU device has {why}",
    ),
    (
        r"'(?P<what>(?:cub|thrust|cutlass|cute|cuda)/[^']*)' file not found",
        "<{what}> is not part of the CPU device, which has only the runtime's own headers",
    ),
]
# A header of ours that only says what is missing.
MISSING = re.compile(r'error: "(<[^>]*> needs [^"]*, which the CPU device does not have)"')
# Headers of a toolkit that cannot be used with ours, when one is installed and found.
TOOLKIT = re.compile(
    r'#\s*include\s*[<"]((?:cub|thrust|cuda|nvshmem|cutlass|cute)/[^>"]*|'
    r'(?:cuda_fp[864]|curand|cublas\w*|cufft\w*|cusparse|cusolver\w*|cudnn|nccl|mma)\.h)[>"]'
)
INCLUDED = re.compile(r"^In file included from ([^:\n]*):(\d+):", re.M)


class Diagnostics:
    """Collects, removes repetitions and front-end chatter, prints to stderr."""

    def __init__(self, source):
        self.source = source
        self.seen = set()
        self.text = ""

    def show(self, text):
        self.text += text
        if MISSING.search(text):
            return  # what follows from it would only confuse
        for block in blocks(text):
            if block not in self.seen:
                self.seen.add(block)
                sys.stderr.write(block)

    def reason(self):
        """One sentence for failures that come from a feature that a CPU cannot have."""
        text = re.sub(r"\x1b\[[\d;]*m", "", self.text)
        missing = MISSING.search(text)
        if missing:
            file, line = INCLUDED.findall(text[: missing.start()])[-1]
            return f"{file}:{line}: {missing[1]}"
        for pattern, sentence in REASONS:
            match = re.search(PLACE + pattern, text, re.M)
            if match:
                groups = match.groupdict()
                return f"{match['file']}:{match['line']}: " + sentence.format(**groups)
        return self.toolkit_header(text)

    def toolkit_header(self, text):
        """A sentence when the first error lies in a header of a toolkit that the user includes."""
        before = text[: text.find(": error: ")] if ": error: " in text else ""
        for file, line in reversed(INCLUDED.findall(before)):
            lines = pathlib.Path(file).read_text(errors="replace").splitlines()
            included = TOOLKIT.search(lines[int(line) - 1])
            if included and file == self.source:
                return (
                    f"{file}:{line}: <{included[1]}> belongs to a CUDA toolkit and does not go "
                    "with the CPU device, which has only the runtime's own headers"
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
