"""`chapter-header`: what the reader will be able to do, the time it takes, and what is needed."""

from __future__ import annotations

import re

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from .context import SiteDirective
from .markup import element, escape, raw
from .sources import ship, source_link


class ChapterHeader(SiteDirective):
    """A list of facts at the top of a chapter. `:do:` may have several parts, split by `;`."""

    has_content = True
    option_spec = {
        "do": directives.unchanged_required,
        "time": directives.unchanged_required,
        "needs": directives.unchanged_required,
        "files": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        lacking = [name for name in ("do", "time", "needs") if name not in self.options]
        if lacking:
            raise self.error(f"chapter-header lacks :{':, :'.join(lacking)}:")
        box = nodes.container(classes=["chapter-header"])
        goals = [goal.strip() for goal in self.options["do"].split(";") if goal.strip()]
        box += nodes.paragraph("", "You will be able to", classes=["header-label"])
        goal_list = nodes.bullet_list(classes=["header-goals"])
        for goal in goals:
            paragraph = nodes.paragraph()
            paragraph += self.inline(goal)
            goal_list += nodes.list_item("", paragraph)
        box += goal_list
        facts = nodes.container(classes=["header-facts"])
        for label, name in (("Time", "time"), ("Needs", "needs")):
            paragraph = nodes.paragraph()
            paragraph += raw(element("span", label, class_="header-label"))
            # Reading time is advice, no measurement: the check of rendered numbers passes it over.
            css = ["reading-time"] if name == "time" else []
            text = nodes.inline(classes=css)
            text += self.inline(self.options[name])
            paragraph += [nodes.Text(" "), text]
            facts += paragraph
        if "files" in self.options:
            facts += raw(self._files())
        box += facts
        box += self.parse_body()
        return [box]

    def _files(self) -> str:
        links = []
        for word in re.split(r"[,\s]+", self.options["files"].strip()):
            name = ship(self.env, self.resolve(word))
            href = source_link(self.env, name)
            links.append(element("a", element("code", escape(word)), href=href))
        label = element("span", "Files", class_="header-label")
        return element("p", f"{label} {', '.join(links)}")


def setup(app: Sphinx) -> None:
    app.add_directive("chapter-header", ChapterHeader)
