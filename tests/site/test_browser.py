"""The pages in a real browser: no errors, no network, light, dark and small, search and copying."""

from __future__ import annotations

import contextlib
import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site.builder import showcase
from tools import paths

playwright_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = pytest.mark.browser

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
LOOKS = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
}
CHAPTER = "chapters/04-optimization/index.html"


@pytest.fixture(scope="session")
def browser() -> Iterator:
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("no chromium on PATH: ./course setup --browser installs Debian's")
    with playwright_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield chromium
        chromium.close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    handler = functools.partial(_Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = showcase(tmp_path_factory.mktemp("browser")).render(reader=True)
    assert site.code == 0, site.log
    return site.out


@pytest.fixture(scope="module")
def course() -> Path:
    folder = paths.build_dir() / "site"
    if not (folder / "index.html").is_file():
        pytest.skip("the site is not rendered: run ./course site")
    return folder


class Visit:
    """A page in the browser, with everything it complained of and asked for."""

    def __init__(self, browser, look: str, **options) -> None:
        self.context = browser.new_context(**LOOKS[look], **options)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on(
            "console",
            lambda message: (
                self.complaints.append(message.text)
                if message.type in ("error", "warning")
                else None
            ),
        )
        self.page.on("pageerror", lambda problem: self.complaints.append(str(problem)))
        # A page that is left while its icon is still on the way has no fault.
        self.page.on(
            "requestfailed",
            lambda request: (
                None
                if "ERR_ABORTED" in (request.failure or "")
                else self.complaints.append(request.url)
            ),
        )
        self.page.on("request", lambda request: self.requests.append(request.url))

    def outside(self, root: str) -> list[str]:
        own = (root, "data:", "blob:")
        return [url for url in self.requests if not url.startswith(own)]

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *problem: object) -> None:
        self.context.close()


def names_of(site: Path) -> list[str]:
    """Every page, and of the many pages of sources the first few."""
    found = [
        path.relative_to(site).as_posix()
        for path in sorted(site.rglob("*.html"))
        if "_static" not in path.parts
    ]
    sources = [name for name in found if name.startswith("sources/")]
    return [name for name in found if not name.startswith("sources/")] + sources[:4]


def faults_of(browser, site: Path, look: str) -> dict[str, object]:
    """What is wrong with each page of a site in one look."""
    faults: dict[str, object] = {}
    with served(site) as root, Visit(browser, look) as visit:
        for name in names_of(site):
            visit.complaints.clear()
            visit.requests.clear()
            visit.page.goto(root + name, wait_until="load")
            wide = visit.page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
            found = [*visit.complaints, *visit.outside(root)]
            if wide > 0:
                found.append(f"{wide} pixels too wide")
            if found:
                faults[name] = found
    return faults


@pytest.mark.parametrize("look", LOOKS)
def test_every_directive_renders_without_fault(browser, example: Path, look: str) -> None:
    assert faults_of(browser, example, look) == {}


@pytest.mark.slow
@pytest.mark.parametrize("look", LOOKS)
def test_every_page_of_the_course_renders_without_fault(browser, course: Path, look: str) -> None:
    assert faults_of(browser, course, look) == {}


def test_dark_and_light_differ_and_can_be_read(browser, example: Path) -> None:
    """Text against background has a contrast of at least 7 in both."""
    script = """() => {
      const parse = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
      const light = (rgb) => {
        const [r, g, b] = rgb.map((v) => v / 255)
          .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const style = getComputedStyle(document.querySelector('article section > p'));
      const pair = [parse(style.color), parse(getComputedStyle(document.body).backgroundColor)];
      const [a, b] = pair.map(light);
      return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), b];
    }"""
    backgrounds = []
    for look in ("light", "dark"):
        with Visit(browser, look) as visit:
            visit.page.goto((example / CHAPTER).as_uri())
            contrast, background = visit.page.evaluate(script)
            assert contrast >= 7
            backgrounds.append(background)
    assert backgrounds[0] > 0.8 and backgrounds[1] < 0.1


def test_the_filter_leaves_what_holds_every_word(browser, course: Path) -> None:
    with served(course) as root, Visit(browser, "phone") as visit:
        visit.page.goto(root + "chapters/01-environment/troubleshooting.html")
        entries = visit.page.locator(".trouble:visible")
        all_of_them = entries.count()
        visit.page.fill("input.trouble-filter", "KERNEL image available")
        assert 0 < entries.count() < all_of_them / 4
        for text in entries.all_text_contents():
            assert all(word in text.lower() for word in ("kernel", "image", "available"))
        assert "entries" in visit.page.locator(".trouble-count").inner_text()
        visit.page.fill("input.trouble-filter", "no such words at all")
        assert entries.count() == 0
        visit.page.fill("input.trouble-filter", "")
        assert entries.count() == all_of_them
        assert visit.complaints == []


def test_a_number_of_an_error_is_a_place_on_the_page(browser, course: Path) -> None:
    with served(course) as root, Visit(browser, "phone") as visit:
        visit.page.goto(root + "chapters/01-environment/troubleshooting.html#error-209")
        row = visit.page.locator("#error-209")
        assert "cudaErrorNoKernelImageForDevice" in row.inner_text()
        row.locator("a").first.click()
        assert visit.page.url.endswith("#no-kernel-image")


