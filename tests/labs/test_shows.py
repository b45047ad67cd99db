"""Experiments that are what a program prints: recorded whole or not at all, shown in the report."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.labs.flow import Flow
from tests.labs.test_report import Loads, page, paper
from tests.labs.test_timeline import TABLE
from tools import paths
from tools.labs import (
    catalog,
    experiments,
    folder,
    printed,
    ready,
    records,
    rows,
    running,
    tasks,
)  # fmt: skip
from tools.labs.report import printed as report_printed
from tools.labs.running import Limits

RUN = ("run", "9.1", "--experiment", "2")


# --- Recording -----------------------------------------------------------------------------------


@pytest.fixture
def fake(flow: Flow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in the place of the one that is built; a made-up GPU."""
    program = tmp_path / "rows"
    program.write_text('#!/bin/sh\necho "device: Test GPU 9000"\necho "$@"\n')
    program.chmod(0o755)
    monkeypatch.setattr(rows, "program", lambda lab, files, device: program)
    monkeypatch.setattr(experiments, "check_first", lambda *words: 0)
    monkeypatch.setattr(ready, "devices", lambda asked, console: (["cpu", "gpu"], {}))
    flow("start", "9.1")
    flow.write()
    return program


def test_what_is_recorded_is_what_the_readers_program_printed(built: Flow) -> None:
    built.write("if (i < n)", 'if (i == 0) printf("by my kernel\\n");\n  if (i < n)')
    said = built(*RUN)
    assert said.code == 0, said.all
    task = tasks.find("9.1")
    kept = records.cpu_device(task)["2"]
    program = rows.program(task.lab, {"halve.cu": built.file("halve.cu")}, "cpu")
    command = [program, "run", "ones_halved", "--n", "1000"]
    assert kept["text"] == subprocess.run(command, capture_output=True, text=True).stdout
    assert "by my kernel\n" in kept["text"]
    assert kept["text"].endswith("1000 ones, 1000 halves\n")
    assert kept["text"] in said.out
    assert "So this is what the CPU device prints." in said.out
    assert (kept["show"], kept["n"]) == ("ones_halved", 1000)
    assert f"device: {kept['device']}\n" in kept["text"]
    assert kept["hashes"] == folder.hashes(folder.own_files(task))


@pytest.mark.parametrize(("change", "code", "why"), [  # the check goes to 256
    (("/ 2", "/ (i < 700 ? 2 : 4)"), 1, "it ended with exit code 1"),
    (("if (i < n)", "if (i < n && i < 700)"), 86, "the CPU device found problems in your files"),
])  # fmt: skip
def test_a_show_that_fails_is_not_recorded(built: Flow, change: tuple, code: int, why: str) -> None:
    built.write(*change)
    said = built(*RUN)
    assert said.code == code
    assert "1000 ones, 700 halves" in said.err
    assert f"ones_halved failed: {why}.\nNothing of it was recorded." in said.err
    assert not built.file("results").exists()


def test_on_a_gpu_it_has_that_size_and_stands_beside_what_is_timed(flow: Flow, fake: Path) -> None:
    assert flow(*RUN).code == 0
    kept = records.runs(tasks.find("9.1"))["2"]
    assert kept["text"] == "device: Test GPU 9000\nrun ones_halved --n 3000\n"
    assert (kept["device"], kept["n"]) == ("Test GPU 9000", 3000)
    assert not flow.file("results/cpu-device.json").exists()


@pytest.mark.parametrize(("ending", "why"), [
    ("exit 3", "it ended with exit code 3"),
    ("kill -SEGV $$", "signal 11 ended it"),
    ("sleep 30", "it had not ended after 0.5 s"),
    ("yes | head -c 3000000", "it printed more than 1 MiB"),
])  # fmt: skip
def test_half_of_a_text_is_never_recorded(
    flow: Flow, fake: Path, monkeypatch: pytest.MonkeyPatch, ending: str, why: str
) -> None:
    monkeypatch.setattr(printed, "LIMITS", Limits(seconds=0.5 if "sleep" in ending else 20))
    assert flow(*RUN).code == 0
    before = flow.file("results/runs.json").read_bytes()
    fake.write_text(fake.read_text() + f"{ending}\n")
    said = flow(*RUN)
    assert said.code == 1
    assert f"ones_halved failed: {why}" in said.err
    assert "Nothing of it was recorded." in said.err
    assert flow.file("results/runs.json").read_bytes() == before
    assert [path.name for path in flow.file("results").iterdir()] == ["runs.json"]


def test_a_program_that_ends_before_it_begins_is_not_recorded(flow: Flow, fake: Path) -> None:
    fake.write_text("#!/bin/sh\nexit 0\n")
    said = flow(*RUN)
    assert said.code == 1
    assert "it ended without a word about its device" in said.err
    assert not flow.file("results").exists()


