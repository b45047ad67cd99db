"""How a value of the results looks: its origin on hover, the reader's value beside it."""

from __future__ import annotations

from .context import REFERENCE, SiteContext
from .markup import element, escape


def chapter_slugs(references: list[str]) -> set[str]:
    """The chapters whose results a list of references needs; an empty string for facts alone."""
    slugs = set()
    for reference in references:
        name = reference.partition("#")[0]
        head, colon, rest = name.partition(":")
        while colon and "/" not in head:
            name = rest
            head, colon, rest = name.partition(":")
        slugs.add(name.split("/")[0] if "/" in name else "device")
    return slugs


def for_reader(reference: str) -> str | None:
    """The same reference on another device, or None where it names a device of its own."""
    head, colon, rest = reference.partition(":")
    if not colon or "/" in head or head in ("count", "device"):
        return reference
    return rest if head == REFERENCE else None


def value_html(value, css: str = "measured", lead: str = "", trail: str = "") -> str:
    """A value with its origin. The digits can be reached by keyboard, the origin is their title."""
    title = value.title
    if value.low is not None and value.unit == "s":
        from tools import units

        interval = units.format_interval(value.low, value.high)
        title = f"95 % interval of the median: {interval}, {title}"
    name = f"{value.name}#{value.field}" if value.field else value.name
    return element(
        "span",
        escape(f"{lead}{value.text}{trail}"),
        class_=css,
        title=title,
        data_key=name,
        data_device=value.device.id,
        tabindex="0",
    )


def with_readers(context: SiteContext, value, resolve) -> str:
    """A value, and the same on each device of the reader that has it.

    `resolve(device)` gives the value there or raises MissingKey.
    """
    from tools.results import MissingKey

    historical = value.device.role == "historical"
    html = value_html(value, "measured historical" if historical else "measured")
    if historical:
        return html
    for device in context.readers:
        try:
            yours = resolve(device)
        except MissingKey:
            continue
        if yours is None or yours.device.id == value.device.id:
            continue
        name = "yours" if len(context.readers) == 1 else device.name
        html += value_html(yours, "measured reader", lead=f" ({name}: ", trail=")")
    return html
