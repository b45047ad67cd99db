"""Stamps, links, the server, figures, and what the terminal shows."""

from __future__ import annotations

import io
import os
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools import atomic, inputs, links, meson, process
from tools.console import Console
from tools.errors import Failure
from tools.nearest import nearest
from tools.verbs import bench, figures, serve

# --- Stamps


def test_a_stamp_sees_content_not_times(tmp_path: Path) -> None:
    source = tmp_path / "docs" / "a.md"
    source.parent.mkdir()
    source.write_text("one")
    place = [source.parent, tmp_path / "missing"]

    def stamp() -> inputs.Stamp:
        return inputs.Stamp(tmp_path / "stamp", place, "compilers")

    assert not stamp().current()
    stamp().write(stamp().now())
    assert stamp().current()
    os.utime(source, ns=(1, 1))
    assert stamp().current()
    source.write_text("two")
    assert not stamp().current()
    source.write_text("one")
    assert stamp().current()
    (source.parent / "b.md").touch()
    assert not stamp().current()
    (source.parent / "b.md").unlink()
    assert not inputs.Stamp(tmp_path / "stamp", place, "other compilers").current()
    (tmp_path / "stamp").write_text("{damaged")
    assert not stamp().current()


def test_compiled_python_is_no_input(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "a.pyc").touch()
    (tmp_path / "a.py").touch()
    assert inputs.files_under([tmp_path]) == [tmp_path / "a.py"]


# --- Links


@pytest.mark.parametrize(
    ("link", "problem"),
    [
        ("b.html", ""),
        ("b.html#there", ""),
        ("#here", ""),
        ("sub/c.html", ""),
        ("https://example.org/x", ""),
        ("mailto:a@b.c", ""),
        ("data:image/png;base64,AA", ""),
        ("with%20space.html", ""),
        ("gone.html", "no such file"),
        ("b.html#gone", "no such anchor"),
        ("#gone", "no such anchor"),
        ("/b.html", "cannot be moved"),
        ("../outside.html", "out of the site"),
        ("sub/", "does not open from disk"),
    ],
)
def test_links_are_followed(tmp_path: Path, link: str, problem: str) -> None:
    links.read.cache_clear()
    site = tmp_path / "site"
    (site / "sub").mkdir(parents=True)
    (tmp_path / "outside.html").touch()
    for name in ("sub/c.html", "with space.html"):
        (site / name).touch()
    (site / "b.html").write_text('<p id="there">')
    (site / "a.html").write_text(f'<h1 id="here"></h1>\n<a href="{link}">x</a>')
    broken = links.broken_links(site)
    if problem:
        assert len(broken) == 1
        assert broken[0].startswith("a.html:2: ")
        assert problem in broken[0]
    else:
        assert broken == []


# --- The server