def test_an_interruption_leaves_what_was_recorded(
    flow: Flow, fake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert flow(*RUN).code == 0
    before = flow.file("results/runs.json").read_bytes()

    def interrupted(*words: object) -> str:
        raise KeyboardInterrupt

    fake.write_text("#!/bin/sh\necho 'device: Test GPU 9000'\necho half\nsleep 30\n")
    monkeypatch.setattr(running, "_watch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        flow(*RUN)
    assert flow.file("results/runs.json").read_bytes() == before
    assert [path.name for path in flow.file("results").iterdir()] == ["runs.json"]


# --- The report ----------------------------------------------------------------------------------


@pytest.fixture
def timed(flow: Flow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flow:
    """Lab 5.4, in the place of 9.1; nothing is recorded on the reference device."""
    known = [catalog.read(path.parent) for path in catalog.FOLDER.glob("5.4-*/lab.toml")]
    monkeypatch.setattr(catalog, "labs", lambda: known)
    flow("start", "5.4")
    monkeypatch.setattr(paths, "REPO", tmp_path / "course")
    return flow


def keep(name: str, text: str, device: str, **more: object) -> None:
    """A record of the timeline, as a run leaves it."""
    task = tasks.find("5.4")
    (experiment,) = [one for one in experiments.of(task) if one.get("show") == "timeline"]
    what = {"show": "timeline", "n": 8, "device": device, "text": text} | more
    records.keep(task, name, experiment, folder.own_files(task), **what)


def report(timed: Flow) -> tuple[str, str]:
    assert timed("report", "5.4").code == 0
    return tuple((timed.work / "5.4" / name).read_text() for name in ("report.html", "report.md"))


def test_the_report_has_the_timeline_as_a_drawing_and_as_text(timed: Flow) -> None:
    keep("runs.json", TABLE, "Test GPU 9000")
    source, text = report(timed)
    figure = source[source.index("<figure><svg") : source.index("</figure>")]
    assert figure.count("<rect") == 6
    assert "chunk 1: 6 to 10 ms" in figure
    assert "Printed by your program on the Test GPU 9000, 20" in figure
    assert "the bar of a copy includes its wait for the engine." in figure
    assert "no times of a GPU" not in text
    assert '<details class="printed"><summary>The numbers</summary>' in source
    assert f"<pre>{TABLE.rstrip()}\n</pre></details>" in source
    assert f"```text\n{TABLE.rstrip()}\n```\n\nPrinted by your program" in text
    assert "svg" not in text
    assert "Not recorded yet: ./course lab run 5.4 --experiment 7" not in text
    assert Loads(source).found == []


def test_the_reports_colours_are_those_of_its_page(timed: Flow) -> None:
    keep("runs.json", TABLE, "Test GPU 9000")
    source, _ = report(timed)
    assert "(prefers-color-scheme: dark)" in source
    for name in set(timeline_colours(source)):
        assert source.count(f"{name}: #") >= 2, name  # light and dark


def timeline_colours(source: str) -> list[str]:
    figure = source[source.index("<figure><svg") : source.index("</figure>")]
    return [part.partition(",")[0] for part in figure.split("var(")[1:]]


def test_the_cpu_devices_timeline_is_drawn_where_there_is_no_other(timed: Flow) -> None:
    keep("cpu-device.json", TABLE, "CPU device (as NVIDIA H200)")
    source, text = report(timed)
    assert "<figure><svg" in source
    assert "Printed by your program on the CPU device (as NVIDIA H200), 20" in text
    assert ": no times of a GPU. Each bar is a part" in source
    keep("runs.json", TABLE, "Test GPU 9000")
    source, text = report(timed)
    assert source.count("<figure><svg") == 1
    assert text.count(TABLE.rstrip()) == 2


def test_a_text_that_cannot_be_drawn_is_shown(timed: Flow) -> None:
    keep("runs.json", "device: Test GPU 9000\nno bars\n", "Test GPU 9000")
    source, _ = report(timed)
    assert "<figure><svg" not in source
    assert '<figure class="printed"><pre>device: Test GPU 9000\nno bars\n</pre>' in source


def test_text_of_other_files_is_marked(timed: Flow) -> None:
    keep("runs.json", TABLE, "Test GPU 9000")
    assert "other contents of the files" not in report(timed)[1]
    path = timed.work / "5.4" / "pipeline.cu"
    path.write_text(path.read_text() + "// more\n")
    assert report(timed)[1].count("other contents of the files") == 1


def test_a_record_of_what_was_another_experiment_then_is_left_out(timed: Flow) -> None:
    keep("runs.json", "old", "Test GPU 9000", show="something_else")
    keep("cpu-device.json", "old", "CPU device", show=None, rows=[])
    assert "Not recorded yet: ./course lab run 5.4 --experiment 7" in report(timed)[1]


def test_the_reference_is_the_solutions_recorded_text(timed: Flow) -> None:
    place = paths.REPO / "chapters/06-labs/recorded/nvidia-h200/timeline.txt"
    assert "Reference (NVIDIA H200): not recorded yet." in of_experiment_7(report(timed)[1])
    place.parent.mkdir(parents=True)
    command = "./course run 6 timeline --device gpu --n 268435456"
    place.write_text(f"{command}\n#: device: NVIDIA H200\n#: date: 2026-01-31\n{TABLE}")
    source, text = report(timed)
    said = of_experiment_7(text)
    assert "Not recorded yet: ./course lab run 5.4 --experiment 7" in said
    assert (
        "Reference, not measured by you: the worked solution on an NVIDIA H200, 2026-01-31." in said
    )
    assert TABLE.rstrip() in said
    assert source.count("<figure><svg") == 1
    assert "not recorded yet" not in said


def of_experiment_7(text: str) -> str:
    return text.partition("## Experiment 7")[2].partition("\n## ")[0]


def test_a_report_of_the_smallest_lab_has_its_text(flow: Flow, fake: Path) -> None:
    flow(*RUN)
    flow("report", "9.1")
    assert "run ones_halved --n 3000\n```\n\nPrinted by your program on the Test GPU" in paper(flow)
    assert "run ones_halved --n 3000\n</pre><figcaption>Printed by your" in page(flow)
    assert json.loads(flow.file("results/runs.json").read_text())["lab"] == "9.1"


def test_what_the_course_recorded_of_the_timeline_can_be_drawn() -> None:
    task = tasks.find("5.4")
    (experiment,) = [one for one in experiments.of(task) if one.get("show") == "timeline"]
    picture, text = report_printed.by_reference(experiment, "Reference")
    assert picture.svg.count("<rect") == 24
    assert text.folded
