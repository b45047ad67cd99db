"""Ships the source files that pages show: a highlighted page, the raw file, and a script.

For `chapters/03-x/step1.cu` the site holds `sources/chapters/03-x/step1.cu.html` with an anchor for
each line, `sources/raw/chapters/03-x/step1.cu`, and `sources/raw/chapters/03-x/step1.cu.js`, which
the button "copy whole file" loads (a page opened from disk may load scripts, but not read files).
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from .context import context_of
from .markup import element, escape, highlighted_lines
from .tagged import is_tag_line, lexer_name

_TEMPLATE = """<!doctype html>
<html lang="en" class="source-page">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>{path} · {project}</title>
<link rel="stylesheet" href="{root}_static/pygments.css">
<link rel="stylesheet" href="{root}_static/coalesce.css">
<link rel="icon" href="{root}_static/icon.svg">
<script src="{root}_static/source-page.js"></script>
</head>
<body>
<header class="source-header">
<a class="source-home" href="{root}index.html">{project}</a>
<h1>{path}</h1>
<nav>{pages}<a href="{root}sources/raw/{path}">Raw file</a></nav>
</header>
<main class="source-code"><div class="highlight"><pre>{lines}</pre></div></main>
</body>
</html>
"""


def _uses(env: BuildEnvironment) -> dict[str, list[str]]:
    """For each page, the files it shows, as paths from the repository's root."""
    if not hasattr(env, "coalesce_sources"):
        env.coalesce_sources = {}
    return env.coalesce_sources


def ship(env: BuildEnvironment, path: Path) -> str:
    """Makes sure that the site ships a file. Returns its path from the repository's root."""
    name = context_of(env).relative(path)
    used = _uses(env).setdefault(env.docname, [])
    if name not in used:
        used.append(name)
    return name


def root_of(docname: str) -> str:
    """The way from a page to the site's root."""
    return "../" * docname.count("/")


def source_link(env: BuildEnvironment, name: str, line: int | None = None) -> str:
    """Address of a shipped file's page, as seen from the page being read."""
    anchor = f"#L{line}" if line else ""
    return f"{root_of(env.docname)}sources/{name}.html{anchor}"


def raw_link(env: BuildEnvironment, name: str) -> str:
    """Address of the raw file, as seen from the page being read."""
    return f"{root_of(env.docname)}sources/raw/{name}"


def clean_text(text: str) -> str:
    """A file's text as a reader wants to copy it: without tag lines."""
    lines = [line for line in text.splitlines() if not is_tag_line(line)]
    return "\n".join(lines) + "\n"


def write_changed(path: Path, text: str) -> None:
    """Writes a file unless it holds this text already."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _write_source(out: Path, env: BuildEnvironment, name: str, text: str, links: str) -> None:
    root = "../" * (name.count("/") + 1)
    lines = []
    code = text.rstrip("\n")
    for number, line in enumerate(highlighted_lines(code, lexer_name(Path(name))), start=1):
        anchor = element("a", str(number), href=f"#L{number}", class_="line-number")
        lines.append(element("span", f"{anchor}{line}", class_="line", id=f"L{number}"))
    page = _TEMPLATE.format(
        path=escape(name),
        project=escape(env.config.project),
        root=root,
        pages=f"<span>Shown in {links}</span>" if links else "",
        lines="\n".join(lines),
    )
    write_changed(out / "sources" / f"{name}.html", page)
    write_changed(out / "sources" / "raw" / name, clean_text(text))
    script = f"coalesceFile({json.dumps(name)}, {json.dumps(clean_text(text))});\n"
    write_changed(out / "sources" / "raw" / f"{name}.js", script)


def _links(env: BuildEnvironment, name: str, pages: list[str]) -> str:
    """Links from a file's page to the pages that show it."""
    root = "../" * (name.count("/") + 1)
    return ", ".join(
        element("a", escape(env.titles[page].astext()), href=f"{root}{page}.html")
        for page in pages
        if page in env.titles
    )


def _write_all(app: Sphinx, exception: Exception | None) -> None:
    if exception is not None or app.builder.format != "html":
        return
    env, out = app.env, Path(app.outdir)
    context = context_of(env)
    pages: dict[str, list[str]] = {}
    for docname, names in sorted(_uses(env).items()):
        for name in names:
            pages.setdefault(name, []).append(docname)
    stamp = Path(app.doctreedir) / "sources.json"
    try:
        before = json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        before = {}
    now = {}
    for name, docnames in pages.items():
        text = (context.repo / name).read_text(encoding="utf-8")
        links = _links(env, name, docnames)
        made_of = f"{env.config.coalesce_code}\0{text}\0{links}"
        now[name] = hashlib.sha256(made_of.encode()).hexdigest()
        if before.get(name) != now[name] or not (out / "sources" / f"{name}.html").is_file():
            _write_source(out, env, name, text, links)
    stamp.write_text(json.dumps(now), encoding="utf-8")
    _remove_orphans(out / "sources", pages)


def _remove_orphans(folder: Path, names) -> None:
    """Deletes what was shipped for files that no page shows any more."""
    kept = {folder / f"{name}.html" for name in names}
    kept |= {folder / "raw" / f"{name}{ending}" for name in names for ending in ("", ".js")}
    for path in folder.rglob("*"):
        if path.is_file() and path not in kept:
            path.unlink()


def _purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    _uses(env).pop(docname, None)


def _merge(app: Sphinx, env: BuildEnvironment, docnames, other: BuildEnvironment) -> None:
    for docname in docnames:
        if docname in _uses(other):
            _uses(env)[docname] = _uses(other)[docname]


def setup(app: Sphinx) -> None:
    app.connect("build-finished", _write_all)
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)