@pytest.fixture
def served(tmp_path: Path):
    (tmp_path / "chapters").mkdir()
    (tmp_path / "index.html").write_text("<body>Grüße</body>")
    (tmp_path / "chapters" / "index.html").write_text("<body>chapters</body>")
    (tmp_path / "style.css").write_text("body{}")
    server = serve.open_server(tmp_path, 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", server
    server.shutdown()
    server.server_close()


def fetch(address: str) -> str:
    with urllib.request.urlopen(address, timeout=10) as answer:
        return answer.read().decode("utf-8")


def test_pages_come_with_the_script_that_reloads_them(served) -> None:
    address, _ = served
    assert "Grüße" in fetch(f"{address}/")
    assert "/__changes" in fetch(f"{address}/index.html?x=1")
    assert "chapters" in fetch(f"{address}/chapters/")
    assert "chapters" in fetch(f"{address}/chapters")
    assert fetch(f"{address}/style.css") == "body{}"


def test_the_server_is_on_this_machine_only(served) -> None:
    _, server = served
    assert server.server_address[0] == "127.0.0.1"


def test_changes_are_told(served, monkeypatch: pytest.MonkeyPatch) -> None:
    address, _ = served
    monkeypatch.setattr(serve.Handler, "changes", 7)
    assert fetch(f"{address}/__changes") == "7"


def test_files_outside_are_not_served(served) -> None:
    address, _ = served
    with pytest.raises(urllib.error.HTTPError):
        fetch(f"{address}/../../etc/passwd")


def test_a_taken_port_is_named(served, tmp_path: Path) -> None:
    _, server = served
    with pytest.raises(Failure, match="is taken"):
        serve.open_server(tmp_path, server.server_address[1])


def test_changed_new_and_removed_files_are_seen() -> None:
    before = {"/a": 1, "/b": 1, "/c": 1}
    after = {"/a": 1, "/b": 2, "/d": 1}
    assert serve.changed_paths(before, after) == [Path("/b"), Path("/c"), Path("/d")]


# --- Figures


def test_figures_are_the_functions_of_the_module(tmp_path: Path) -> None:
    (tmp_path / "figures.py").write_text(
        "from os.path import join\n\n\ndef ladder(results): ...\n\n\ndef plain(): ...\n\n\n"
        "def _helper(results): ...\n\n\ndef parts(one, two): ...\n"
    )
    module = figures.load(tmp_path / "figures.py")
    assert sorted(figures.figure_functions(module)) == ["ladder", "plain"]


def test_an_svg_carries_its_colours() -> None:
    svg = figures.standalone('<svg width="1"><g/></svg>', ":root{--a:#000}")
    assert svg == '<svg width="1"><style>:root{--a:#000}</style><g/></svg>'


# --- What the terminal shows


def console() -> Console:
    return Console(io.StringIO(), io.StringIO())


def test_quick_work_is_silent_and_long_work_is_not() -> None:
    quick = console()
    with quick.step("Thinking"):
        pass
    assert quick.err.getvalue() == ""
    long = console()
    with long.step("Thinking") as step:
        step.update("3 of 4")
        time.sleep(1.4)
    assert "Thinking … 3 of 4" in long.err.getvalue()
    assert "Thinking: done (1." in long.err.getvalue()
    assert "\x1b" not in long.err.getvalue()


def test_failed_work_is_called_so() -> None:
    shown = console()
    with pytest.raises(Failure), shown.step("Building"):
        time.sleep(1.2)
        raise Failure("no")
    assert "Building: failed" in shown.err.getvalue()


def test_a_failure_is_a_sentence_and_the_next_step() -> None:
    shown = console()
    shown.failure(Failure("It is broken.", "Mend it.", tail="x.cpp:3: error\n"))
    assert shown.err.getvalue() == "x.cpp:3: error\nIt is broken.\nMend it.\n"


def test_an_ascii_terminal_gets_plain_forms() -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    shown = Console(out, io.StringIO())
    shown.print("✓ 2 × 3 … –")
    out.seek(0)
    assert out.read() == "ok 2 x 3 ... -\n"


def test_nearest_names() -> None:
    names = ["one_thread", "warp_shuffle", "block_reduce"]
    assert nearest("shuffle", names) == ["warp_shuffle"]
    assert nearest("one_thred", names) == ["one_thread"]
    assert nearest("WARP_SHUFLE", names) == ["warp_shuffle"]
    assert nearest("qqq", names) == []


# --- Files and programs


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "new folder" / "a.json"
    atomic.write_text(target, "old ✓")
    with pytest.raises(TypeError):
        atomic.write_text(target, 3)  # type: ignore[arg-type]
    assert target.read_text(encoding="utf-8") == "old ✓"
    assert [path.name for path in target.parent.iterdir()] == ["a.json"]


def test_a_missing_program_is_an_outcome() -> None:
    assert process.run(["/no/such/program"]).code == 127


def test_output_is_kept_and_handed_on(tmp_path: Path) -> None:
    seen: list[str] = []
    outcome = process.run(
        ["sh", "-c", "echo one; echo two >&2; exit 3"],
        on_line=seen.append,
        log=tmp_path / "l" / "x",
    )
    assert (outcome.code, seen) == (3, ["one", "two"])
    assert (tmp_path / "l" / "x").read_text() == "one\ntwo\n"
    assert outcome.tail(1) == "two"


def test_the_errors_of_a_build_are_shown_without_the_rest() -> None:
    output = (
        "[1/3] c++ a\n[2/3] c++ b\nFAILED: b.o\n" + "c++ " + "x" * 500 + "\nb.cpp:1: error: no\n"
    )
    output += "[3/3] c++ c\nninja: build stopped\n"
    told = meson.errors_of(output)
    assert "b.cpp:1: error: no" in told
    assert "c++ a" not in told
    assert max(len(line) for line in told.splitlines()) <= 200


def test_an_old_meson_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "meson"
    fake.write_text("#!/bin/sh\necho 1.0.1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(meson, "find", lambda name: fake)
    with pytest.raises(Failure, match=r"Meson 1\.0\.1 .* 1\.8\.1 or newer") as caught:
        meson.find_meson()
    assert caught.value.exit_code == 3
    monkeypatch.setattr(meson, "find", lambda name: None)
    with pytest.raises(Failure, match="not found"):
        meson.find_meson()


# --- site on a machine with a GPU


@pytest.mark.parametrize(
    ("gpus", "measured", "wanted"),
    [
        ([], [], []),
        (["a GPU"], [], ["02-first-program", "03-first-gpu-program"]),
        (["a GPU"], ["03-first-gpu-program"], ["02-first-program"]),
    ],
)
def test_the_site_times_what_the_reader_has_no_results_of(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, gpus: list, measured: list, wanted: list
) -> None:
    for slug in measured:
        (tmp_path / "geforce-rtx-4090").mkdir(exist_ok=True)
        (tmp_path / "geforce-rtx-4090" / f"{slug}.json").write_text("{}", encoding="utf-8")
    timed: list[str] = []
    monkeypatch.setattr(bench, "probe", lambda: SimpleNamespace(gpus=gpus))
    monkeypatch.setattr(bench.paths, "results_dir", lambda: tmp_path)
    monkeypatch.setattr(
        bench.chapters, "slugs", lambda: ["02-first-program", "03-first-gpu-program"]
    )
    monkeypatch.setattr(bench, "measure", lambda options, slug, number, console: timed.append(slug))
    assert bench.measure_what_is_missing(Console()) == bool(wanted)
    assert timed == wanted
