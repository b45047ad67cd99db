"""What can be changed in a solution by one token, as a slip of the hand would.

Only what the reader writes is changed, between the tags [answer]; comments, strings and directives
stay.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tools.labs.catalog import Lab
from tools.labs.tokens import Token, arguments, closing, tokens_of
from tools.labs.variables import Variable, variables

OPERATORS = {
    "<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="],
    "==": ["!="], "!=": ["=="],
    "+": ["-", "*"], "-": ["+"], "*": ["+", "/"], "/": ["*"], "%": ["/", "*"],
    "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"], "^": ["&"],
    "&&": ["||"], "||": ["&&"],
    "+=": ["=", "-="], "-=": ["=", "+="], "*=": ["=", "/="], "/=": ["=", "*="],
    "<<=": [">>="], ">>=": ["<<="],
}  # fmt: skip
STEPS = {"++": "--", "--": "++"}
COPIES = ["cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"]
WORDS = {
    "true": ["false"], "false": ["true"], "min": ["max"], "max": ["min"],
    "fminf": ["fmaxf"], "fmaxf": ["fminf"],
    "threadIdx": ["blockIdx"], "blockIdx": ["threadIdx"],
    "blockDim": ["gridDim"], "gridDim": ["blockDim"],
    "double": ["float"], "__shared__": [""],
} | {one: [other for other in COPIES if other != one] for one in COPIES}  # fmt: skip
AXES = {"x": ["y"], "y": ["x"], "z": ["x"]}
TYPES = {"int64_t": "int", "size_t": "int"}
COMMUTES = {"min", "max", "fminf", "fmaxf", "swap"}
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "catch", "alignof"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="}


@dataclass(frozen=True)
class Mutation:
    """One change. `before` and `after` are the touched lines, with single spaces."""

    file: str
    start: int
    end: int
    replacement: str
    line: int
    before: str
    after: str
    change: str  # the line, with [old → new] in it

    def of(self, text: str) -> str:
        return text[: self.start] + self.replacement + text[self.end :]


def mutations(lab: Lab) -> list[Mutation]:
    """Every possible one, in the order of the files and lines."""
    found = []
    for name, path in lab.solution().items():
        found += mutations_of(name, path.read_text(encoding="utf-8"))
    return found


def mutations_of(name: str, text: str) -> list[Mutation]:
    tokens = tokens_of(text)
    changes = {}
    for kind in (_symbols, _words, _numbers, _types, _sizes, _variables, _swaps, _statements):
        for start, end, replacement in kind(tokens, text):
            if text[start:end] != replacement:
                changes[start, end, replacement] = None
    return [_mutation(name, text, *change) for change in sorted(changes)]


def _mutation(name: str, text: str, start: int, end: int, replacement: str) -> Mutation:
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    front, old, back = text[first:start], text[start:end], text[end:last]
    return Mutation(
        name, start, end, replacement, text.count("\n", 0, start) + 1,
        one_line(front + old + back), one_line(front + replacement + back),
        one_line(f"{front}[{old} → {replacement}]{back}"),
    )  # fmt: skip


def one_line(text: str) -> str:
    return " ".join(text.split())


Changes = Iterator[tuple[int, int, str]]


def _asked(tokens: list[Token]) -> Iterator[tuple[int, Token]]:
    return ((index, token) for index, token in enumerate(tokens) if token.asked)


def _symbols(tokens: list[Token], text: str) -> Changes:
    """Comparisons, arithmetic, logic, steps, signs."""
    for index, token in _asked(tokens):
        if token.kind != "operator":
            continue
        if token.spaced:
            for other in OPERATORS.get(token.text, []):
                yield token.start, token.end, other
        elif token.text in STEPS:
            yield token.start, token.end, STEPS[token.text]
        elif token.text in ("!", "-") and tokens[index - 1].text in ("(", ",", "=", "return", "?"):
            yield token.start, token.end, ""


def _words(tokens: list[Token], text: str) -> Changes:
    """Axes, indices, directions of copies, true and false, min and max, double and float."""
    for index, token in _asked(tokens):
        if token.kind != "word":
            continue
        member = tokens[index - 1].text in (".", "->")
        for other in (AXES if member else WORDS).get(token.text, []):
            yield token.start, token.end, other


def _numbers(tokens: list[Token], text: str) -> Changes:
    """One more, one less, and 0."""
    for _, token in _asked(tokens):
        if token.kind != "number":
            continue
        match = re.fullmatch(r"(0[xX][\da-fA-F]+|\d+)([uUlLzZ]*)", token.text.replace("'", ""))
        if match:
            value = int(match[1], 0 if "x" in match[1].lower() else 10)
            for other in sorted({value + 1, max(value - 1, 0), 0} - {value}):
                yield token.start, token.end, f"{other}{match[2]}"
        elif match := re.fullmatch(r"([\d.]+(?:[eE][-+]?\d+)?)([fFlL]?)", token.text):
            yield token.start, token.end, f"{float(match[1]) + 1}{match[2]}"


def _types(tokens: list[Token], text: str) -> Changes:
    """A 64-bit integer becomes an int."""
    for index, token in _asked(tokens):
        if token.text in TYPES:
            first = tokens[index - 2] if tokens[index - 1].text == "::" else token
            yield first.start, token.end, TYPES[token.text]


def _sizes(tokens: list[Token], text: str) -> Changes:
    """`sizeof(float)` is forgotten."""
    for index, token in _asked(tokens):
        if token.text == "sizeof" and tokens[index + 1].text == "(":
            yield token.start, tokens[closing(tokens, index + 1)].end, "1"


def _variables(tokens: list[Token], text: str) -> Changes:
    """A variable becomes another of its type that is known at that place."""
    known = variables(tokens)
    declarations = {one.index for one in known}
    for index, token in _asked(tokens):
        if token.kind != "word" or index in declarations:
            continue
        if tokens[index - 1].text in (".", "->", "::"):
            continue
        visible = [one for one in known if _end_of_declaration(tokens, one) < index <= one.until]
        types = [one.type for one in visible if one.name == token.text]
        for one in visible if types else []:
            if one.type == types[-1] and one.name != token.text:
                yield token.start, token.end, one.name


def _end_of_declaration(tokens: list[Token], variable: Variable) -> int:
    """Index of the `;` or `{` after it: a variable is not used in its own initialiser."""
    index = variable.index
    while index < variable.until and tokens[index].text not in (";", "{"):
        index += 1
    return index


def _swaps(tokens: list[Token], text: str) -> Changes:
    """Two neighbouring arguments of a call or a launch change places."""
    for index, token in _asked(tokens):
        launch = token.text == "<<<"
        call = token.text == "(" and tokens[index - 1].kind == "word"
        if not launch and (not call or tokens[index - 1].text in KEYWORDS | COMMUTES):
            continue
        given = arguments(tokens, index)
        places = [(tokens[first].start, tokens[last].end) for first, last in given]
        for (a, b), (c, d) in itertools.pairwise(places):
            yield a, d, text[c:d] + text[b:c] + text[a:b]


def _statements(tokens: list[Token], text: str) -> Changes:
    """A barrier, a call, an assignment or a `return;` is left out."""
    for index, token in _asked(tokens):
        if not _begins_a_statement(tokens, index):
            continue
        end = index
        while tokens[end].text != ";":
            end = closing(tokens, end) + 1 if tokens[end].text in "([{" else end + 1
            if end >= len(tokens) or tokens[end].text in ("}", ")"):
                break
        else:
            if tokens[end].asked and _can_go(tokens, index):
                yield token.start, tokens[end].end, ";"


def _begins_a_statement(tokens: list[Token], index: int) -> bool:
    before = tokens[index - 1].text
    if before == ")":  # of `if (…)` and the like
        depth, back = 0, index - 1
        while back > 0:
            depth += {")": 1, "(": -1}.get(tokens[back].text, 0)
            if depth == 0:
                return tokens[back - 1].text in KEYWORDS
            back -= 1
    return before in (";", "{", "}", "else") or not tokens[index - 1].asked


def _can_go(tokens: list[Token], index: int) -> bool:
    """Whether a statement is a call, an assignment or a jump, not a declaration."""
    if tokens[index].text in ("return", "break", "continue"):
        return tokens[index + 1].text == ";"
    if tokens[index].text in ("++", "--", "*"):
        return not tokens[index].spaced
    if tokens[index].kind != "word" or tokens[index].text in KEYWORDS:
        return False
    after = index + 1
    while tokens[after].text == "::" and tokens[after + 1].kind == "word":
        after += 2
    return tokens[after].text in {"(", "[", ".", "->", "<<<", "++", "--"} | ASSIGNMENTS
