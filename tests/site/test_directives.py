"""Directives and roles in small sites: what they show, and what fails the build."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.results.made_up import CONTIGUOUS, STRIDED
from tests.site.builder import Site, bare_site, showcase

KERNEL = "// [kernel]\nint a = 1;\n// [/kernel]\n// [empty]\n// [/empty]\n"


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The showcase with the reference's results only."""
    site = showcase(tmp_path_factory.mktemp("alone")).render()
    assert site.code == 0, site.log
    return site


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The showcase with the results of a reader's made-up device."""
    site = showcase(tmp_path_factory.mktemp("beside")).render(reader=True)
    assert site.code == 0, site.log
    return site


CHAPTER = "chapters/04-optimization/index"


def block(name: str, argument: str = "", *lines: str) -> str:
    return "\n".join([f"```{{{name}}} {argument}", *lines, "```", ""])


FAULTS = {
    "missing tag": (block("snippet", "a.cu", ":tag: kernels"), "no tag [kernels] in a.cu; it has"),
    "empty tag": (block("snippet", "a.cu", ":tag: empty"), "tag [empty] in a.cu holds no lines"),
    "missing file": (block("snippet", "b.cu"), "no file b.cu; near: a.cu"),
    "missing tag in a difference": (
        block("step-diff", "a.cu a.cu", ":tag: other"), "no tag [other] in a.cu",
    ),
    "wrong key": (f"{{measured}}`{STRIDED.replace('strided', 'stride')}`", "nearest:"),
    "wrong field": (f"{{measured}}`{STRIDED}#colour`", "has no field"),
    "wrong device": ("{historical}`geforce-9999:sms`", "has no results of device"),
    "reference as historical": ("{historical}`nvidia-h200:sms`", "is no historical device"),
    "wrong fact": ("{fact}`nvidia-h200:smss`", "has no fact smss"),
    "wrong count": ("{count}`04-optimization/strided#sekters`", "has no count"),
    "ratio of unlike things": (
        f"{{ratio}}`{STRIDED} + {STRIDED}#bytes_per_second`", "makes no sense",
    ),
    "denied claim": (
        block("claim", f"{STRIDED} > {CONTIGUOUS}", "Wrong."), "is denied by NVIDIA H200",
    ),
    "undecided claim": (
        block("claim", f"{STRIDED} < {STRIDED}#high", "Open."), "is not decided by the intervals",
    ),
    "claim without comparison": (block("claim", f"{STRIDED} * 2", "Nothing."), "compares nothing"),
    "claim without a sentence": (block("claim", f"{STRIDED} < {CONTIGUOUS}"), "needs its sentence"),
    "table of nothing": (block("results-table", "", ":rows: 04-none/*"), "no result is called"),
    "unknown chart": (block("chart", "picture", ":from: figures.py"), "has no function picture"),
    "typed number in a chart": (block("chart", "typed"), "which is not in its table"),
    "unknown api": ("{api}`cudaMallok`", "does not know cudaMallok; near: cudaMalloc"),
    "exercise without number": (block("exercise", "Title"), "needs a number and a title"),
    "exercise of unknown effort": (block("exercise", "1 Title", ":effort: hard"), "hard"),
    "header without parts": (block("chapter-header", "", ":do: run"), "lacks :time:, :needs:"),
    "questions without a list": (block("check-yourself", "", "Why?"), "definition list"),
    "command that fails": (block("console", "", "false"), "has not been captured, or failed"),
    "command without reason": (
        block("console", "", ":skip:", "sudo true"), "argument required but none",
    ),
    "no recorded output": (
        block("console", "", ":needs: gpu", ":recorded: nothing", "x"), "no recorded output",
    ),
    "predict without question": (block("predict", "", "---", "answer"), "needs a question"),
    "no sanitizer's record": (block("sanitizer"), "sanitizer: "),
    "link to no page": ("[next](../05-none/index.md)", "05-none"),
}  # fmt: skip

