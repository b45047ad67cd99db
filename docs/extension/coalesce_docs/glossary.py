"""Definitions where they are needed: the first use of a term on a page gets a tooltip.

The tooltip's text is part of the page; it opens on hover and on keyboard focus, without a script.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from .markup import element, escape, raw

GLOSSARY = "glossary"


def definitions(env: BuildEnvironment) -> dict[str, str]:
    """The first paragraph of each definition, by the id of its term."""
    if GLOSSARY not in env.found_docs:
        return {}
    found = {}
    for item in env.get_doctree(GLOSSARY).findall(nodes.definition_list_item):
        text = ""
        for child in item.children:
            if isinstance(child, nodes.definition):
                paragraph = next(iter(child.findall(nodes.paragraph)), None)
                text = paragraph.astext() if paragraph is not None else child.astext()
        for term in item.findall(nodes.term):
            for name in term["ids"]:
                found[name] = " ".join(text.split())
    return found


def _used(env: BuildEnvironment) -> dict[str, bool]:
    if not hasattr(env, "coalesce_terms"):
        env.coalesce_terms = {}
    return env.coalesce_terms


def _note_use(app: Sphinx, doctree: nodes.document) -> None:
    from sphinx.addnodes import pending_xref

    env = app.env
    if any(node.get("reftype") == "term" for node in doctree.findall(pending_xref)):
        _used(env)[env.docname] = True


def _add_tooltips(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    if app.builder.format != "html" or docname == GLOSSARY:
        return
    seen: set[str] = set()
    texts: dict[str, str] | None = None
    for reference in list(doctree.findall(nodes.reference)):
        inner = next(iter(reference.findall(nodes.inline)), None)
        if inner is None or "std-term" not in inner.get("classes", []):
            continue
        name = reference.get("refuri", "").rpartition("#")[2]
        if not name or name in seen:
            continue
        seen.add(name)
        texts = definitions(app.env) if texts is None else texts
        if not texts.get(name):
            continue
        tip = f"tip-{name}"
        html = element("span", escape(texts[name]), class_="tip", role="tooltip", id=tip)
        wrapper = nodes.inline(classes=["term-first"])
        reference.replace_self(wrapper)
        wrapper += reference
        wrapper += raw(html)


def _pages_with_terms(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """When the glossary was read anew, pages that use it are written anew."""
    if GLOSSARY in getattr(env, "coalesce_read", ()):
        return [page for page in _used(env) if page in env.found_docs]
    return []


def _note_read(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    env.coalesce_read = tuple(docnames)


def _purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    _used(env).pop(docname, None)


def _merge(app: Sphinx, env: BuildEnvironment, docnames, other: BuildEnvironment) -> None:
    for docname in docnames:
        if docname in _used(other):
            _used(env)[docname] = True


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", _note_use)
    app.connect("doctree-resolved", _add_tooltips)
    app.connect("env-updated", _pages_with_terms)
    app.connect("env-before-read-docs", _note_read)
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)
