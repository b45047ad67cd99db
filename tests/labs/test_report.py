"""What is recorded of a lab's experiments, and the report made of it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.labs.flow import Flow
from tests.results.made_up import TEST_GPU, raw_lines, write_raw
from tools.labs import experiments, ready, records, rows, tasks, timed
from tools.labs.report import html, machine, markdown, plots
from tools.labs.report.blocks import Answer, Code, Facts, Heading, Printed, Report, Table

KEY = "06-labs/halve/halve/n:{}/cache:hot/launch:stream"
TIMES = {KEY.format(n): 1e-6 + n * 1e-11 for n in (1 << 10, 1 << 16, 1 << 22)}


class Loads(HTMLParser):
    """What a page would fetch: attributes that name something elsewhere."""

    def __init__(self, text: str):
        super().__init__()
        self.found: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attributes:
            if name in ("src", "href", "srcset", "data", "action") and not value.startswith("#"):
                self.found.append(f"{tag} {name}={value}")


def page(flow: Flow) -> str:
    return flow.file("report.html").read_text(encoding="utf-8")


def paper(flow: Flow) -> str:
    return flow.file("report.md").read_text(encoding="utf-8")


@pytest.fixture
def measured(built: Flow) -> Flow:
    """The solution, checked and run on the CPU device."""
    built("start", "9.1")
    built.write()
    assert built("run", "9.1", "--experiment", "1").code == 0
    return built


# --- Without a GPU -------------------------------------------------------------------------------


def test_without_a_gpu_counts_are_recorded_and_no_times(measured: Flow) -> None:
    recorded = json.loads(measured.file("results/cpu-device.json").read_text())
    found = recorded["experiments"]["1"]["rows"]
    assert [(row["n"], row["verified"], row["error"]) for row in found] == [
        (256, True, 0),
        (1024, True, 0),
    ]
    assert [row["counts"]["load_sectors"] for row in found] == [32, 128]
    assert not re.search(r"seconds|real_time", json.dumps(recorded))
    said = measured("run", "9.1")
    assert said.code == 0
    assert (
        "No GPU here: there is no NVIDIA driver on this machine. So there are no times" in said.out
    )


def test_only_files_that_pass_are_measured(built: Flow) -> None:
    built("start", "9.1")
    built.write("/ 2", "/ 4")
    said = built("run", "9.1")
    assert said.code == 1
    assert "a half is wrong" in said.out
    assert "only files that pass the check are measured" in said.err
    assert not built.file("results").exists()


def test_the_rows_are_those_of_the_readers_files(measured: Flow) -> None:
    measured.write("if (i < n)", "const float twice = in[0] + in[0];\n  if (i < n && twice < 9)")
    assert measured("run", "9.1").code == 0
    found = records.cpu_device(tasks.find("9.1"))["1"]["rows"]
    assert found[0]["counts"]["load_requests"] == 16  # a warp loads in[0], and its own elements


def test_after_a_change_the_check_comes_first(measured: Flow) -> None:
    before = measured.file("results/cpu-device.json").read_bytes()
    measured.write("/ 2", "/ 4")
    said = measured("run", "9.1")
    assert said.code == 1
    assert "a half is wrong" in said.out
    assert measured.file("results/cpu-device.json").read_bytes() == before


def test_a_row_that_is_wrong_fails_the_run(measured: Flow) -> None:
    measured.write("if (i < n)", "if (i < n && i < 700)")  # the check goes to 256
    said = measured("run", "9.1")
    assert said.code == 1
    assert "06-labs/halve/halve/n:1024 is wrong: a half is wrong." in said.err


def test_a_function_that_only_the_rows_use_must_be_the_readers(
    built: Flow, monkeypatch: pytest.MonkeyPatch
) -> None:
    built.write()
    monkeypatch.setattr(experiments, "check_first", lambda *words: 0)
    built.write("void halve(", "void half(")
    said = built("run", "9.1")
    assert said.code == 1
    assert "Your files lack lab91::halve(" in said.err


# --- With a GPU ----------------------------------------------------------------------------------


@pytest.fixture
def with_gpu(flow: Flow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flow:
    """A made-up GPU, and a program of the rows that writes made-up samples."""
    raw = write_raw(tmp_path / "made-up.jsonl", raw_lines(TEST_GPU, TIMES))
    program = tmp_path / "rows"
    program.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n[ -n "$BREAK" ] && exit 1\n'
        f'while [ $# -gt 0 ]; do [ "$1" = --out ] && cp {raw} "$2"; shift; done\n'
    )
    program.chmod(0o755)
    monkeypatch.setattr(rows, "benchmark", lambda lab, files: program)
    monkeypatch.setattr(experiments, "check_first", lambda *words: 0)
    monkeypatch.setattr(ready, "devices", lambda asked, console: (["cpu", "gpu"], {}))
    flow("start", "9.1")
    flow.write()
    return flow


def test_times_are_recorded_beside_the_files_that_gave_them(with_gpu: Flow) -> None:
    said = with_gpu("run", "9.1", "--experiment", "1")
    assert said.code == 0, said.all
    assert (with_gpu.file("results") / "test-gpu-9000" / "06-labs.json").is_file()
    run = records.runs(tasks.find("9.1"))["1"]
    assert run["device"] == "test-gpu-9000"
    assert list(run["hashes"]) == ["halve.cu"]
    asked = (with_gpu.work.parent / "asked").read_text()
    assert "--filter 06-labs/halve/halve/n:" in asked
    assert "--resume" in asked
    assert "no times" not in said.out


def test_an_interrupted_run_goes_on_with_the_same_files_only(with_gpu: Flow) -> None:
    task = tasks.find("9.1")
    from tools.labs import folder

    first = timed.raw_file(task, 1, folder.own_files(task))
    with_gpu.write("/ 2", "* 0.5f")
    second = timed.raw_file(task, 1, folder.own_files(task))
    with_gpu.write()
    assert first != second
    assert timed.raw_file(task, 1, folder.own_files(task)) == first


def test_a_run_that_fails_overwrites_nothing(
    with_gpu: Flow, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_gpu("run", "9.1", "--experiment", "1")
    path = with_gpu.file("results/test-gpu-9000/06-labs.json")
    before = path.read_bytes()
    monkeypatch.setenv("BREAK", "1")
    said = with_gpu("run", "9.1", "--experiment", "1")
    assert said.code == 1
    assert "Nothing was recorded" in said.err
    assert path.read_bytes() == before


def test_the_report_shows_times_plots_and_the_reference(with_gpu: Flow) -> None:
    with_gpu("run", "9.1", "--experiment", "1")
    assert with_gpu("report", "9.1").code == 0
    text = paper(with_gpu)
    assert "Measured on your Test GPU 9000." in text
    assert re.search(r"\| halve \| 1024 \| 1\.\d+\Wµs \|", text)
    assert "Reference (NVIDIA H200): not recorded yet." in text
    assert "no GPU here" not in text
    if plots.available():
        assert "svg" in Loads(page(with_gpu)).tags


def test_a_reference_that_is_recorded_is_marked_as_such(
    with_gpu: Flow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.results.made_up import H200
    from tools import paths, record

    course = tmp_path / "course"
    raw = write_raw(tmp_path / "reference.jsonl", raw_lines(H200, TIMES))
    record.record(raw, course / "figures" / "results")
    from tools.labs.report import content

    monkeypatch.setattr(content.paths, "REPO", course)
    with_gpu("report", "9.1")
    monkeypatch.undo()
    assert "Reference, not measured by you: the worked solution on an NVIDIA H200." in paper(
        with_gpu
    )
    assert course != paths.REPO


# --- The report ----------------------------------------------------------------------------------


def test_the_report_says_what_was_done_and_where(measured: Flow) -> None:
    answers = measured.file("answers.md").read_text()
    words = "Since <b>half</b> & more; see https://example.org/x."
    answers = answers.replace("(your answer)", "32 and 128.", 1).replace("(your answer)", words, 1)
    measured.file("answers.md").write_text(answers)
    said = measured("report", "9.1")
    assert said.code == 0
    text, source = paper(measured), page(measured)
    assert words in text
    assert "32 and 128." in text
    assert "Since &lt;b&gt;half&lt;/b&gt; &amp; more" in source
    assert "### Question 2. What does a warp load?\n\n(no answer yet)" in text
    assert 'class="space"' in source
    assert "| right for every number of elements | 3 | passed |" in text
    assert "- GPU: No GPU here: there is no NVIDIA driver on this machine." in text
    assert "no GPU here" in text
    assert "halve_kernel<<<" in text
    assert "halve_kernel&lt;&lt;&lt;" in source
    assert measured.file("answers.md").read_text() == answers


def test_the_report_loads_nothing_from_elsewhere(measured: Flow) -> None:
    measured("report", "9.1")
    source = page(measured)
    loads = Loads(source)
    assert loads.found == []
    assert not {"script", "link", "iframe", "object", "embed"} & set(loads.tags)
    assert not re.search(r"https?://|@import|url\((?!#)", source)
    if plots.available():
        assert "svg" in loads.tags


def test_the_report_names_nobody(
    measured: Flow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("USER", "averyrarename")
    monkeypatch.setattr(machine, "processor", lambda: "the one of averyrarename")
    measured.write("if (i < n)", "if (i >= 0)")
    assert measured("check", "9.1").code == 86
    measured("report", "9.1")
    assert re.search(r"not passed: .* \(halve\.cu:\d+, thread", paper(measured))
    for text in (page(measured), paper(measured)):
        assert "averyrarename" not in text
        assert str(tmp_path) not in text


def test_what_older_files_gave_is_marked(measured: Flow) -> None:
    measured.write("/ 2", "* 0.5f")
    measured("report", "9.1")
    assert paper(measured).count("This was done with other contents of the files") == 2


def test_a_report_of_a_lab_that_was_never_checked(flow: Flow) -> None:
    flow("start", "9.1")
    assert flow("report", "9.1").code == 0
    assert "Nothing yet: ./course lab check 9.1 was not run." in paper(flow)
    assert "Not recorded yet: ./course lab run 9.1 --experiment 1" in paper(flow)


def test_an_answer_stays_when_its_question_gets_another_number(flow: Flow) -> None:
    flow("start", "9.1")
    flow.file("answers.md").write_text(
        "## Question 7. What does a warp load?\n\n32 floats.\n\n## Question 8. Gone?\n\nYes.\n"
    )
    flow("report", "9.1")
    assert "### Question 2. What does a warp load?\n\n32 floats." in paper(flow)
    assert "## Remarks\n\n### Question 8. Gone?\n\nYes." in paper(flow)


def test_without_the_packages_there_are_tables_and_a_remark(
    measured: Flow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plots, "available", lambda: False)
    said = measured("report", "9.1")
    assert "No plots" in said.out
    assert "svg" not in Loads(page(measured)).tags


def test_text_of_the_reader_cannot_break_the_report() -> None:
    report = Report("<T>", "now")
    report.blocks = [
        Printed("</pre><script>\n", "<b>"),
        Printed("</pre><script>\n", "<b>", folded=True),
        Heading("a < b"),
        Facts([("x & y", "<z>")]),
        Table(["a|b"], [["1|2\n3"]], "c > d"),
        Answer("q?", "</div><script>"),
        Code("x.cu", "```\n</code><script>\n"),
    ]
    assert "script" not in Loads(html.document(report)).tags
    text = markdown.document(report)
    assert r"| 1\|2 3 |" in text
    assert "````cpp\n```\n" in text


def test_plots_are_lines_over_numbers_and_bars_otherwise() -> None:
    assert plots.place({"x": "n"}, 8, "one_step", {"cache": "hot", "block": "32x8"}) == (
        8,
        "one step, block 32x8",
    )
    assert plots.place({"x": "threads"}, 8, "rows", {"threads": "64"}) == (64.0, "rows")
    assert plots.place({"x": "step"}, 8, "rows", {}) == (None, "rows")
    assert plots.spread([1, 31])
    assert not plots.spread([0, 10, 20])
