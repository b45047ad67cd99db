"""`api-header`: the reference page of one header of src/coalesce.

Doxygen reads the headers, Breathe renders what it found. Breathe's own directive for files declares
the namespace once on every page, which Sphinx calls a duplicate, so this one walks the header
itself: each macro, class, enumeration and function, in the order of the header. After reading, what
Doxygen found is compared with what the pages show: a documented name without an entry is an error.
"""

from __future__ import annotations

import functools
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from breathe import parser
from breathe.directives import BaseDirective
from breathe.renderer import TaggedNode
from breathe.renderer import filter as breathe_filter
from breathe.renderer.mask import NullMaskFactory
from breathe.renderer.target import create_target_handler
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ConfigError

from .context import context_of, logger
from .markup import element, escape, raw
from .sources import raw_link, ship, source_link

PUBLIC_KINDS = {"function", "define", "typedef", "enum", "variable"}
CONTAINERS = {"class", "struct", "namespace", "file", "concept"}


def documented(xml: Path) -> dict[str, str]:
    """Doxygen id of every documented public entity, with a name for people."""
    index = xml / "index.xml"
    if not index.is_file():
        return {}
    newest = max(path.stat().st_mtime_ns for path in xml.glob("*.xml"))
    return _documented(xml, newest)


@functools.lru_cache(maxsize=2)
def _documented(xml: Path, newest: int) -> dict[str, str]:
    found: dict[str, str] = {}
    for compound in ElementTree.parse(xml / "index.xml").getroot().iterfind("compound"):
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


class ApiHeader(BaseDirective):
    """Every documented name of a header, each once."""

    required_arguments = 1
    has_content = False
    option_spec = {}

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        context = context_of(self.env)
        path = context.repo / "src" / "coalesce" / name
        if not path.is_file():
            raise self.error(f"src/coalesce has no header {name}")
        if not (context.build / "doxygen" / "xml" / "index.xml").is_file():
            raise self.error("there is no XML of Doxygen: run ./course site, which makes it first")
        self.env.note_dependency(str(path))
        self.options["members"] = ""
        project = self.project_info_factory.create_project_info(self.options)
        found: list[nodes.Node] = [self._head(path), *self._summary(path)]
        for _, stack in sorted(self._entries(project, name), key=lambda entry: entry[0]):
            found += self._rendered(stack, project)
        return found

    def _head(self, path: Path) -> nodes.Node:
        name = ship(self.env, path)
        include = element("code", escape(f"#include <coalesce/{path.name}>"))
        link = element("a", "source", href=source_link(self.env, name))
        link += " · " + element("a", "raw", href=raw_link(self.env, name))
        return raw(element("p", f"{include} {element('span', link, class_='api-source')}",
                           class_="api-include"))  # fmt: skip

    def _summary(self, path: Path) -> list[nodes.Node]:
        """The line of the header's group that says what it is for."""
        lines = path.read_text(encoding="utf-8").splitlines()
        for at, line in enumerate(lines):
            if "\\defgroup" in line:
                words = []
                for follower in lines[at + 1 :]:
                    text = follower.removeprefix("///").strip()
                    if not follower.startswith("///") or text in ("", "@{"):
                        break
                    words.append(text)
                if words:
                    parsed, messages = self.parse_inline(" ".join(words))
                    return [nodes.paragraph("", "", *parsed), *messages]
        return []

    def _entries(self, project, header: str) -> list[tuple[int, list[TaggedNode]]]:
        """Line and node stack of each name that the header declares outside of classes."""
        index = self.get_doxygen_index(project)
        known = documented(context_of(self.env).build / "doxygen" / "xml")
        entries = []
        for compound in index.root.compound:
            kind = compound.kind.value
            if kind not in CONTAINERS:
                continue
            parsed = self.dox_parser.parse_compound(compound.refid, project)
            for definition in parsed.root.compounddef:
                place = definition.location
                if kind in ("class", "struct"):
                    here = place is not None and Path(place.file).name == header
                    if here and compound.refid in known and compound.name.count("::") == 1:
                        stack = [TaggedNode("compound", compound),
                                 TaggedNode("doxygenindex", index.root)]  # fmt: skip
                        entries.append((place.line, stack))
                    continue
                for section in definition.sectiondef:
                    for member in section.memberdef:
                        if member.id not in known or not self._is_entry(member, kind, header):
                            continue
                        stack = [TaggedNode("memberdef", member),
                                 TaggedNode("sectiondef", section),
                                 TaggedNode("compounddef", definition),
                                 TaggedNode("doxygen", parsed.root),
                                 TaggedNode("compound", compound),
                                 TaggedNode("doxygenindex", index.root)]  # fmt: skip
                        entries.append((member.location.line, stack))
        return entries

    def _is_entry(self, member, kind: str, header: str) -> bool:
        if Path(member.location.file).name != header:
            return False
        return kind == "namespace" or member.kind == parser.DoxMemberKind.define

    def _rendered(self, stack: list[TaggedNode], project) -> list[nodes.Node]:
        top = stack[0].value
        if isinstance(top, parser.Node_memberdefType):
            chosen = breathe_filter.create_outline_filter(self.options)
        else:
            chosen = breathe_filter.create_class_filter(self.app, top.name, self.options)
        return self.render(
            stack,
            project,
            chosen,
            create_target_handler(self.options, self.env),
            NullMaskFactory(),
            self.directive_args,
        )


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


def _require_xml(app: Sphinx) -> None:
    """One sentence where Sphinx is started before Doxygen has read the headers."""
    xml = Path(app.config.coalesce_build) / "doxygen" / "xml" / "index.xml"
    if (Path(app.srcdir) / "api").is_dir() and not xml.is_file():
        raise ConfigError(
            "There is no XML of the headers: run `./course site`, which makes it first."
        )


def setup(app: Sphinx) -> None:
    app.add_directive("api-header", ApiHeader)
    app.connect("env-check-consistency", _check)
    app.connect("builder-inited", _require_xml)
