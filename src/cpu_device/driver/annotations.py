"""What our headers' annotate attributes say of functions and variables."""

import dataclasses
import re

from .ir_text import NAME


def annotations(module):
    """Global name -> text of its annotate attribute."""
    strings = dict(
        re.findall(rf'^@({NAME}) = [^\n]*c"([^"\n]*?)\\00", section "llvm.metadata"', module, re.M)
    )
    found = {}
    line = re.search(r"^@llvm\.global\.annotations = [^\n]*$", module, re.M)
    if line:
        for name, text in re.findall(rf"\{{ ptr @({NAME}), ptr @({NAME}), ", line[0]):
            found[name.strip('"')] = strings.get(text, "")
    return found


@dataclasses.dataclass
class Annotation:
    """A use of an annotate attribute of ours, with its numbers and its place."""

    name: str
    numbers: list
    file: str
    line: str


def annotations_of(module, text):
    """Every function that carries annotate(`text`, numbers ...)."""
    line = re.search(r"^@llvm\.global\.annotations = [^\n]*$", module, re.M)
    if not line:
        return
    constants = dict(
        re.findall(
            rf'^@({NAME}) = [^\n]*? constant ([^\n]*), section "llvm.metadata"', module, re.M
        )
    )

    def string(name):
        return re.search(r'c"([^"\n]*?)\\00"', constants.get(name, 'c"\\00"'))[1]

    for name, kind, file, number, arguments in re.findall(
        rf"\{{ ptr @({NAME}), ptr @({NAME}), ptr @({NAME}), i32 (\d+), ptr (?:@({NAME})|null) \}}",
        line[0],
    ):
        if string(kind) == text:
            values = constants.get(arguments, "").rpartition("{")[2]
            numbers = [int(value) for value in re.findall(r"i\d+ (-?\d+)", values)]
            yield Annotation(name.strip('"'), numbers, string(file), number)
