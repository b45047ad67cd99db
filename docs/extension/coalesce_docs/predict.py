"""`predict`: a question before the answer is shown. The guess is kept in the browser only."""

from __future__ import annotations

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from .boxes import titled_box
from .context import SiteDirective
from .markup import element, raw


class Predict(SiteDirective):
    """The body is the question, a `---` line and the rest is the answer, folded."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"unit": directives.unchanged_required, "id": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        lines = list(self.content)
        split = next((at for at, line in enumerate(lines) if line.strip() == "---"), len(lines))
        question, answer = lines[:split], lines[split + 1 :]
        if not any(line.strip() for line in question):
            raise self.error("predict needs a question")
        name = self.options.get("id") or nodes.make_id(" ".join(question))[:40]
        key = f"{self.env.docname}#{name}"
        body = self._parse(question, 0)
        unit = self.options.get("unit", "")
        field = element(
            "label",
            "Your guess "
            + element("input", type="text", data_guess=key, autocomplete="off", size="14").replace(
                "</input>", ""
            )
            + (f" {unit}" if unit else ""),
            class_="guess",
        )
        body.append(raw(element("p", field, class_="guess-line")))
        if answer:
            body.append(raw('<details class="fold answer"><summary>Compare</summary>'
                            '<div class="fold-body">'))  # fmt: skip
            body += self._parse(answer, split + 1)
            body.append(raw("</div></details>"))
        title = self.arguments[0] if self.arguments else ""
        return [titled_box(self, "Predict", title, "predict", body)]

    def _parse(self, lines: list[str], offset: int) -> list[nodes.Node]:
        node = nodes.Element()
        self.state.nested_parse(self.content[offset : offset + len(lines)],
                                self.content_offset + offset, node)  # fmt: skip
        return node.children


def setup(app: Sphinx) -> None:
    app.add_directive("predict", Predict)
