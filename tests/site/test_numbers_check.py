"""Typed numbers that look measured are found in rendered pages, others are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from coalesce_docs import rendered_numbers as numbers

from tools import numbers_check

ROOT = Path(__file__).resolve().parents[2]

PLANTED = [
    "It takes 11.6 ms on the device.",
    "It takes 11.6\u202fms on the device.",
    "It takes eleven milliseconds.",
    "It takes about 3 seconds.",
    "It takes 533 µs.",
    "It took twenty-five microseconds.",
    "A launch costs 5us.",
    "It reads 4.8 TB/s.",
    "It reads 4.8 terabytes per second.",
    "It reads 600 gigabytes a second.",
    "It reaches 51 TFLOP/s.",
    "It reaches sixty teraflops.",
    "The clock is 1.98 GHz.",
    "A load costs 200 cycles.",
    "A load costs two hundred clock cycles.",
    "The strided step is 24× faster.",
    "The strided step is 24 × faster.",
    "We gain 24x.",
    "The second is ten times faster.",
    "The second is 10 times as fast.",
    "The second runs ten times faster.",
    "It needs three times the bandwidth.",
    "It is twice as fast.",
    "It needs half the time.",
    "It takes half as long.",
    "It doubles the throughput.",
    "The time is halved.",
    "It needs a third of the time.",
    "It wins by a factor of 12.",
    "It wins by a factor of twelve.",
    "It loses by an order of magnitude.",
    "It is a tenfold gain.",
    "It is a 12-fold gain.",
    "The speed-up is 3.1 on this device.",
    "A speedup of 7 was seen.",
    "It is 30 % faster.",
    "It is 30 percent slower.",
    "It is faster by 30 per cent.",
    "It reaches 85 % of the peak bandwidth.",
    "It is thirty percent faster.",
    "It saves 40 % there.",
    "It is 1.5e-3 s long.",
]

INNOCENT = [
    "A block has 1024 threads at most.",
    "A block has 48 KiB of shared memory.",
    "A warp has 32 lanes.",
    "A sector has 32 bytes.",
    "The tile has 16×16 elements.",
    "The tile has 16 × 16 elements.",
    "The block is 32 x 8 threads.",
    "The sum of 1,048,576 random integers.",
    "The interval holds the median with a confidence of 95 %.",
    "Compute capability 9.0 and driver 580.65.",
    "CUDA 13.0 came after 12.9.",
    "See chapter 3, step 2, line 17.",
    "In the 1980s memory was slow.",
    "Each element is read three times.",
    "The loop runs ten times and prints each time.",
    "We call it 512 times in a row.",
    "Many times faster is no measurement.",
    "It is much faster, and sometimes slower.",
    "It takes several milliseconds.",
    "A second kernel is launched.",
    "The second time it works.",
    "Two kernels, one stream.",
    "One cycle later the lane is free.",
    "The grid's x goes to 2^31 - 1.",
    "Indices 0 to 31, then 32 to 63.",
    "It has 132 multiprocessors and 60 MiB of L2.",
    "The file is 4 MiB.",
    "Python 3.11 or newer.",
    "The exit code is 77.",
    "Eight blocks of 256 threads.",
    "Half of the threads leave the loop.",
    "Twice the number of elements.",
    "peak = 2 × memory clock × bus width / 8",
    "Error 209 means that no kernel image fits.",
    "One thread needs one register more.",
    "It runs thousands of threads; the older ones stay.",
    "Block 2, thread 1 computes 2 times 4 plus 1.",
    "Copies, checks, and three clocks.",
]


@pytest.mark.parametrize("sentence", PLANTED)
def test_planted_number_is_found(sentence: str) -> None:
    assert numbers.numbers_in(sentence)


@pytest.mark.parametrize("sentence", INNOCENT)
def test_innocent_sentence_is_not_found(sentence: str) -> None:
    assert numbers.numbers_in(sentence) == []


PLACES = {
    "a paragraph": "<p>It takes {}.</p>",
    "emphasis in the middle": "<p>It takes <em>11.6</em> <strong>ms</strong>.</p>",
    "a table": "<table><tr><td>one thread</td><td>{}</td></tr></table>",
    "a caption": "<figure><figcaption>It takes {}.</figcaption></figure>",
    "a table's caption": "<table><caption>It takes {}.</caption></table>",
    "an alternative text": '<img src="a.png" alt="It takes {}.">',
    "a title": '<a href="x" title="It takes {}.">x</a>',
    "a spoken label": '<svg role="img" aria-label="It takes {}."></svg>',
    "text in a picture": "<svg><text>{}</text></svg>",
    "a picture's title": "<svg><title>It takes {}.</title></svg>",
    "a picture's description": "<svg><desc>It takes {}.</desc></svg>",
    "a heading": "<h2>Down to {}</h2>",
    "a list": "<ul><li>{}</li></ul>",
    "a folded part": "<details><summary>In {}</summary></details>",
    "inline code": "<p>It prints <code>{}</code>.</p>",
    "beside a number that was measured": '<p><span class="measured">1 ms</span> or {}.</p>',
    "a tooltip": '<span class="term-first"><span class="tip">takes {}</span></span>',
}


@pytest.mark.parametrize("place", PLACES)
def test_every_place_of_a_page_is_read(place: str) -> None:
    html = f"<article>{PLACES[place].format('11.6 ms')}</article>"
    assert [finding.phrase for finding in numbers.check_html("page", html)] == ["11.6 ms"]


PRODUCED = {
    "a role": '<p>It takes <span class="measured" title="date: 1 s">11.6 ms</span>.</p>',
    "a role before words": '<p><span class="measured">24.1×</span> faster.</p>',
    "a table of results": '<table class="results-table"><tr><td>11.6 ms</td></tr></table>',
    "a chart": '<figure class="chart"><svg><text>11.6 ms</text></svg></figure>',
    "captured output": '<div class="console-output"><pre>took 11.6 ms</pre></div>',
    "a listing": '<div class="highlight"><pre>sleep for 11.6 ms</pre></div>',
    "reading time": '<span class="reading-time">about 90 minutes</span>',
}


@pytest.mark.parametrize("place", PRODUCED)
def test_what_the_course_produced_is_passed_over(place: str) -> None:
    assert numbers.check_html("page", f"<article>{PRODUCED[place]}</article>") == []


def test_a_produced_number_does_not_join_the_words_around_it() -> None:
    html = '<article><p>Step 11 <span class="measured">x</span> ms apart</p></article>'
    assert numbers.check_html("page", html) == []


def test_only_the_article_is_read() -> None:
    html = "<nav>11.6 ms</nav><article><p>fine</p></article><footer>12 ms</footer>"
    assert numbers.check_html("page", html) == []


def test_an_allowed_phrase_needs_a_reason_and_must_be_said(tmp_path: Path) -> None:
    allowed = tmp_path / "allowed.toml"
    allowed.write_text('[[allow]]\npage = "a"\nphrase = "120 s"\nreason = ""\n')
    with pytest.raises(ValueError, match="without a reason"):
        numbers.load_allowed(allowed)
    allowed.write_text('[[allow]]\npage = "a"\nphrase = "120 s"\nreason = "a limit"\n')
    page = tmp_path / "site" / "a.html"
    page.parent.mkdir()
    page.write_text("<article><p>It is stopped after 120 s.</p></article>")
    assert numbers.check_site(page.parent, allowed) == []
    page.write_text("<article><p>It is stopped.</p></article>")
    assert "does not say it" in str(numbers.check_site(page.parent, allowed)[0])


def test_the_command_names_page_phrase_and_place(tmp_path: Path, capsys) -> None:
    (tmp_path / "index.html").write_text("<article><p>It takes 11.6 ms.</p></article>")
    assert numbers_check.main([str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert "index.html: '11.6 ms'" in printed and "It takes" in printed


def test_without_a_site_the_command_says_what_to_do(tmp_path: Path, capsys) -> None:
    assert numbers_check.main([str(tmp_path)]) == 3
    assert "./course site" in capsys.readouterr().err


def test_pages_that_were_clean_are_not_read_again(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<article><p>fine</p></article>")
    findings, clean = numbers_check.check_changed(tmp_path, {})
    assert findings == [] and list(clean) == ["index.html"]
    (tmp_path / "index.html").write_text("<article><p>12 ms</p></article>")
    findings, clean = numbers_check.check_changed(tmp_path, clean)
    assert len(findings) == 1 and clean == {}
