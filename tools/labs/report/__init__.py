"""`./course lab report`: what was checked, measured and answered, in one file to hand in."""

from __future__ import annotations

from tools import atomic, paths
from tools.console import Console
from tools.errors import RIGHT
from tools.labs import folder
from tools.labs.report import content, html, markdown
from tools.labs.tasks import Task


def write(task: Task, console: Console) -> int:
    with console.step("Writing the report"):
        report = content.of(task)
        place = folder.of(task)
        for name, text in (
            ("report.html", html.document(report)),
            ("report.md", markdown.document(report)),
        ):
            atomic.write_text(place / name, text)
            console.print(f"wrote {paths.shown(place / name)}")
    for remark in report.remarks:
        console.print(remark)
    return RIGHT
