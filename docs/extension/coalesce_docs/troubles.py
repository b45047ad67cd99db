"""The troubleshooting page: entries, numbers of errors, and what goes with what.

```{trouble-filter}
```
```{error-numbers}
```
```{troubles} stops
```
```{compatibility}
```

Entries come from tools/troubles.py, which reads docs/data/troubles.toml and the doctor's rules.
Each is a block with its id as anchor; the row of error number 35 has the anchor `error-35`. All of
it is made of nodes, not of ready HTML, so that the site's search finds every message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from .context import SiteDirective, digester, hash_files
from .markup import element, raw
from .sources import root_of, ship, source_link

PAGE = "chapters/01-environment/troubleshooting"
THREAD = re.compile(r"([\w.-]+/[\w.-]+)#(\d+)")


@digester("troubles")
def _digest(context, _: str) -> str:
    rules = sorted((context.repo / "tools" / "doctor").rglob("*.py"))
    data = [
        context.repo / "docs" / "data" / f"{name}.toml" for name in ("troubles", "compatibility")
    ]
    return hash_files([*data, *rules, context.repo / "tools" / "troubles.py"])


def literal(text: str) -> nodes.literal:
    return nodes.literal(text, text)


def link(text: str, address: str) -> nodes.reference:
    return nodes.reference(text, text, refuri=address, internal=False)


def paragraph(kind: str, parts: Iterable[nodes.Node] = ()) -> nodes.paragraph:
    found = nodes.paragraph(classes=[f"trouble-{kind}"])
    found += list(parts)
    return found


def separated(groups: Iterable[list[nodes.Node]], mark: str) -> list[nodes.Node]:
    """Groups of nodes with a mark between them."""
    found: list[nodes.Node] = []
    for group in groups:
        if found:
            found.append(nodes.Text(mark))
        found += group
    return found


def table(
    head: list[str], rows: list[tuple[str, list[list[nodes.Node]]]], kind: str
) -> nodes.table:
    """A table; each row has an anchor, which may be empty, and cells of nodes."""
    group = nodes.tgroup(cols=len(head))
    group += [nodes.colspec(colwidth=1) for _ in head]
    top = nodes.thead()
    top += _row([[nodes.Text(text)] for text in head], "")
    body = nodes.tbody()
    body += [_row(cells, anchor) for anchor, cells in rows]
    group += [top, body]
    found = nodes.table(classes=[kind])
    found += group
    return found


def _row(cells: list[list[nodes.Node]], anchor: str) -> nodes.row:
    row = nodes.row(ids=[anchor] if anchor else [])
    for cell in cells:
        entry = nodes.entry()
        text = nodes.paragraph()
        text += cell
        entry += text
        row += entry
    return row


class Troubles(SiteDirective):
    """The entries of one group, sorted by what the reader sees."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        from tools import troubles

        self.note_input("troubles:")
        entries = troubles.group(self.arguments[0])
        if not entries:
            return self.complain(f"troubles: no entry is in group {self.arguments[0]}")
        return [self._block(entry) for entry in entries]

    def _block(self, entry) -> nodes.container:
        block = nodes.container(classes=["trouble"], ids=[entry.id])
        self.state.document.note_explicit_target(block)
        permanent = link("#", f"#{entry.id}")
        permanent["classes"].append("trouble-link")
        block += paragraph("symptom", [literal(entry.symptom), permanent])
        for message in entry.also:
            block += paragraph("also", [literal(message)])
        block += paragraph("cause", self.inline(entry.cause))
        block += self._cure(entry.cure)
        foot = [
            part for part in (self._met(entry), self._proof(entry), self._threads(entry)) if part
        ]
        if foot:
            block += paragraph("foot", separated(foot, " · "))
        return block

    def _cure(self, steps: tuple[str, ...]) -> nodes.Node:
        if len(steps) == 1:
            return paragraph("cure", self.inline(steps[0]))
        found = nodes.enumerated_list(classes=["trouble-cure"], enumtype="arabic")
        for step in steps:
            item = nodes.list_item()
            item += paragraph("step", self.inline(step))
            found += item
        return found

    def _met(self, entry) -> list[nodes.Node]:
        root = root_of(self.env.docname)
        pages = [page for page in entry.met if f"chapters/{page}" != self.env.docname]
        links = [[link(_label(page), f"{root}chapters/{page}.html")] for page in pages]
        return [nodes.Text("Met in "), *separated(links, ", ")] if links else []

    def _proof(self, entry) -> list[nodes.Node]:
        links = []
        for path in dict.fromkeys(proof.partition("::")[0] for proof in entry.shown_by):
            name = ship(self.env, self.context.repo / path)
            reference = link("", source_link(self.env, name))
            reference.clear()
            reference += literal(Path(path).name)
            links.append([reference])
        named = [literal("./course doctor"), nodes.Text(", ")] if entry.group == "machine" else []
        return [nodes.Text("Shown by "), *named, *separated(links, ", ")] if links else []

    def _threads(self, entry) -> list[nodes.Node]:
        found = []
        for source in entry.sources:
            match = THREAD.fullmatch(source)
            address = f"https://github.com/{match[1]}/issues/{match[2]}" if match else ""
            found.append([link(source, address) if match else nodes.Text(source)])
        return [nodes.Text("Reported in "), *separated(found, ", ")] if found else []


