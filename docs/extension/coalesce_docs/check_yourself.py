"""`check-yourself`: questions with folded answers, written as a definition list."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

from .boxes import titled_box
from .context import SiteDirective
from .markup import raw


class CheckYourself(SiteDirective):
    """Each term of the list is a question, its definition the answer."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        body = self.parse_body()
        questions = [node for node in body if isinstance(node, nodes.definition_list)]
        if not questions:
            raise self.error("check-yourself needs a definition list: a question, then ': answer'")
        shown: list[nodes.Node] = []
        for node in body:
            if isinstance(node, nodes.definition_list):
                for item in node.findall(nodes.definition_list_item):
                    shown += self._question(item)
            else:
                shown.append(node)
        return [titled_box(self, "Check yourself", "", "check-yourself", shown)]

    def _question(self, item: nodes.definition_list_item) -> list[nodes.Node]:
        terms = [child for child in item.children if isinstance(child, nodes.term)]
        answers = [child for child in item.children if isinstance(child, nodes.definition)]
        if not answers:
            raise self.error(f"the question {terms[0].astext()!r} has no answer")
        question = nodes.inline(classes=["question"])
        for term in terms:
            question += term.children
        body = [child for answer in answers for child in answer.children]
        return [
            raw('<details class="fold question-fold"><summary>'),
            question,
            raw('</summary><div class="fold-body">'),
            *body,
            raw("</div></details>"),
        ]


def setup(app: Sphinx) -> None:
    app.add_directive("check-yourself", CheckYourself)
