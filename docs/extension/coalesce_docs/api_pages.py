"""The reference pages of src/coalesce: every documented function must have its entry.

Doxygen reads the headers, Breathe shows each header on one page under docs/api/. After reading,
this module compares what Doxygen found with what the pages show.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from .context import context_of, logger

PUBLIC_KINDS = {"function", "define", "typedef", "enum", "variable"}
CONTAINERS = {"class", "struct", "namespace", "file", "concept"}


def documented(xml: Path) -> dict[str, str]:
    """Doxygen id of every documented public entity, with a name for people."""
    found: dict[str, str] = {}
    index = xml / "index.xml"
    if not index.is_file():
        return found
    for compound in ElementTree.parse(index).getroot().iterfind("compound"):
        if compound.get("kind") not in CONTAINERS:
            continue
        root = ElementTree.parse(xml / f"{compound.get('refid')}.xml").getroot()
        definition = root.find("compounddef")
        if definition is None:
            continue
        if compound.get("kind") in {"class", "struct"} and _has_text(definition):
            found[compound.get("refid")] = compound.findtext("name")
        for member in definition.iterfind("sectiondef/memberdef"):
            if member.get("prot") == "private" or member.get("kind") not in PUBLIC_KINDS:
                continue
            if _has_text(member):
                place = member.find("location")
                name = member.findtext("qualifiedname") or member.findtext("name")
                where = f" ({Path(place.get('file')).name}:{place.get('line')})"
                found[member.get("id")] = name + where
    return found


def _has_text(node: ElementTree.Element) -> bool:
    for part in ("briefdescription", "detaileddescription"):
        text = node.find(part)
        if text is not None and "".join(text.itertext()).strip():
            return True
    return False


def shown(env: BuildEnvironment) -> set[str]:
    """Ids on the pages that were written by Breathe."""
    ids: set[str] = set()
    for docname in env.found_docs:
        if docname.startswith("api/"):
            for node in env.get_doctree(docname).findall():
                if hasattr(node, "get"):
                    ids.update(node.get("ids", ()))
    return ids


def missing_entries(xml: Path, ids: set[str]) -> list[str]:
    """Documented entities without an entry."""
    return sorted(name for key, name in documented(xml).items() if key not in ids)


def _check(app: Sphinx, env: BuildEnvironment) -> None:
    xml = context_of(env).build / "doxygen" / "xml"
    read = getattr(env, "coalesce_read", ())
    if not xml.is_dir() or not any(name.startswith("api/") for name in read):
        return
    if not any(name.startswith("api/") and name != "api/index" for name in env.found_docs):
        return
    for name in missing_entries(xml, shown(env)):
        logger.warning("%s is documented in its header but has no entry under docs/api", name,
                       type="coalesce")  # fmt: skip


def setup(app: Sphinx) -> None:
    app.connect("env-check-consistency", _check)
