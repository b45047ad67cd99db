"""What every page has: the course's style sheet and script, and a footer that names the device."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from sphinx.application import Sphinx

from .context import REFERENCE, context_of
from .markup import element, escape
from .sources import root_of


def reference_sentence(context) -> str:
    """One line on the reference device, from its results."""
    device = next((one for one in context.store.devices() if one.id == REFERENCE), None)
    if device is None:
        return "No results of the reference device are here yet."
    facts = device.facts
    parts = [f"Numbers were measured on {device.name}"]
    if facts.get("driver"):
        parts.append(f"driver {facts['driver']}")
    if facts.get("cuda_runtime"):
        parts.append(f"CUDA {facts['cuda_runtime']}")
    if facts.get("date"):
        parts.append(_day(facts["date"]))
    return ", ".join(parts) + "."


def _day(date: str) -> str:
    moment = datetime.fromisoformat(date.replace("Z", "+00:00"))
    return f"{moment.day} {moment:%B %Y}"


def footer_html(context, docname: str) -> str:
    """The footer of a page."""
    root = root_of(docname)
    sentence = escape(reference_sentence(context))
    links = [
        element("a", "the device", href=f"{root}guide/reference-device.html"),
        element("a", "why yours may differ", href=f"{root}guide/why-numbers-differ.html"),
    ]
    readers = ""
    names = [device.name for device in context.readers]
    if names:
        readers = f" Yours stand beside them: {escape(', '.join(names))}."
    return element(
        "p", f"{sentence}{readers} See {links[0]} and {links[1]}.", class_="device-footer"
    )


def _page_context(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    if app.builder.format != "html":
        return
    context["coalesce_footer"] = footer_html(context_of(app.env), pagename)
    context["coalesce_root"] = root_of(pagename)


def _remove_orphans(app: Sphinx, exception: Exception | None) -> None:
    """Deletes pages whose source is gone; Sphinx leaves them behind."""
    if exception is not None or app.builder.format != "html":
        return
    out = Path(app.outdir)
    for path in out.rglob("*.html"):
        name = path.relative_to(out).as_posix().removesuffix(".html")
        made = name in app.env.found_docs or name in ("search", "genindex")
        if not made and not name.startswith(("sources/", "_static/")):
            path.unlink()


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", _page_context)
    app.connect("build-finished", _remove_orphans)
    app.add_css_file("coalesce.css", priority=900)
    app.add_js_file("coalesce.js", loading_method="defer")
