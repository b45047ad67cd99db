"""Shows the compiler's diagnostics once, although two passes may both issue them, and says in a
sentence what the CPU device cannot do."""

import pathlib
import re
import sys

COUNT = re.compile(r"^\d+ (?:warning|error)s?(?: and \d+ errors?)? generated.*$")
START = re.compile(r"^(?:In file included from |[^\s:][^:\n]*:\d+:\d+: |.*: (?:error|warning): )")
PLACE = r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):\d+: [^\n]*error: "
UNKNOWN = r"(?:use of undeclared identifier|unknown type name|call to undeclared function) "
# Functions and types of <cuda.h>; that header itself is often included without a need.
DRIVER_API = (
    r"cu(?:Array|Ctx|Device|DriverGetVersion|Event|Func|Get|Graph|Init|Launch|Link|Mem|Module"
    r"|Occupancy|Param|Stream|Surf|Tex)(?:[A-Z]\w*)?"
    r"|CU(?:array|context|device|deviceptr|event|function|jit_\w+|linkState|module|result|stream"
    r"|tex\w+|mem\w+)"
)
# Headers of a toolkit that we lack, and that do not go with ours where they are found.
TOOLKIT = (
    r"(?:cub|thrust|cuda|nvshmem|cutlass|cute)/[^'>\"]*"
    r"|(?:cuda_fp[864]|cu(?:blas|dnn|fft|rand|solver|sparse|pti)\w*|npp\w*|nccl|nvjpeg|nvml|nvrtc|mma"
    r"|cuda_(?:gl|egl|vdpau)_interop|cuda(?:GL|EGL|VDPAU))\.h"
)
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
        r"reference to __host__ function '(?P<what>cuda[A-Z]\w*)[^\n]* in __(?:global|device)__",
        "a kernel cannot call {what} on the CPU device: the runtime API is the host's",
    ),
    (
        r"no matching function for call to '(?P<what>cuda[A-Z]\w*)'\n(?:.*\n){1,12}?"
        r".*call to __host__ function from __(?:global|device)__ function",
        "a kernel cannot call {what} on the CPU device: the runtime API is the host's",
    ),
    (
        r"(?:reference to __host__ function '(?P<what>[^']*)' in __(?:global|device|host)__"
        r"|no matching [\w ]*(?:call to|of) '(?P<name>[^']*)'\n(?:.*\n){1,12}?"
        r".*call to __host__ function from __(?:global|device|host)__)",
        "{what}{name} is the host's: device code cannot call it",
    ),
    (
        r"reference to __host__ variable '(?P<what>[^']*)' in __(?:global|device|host)__",
        "{what} is the host's: device code cannot use it",
    ),
    (
        r"(?:reference to __device__ function '(?P<what>[^']*)' in __host__ function"
        r"|no matching [\w ]*(?:call to|of) '(?P<name>[^']*)'\n(?:.*\n){1,12}?"
        r".*call to __device__ function from __host__ function)",
        "{what}{name} is the device's: the host cannot call it",
    ),
    (
        r"'(?P<what>[\w:]+)[^']*' is unavailable: the CPU device has (?P<why>[^\n]*)",
        "{what} cannot be had: the CPU device has {why}",
    ),
    (
        r"'(?P<what>" + TOOLKIT + r")' file not found",
        "<{what}> is not part of the CPU device, which has only the runtime's own headers",
    ),
    (
        UNKNOWN + r"'(?P<what>" + DRIVER_API + r")'",
        "{what} belongs to the driver API, which the CPU device does not have",
    ),
    (
        UNKNOWN + r"'(?P<what>cuda(?:Graphics|GL|EGL|VDPAU)[A-Z]\w*)'",
        "{what} shares memory with a graphics library, which the CPU device cannot do",
    ),
    (
        UNKNOWN + r"'(?P<what>(?:cuda[A-Z]|tex(?:Cubemap|[123]D)|surf[123C])\w*)'",
        "{what} is not part of the CPU device (README.md lists what it cannot do)",
    ),
    (
        r"'(?P<what>omp\.h)' file not found",
        "<{what}> belongs to clang's OpenMP (Debian, Ubuntu: apt install libomp-19-dev, with the "
        "number of your clang)",
    ),
]
# A header of ours that only says what is missing.
MISSING = re.compile(r'error: "(<[^>]*> needs [^"]*, which the CPU device does not have)"')
TOOLKIT_INCLUDED = re.compile(r'#\s*include\s*[<"](' + TOOLKIT + ')[>"]')
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
        if sentence := self.toolkit_header(text):
            return sentence
        for pattern, sentence in REASONS:
            match = re.search(PLACE + pattern, text, re.M)
            if match:
                groups = match.groupdict(default="")
                return f"{match['file']}:{match['line']}: " + sentence.format(**groups)
        return ""

    def toolkit_header(self, text):
        """A sentence when the first error lies in a header of a toolkit that the user includes."""
        before = text[: text.find(": error: ")] if ": error: " in text else ""
        sentence = ""
        for file, line in reversed(INCLUDED.findall(before)):
            lines = pathlib.Path(file).read_text(errors="replace").splitlines()
            included = TOOLKIT_INCLUDED.search(lines[int(line) - 1])
            if included:  # the outermost one is the user's own line
                sentence = (
                    f"{file}:{line}: <{included[1]}> belongs to a CUDA toolkit and does not go "
                    "with the CPU device, which has only the runtime's own headers"
                )
            if file == self.source:
                break
        return sentence


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
