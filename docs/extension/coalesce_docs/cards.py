"""`chapter-cards`: the chapters that exist, as cards on the home page."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx

from .context import SiteContext, SiteDirective, digester, hash_files
from .markup import element, escape, raw
from .sources import root_of


@digester("chapters")
def _chapters(context: SiteContext, name: str) -> str:
    return hash_files(sorted((context.repo / "chapters").glob("*/index.md")))


class ChapterCards(SiteDirective):
    """One line a chapter: its slug and a sentence. Chapters without a page are left out."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        self.note_input("chapters:all")
        cards = []
        for line in self.content:
            if not line.strip():
                continue
            slug, _, text = line.strip().partition(" ")
            path = self.context.repo / "chapters" / slug / "index.md"
            if not path.is_file():
                continue
            match = re.search(r"^# (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            title = match[1] if match else slug
            number = element("span", f"Chapter {int(slug[:2])}", class_="card-number")
            number += element("span", escape(title), class_="card-title")
            number += element("span", escape(text.strip()), class_="card-text")
            href = f"{root_of(self.env.docname)}chapters/{slug}/index.html"
            cards.append(element("a", number, class_="card", href=href))
        return [raw(element("div", "".join(cards), class_="cards"))] if cards else []


def setup(app: Sphinx) -> None:
    app.add_directive("chapter-cards", ChapterCards)
