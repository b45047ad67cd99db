"""`claim`: a sentence that rests on data.

The build fails when the reference denies it or cannot decide it. Where the reader's own results
deny it, the page says so beside the sentence.
"""

from __future__ import annotations

import itertools

from docutils import nodes
from sphinx.application import Sphinx

from .context import SiteDirective
from .markup import element, escape, raw
from .sources import root_of
from .values import chapter_slugs, value_html

HOLDS, UNDECIDED, DENIED = "holds", "undecided", "denied"


def verdict(store, claim) -> str:
    """Whether the numbers behind a claim decide it, their intervals taken into account.

    The claim is worked out at both ends of every interval. Two times of one run are compared by
    their ratio, whose interval comes from pairs within a round and is narrower.
    """
    from tools import expressions
    from tools.expressions import Quantity

    corners: list[list[tuple[str, float]]] = []
    values = dict(claim.values)
    times = [name for name, value in values.items() if value.field == "real_time"]
    if len(times) == 2 and len(values) == 2:
        ratio = store.ratio(*times, claim.device)
        if ratio.low is not None:
            bottom = values[times[1]].value
            for end in (ratio.low, ratio.high):
                corners.append([(times[0], end * bottom), (times[1], bottom)])
    if not corners:
        ends = [
            [(name, value.value)] if value.low is None else [(name, value.low), (name, value.high)]
            for name, value in values.items()
        ]
        corners = [list(corner) for corner in itertools.product(*ends)]
    answers = set()
    for corner in corners:
        at = {name: Quantity.of(number, values[name].unit) for name, number in corner}
        answers.add(expressions.evaluate(claim.expression, at.__getitem__).holds)
    if answers == {True}:
        return HOLDS
    if answers == {False}:
        return DENIED
    return UNDECIDED


def short_name(reference: str) -> str:
    """A reference in words: the step, and the field where one is named."""
    from tools.keys import Key

    name, _, part = reference.partition("#")
    try:
        words = Key.parse(name).step.replace("_", " ")
    except ValueError:
        words = name.rpartition(":")[2] or name
    return f"{words}, {part.replace('_', ' ')}" if part else words


class Claim(SiteDirective):
    """A sentence with the comparison that it rests on."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        from tools import expressions
        from tools.expressions import ExpressionError
        from tools.results import MissingKey

        expression = " ".join(self.arguments[0].split())
        box = nodes.container(classes=["claim"])
        body = self.parse_body()
        if not body:
            raise self.error("a claim needs its sentence")
        box += body
        try:
            for slug in chapter_slugs(expressions.references(expression)):
                self.note_input(f"results:{slug}")
            claims = self.context.store.claims(expression)
            for claim in claims:
                box += self._judged(claim)
            if not any(claim.device.role == "reference" for claim in claims):
                box += self.complain(f"claim {expression}: there are no reference results")
        except (MissingKey, ExpressionError) as problem:
            box += self.complain(f"claim {expression}: {problem}")
        return [box]

    def _judged(self, claim) -> list[nodes.Node]:
        reference = claim.device.role == "reference"
        if claim.holds is None:
            return self.complain(f"claim: {claim.missing}") if reference else []
        found = verdict(self.context.store, claim)
        if found == HOLDS:
            return []
        if reference:
            why = "is denied by" if found == DENIED else "is not decided by the intervals of"
            return self.complain(
                f"claim {claim.expression} {why} {claim.device.name} ({claim.values_text()})"
            )
        return [raw(self._note(claim, found))]

    def _note(self, claim, found: str) -> str:
        values = "; ".join(
            f"{escape(short_name(name))}: {value_html(value, 'measured reader')}"
            for name, value in claim.values.items()
        )
        link = element(
            "a",
            "why numbers differ",
            href=f"{root_of(self.env.docname)}guide/why-numbers-differ.html",
        )
        says = "this does not hold" if found == DENIED else "the intervals do not decide this"
        device = element("strong", f"On your {escape(claim.device.name)} {says}.")
        return element(
            "p", f"{device} Your numbers: {values}. See {link}.", class_="contradiction",
            role="note",
        )  # fmt: skip


def setup(app: Sphinx) -> None:
    app.add_directive("claim", Claim)