def _label(page: str) -> str:
    """'chapter 4, copies' from 04-optimization/copies."""
    folder, _, name = page.partition("/")
    number = int(folder.partition("-")[0])
    return f"chapter {number}" + ("" if name == "index" else f", {name.replace('-', ' ')}")


class ErrorNumbers(SiteDirective):
    """A row for each number of cudaError that a program explains."""

    def run(self) -> list[nodes.Node]:
        from tools import troubles

        self.note_input("troubles:")
        entries, numbers = troubles.everything()
        rows = []
        for one in numbers:
            links = []
            for name in one.see:
                if name not in entries:
                    return self.complain(f"error-numbers: {one.number} points at {name}, no entry")
                links.append([link(entries[name].symptom, f"#{name}")])
            cells = [[nodes.Text(str(one.number))], [literal(one.name)], separated(links, "; ")]
            rows.append((f"error-{one.number}", cells))
        return [table(["Number", "Name", "What it may be"], rows, "error-numbers")]


class Filter(SiteDirective):
    """A field that leaves only what contains all words; without scripts it is not shown."""

    def run(self) -> list[nodes.Node]:
        field = element(
            "input", type="search", class_="trouble-filter", autocomplete="off", spellcheck="false",
            placeholder="part of the message, or a number", aria_label="Filter the entries",
        )  # fmt: skip
        count = element("span", "", class_="trouble-count", role="status")
        return [raw(element("p", field.replace("</input>", "") + count, class_="trouble-search"))]


class Compatibility(SiteDirective):
    """Which driver, GPU, compiler and C library go with which toolkit."""

    def run(self) -> list[nodes.Node]:
        from tools.doctor import compatibility

        self.note_input("troubles:")
        known = compatibility.load()
        drivers = known.group("driver", "of")
        rows = [("", [[nodes.Text(text)] for text in self._cells(known, name)]) for name in drivers]
        head = ["CUDA", "Driver, at least", "Came with", "GPUs from", "GCC up to", "clang up to",
                "glibc up to"]  # fmt: skip
        return [table(head, rows[::-1], "compatibility"), self._origin(known)]

    @staticmethod
    def _cells(known, name: str) -> list[str]:
        from tools.doctor import compatibility

        toolkit = compatibility.version(name)
        gpus = known.architectures(toolkit)
        glibc = known.newest_glibc(toolkit)
        return [
            name,
            str(known.least_driver(toolkit) or "–"),
            known.own_driver(toolkit) or "–",
            f"{gpus[0] // 10}.{gpus[0] % 10}" if gpus else "–",
            str(known.newest_compiler(toolkit, "gcc") or "–"),
            str(known.newest_compiler(toolkit, "clang") or "–"),
            compatibility.text(glibc) if glibc else "–",
        ]

    def _origin(self, known) -> nodes.paragraph:
        dates = sorted(
            {str(group["checked"]) for group in known.data.values() if "checked" in group}
        )
        sources = dict.fromkeys(
            s for group in known.data.values() for s in group.get("sources", ())
        )
        links = [[link(address.split("//")[1].split("/")[0], address)] for address in sources]
        text = f"Read on {', '.join(dates)} from: "
        return paragraph("foot", [nodes.Text(text), *separated(links, ", ")])


def link_of(env, entry) -> str:
    """Address of an entry, as seen from the page being read."""
    return f"{root_of(env.docname)}{PAGE}.html#{entry.id}"


def setup(app: Sphinx) -> None:
    app.add_directive("troubles", Troubles)
    app.add_directive("error-numbers", ErrorNumbers)
    app.add_directive("trouble-filter", Filter)
    app.add_directive("compatibility", Compatibility)