def test_search_finds_a_message(browser, course: Path) -> None:
    with served(course) as root, Visit(browser, "light") as visit:
        visit.page.goto(root + "search.html?q=cudaErrorNoKernelImageForDevice")
        visit.page.locator("ul.search li a").first.wait_for(timeout=15_000)
        titles = visit.page.locator("ul.search li a").all_text_contents()
        assert any("Troubleshooting" in title for title in titles)


def test_search_finds_a_term(browser, example: Path) -> None:
    with served(example) as root, Visit(browser, "light") as visit:
        visit.page.goto(root + "search.html?q=sector")
        result = visit.page.locator("ul.search li a").first
        result.wait_for(timeout=15_000)
        titles = visit.page.locator("ul.search li a").all_text_contents()
        assert any("Glossary" in title or "sector" in title.lower() for title in titles)
        assert visit.complaints == [] and visit.outside(root) == []


def copied(visit: Visit) -> str:
    return visit.page.evaluate("navigator.clipboard.readText()")


def test_the_copy_button_copies_what_is_shown(browser, example: Path) -> None:
    with (
        served(example) as root,
        Visit(browser, "light", permissions=["clipboard-read", "clipboard-write"]) as visit,
    ):
        visit.page.goto(root + CHAPTER)
        snippet = visit.page.locator(".snippet").first
        shown = snippet.locator("pre").inner_text()
        snippet.hover()
        snippet.locator("button.copybtn").click()
        visit.page.wait_for_timeout(200)
        assert copied(visit).rstrip("\n") == shown.rstrip("\n")
        assert shown.startswith("__global__ void sum_contiguous_kernel")

        snippet.locator("button.copy-file").click()
        visit.page.get_by_text("copied", exact=True).first.wait_for()
        source = example / "sources/raw/chapters/04-optimization/step1_contiguous.cu"
        assert copied(visit) == source.read_text()


def test_the_copy_button_of_a_command_leaves_out_the_prompt(browser, example: Path) -> None:
    with (
        served(example) as root,
        Visit(browser, "light", permissions=["clipboard-read", "clipboard-write"]) as visit,
    ):
        visit.page.goto(root + CHAPTER)
        command = visit.page.locator(".console-command").first
        command.hover()
        command.locator("button.copybtn").click()
        visit.page.wait_for_timeout(200)
        assert copied(visit).startswith('echo "sum')


def test_tabs_of_a_difference_work_by_keyboard(browser, example: Path) -> None:
    with Visit(browser, "light", java_script_enabled=False) as visit:
        visit.page.goto((example / CHAPTER).as_uri())
        assert visit.page.locator(".panel-change").is_visible()
        visit.page.locator(".tab-change").focus()
        visit.page.keyboard.press("ArrowRight")
        assert visit.page.locator(".panel-new").is_visible()
        assert not visit.page.locator(".panel-change").is_visible()
        visit.page.get_by_text("Side by side").click()
        assert visit.page.locator(".panel-sides").is_visible()


def test_definitions_open_by_keyboard_and_close_by_escape(browser, example: Path) -> None:
    with Visit(browser, "phone") as visit:
        visit.page.goto((example / CHAPTER).as_uri())
        tip = visit.page.locator("#tip-term-warp")
        assert not tip.is_visible()
        visit.page.locator(".term-first a").first.focus()
        assert tip.is_visible()
        box = tip.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390
        visit.page.keyboard.press("Escape")
        assert not tip.is_visible()


def test_the_origin_of_a_number_opens_by_keyboard(browser, example: Path) -> None:
    with Visit(browser, "phone") as visit:
        visit.page.goto((example / CHAPTER).as_uri())
        number = visit.page.locator(".measured:visible").first
        number.focus()
        tip = visit.page.locator("#origin-tip")
        assert tip.is_visible() and "NVIDIA H200" in tip.inner_text()
        box = tip.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390
        visit.page.keyboard.press("Escape")
        assert not tip.is_visible()


def test_a_guess_stays_in_the_browser(browser, example: Path) -> None:
    with served(example) as root, Visit(browser, "light") as visit:
        visit.page.goto(root + CHAPTER)
        visit.page.locator("input[data-guess]").first.fill("32")
        visit.page.goto(root + "index.html")
        visit.page.goto(root + CHAPTER)
        assert visit.page.locator("input[data-guess]").first.input_value() == "32"
        assert visit.outside(root) == []


@pytest.mark.parametrize("scheme", ["http", "file"])
def test_a_chart_turns_interactive_on_request_only(browser, example: Path, scheme: str) -> None:
    with served(example) as root, Visit(browser, "dark") as visit:
        base = root if scheme == "http" else example.as_uri() + "/"
        visit.page.goto(base + CHAPTER)
        assert not [url for url in visit.requests if "vega" in url]
        visit.page.locator(".chart-interactive").first.click()
        visit.page.locator("figure.chart.interactive svg").first.wait_for(timeout=20_000)
        assert visit.complaints == [] and visit.outside(base) == []


def test_the_site_opens_from_disk(browser, example: Path, tmp_path: Path) -> None:
    moved = tmp_path / "a folder with blanks and ümlauts"
    shutil.copytree(example, moved)
    with Visit(browser, "light") as visit:
        visit.page.goto((moved / "index.html").as_uri())
        visit.page.get_by_role("link", name="Optimization").first.click()
        visit.page.locator(".snippet .code-head a").first.click()
        assert "step1_contiguous.cu" in visit.page.title()
        visit.page.goto((moved / "search.html").as_uri() + "?q=warp")
        visit.page.locator("ul.search li a").first.wait_for(timeout=15_000)
        assert visit.complaints == []
        assert visit.outside("file://") == []
