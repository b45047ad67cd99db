"""The tokens of a CUDA C++ file, as far as changing one of them at a time needs them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<comment> //[^\n]* | /\*.*?\*/)
  | (?P<directive> ^[ \t]*\#(?:[^\n\\]|\\.)*)
  | (?P<string> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+')
  | (?P<number> (?:0[xX][\da-fA-F']+ | (?:\d[\d']*\.?\d* | \.\d+)(?:[eE][-+]?\d+)?)[uUlLfFzZ]*)
  | (?P<word> [A-Za-z_]\w*)
  | (?P<operator> <<<|>>>|<<=|>>=|<=>|->|::|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|>>|\S)
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_TAG = re.compile(r"// \[(/?)answer\]")


@dataclass(frozen=True)
class Token:
    kind: str  # word, number, operator, string or directive
    text: str
    start: int
    end: int
    asked: bool  # between the tags [answer]
    spaced: bool  # white space on both sides, as the formatter sets it around binary operators


def tokens_of(text: str) -> list[Token]:
    found, asked = [], False
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind == "comment":
            if tag := _TAG.fullmatch(match[0]):
                asked = not tag[1]
            continue
        around = text[match.start() - 1 : match.start()] + text[match.end() : match.end() + 1]
        spaced = len(around) == 2 and around.isspace()
        found.append(Token(kind, match[0], match.start(), match.end(), asked, spaced))
    return found


def closing(tokens: list[Token], opening: int) -> int:
    """Index of the bracket that closes the one at index `opening`; the last token's without one."""
    pairs = {"(": ")", "[": "]", "{": "}", "<<<": ">>>"}
    first, depth = tokens[opening].text, 0
    for index in range(opening, len(tokens)):
        if tokens[index].text == first:
            depth += 1
        elif tokens[index].text == pairs[first]:
            depth -= 1
            if depth == 0:
                return index
    return len(tokens) - 1


def arguments(tokens: list[Token], opening: int) -> list[tuple[int, int]]:
    """First and last index of each argument between the brackets that open at index `opening`."""
    end, found, begin, index = closing(tokens, opening), [], opening + 1, opening + 1
    while index < end:
        if tokens[index].text in ("(", "[", "{", "<<<"):
            index = closing(tokens, index)
        elif tokens[index].text == ",":
            found.append((begin, index - 1))
            begin = index + 1
        index += 1
    if begin < end:
        found.append((begin, end - 1))
    return [(first, last) for first, last in found if first <= last]
