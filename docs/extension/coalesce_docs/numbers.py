"""Roles for numbers: `measured`, `ratio`, `historical`, `fact` and `count`.

None of them takes a typed number: they name a result, and the page shows it with its unit.
"""

from __future__ import annotations

from sphinx.application import Sphinx

from .context import SiteRole, note_input
from .markup import raw
from .values import chapter_slugs, for_reader, with_readers


class NumberRole(SiteRole):
    """A number from the results."""

    def run(self):
        from tools.expressions import ExpressionError
        from tools.results import MissingKey

        text = " ".join(self.text.split())
        try:
            html = self.number(text)
        except (MissingKey, ExpressionError, ValueError) as problem:
            return self.complain(f"{self.name} {text}: {problem}")
        return [raw(html)], []

    def number(self, text: str) -> str:
        return self.reference(text)

    def reference(self, reference: str) -> str:
        """A single reference, and the reader's values."""
        for slug in chapter_slugs([reference]):
            note_input(self.env, f"results:{slug}")
        store = self.context.store
        elsewhere = for_reader(reference)

        def resolve(device):
            return store.resolve(elsewhere, device) if elsewhere else None

        return with_readers(self.context, store.resolve(reference), resolve)


class Measured(NumberRole):
    """A result: `KEY` is its time, `KEY#field` another field of it."""


class Historical(NumberRole):
    """A figure of an older text: `device:KEY#field` or `device:fact`."""

    def number(self, text: str) -> str:
        head = text.partition(":")[0]
        device = self.context.store.device(head)
        if device.role != "historical":
            raise ValueError(f"{head} is no historical device; use measured or fact")
        return self.reference(text)


class Fact(NumberRole):
    """A fact of a device: `device:name`. A bare name means the reference device."""


class Count(NumberRole):
    """A count: `slug/step#sectors`."""

    def number(self, text: str) -> str:
        return self.reference(f"count:{text}")


class Ratio(NumberRole):
    """`KEY1 / KEY2`: how many times longer KEY1 takes. Longer expressions work as well."""

    def number(self, text: str) -> str:
        from tools import expressions

        used = expressions.references(text)
        for slug in chapter_slugs(used):
            note_input(self.env, f"results:{slug}")
        store = self.context.store
        movable = all(for_reader(one) is not None for one in used)

        def resolve(device):
            return store.evaluate(text, device) if movable else None

        return with_readers(self.context, store.evaluate(text), resolve)


def setup(app: Sphinx) -> None:
    app.add_role("measured", Measured())
    app.add_role("ratio", Ratio())
    app.add_role("historical", Historical())
    app.add_role("fact", Fact())
    app.add_role("count", Count())
