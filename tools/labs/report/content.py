"""Everything a report says, from the reader's folder and the course's results."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

from tools import paths
from tools.doctor.redact import redact
from tools.labs import answers, check, experiments, folder, records
from tools.labs.folder import HASH_DIGITS, OwnFile
from tools.labs.report import machine, measured, plots, printed
from tools.labs.report.blocks import (
    Answer,
    Block,
    Code,
    Facts,
    Heading,
    Paragraph,
    Report,
    Table,
)
from tools.labs.tasks import Task
from tools.results import REFERENCE, Device, Results

OLDER = "This was done with other contents of the files than those below: run it again."


def of(task: Task) -> Report:
    files = folder.own_files(task)
    report = Report(task.name, time.strftime("%Y-%m-%d %H:%M"))
    store = Results.load(paths.REPO, [records.place(task)])
    report.blocks = [
        Heading("Machine"),
        Facts(machine.known()),
        *checked(task, files),
        *measured_by(task, files, store),
        *answered(task),
        Heading("Appendix: the files"),
        Facts([(file.name, f"sha256 {file.sha256}") for file in files]),
        *(Code(file.name, text_of(file)) for file in files),
    ]
    if not plots.available():
        report.remarks.append("No plots: they need the course's Python packages (./course setup).")
    report.remarks += [f"Left out: {problem}." for problem in store.problems]
    return report


def text_of(file: OwnFile) -> str:
    return file.path.read_text(encoding="utf-8", errors="replace")


# What was checked --------------------------------------------------------------------------------


def checked(task: Task, files: list[OwnFile]) -> Iterator[Block]:
    yield Heading("What was checked")
    checks = folder.record(task).get("checks", {})
    if not checks:
        yield Paragraph(f"Nothing yet: ./course lab check {task.number} was not run.")
        return
    for device, found in checks.items():
        where = check.DEVICE_NAMES.get(device, device)
        yield Table(
            ["Property", "Cases", "Outcome"],
            [
                [one["title"], str(one["cases_right"] or ""), outcome(task, one)]
                for one in found["properties"]
            ],
            f"On {where}, {found['date']}. {contents(found['hashes'])}",
            frozenset({1}),
        )
        if found["hashes"] != folder.hashes(files):
            yield Paragraph(OLDER)


def contents(hashes: dict[str, str]) -> str:
    """The files that were checked, which need not be those of now."""
    named = ", ".join(f"{name} {sha[:HASH_DIGITS]}" for name, sha in hashes.items())
    return f"Files (sha256): {named}."


def outcome(task: Task, one: dict) -> str:
    if not one["tried"]:
        return "not tried"
    if one["right"]:
        return "passed"
    first = one["findings"][0]
    case = f"{first['case']}: " if first["case"] else ""
    where = f" ({first['where']})" if first["where"] else ""
    said = f"not passed: {case}{first['message']}{where}"
    return str(redact(said.replace(f"{paths.shown(folder.of(task))}/", "")))


# What was measured -------------------------------------------------------------------------------


def measured_by(task: Task, files: list[OwnFile], store: Results) -> Iterator[Block]:
    now = folder.hashes(files)
    for experiment in experiments.of(task):
        number = experiment["number"]
        yield Heading(f"Experiment {number}: {experiment['title']}")
        timed, counted = records.of(task, experiment)
        if timed is None and counted is None:
            command = f"./course lab run {task.number} --experiment {number}"
            yield Paragraph(f"Not recorded yet: {command}")
        if "show" in experiment:
            yield from texts(store, experiment, timed, counted, now)
            continue
        for device in store.readers() if timed else []:
            yield from shown(store, experiment, device, f"Measured on your {device.name}")
        if timed and timed["hashes"] != now:
            yield Paragraph(OLDER)
        if counted:
            yield from without_gpu(experiment, counted, now, bool(timed))
        yield from reference(store, experiment)


def shown(store: Results, experiment: dict, device: Device, caption: str) -> Iterator[Block]:
    if table := measured.times(store, experiment, device, f"{caption}."):
        yield table
        if picture := plots.times(store, experiment, device, f"{caption}: time."):
            yield picture


def without_gpu(experiment: dict, counted: dict, now: dict, timed: bool) -> Iterator[Block]:
    when = counted["date"]
    yield measured.counted(
        counted["rows"], f"Run on the CPU device, {when}: errors and counts. Times: no GPU here."
    )
    if not timed:
        caption = "Sectors that the CPU device counted, loads and stores together."
        if picture := plots.counts(counted["rows"], experiment, caption):
            yield picture
    if counted["hashes"] != now:
        yield Paragraph(OLDER)


def texts(
    store: Results, experiment: dict, on_gpu: dict | None, on_cpu: dict | None, now: dict
) -> Iterator[Block]:
    """What a show printed. The CPU device's is drawn only where no GPU's is."""
    for record in (on_gpu, on_cpu):
        if record is None:
            continue
        yield from printed.by_reader(record, record is on_gpu, drawn=on_gpu in (None, record))
        if record["hashes"] != now:
            yield Paragraph(OLDER)
    name = reference_name(store)
    yield from printed.by_reference(experiment, by_solution(name)) or [not_recorded(name)]


def reference(store: Results, experiment: dict) -> Iterator[Block]:
    """The reference device's figures, which are the solution's."""
    name = reference_name(store)
    blocks = list(shown(store, experiment, store.device(REFERENCE), by_solution(name)))
    yield from blocks or [not_recorded(name)]


def reference_name(store: Results) -> str:
    device = store.device(REFERENCE)
    return device.name if device.facts else "NVIDIA H200"


def by_solution(name: str) -> str:
    return f"Reference, not measured by you: the worked solution on an {name}"


def not_recorded(name: str) -> Paragraph:
    return Paragraph(f"Reference ({name}): not recorded yet.")


# What was answered -------------------------------------------------------------------------------


def answered(task: Task) -> Iterator[Block]:
    given = answers.read(folder.of(task) / answers.NAME)
    left = dict(given)
    for title, headings in (
        ("Data", answers.data_to_record(task.lab)),
        ("Questions", answers.questions(task.lab)),
    ):
        if headings:
            yield Heading(title)
        for heading in headings:
            key = next((name for name in given if same(name, heading)), heading)
            yield Answer(heading, left.pop(key, ""))
    rest = {heading: words for heading, words in left.items() if words}
    if rest:
        yield Heading("Remarks")
        for heading, words in rest.items():
            yield Answer(heading, words)


def same(one: str, other: str) -> bool:
    """The same words: a question may have got another number since."""
    return bare(one) == bare(other)


def bare(heading: str) -> str:
    return re.sub(r"^(Data|Question) \d+\. ", "", " ".join(heading.split()))
