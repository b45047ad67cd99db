"""A report as one HTML file: nothing is loaded from elsewhere, and it prints well."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from figures import colours
from tools.labs.report.blocks import (
    Answer,
    Block,
    Code,
    Facts,
    Heading,
    Paragraph,
    Picture,
    Printed,
    Report,
    Table,
)

STYLE = Path(__file__).parent / "report.css"

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<h1>{title}</h1>
<p class="date">Report of {date}. Name: <span class="blank"></span></p>
{body}
</body>
</html>
"""


def document(report: Report) -> str:
    return PAGE.format(
        title=escape(report.title),
        date=escape(report.date),
        style=colours.css_variables() + STYLE.read_text(encoding="utf-8"),
        body="\n".join(map(shown, report.blocks)),
    )


def shown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{escape(text)}</p>"
        case Facts(pairs):
            rows = (f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in pairs)
            return f"<dl>{''.join(rows)}</dl>"
        case Table():
            return table(block)
        case Picture(svg, caption):
            return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"
        case Printed():
            return printed(block)
        case Answer(heading, words):
            return (
                f'<section class="answer"><h3>{with_code(heading)}</h3>{written(words)}</section>'
            )
        case Code(name, text):
            return f"<h3>{escape(name)}</h3><pre><code>{escape(text.rstrip())}\n</code></pre>"


def printed(block: Printed) -> str:
    text = f"<pre>{escape(block.text.rstrip())}\n</pre>"
    if block.folded:
        return f'<details class="printed"><summary>The numbers</summary>{text}</details>'
    caption = f"<figcaption>{escape(block.caption)}</figcaption>"
    return f'<figure class="printed">{text}{caption}</figure>'


def with_code(text: str) -> str:
    """A question, in which `names` stand between backticks."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def table(block: Table) -> str:
    def cells(kind: str, row) -> str:
        marks = ['class="number"' if i in block.right else "" for i in range(len(row))]
        made = (
            f"<{kind} {mark}>{escape(str(cell))}</{kind}>".replace(" >", ">")
            for mark, cell in zip(marks, row, strict=True)
        )
        return f"<tr>{''.join(made)}</tr>"

    body = "\n".join(cells("td", row) for row in block.rows)
    return (
        f'<div class="table"><table><caption>{escape(block.caption)}</caption>\n'
        f"<thead>{cells('th', block.head)}</thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def written(words: str) -> str:
    """The reader's words as they were written; without any, space to write by hand."""
    if not words:
        return '<div class="space" aria-label="space for an answer"></div>'
    return f'<div class="words">{escape(words)}</div>'
