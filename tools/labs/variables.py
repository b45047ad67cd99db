"""Which variables of one type a function has: what a hurried writer confuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tools.labs.tokens import Token, closing

QUALIFIERS = {
    "const",
    "constexpr",
    "static",
    "volatile",
    "extern",
    "inline",
    "unsigned",
    "__shared__",
}
NO_TYPES = {
    "return", "else", "new", "delete", "throw", "case", "goto", "using", "namespace", "typename",
    "struct", "class", "enum", "operator", "if", "for", "while", "switch", "do", "sizeof",
}  # fmt: skip
AFTER_A_NAME = {",", ")", "=", ";", "{", "(", "[", ":"}


@dataclass(frozen=True)
class Variable:
    name: str
    type: str
    index: int  # of its token
    until: int  # index of the token at which its function ends


def variables(tokens: list[Token]) -> list[Variable]:
    """Parameters, local variables, and those of the file, in the order of their declarations."""
    found = []
    for first, last, until in _parts(tokens):
        for name, kind, index in _declared(tokens, first, last):
            found.append(Variable(name, kind, index, until))
    return found


def _parts(tokens: list[Token]) -> Iterator[tuple[int, int, int]]:
    """First and last index of each function with its head, and of what lies between functions;
    and the index up to which its names are known."""
    begin = index = 0
    while index < len(tokens):
        text = tokens[index].text
        if text == "{" and not _opens_a_namespace(tokens, index):
            end = closing(tokens, index)
            yield begin, end, end
            index, begin = end, end + 1
        elif text == ";":
            yield begin, index, len(tokens)
            begin = index + 1
        elif text in ("{", "}"):
            begin = index + 1
        index += 1


def _opens_a_namespace(tokens: list[Token], index: int) -> bool:
    back = index - 1
    while back >= 0 and (tokens[back].kind == "word" or tokens[back].text == "::"):
        if tokens[back].text == "namespace":
            return True
        back -= 1
    return False


def _declared(tokens: list[Token], first: int, last: int) -> Iterator[tuple[str, str, int]]:
    end = min(last, len(tokens) - 2)
    for index in range(max(first, 1), end + 1):
        token, after = tokens[index], tokens[index + 1].text
        if token.kind != "word" or after not in AFTER_A_NAME or token.text in NO_TYPES:
            continue
        kind = _type_before(tokens, index)
        if not kind:
            continue
        yield token.text, kind, index
        for name, place in _further(tokens, index + 1):
            yield name, kind, place


def _type_before(tokens: list[Token], index: int) -> str:
    """The type in front of a name, without qualifiers; empty where there is none."""
    stars, back = "", index - 1
    while tokens[back].text == "__restrict__" or (
        tokens[back].text in ("*", "&") and not tokens[back].spaced
    ):
        stars += tokens[back].text if tokens[back].text in "*&" else ""
        back -= 1
    inside = ""
    if tokens[back].text == ">":
        close = back
        while back > 0 and tokens[back].text != "<":
            back -= 1
        inside = "".join(token.text for token in tokens[back : close + 1])
        back -= 1
    if back < 0 or tokens[back].kind != "word" or tokens[back].text in NO_TYPES:
        return ""
    name = tokens[back].text
    if name in QUALIFIERS or (back > 0 and tokens[back - 1].text in (".", "->")):
        return ""
    return name + inside + stars


def _further(tokens: list[Token], index: int) -> Iterator[tuple[str, int]]:
    """Names declared after a first one: `float a = 1, b(2);`."""
    while index < len(tokens) - 2:
        text = tokens[index].text
        if text in (";", ")", ":"):
            return
        if text in ("(", "[", "{"):
            index = closing(tokens, index)
        elif text == "," and tokens[index + 1].kind == "word":
            if tokens[index + 2].text in AFTER_A_NAME - {")", ":"}:
                yield tokens[index + 1].text, index + 1
            else:
                return
        index += 1
