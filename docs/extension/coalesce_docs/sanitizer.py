"""`sanitizer`: one sentence on what compute-sanitizer found in the chapter's steps."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

from .context import SiteDirective
from .markup import element, escape, raw


class Sanitizer(SiteDirective):
    """The sentence comes from `<slug>.sanitizer.json` of the reference device."""

    def run(self) -> list[nodes.Node]:
        from tools.results import MissingKey

        slug = self.chapter
        self.note_input(f"results:{slug}")
        try:
            found = self.context.store.sanitizer(slug)
        except MissingKey as problem:
            return self.complain(f"sanitizer: {problem}")
        runs, context = found["runs"], found["context"]
        steps = len({run["step"] for run in runs})
        tools = ", ".join(dict.fromkeys(run["tool"] for run in runs))
        bad = sorted({run["step"] for run in runs if run["errors"]})
        outcome = f"They report errors in {', '.join(bad)}." if bad else "They report nothing."
        text = (
            f"compute-sanitizer {context['sanitizer']} ran {steps} steps of this chapter under "
            f"{tools} on {context['device']}, {context['date'][:10]}. {outcome}"
        )
        return [raw(element("p", escape(text), class_="sanitizer-record"))]


def setup(app: Sphinx) -> None:
    app.add_directive("sanitizer", Sanitizer)
