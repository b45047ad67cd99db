"""Links between the rendered pages: every file and every anchor that a page names must be there."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LINKING = {"href", "src", "srcset", "poster", "data-script"}
NOT_A_FILE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


class Page(HTMLParser):
    """The links and anchors of one page."""

    def __init__(self, text: str):
        super().__init__()
        self.links: list[tuple[int, str]] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value or "")
            elif name in LINKING and value:
                self.links.append((self.getpos()[0], value.split()[0] if value.split() else value))


@cache
def read(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8", errors="replace"))


def broken_links(site: Path) -> list[str]:
    """One line a broken link: page, line, link, and what is missing."""
    site = site.resolve()
    found = []
    for path in sorted(site.rglob("*.html")):
        for line, link in read(path).links:
            problem = check(site, path, link)
            if problem:
                found.append(f"{path.relative_to(site)}:{line}: {link} ({problem})")
    return found


def check(site: Path, page: Path, link: str) -> str:
    """What is wrong with a link, or an empty text."""
    if NOT_A_FILE.match(link):
        return ""
    parts = urlsplit(link)
    if parts.path.startswith("/"):
        return "starts at the root, so the site cannot be moved"
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.is_relative_to(site):
        return "leads out of the site"
    if target.is_dir():
        return "names a folder, which does not open from disk"
    if not target.exists():
        return "no such file"
    anchor = unquote(parts.fragment)
    if anchor and target.suffix == ".html" and anchor not in read(target).anchors:
        return "no such anchor"
    return ""
