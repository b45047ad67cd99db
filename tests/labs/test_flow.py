"""The flow of a lab: start, check, reset, solution; what the reader wrote is never lost."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.labs.flow import HALVE, Flow
from tools import paths, programs
from tools.labs import catalog, diagnostics, properties, ready, tasks
from tools.verbs import lab as verb

GUARD = "if (i < n) out[i] = in[i] / 2;"


# --- Numbers and wrong use -----------------------------------------------------------------------


def test_numbers_tell_labs_from_exercises(flow: Flow) -> None:
    assert tasks.find("5.1").lab is not None
    for word, folder in (("05.1", "1-rotate-a-block"), ("4.1", "1-column-sums"), ("04.1",) * 2):
        found = tasks.find(word)
        assert found.lab is None
        assert folder in (found.folder.name, "04.1")
    assert tasks.find("4.1") == tasks.find("04.1")


def test_the_other_one_of_nearly_the_same_number_is_named(flow: Flow) -> None:
    assert "(5.1 is the lab; exercise 'Rotate a block' is 05.1.)" in flow("start", "5.1").err
    assert "is the lab" not in flow("start", "05.1").all


@pytest.mark.parametrize(("words", "sentence"), [
    (("stat", "5.1"), "Did you mean start"),
    (("start",), "needs the number"),
    (("start", "9.9"), "There are 9.1."),
    (("start", "../5.1"), "is no number of a lab"),
    (("list", "5.1"), "takes no number"),
    (("check", "9.1"), "is not started"),
    (("check", "9.1", "--device", "tpu"), "'tpu' is no device"),
    (("check", "9.1", "--property", "speed"), "It has values, work."),
    (("check", "04.1", "--seed", "3"), "are for labs"),
    (("start", "9.1", "--yes"), "`start` has no option --yes"),
    (("run", "9.1", "--experiment", "7"), "It has 1 (The kernel alone), 2 (What was halved)."),
    (("run", "04.1"), "04.1 is an exercise"),
    (("report", "04.1"), "04.1 is an exercise"),
    (("report", "9.1"), "is not started"),
])  # fmt: skip
def test_wrong_use_is_told_in_a_sentence(flow: Flow, words: tuple, sentence: str) -> None:
    said = flow(*words)
    assert said.code == 2, said.all
    assert sentence in said.err
    assert len(said.err.strip().splitlines()) <= 2
    assert not list(flow.work.rglob("*")) if words[0] != "check" else True


def test_every_action_of_the_manual_page_exists() -> None:
    listed = re.findall(r"^  (\w+) +(?:NUMBER  |labs)", verb.DESCRIPTION, re.MULTILINE)
    assert listed == list(verb.ACTIONS)


# --- Starting ------------------------------------------------------------------------------------


def test_a_lab_starts_with_skeletons_and_questions(flow: Flow) -> None:
    said = flow("start", "9.1")
    assert said.code == 0
    assert "// What is asked: tests/labs/halve/lab.hpp" in flow.text.splitlines()[1]
    assert flow.text.count("// Your code here.") == 2
    assert "in[i] / 2" not in flow.text
    assert "[kernel]" not in flow.text
    assert "## Question 2. What does a warp load?" in flow.file("answers.md").read_text()


def test_an_exercise_starts_the_same_way(flow: Flow) -> None:
    assert flow("start", "4.1").code == 0
    text = (flow.work / "04.1" / "column_sums.cu").read_text()
    assert "chapters/04-optimization/exercises/1-column-sums/exercise.hpp" in text


def test_every_lab_and_exercise_has_skeletons() -> None:
    for task in (*tasks.labs(), *tasks.exercises()):
        for name, text in task.skeletons().items():
            assert "// Your code here." in text, f"{task.number} {name}"


def test_starting_again_overwrites_nothing(flow: Flow) -> None:
    flow("start", "9.1")
    flow.write()
    flow.file("answers.md").write_text("mine\n")
    said = flow("start", "9.1")
    assert said.code == 0
    assert said.out.count("is yours: left as it is") == 2
    assert "in[i] / 2" in flow.text
    assert flow.file("answers.md").read_text() == "mine\n"


def test_a_file_that_is_missing_comes_back_alone(flow: Flow) -> None:
    flow("start", "5.1")
    folder = flow.work / "5.1"
    names = list(tasks.find("5.1").solutions)
    (folder / names[0]).unlink()
    assert flow("check", "5.1").code == 2
    said = flow("start", "5.1")
    assert f"wrote {folder / names[0]}" in said.out


def test_a_folder_that_cannot_be_written_is_told(
    flow: Flow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "writable", lambda folder: False)
    said = flow("start", "9.1")
    assert said.code == 1
    assert "COALESCE_WORK" in said.err


# --- Checking ------------------------------------------------------------------------------------


def test_the_solution_passes_and_the_file_is_named(built: Flow) -> None:
    built.write()
    said = built("check", "9.1")
    assert said.code == 0, said.all
    assert re.search(rf"{built.file('halve.cu')}  changed \d{{4}}-.* sha256 \w{{10}}", said.out)
    assert "✓ right for every number of elements (3 cases)" in said.out
    assert "– No GPU here: there is no NVIDIA driver on this machine." in said.out
    assert "All right." in said.out


def test_what_is_checked_is_what_the_file_holds_now(built: Flow) -> None:
    built.write()
    assert built("check", "9.1").code == 0
    times = built.file("halve.cu").stat()
    built.write("/ 2", "/ 4")
    os.utime(built.file("halve.cu"), ns=(times.st_atime_ns, times.st_mtime_ns))
    assert built("check", "9.1").code == 1


def test_a_wrong_value_gets_case_seed_and_hint(built: Flow) -> None:
    built.write("/ 2", "/ 4")
    said = built("check", "9.1")
    assert said.code == 1
    found = re.search(r"n = 1 \(seed (\d+)\): a half is wrong\n +Hint: Compare with", said.out)
    assert found
    assert f"./course lab check 9.1 --property values --seed {found[1]}" in said.out
    assert said.out.count("Hint: Compare with") == 1
    again = built("check", "9.1", "--property", "values", "--seed", found[1])
    assert f"n = 1 (seed {found[1]})" in again.out
    assert "every thread does its share" not in again.out


def test_all_shows_every_case_that_is_wrong(built: Flow) -> None:
    built.write("/ 2", "/ 4")
    said = built("check", "9.1", "--property", "values", "--all").out
    assert [f"n = {n} (seed" in said for n in (1, 17, 250)] == [True] * 3


def test_a_problem_of_the_cpu_device_has_a_line_and_its_own_exit_code(built: Flow) -> None:
    built.write(GUARD, 'if (i == 0) printf("mine\\n"); out[i] = in[i] / 2;')
    said = built("check", "9.1")
    assert said.code == 86
    assert "It printed:\n      mine\n" in said.out  # and nothing of what the message says already
    assert "cpu_device:" not in said.out
    assert re.search(r"halve\.cu:\d+, thread \(1,0,0\) of block \(0,0,0\)", said.out)


def test_counts_are_judged(built: Flow) -> None:
    built.write("<<<static_cast<unsigned>((n + 63) / 64), 64, 0, stream>>>",
                "<<<static_cast<unsigned>(n), 1, 0, stream>>>")  # fmt: skip
    said = built("check", "9.1")
    assert said.code == 1
    assert "✓ right for every number" in said.out
    assert "How many threads does your launch start?" in said.out


def test_an_error_of_the_compiler_is_shown_short(built: Flow) -> None:
    built.write("in[i] / 2", "inn[i] / 2")
    said = built("check", "9.1")
    assert said.code == 1
    assert "inn" in said.out
    assert f"{built.file('halve.cu')}:" in said.out
    assert len(said.out.splitlines()) < 20
    assert "right for every number" not in said.out


@pytest.mark.parametrize(("change", "sentence"), [
    (("void halve(", "void half("), "Your files lack lab91::halve(float const*, long, float*"),
    (("}  // namespace lab91", "}\nint main() {}"), "Your file has its own main"),
    (("namespace lab91 {\n", "namespace lab91 {\nvoid other();\nvoid user() { other(); }\n"),
     "Your files use lab91::other(), and nothing defines it."),
])  # fmt: skip
def test_what_does_not_link_is_explained(built: Flow, change: tuple, sentence: str) -> None:
    built.write(*change)
    said = built("check", "9.1")
    assert said.code == 1
    assert sentence in said.out
    assert "collect2" not in said.out
    assert "linker" not in said.out


def test_after_a_case_that_never_ends_the_others_are_not_tried(
    built: Flow, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tools.labs import grade
    from tools.labs.running import Limits

    run_case = grade.run_case
    monkeypatch.setattr(
        grade, "run_case", lambda *words: run_case(*words, limits=Limits(seconds=0.5))
    )
    built.write("  if (n == 0) return;", "  for (volatile int on = 1; on;) {\n  }")
    said = built("check", "9.1")
    assert said.code == 1
    assert "had not ended after 0.5 s" in said.out
    assert "– every thread does its share (not tried" in said.out


def test_json_says_the_same(built: Flow) -> None:
    built.write("/ 2", "/ 4")
    said = built("check", "9.1", "--json")
    found = said.json()
    assert said.code == found["exit_code"] == 1
    assert found["right"] is False
    assert found["files"][0]["path"].endswith("9.1/halve.cu")
    assert [one["right"] for one in found["devices"]["cpu"]] == [True, False, False]
    first = found["devices"]["cpu"][1]["findings"][0]
    assert (first["reason"], first["hint"]) == ("wrong_value", "Compare with an answer on paper.")
    assert "No GPU here" in found["not_on"]["gpu"]


def test_the_list_knows_how_far_the_reader_is(built: Flow) -> None:
    def state() -> str:
        listed = {one["number"]: one["state"] for one in built("list", "--json").json()}
        assert f"{listed['9.1']}\n" in built("list").out
        return listed["9.1"]

    assert state() == "not started"
    built("start", "9.1")
    assert state() == "started"
    built.write()
    built("check", "9.1")
    assert state() == "passed"
    built.write("/ 2", "/ 4")
    assert state() == "changed since the last check"
    built("check", "9.1")
    assert state() == "last check failed"


def test_one_property_alone_is_no_passed_check(built: Flow) -> None:
    built.write()
    built("check", "9.1", "--property", "values")
    assert not built.file(".lab.json").exists()


def test_a_damaged_record_is_no_obstacle(built: Flow) -> None:
    built.write()
    built.file(".lab.json").write_text("{broken")
    assert built("list").code == 0
    assert built("check", "9.1").code == 0


def test_a_terminal_without_the_marks_gets_plain_ones(built: Flow) -> None:
    import io

    from tools.console import Console

    built.write("/ 2", "/ 4")
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert verb.run(Flow.options(("check", "9.1")), Console(out, io.StringIO())) == 1
    out.seek(0)
    text = out.read()
    assert "ok your files" in text
    assert "XX right for every number" in text


# --- Devices -------------------------------------------------------------------------------------


def test_a_gpu_that_is_asked_for_and_missing_is_exit_code_4(flow: Flow) -> None:
    flow.write()
    said = flow("check", "9.1", "--device", "gpu")
    assert said.code == 4
    assert "No GPU here" in said.err


def test_a_set_up_that_is_missing_is_exit_code_3(
    flow: Flow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "lacking", lambda device, **_: "clang was not found")
    flow.write()
    said = flow("check", "9.1")
    assert said.code == 3
    assert "Clang was not found." in said.err


def test_a_gpu_without_nvcc_is_told_and_the_cpu_device_used(
    flow: Flow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gpu = tmp_path / "gpu"
    gpu.write_text("count_error=0\ndevices=1\ndriver_version=13000\ndevice0=Test GPU;cc=9.0\n")
    monkeypatch.setenv("DOCTOR_PROBE", str(gpu))
    lacks = {"gpu": "nvcc was not found"}
    monkeypatch.setattr(programs, "lacking", lambda device, **_: lacks.get(device))
    monkeypatch.setattr(ready, "all_there", lambda parts: True)
    from tools.console import Console

    chosen, why_not = ready.devices(None, Console())
    assert (chosen, why_not) == (["cpu"], {"gpu": "Nvcc was not found."})


def test_the_library_is_built_when_it_is_missing(
    flow: Flow, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tools import meson
    from tools.console import Console

    asked = []
    monkeypatch.setattr(programs, "lacking", lambda device, **_: None)
    monkeypatch.setattr(ready, "all_there", lambda parts: False)
    monkeypatch.setattr(meson, "find", lambda program: Path("/usr/bin/true"))
    monkeypatch.setattr(meson, "up_to_date", lambda target: False)
    monkeypatch.setattr(meson, "compile", lambda console, targets, title: asked.append(targets))
    ready.make_ready("cpu", Console())
    assert asked == [["src/coalesce/libcoalesce-cpu.a", "src/cpu_device/libcpu_device.a"]]


# --- Exercises -----------------------------------------------------------------------------------


def test_an_exercise_is_checked_case_by_case(built: Flow) -> None:
    built("start", "02.1")
    said = built("check", "02.1")
    assert said.code == 1
    assert "✗ n = 1\n" in said.out
    solution = tasks.find("02.1").folder / "solution.cu"
    (built.work / "02.1" / "number_the_elements.cu").write_text(solution.read_text())
    said = built("check", "2.1")
    assert said.code == 0, said.all
    assert "✓ n = 1\n" in said.out


def test_a_problem_in_an_exercise_is_the_cpu_devices(tmp_path: Path) -> None:
    problem = {"kind": "race", "message": "two threads", "file": "work/x.cu", "line": 3}
    program = tmp_path / "check"
    program.write_text(
        f"#!/bin/sh\necho '{json.dumps({'problems': [problem]})}' > $CPU_DEVICE_REPORT\n"
        "echo 'right n = 1'\necho 'All cases are right.'\nexit 86\n"
    )
    program.chmod(0o755)
    right, runs = properties.cases(program, "cpu")
    assert right.right
    (found,) = runs.findings
    assert (found.reason, found.where, found.by_cpu_device) == ("race", "work/x.cu:3", True)


@pytest.mark.parametrize(("text", "sentence"), [
    ("int main() {}\n", "Your file has its own main"),
    ("int other() { return 1; }\n", "Your files lack add_its_number"),
])  # fmt: skip
def test_an_exercise_that_cannot_be_linked_is_explained(
    built: Flow, text: str, sentence: str
) -> None:
    (built.work / "01.1").mkdir(parents=True)
    (built.work / "01.1" / "add_its_number.cu").write_text(text)
    said = built("check", "01.1")
    assert said.code == 1
    assert sentence in said.out


def test_lines_of_an_exercise_are_told_apart(tmp_path: Path) -> None:
    program = tmp_path / "check"
    program.write_text(
        "#!/bin/sh\necho 'right a: b'\necho 'WRONG 1 row: element 0 is 1: bad'\n"
        "echo 'something of the reader'\necho 'Not yet.'\nexit 1\n"
    )
    program.chmod(0o755)
    right, wrong = properties.cases(program, "gpu")
    assert right.right
    assert not wrong.right
    assert wrong.title == "1 row"
    assert wrong.findings[0].message == "element 0 is 1: bad"


def test_an_exercise_that_crashes_before_any_case_is_not_right(tmp_path: Path) -> None:
    program = tmp_path / "check"
    program.write_text("#!/bin/sh\nkill -SEGV $$\n")
    program.chmod(0o755)
    (only,) = properties.cases(program, "gpu")
    assert not only.right
    assert "by signal SIGSEGV" in only.findings[0].message


def test_an_exercise_that_leaves_before_its_check_is_not_right(tmp_path: Path) -> None:
    program = tmp_path / "check"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    (only,) = properties.cases(program, "gpu")
    assert not only.right


# --- Reset and solution --------------------------------------------------------------------------


@pytest.mark.parametrize("action", ["reset", "solution"])
def test_without_a_terminal_nobody_is_asked(flow: Flow, action: str) -> None:
    flow.write()
    said = flow(action, "9.1")
    assert said.code == 2
    assert "--yes" in said.err
    assert sorted(path.name for path in flow.file("").iterdir()) == ["halve.cu"]


def test_reset_keeps_what_was_written(flow: Flow) -> None:
    flow("start", "9.1")
    flow.write()
    flow.file("answers.md").write_text("mine\n")
    for number in (1, 2):
        assert flow("reset", "9.1", "--yes").code == 0
        kept = sorted(flow.file("").glob("kept-*/halve.cu"))
        assert len(kept) == number
        assert "// Your code here." in flow.text
    assert "in[i] / 2" in kept[0].read_text() + kept[1].read_text()
    assert flow.file("answers.md").read_text() == "mine\n"


def test_reset_can_be_declined(flow: Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    from tools.labs import consent

    monkeypatch.setattr(consent.sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda question: "n")
    flow.write()
    said = flow("reset", "9.1")
    assert said.code == 0
    assert "Left as it is." in said.out
    assert "in[i] / 2" in flow.text


def test_the_solution_lies_beside_and_has_no_tags(flow: Flow) -> None:
    flow("start", "9.1")
    assert flow("solution", "9.1", "--yes").code == 0
    shown = flow.file("solution/halve.cu").read_text()
    assert "in[i] / 2" in shown
    assert "[answer]" not in shown
    assert "// Your code here." in flow.text


# --- Compilers' words ----------------------------------------------------------------------------


def test_the_first_errors_of_each_compiler_are_kept() -> None:
    more = "   3 | foo\n     | ^\nx.cu:9:1: note: z\n"
    first = f"{paths.REPO}/work/x.cu"
    clang = "".join(f"{first}:{n}:3: error: unknown {n}\n{more}" for n in range(1, 6))
    said = diagnostics.short_errors(clang)
    assert said.count("error:") == 3
    assert said.startswith("work/x.cu:1:3: error: unknown 1\n   3 | foo")
    assert "note" not in said
    assert said.endswith("… and 2 more errors")
    nvcc = 'x.cu(4): error: identifier "foo" is undefined\n    foo = 3;\n    ^\n\n1 error detected'
    assert diagnostics.short_errors(nvcc).startswith("x.cu(4): error: identifier")
    assert diagnostics.short_errors("something else") == "something else"


def test_the_record_names_what_was_checked(built: Flow) -> None:
    built.write()
    built("check", "9.1")
    record = json.loads(built.file(".lab.json").read_text())
    assert record["checks"]["cpu"]["passed"] is True
    assert set(record["checks"]["cpu"]["hashes"]) == {"halve.cu"}
    assert catalog.read(HALVE).number == "9.1"
