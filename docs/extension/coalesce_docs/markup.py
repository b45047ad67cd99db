"""Small helpers that make HTML: escaping, elements, highlighted code, raw nodes."""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Iterable

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

_FORMATTER = HtmlFormatter(nowrap=True)
# Blanks, names and punctuation have the text's own colour; their spans would only weigh.
_PLAIN = re.compile(r'<span class="(?:w|n|p)">([^<]*)</span>')


def escape(text: object) -> str:
    """`text` safe in element content and attribute values."""
    return html.escape(str(text), quote=True)


def element(name: str, content: str = "", /, **attributes: object) -> str:
    """An element around ready HTML. `class_` becomes class, `data_key` data-key; None is left out,
    True gives a bare attribute."""
    parts = []
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        parts.append(f" {key}" if value is True else f' {key}="{escape(value)}"')
    return f"<{name}{''.join(parts)}>{content}</{name}>"


def phrase(text: str) -> str:
    """A line of text with `code` and *emphasis*, for captions and labels of tables."""
    html = escape(text)
    html = re.sub(r"`([^`]+)`", r'<code class="literal">\1</code>', html)
    return re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r"<em>\1</em>", html)


def raw(content: str) -> nodes.raw:
    """A node that passes HTML through."""
    return nodes.raw("", content, format="html")


@functools.cache
def _lexer(name: str):
    from .highlighting import CudaCppLexer

    if name == "cuda":
        return CudaCppLexer(stripnl=False, ensurenl=False)
    try:
        return get_lexer_by_name(name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return get_lexer_by_name("text", stripnl=False, ensurenl=False)


@functools.lru_cache(maxsize=512)
def highlighted_lines(code: str, lexer: str) -> tuple[str, ...]:
    """Highlighted HTML of each line of `code`; every element is closed on its line."""
    text = _PLAIN.sub(r"\1", highlight(code, _lexer(lexer), _FORMATTER))
    lines = text.split("\n")
    count = code.count("\n") + 1
    return tuple(lines[:count] + [""] * (count - len(lines)))


def code_block(lines: Iterable[str], lexer: str, *, language_class: str | None = None) -> str:
    """The frame that themes and the copy button expect around highlighted lines."""
    inner = element("pre", "\n".join(lines) + "\n", tabindex="0")
    return element(
        "div",
        element("div", inner, class_="highlight"),
        class_=f"highlight-{language_class or lexer} notranslate",
    )


_TOKEN = re.compile(r"<[^>]*>|&[^;]+;|.", re.DOTALL)


def mark_ranges(line: str, ranges: list[tuple[int, int]], tag: str) -> str:
    """Wraps character ranges of a highlighted line in `tag`, keeping the markup well nested."""
    if not ranges:
        return line
    result, position, inside = [], 0, False

    def wanted(at: int) -> bool:
        return any(start <= at < end for start, end in ranges)

    for piece in _TOKEN.findall(line):
        if piece.startswith("<"):
            if inside:
                result.append(f"</{tag}>")
                inside = False
            result.append(piece)
            continue
        if wanted(position) != inside:
            result.append(f"</{tag}>" if inside else f"<{tag}>")
            inside = not inside
        result.append(piece)
        position += 1
    if inside:
        result.append(f"</{tag}>")
    return "".join(result)


def text_of(fragment: str) -> str:
    """The text of an HTML fragment."""
    return html.unescape(re.sub(r"<[^>]*>", "", fragment))
