"""The rendered site of the course: links, weight, numbers, spelling, the reference pages."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.site.builder import bare_site
from tools import links, numbers_check, paths, sitebuild
from tools.console import Console
from tools.errors import Failure

ROOT = Path(__file__).resolve().parents[2]
HTML_LIMIT = 100_000
PAGE_LIMIT = 400_000


@pytest.fixture(scope="module")
def site() -> Path:
    folder = paths.build_dir() / "site"
    if not (folder / "index.html").is_file():
        pytest.skip("the site is not rendered: run ./course site")
    return folder


def pages(site: Path) -> list[Path]:
    return [path for path in sorted(site.rglob("*.html")) if "_static" not in path.parts]


def zipped(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 6))


def test_every_link_leads_somewhere(site: Path) -> None:
    assert links.broken_links(site) == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in pages(site):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(
            r'<(?:script|img|link|iframe|source)\b[^>]*\b(?:src|href)="([^"]+)"', text
        )
        assert [one for one in loaded if re.match(r"(?:https?:)?//", one)] == [], page
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(?:https?:)?//|@import", sheet.read_text()), sheet


def test_pages_are_light(site: Path) -> None:
    """Compressed: the HTML, and all that a page loads before the chart library is asked for."""
    weights = {}
    for page in pages(site):
        text = page.read_text(encoding="utf-8")
        names = set(re.findall(r'<script[^>]*\bsrc="([^"?]+)', text))
        names |= set(re.findall(r'<link[^>]*rel="stylesheet"[^>]*href="([^"?]+)', text))
        names |= set(re.findall(r'<img[^>]*src="([^"]+)"', text))
        loaded = [(page.parent / name).resolve() for name in names if "//" not in name]
        own = zipped(page)
        weights[page] = (own, own + sum(zipped(path) for path in loaded if path.is_file()))
    assert {page: own for page, (own, _) in weights.items() if own > HTML_LIMIT} == {}
    assert {page: whole for page, (_, whole) in weights.items() if whole > PAGE_LIMIT} == {}


def test_no_page_types_a_measured_number(site: Path) -> None:
    assert [str(finding) for finding in numbers_check.check(site)] == []


def test_every_chapter_and_header_has_its_page(site: Path) -> None:
    for chapter in (ROOT / "chapters").glob("*/index.md"):
        assert (site / "chapters" / chapter.parent.name / "index.html").is_file()
    shown = "".join(page.read_text() for page in (ROOT / "docs" / "api").glob("*.md"))
    for header in (ROOT / "src" / "coalesce").glob("*.hpp"):
        assert f"{{api-header}} {header.name}" in shown, f"docs/api lacks a page for {header.name}"


def test_the_search_index_knows_the_words_of_the_course(site: Path) -> None:
    index = (site / "searchindex.js").read_text()
    for word in ("warp", "coalesc", "kernel"):
        assert word in index


def test_the_archive_is_relocatable_and_always_the_same(site: Path, tmp_path: Path) -> None:
    first = sitebuild.zip_site(site, tmp_path / "one.zip")
    second = sitebuild.zip_site(site, tmp_path / "two.zip")
    assert first.read_bytes() == second.read_bytes()
    shutil.unpack_archive(first, tmp_path / "else where")
    moved = tmp_path / "else where" / "coalesce-site"
    assert (moved / "index.html").is_file()
    assert links.broken_links(moved) == []
    home = str(Path.home())
    if home != "/":
        for page in pages(moved):
            assert str(ROOT) not in page.read_text(encoding="utf-8"), page


def test_the_prose_is_spelled_right() -> None:
    program = shutil.which("codespell") or str(paths.venv_dir() / "bin" / "codespell")
    if not Path(program).is_file():
        pytest.skip("codespell is not installed: run ./course setup")
    texts = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "guide").glob("*.md")]
    texts += (ROOT / "chapters").glob("*/index.md")
    done = subprocess.run(
        [program, *map(str, texts)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == ""


# The reference pages ----------------------------------------------------------------------------

HEADER = """\
#pragma once
/// \\defgroup thing Things: made up
/// Things for a `test`.
namespace coalesce {
/// Adds one.
/// \\param value what to add to
int add_one(int value);
/// Adds one to a double. \\throws cuda_error, std::logic_error
double add_one(double value);
/// A pair.
struct pair_of_things {
  int first;  ///< one
};
#define COALESCE_UNDOCUMENTED 1
/// A kernel with bounds.
__global__ void __launch_bounds__(256) fill_kernel(float* __restrict__ out, int n);
}  // namespace coalesce
"""


def reference_site(folder: Path, header: str, page: str = "```{api-header} thing.hpp\n```"):
    site = bare_site(folder)
    site.write("src/coalesce/thing.hpp", header)
    site.write("docs/api/thing.md", f"# Things\n\n{page}\n")
    site.write(
        "docs/index.md", "# Home\n\n```{toctree}\nchapters/04-optimization/index\napi/thing\n```\n"
    )
    sitebuild.doxygen(site.repo, site.build)
    return site


needs_doxygen = pytest.mark.skipif(not shutil.which("doxygen"), reason="doxygen is not installed")


@needs_doxygen
def test_a_header_is_shown_whole_and_once(tmp_path: Path) -> None:
    site = reference_site(tmp_path / "a place with blanks and ümlauts", HEADER).render()
    assert site.code == 0, site.log
    html = site.page("api/thing")
    assert len(re.findall(r'<dt class="sig[^"]*"', html)) == 5
    assert "COALESCE_UNDOCUMENTED" not in html
    for name in ("add_one", "pair_of_things", "fill_kernel", "first"):
        assert name in html
    assert "cuda_error" in html and "logic_error" in html
    assert "<code" in html and "#include &lt;coalesce/thing.hpp&gt;" in html


@needs_doxygen
def test_a_documented_function_without_an_entry_fails_the_build(tmp_path: Path) -> None:
    page = "```{doxygenstruct} coalesce::pair_of_things\n:members:\n```"
    site = reference_site(tmp_path, HEADER, page).render()
    assert site.code != 0
    assert (
        "coalesce::add_one (thing.hpp:7) is documented in its header but has no entry" in site.log
    )
    assert "fill_kernel (thing.hpp:16)" in site.log
    assert "pair_of_things is documented" not in site.log


@needs_doxygen
def test_a_wrong_comment_is_named(tmp_path: Path) -> None:
    header = HEADER.replace("\\param value", "\\param wrong_name")
    with pytest.raises(Failure) as caught:
        reference_site(tmp_path, header)
    assert "thing.hpp:6" in caught.value.tail and "wrong_name" in caught.value.tail


@needs_doxygen
def test_doxygen_runs_only_when_a_header_changed(tmp_path: Path) -> None:
    site = reference_site(tmp_path, HEADER)
    index = site.build / "doxygen" / "xml" / "index.xml"
    before = index.stat().st_mtime_ns
    sitebuild.doxygen(site.repo, site.build)
    assert index.stat().st_mtime_ns == before
    site.write("src/coalesce/thing.hpp", HEADER.replace("add_one", "add_two"))
    sitebuild.doxygen(site.repo, site.build)
    assert "add_two" in index.read_text()


def test_without_doxygen_the_reader_is_told_what_to_do(tmp_path: Path, monkeypatch) -> None:
    site = bare_site(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Failure) as caught:
        sitebuild.doxygen(site.repo, site.build)
    assert "./course setup" in caught.value.next_step and caught.value.exit_code == 3


def test_a_command_that_fails_ends_the_build_with_its_place(tmp_path: Path, monkeypatch) -> None:
    site = bare_site(tmp_path, "```{console}\nfalse\n```")
    monkeypatch.setattr(sitebuild, "doxygen", lambda *_: None)
    with pytest.raises(Failure) as caught:
        sitebuild.build(site.repo, site.build, Console())
    assert "chapters/04-optimization/index.md:3" in caught.value.tail
