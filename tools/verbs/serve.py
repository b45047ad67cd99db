"""`./course serve`."""

from __future__ import annotations

import argparse
import errno
import functools
import http.server
import importlib
import multiprocessing
import os
import shutil
import sys
import threading
import time
from pathlib import Path

from tools import paths
from tools.console import Console
from tools.errors import FAILED, RIGHT, Failure
from tools.inputs import files_under
from tools.verbs import site

DESCRIPTION = """\
Builds the site, serves it on this machine only, and watches its sources: a page that you change is
rendered again in a moment, and the browser shows it by itself. After a change to a program, the
page comes first, then the program is built and the commands that show its output are run again.
"""

EXAMPLES = """\
examples:
  ./course serve               at http://127.0.0.1:8000/, or the next free port
  ./course serve --port 9000   at this port and no other

Ctrl-C ends it. exit codes:
  0  ended      1  the port is taken, or the site could not be built
"""

DEFAULT_PORT = 8000
PORTS_TRIED = 20
WATCH_SECONDS = 0.3
CODE = {".cu", ".cuh", ".hpp", ".cpp", ".h", ".build", ".options"}
# Imported once, before the first change: every rendering is a fork of this process.
WARM = ["sphinx.cmd.build", "sphinx.builders.html", "myst_parser.sphinx_ext.main", "furo"]
WARM += ["breathe", "sphinx_design", "sphinx_copybutton", "altair", "pygments.lexers"]

RELOAD = """<script>
(() => {
  let known = null;
  const ask = async () => {
    try {
      const now = await (await fetch("/__changes")).text();
      if (known !== null && now !== known) location.reload();
      known = now;
    } catch (error) { /* the server has ended */ }
    setTimeout(ask, 700);
  };
  ask();
})();
</script>"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=port, help=f"default: {DEFAULT_PORT}, or the next free one")


def port(text: str) -> int:
    if text.isdigit() and int(text) < 65536:
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is not a port; write a number from 0 to 65535")


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files of the site; pages ask now and then whether they have changed."""

    changes = 0

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        if path == "/__changes":
            self.answer(str(Handler.changes).encode(), "text/plain")
            return
        local = Path(self.translate_path(path))
        if local.is_dir():
            local = local / "index.html"
        if local.suffix == ".html" and local.is_file() and not path.endswith("//"):
            if Path(self.translate_path(path)).is_dir() and not path.endswith("/"):
                super().do_GET()  # a redirect to the folder
                return
            text = local.read_text(encoding="utf-8", errors="replace")
            self.answer(text.replace("</body>", RELOAD + "</body>").encode(), "text/html")
            return
        super().do_GET()

    def answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *arguments: object) -> None:
        pass


def open_server(folder: Path, asked: int | None) -> http.server.ThreadingHTTPServer:
    handler = functools.partial(Handler, directory=str(folder))
    first = DEFAULT_PORT if asked is None else asked
    for number in range(first, first + (PORTS_TRIED if asked is None else 1)):
        try:
            return http.server.ThreadingHTTPServer(("127.0.0.1", number), handler)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
    raise Failure(
        f"Port {first} is taken or not allowed."
        if asked is not None
        else f"No port from {first} to {first + PORTS_TRIED - 1} is free.",
        "Name another with --port.",
    )


def doctrees() -> Path:
    """Sphinx's memory while serving: a copy, so that `./course site` still sees every warning."""
    return paths.build_dir() / "doctrees-serve"


def sphinx_arguments() -> list[str]:
    return [
        *("-b", "html", "-n", "-q", "--no-color", "-d", str(doctrees())),
        *(str(paths.REPO / "docs"), str(site.site_dir())),
    ]


def render(arguments: list[str]) -> None:
    """Runs in a forked process, where everything heavy is imported already."""
    from sphinx.cmd.build import main

    with site.built_environment():
        sys.exit(main(arguments))


def render_pages() -> int:
    worker = multiprocessing.get_context("fork").Process(target=render, args=(sphinx_arguments(),))
    worker.start()
    try:
        worker.join()
    except BaseException:
        worker.terminate()
        worker.join()
        raise
    return worker.exitcode or 0


def times() -> dict[str, int]:
    """Modification times of all sources: what is watched."""
    found = {}
    for path in files_under(site.places()):
        try:
            found[str(path)] = path.stat().st_mtime_ns
        except OSError:
            pass
    return found


def changed_paths(before: dict[str, int], after: dict[str, int]) -> list[Path]:
    names = before.keys() | after.keys()
    return sorted(Path(name) for name in names if before.get(name) != after.get(name))


def on_change(changed: list[Path], console: Console) -> None:
    names = ", ".join(os.path.relpath(path, paths.REPO) for path in changed[:3])
    more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
    began = time.monotonic()
    site.site_stamp().forget()
    code = render_pages()
    Handler.changes += 1
    took = time.monotonic() - began
    words = "rendered" if code == 0 else "rendered with errors"
    console.line(f"{names}{more}: {words} in {took:.1f} s")
    if any(path.suffix in CODE or path.name == "meson.build" for path in changed):
        from tools import capture

        try:
            site.build_programs(console)
        except Failure as failure:
            console.failure(failure)
            return
        with site.built_environment(), console.step("Running the commands on the pages"):
            report = capture.capture_all(paths.REPO, paths.build_dir())
        for place, problem in report.failed:
            console.line(f"{place}: {problem}")
        render_pages()
        Handler.changes += 1


def run(options: argparse.Namespace, console: Console) -> int:
    site.build_site(console)
    server = open_server(site.site_dir(), options.port)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    before = times()
    console.print(f"Serving http://127.0.0.1:{server.server_address[1]}/ (Ctrl-C ends it)")
    shutil.copytree(paths.build_dir() / "doctrees", doctrees(), dirs_exist_ok=True)
    for name in WARM:
        try:
            importlib.import_module(name)
        except ImportError:
            pass
    try:
        while thread.is_alive():
            time.sleep(WATCH_SECONDS)
            after = times()
            changed = changed_paths(before, after)
            if changed:
                before = after
                on_change(changed, console)
    except KeyboardInterrupt:
        console.line("\nEnded.")
        return RIGHT
    finally:
        server.shutdown()
        server.server_close()
    return FAILED
