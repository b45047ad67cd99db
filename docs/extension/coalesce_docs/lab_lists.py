"""`lab-questions` and `lab-data`: what a lab asks, and what is to be recorded, from its lab.toml.

The reader's answers.md and the report have the same texts, so the manual cannot ask anything else.

```{lab-questions}
```
"""

from __future__ import annotations

import tomllib

from docutils import nodes
from sphinx.application import Sphinx

from .context import SiteDirective


class LabList(SiteDirective):
    """A list in the lab.toml beside the page; `key` and `mark` of each kind are below."""

    key, mark = "", ""

    def run(self) -> list[nodes.Node]:
        path = self.page_folder / "lab.toml"
        self.env.note_dependency(str(path))
        try:
            items = tomllib.loads(path.read_text(encoding="utf-8"))[self.key]
        except (OSError, ValueError, KeyError) as problem:
            raise self.error(f"{self.name}: {path.name} beside this page: {problem}") from None
        return self.parse_text_to_nodes("\n".join(f"{self.mark} {item}" for item in items))


class LabQuestions(LabList):
    key, mark = "questions", "1."


class LabData(LabList):
    key, mark = "data", "-"


def setup(app: Sphinx) -> None:
    app.add_directive("lab-questions", LabQuestions)
    app.add_directive("lab-data", LabData)