TYPED = """\
from figures.style import Figure, bar_ladder, bars
import dataclasses

KEY = "04-optimization/sum_of_squares_i32/strided/n:1048576/cache:hot/launch:stream"


def typed(results):
    figure = bar_ladder(bars(results, [("strided", KEY)]), caption="One.")
    return dataclasses.replace(figure, caption="It takes 99.9 ms.")
"""


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A page with every fault, each under its own heading."""
    page = "".join(f"## {name}\n\n{text}\n\n" for name, (text, _) in FAULTS.items())
    files = {"a.cu": KERNEL, "figures.py": TYPED}
    return bare_site(tmp_path_factory.mktemp("faulty"), page, files).render()


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_in_the_log(faulty: Site, name: str) -> None:
    assert faulty.code != 0
    assert FAULTS[name][1] in re.sub(r"\s+", " ", faulty.log)


def test_each_fault_is_placed_on_its_line(faulty: Site) -> None:
    lines = (faulty.repo / f"{CHAPTER}.md").read_text().splitlines()
    at = lines.index("```{snippet} a.cu") + 1
    assert re.search(rf"index\.md:{at}: .*kernels", faulty.log)


@pytest.mark.parametrize("name", ["missing tag", "empty tag", "wrong key", "denied claim"])
def test_one_fault_alone_fails_the_build(tmp_path: Path, name: str) -> None:
    site = bare_site(tmp_path, FAULTS[name][0], {"a.cu": KERNEL}).render()
    assert site.code != 0 and FAULTS[name][1] in site.log


# What is shown ----------------------------------------------------------------------------------


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", html).replace("\u202f", " "))


def test_a_snippet_names_its_file_and_lines_and_leads_to_them(alone: Site) -> None:
    html = alone.page(CHAPTER)
    source = "sources/chapters/04-optimization/step1_contiguous.cu"
    assert f'href="../../{source}.html#L7"' in html
    assert "lines 7–17" in html
    page = (alone.out / f"{source}.html").read_text()
    assert 'id="L7"' in page and "Optimization" in page
    raw = alone.out / "sources/raw/chapters/04-optimization/step1_contiguous.cu"
    assert "[kernel]" not in raw.read_text()
    assert raw.with_name(raw.name + ".js").read_text().startswith("coalesceFile(")


def test_a_difference_has_three_views_without_a_script(alone: Site) -> None:
    html = alone.page(CHAPTER)
    assert len(re.findall(r'<input type="radio" name="diff-0"', html)) == 3
    assert html.count(" checked>") == 1
    for panel in ("panel-change", "panel-new", "panel-sides"):
        assert panel in html
    assert "<ins>" in html and "<del>" in html
    assert "2 unchanged lines" in html


def test_the_strip_shows_what_compiler_counters_and_clock_say(alone: Site) -> None:
    strip = re.search(r'<table class="change-strip.*?</table>', alone.page(CHAPTER), re.DOTALL)[0]
    text = text_of(strip)
    assert "Registers" in text and "32" in text and "40" in text
    assert "1 048 576" in text and "131 072" in text
    assert "554 µs" in text and "36.7 µs" in text


def test_a_strip_without_results_says_so(tmp_path: Path) -> None:
    files = {"step1_new.cu": KERNEL, "step2_newer.cu": KERNEL.replace("1", "2")}
    page = block("step-diff", "step1_new.cu step2_newer.cu", ":tag: kernel")
    site = bare_site(tmp_path, page, files).render()
    assert site.code == 0, site.log
    assert "not measured here" in site.page(CHAPTER)


def test_a_number_carries_its_origin(alone: Site) -> None:
    spans = re.findall(r'<span class="measured"[^>]*>', alone.page(CHAPTER))
    span = [one for one in spans if f'data-key="{CONTIGUOUS}#real_time"' in one]
    for word in ("NVIDIA H200", "driver", "2025-12-01", "build/chapters", "95 % interval"):
        assert word in span[0]


def test_captured_output_is_shown_without_volatile_parts(alone: Site) -> None:
    html = alone.page(CHAPTER)
    assert "sum 29884416 of 1048576 numbers" in html
    assert "check passed: 0x… at …" in html


def test_recorded_output_says_where_it_was_recorded(alone: Site) -> None:
    assert "recorded on NVIDIA H200 · driver 580.0 · 2025-12-01" in alone.page(CHAPTER)


def test_a_chart_has_picture_words_table_and_a_way_to_interaction(alone: Site) -> None:
    figure = re.search(r'<figure class="chart".*?</figure>', alone.page(CHAPTER), re.DOTALL)[0]
    assert "<svg" in figure and 'aria-label="Bar chart' in figure and "var(--chart-" in figure
    assert "<table>" in figure and "The numbers" in figure
    script = re.search(r'data-script="([^"]*)"', figure)[1]
    assert (alone.out / "chapters/04-optimization" / script).is_file()
    assert "vega.js" not in alone.page(CHAPTER)
    assert "vegaEmbed" in (alone.out / "_static/vega.js").read_text()


def test_the_first_use_of_a_term_carries_its_definition(alone: Site) -> None:
    html = alone.page(CHAPTER)
    assert html.count('id="tip-term-warp"') == 1
    assert "Thirty-two threads of a block" in html


def test_a_formula_needs_no_script(alone: Site) -> None:
    html = alone.page(CHAPTER)
    assert html.count("<math") == 2 and "MathJax" not in html


def test_lanes_are_counted_not_typed(alone: Site) -> None:
    html = alone.page(CHAPTER)
    assert "One request, <strong>32 sectors</strong>" in html
    assert "One request, <strong>4 sectors</strong>" in html


@pytest.mark.parametrize(
    ("stride", "offset", "size", "sectors"),
    [(1, 0, 4, 4), (1, 1, 4, 5), (2, 0, 4, 8), (8, 0, 4, 32), (0, 0, 4, 1), (1, 0, 16, 16)],
)
def test_sectors_of_a_request(stride: int, offset: int, size: int, sectors: int) -> None:
    from coalesce_docs.lanes import touched_sectors

    touched = {one for lane in touched_sectors(stride, offset, size) for one in lane}
    assert len(touched) == sectors


def test_nothing_typed_looks_measured(alone: Site, beside: Site) -> None:
    from coalesce_docs import rendered_numbers

    for site in (alone, beside):
        assert rendered_numbers.check_site(site.out, site.repo / "none.toml") == []


# The reader's device ----------------------------------------------------------------------------


def test_without_results_of_the_reader_there_is_no_trace_of_any(alone: Site) -> None:
    html = alone.page(CHAPTER)
    assert "(yours" not in html and "Test GPU" not in html and "contradiction" not in html


def test_the_readers_numbers_stand_in_the_text(beside: Site) -> None:
    text = text_of(beside.page(CHAPTER))
    assert "It takes 554 µs (yours: 342 µs)" in text
    assert "15.1× (yours: 0.368×)" in text
    assert "4.81 TB/s (yours: 640 GB/s)" in text


def test_the_readers_rows_stand_in_the_tables(beside: Site) -> None:
    html = beside.page(CHAPTER)
    tables = re.findall(r'<table class="results-table.*?</table>', html, re.DOTALL)
    assert sum("yours: Test GPU 9000" in table for table in tables) == 1
    assert sum("Yours: Test GPU 9000" in table for table in tables) == 1


def test_the_readers_bars_stand_in_the_charts(beside: Site) -> None:
    figure = re.search(r'<figure class="chart".*?</figure>', beside.page(CHAPTER), re.DOTALL)[0]
    assert figure.count("Test GPU 9000") >= 3


def test_a_sentence_that_the_reader_denies_is_answered(beside: Site) -> None:
    note = re.search(r'<p class="contradiction".*?</p>', beside.page(CHAPTER), re.DOTALL)[0]
    assert "On your Test GPU 9000 this does not hold." in note
    assert "../../guide/why-numbers-differ.html" in note
    assert "342" in note and "929" in note


def test_the_footer_names_both_devices(beside: Site) -> None:
    footer = re.search(r'<p class="device-footer".*?</p>', beside.page(CHAPTER), re.DOTALL)[0]
    assert "NVIDIA H200" in footer and "Test GPU 9000" in footer and "1 December 2025" in footer


# Only what changed ------------------------------------------------------------------------------


def test_pages_follow_their_inputs(tmp_path: Path) -> None:
    page = block("snippet", "a.cu", ":tag: kernel") + f"\n{{measured}}`{STRIDED}`\n"
    site = bare_site(tmp_path, page, {"a.cu": KERNEL}).render()
    assert site.code == 0, site.log

    site.render()
    assert "0 added, 0 changed, 0 removed" in site.log

    site.write("chapters/04-optimization/a.cu", KERNEL.replace("1", "47"))
    site.render()
    assert "0 added, 1 changed" in site.log and "47" in site.page(CHAPTER)

    results = site.repo / "figures/results/nvidia-h200/04-optimization.json"
    results.write_text(results.read_text().replace("2025-12-01", "2025-12-24"))
    site.render()
    assert "0 added, 1 changed" in site.log and "2025-12-24" in site.page(CHAPTER)

    (site.repo / "chapters/04-optimization/index.md").unlink()
    site.write("docs/index.md", "# Home\n")
    site.render()
    assert not (site.out / f"{CHAPTER}.html").exists()
    assert not list((site.out / "sources").rglob("*.cu"))


@pytest.mark.parametrize(
    ("errors", "outcome"),
    [((0, 0), "They report nothing."), ((0, 3), "They report errors in racy.")],
)
def test_the_sanitizers_sentence_says_what_the_record_says(
    tmp_path: Path, errors: tuple[int, int], outcome: str
) -> None:
    site = bare_site(tmp_path, block("sanitizer"))
    runs = [
        {"step": step, "tool": "memcheck", "n": 100, "errors": count, "summary": "as made up"}
        for step, count in zip(("good", "racy"), errors, strict=True)
    ]
    context = {
        "schema_version": 1, "device": "nvidia-h200", "slug": "04-optimization",
        "commit": "0123456", "date": "2026-01-02T03:04:05Z", "command": "made up",
        "sanitizer": "2025.3",
    }  # fmt: skip
    site.write(
        "figures/results/nvidia-h200/04-optimization.sanitizer.json",
        json.dumps({"context": context, "runs": runs}),
    )
    text = text_of(site.render().page(CHAPTER))
    assert site.code == 0, site.log
    assert "2025.3 ran 2 steps of this chapter under memcheck on nvidia-h200, 2026-01-02" in text
    assert outcome in text
