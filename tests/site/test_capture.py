"""Commands of the pages: found, run, normalised, kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import capture

PAGE = """\
# Page

```{console}
echo one > work.txt
echo two \\
  three
```

````{exercise} 1 Nested
```{console}
:exit: 3
cat work.txt; exit 3
```
````

:::{console}
:skip: needs root
sudo apt install doxygen
:::

```{console}
:needs: gpu
:recorded: hello
build/hello
```

````markdown
```{console}
this is only an example
```
````

```{goes-wrong} broken/no_guard.cu
:exit: 86
```
"""


@pytest.fixture
def repository(tmp_path: Path) -> capture.Repository:
    root = tmp_path / "repo"
    (root / "chapters" / "01-a").mkdir(parents=True)
    (root / "docs").mkdir()
    (root / "tools").mkdir()
    (root / "chapters" / "01-a" / "index.md").write_text(PAGE)
    return capture.Repository(root, tmp_path / "build")


def page_of(repository: capture.Repository, text: str) -> Path:
    page = repository.root / "chapters" / "01-a" / "index.md"
    page.write_text(text)
    return page


def console(*lines: str) -> str:
    return "\n".join(["```{console}", *lines, "```", ""])


def test_blocks_are_found_in_order_also_inside_others(repository: capture.Repository) -> None:
    blocks = capture.find_blocks(repository.root / "chapters" / "01-a" / "index.md")
    assert [block.commands[0].split()[0] for block in blocks] == [
        "echo", "cat", "sudo", "build/hello", "src/cpu_device/cpucc",
    ]  # fmt: skip
    assert blocks[0].commands[1] == "echo two \\\n  three"
    assert [block.expected for block in blocks] == [0, 3, 0, 0, 86]
    assert [block.line for block in blocks] == [3, 10, 16, 21, 33]


def test_a_block_that_cannot_run_says_why(repository: capture.Repository) -> None:
    report = capture.capture_page(repository, page_of(repository, PAGE.split("```{goes")[0]))
    assert report.skipped == [
        ("chapters/01-a/index.md:16", "sudo apt install doxygen", "needs root")
    ]
    assert (report.ran, report.recorded, report.failed) == (2, 1, [])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (":skip:\necho", "must give the reason"),
        (":needs: gpu\necho", "wants :recorded:"),
        (":exit: never\necho", ":exit: takes a number"),
        (":exit: 1", "without a command"),
    ],
)
def test_a_block_with_a_fault_is_refused(tmp_path: Path, options: str, says: str) -> None:
    text = f"```{{console}}\n{options}\n```\n"
    with pytest.raises(capture.CaptureError) as caught:
        capture.find_blocks(tmp_path / "index.md", text)
    assert says in str(caught.value) and "index.md:1" in str(caught.value)


def test_output_and_exit_code_are_kept(repository: capture.Repository) -> None:
    page = page_of(repository, console("echo hello; echo problem >&2"))
    capture.capture_page(repository, page)
    ((_, key),) = capture.keyed_blocks(repository, page)
    result = capture.load(repository, key)
    assert result.commands == [
        {"command": "echo hello; echo problem >&2", "exit": 0, "output": "hello\nproblem"}
    ]


def test_a_wrong_exit_code_fails_and_is_not_kept(repository: capture.Repository) -> None:
    page = page_of(repository, console("echo because; false"))
    for _ in range(2):
        report = capture.capture_page(repository, page)
        assert len(report.failed) == 1
        assert "ended with 1, expected 0" in report.failed[0][1]
        assert "because" in report.failed[0][1]


def test_only_the_last_command_may_end_as_the_option_says(repository: capture.Repository) -> None:
    page = page_of(repository, console(":exit: 1", "false", "true"))
    assert "`false` ended with 1, expected 0" in capture.capture_page(repository, page).failed[0][1]


def test_a_program_that_must_fail_and_does_not_is_a_failure(repository) -> None:
    page = page_of(repository, "```{goes-wrong} broken/a.cu\n:command: true && true\n```\n")
    report = capture.capture_page(repository, page)
    assert "expected failure" in report.failed[0][1]


def test_a_program_that_must_fail_may_fail_at_any_command(repository) -> None:
    page = page_of(repository, "```{goes-wrong} broken/a.cu\n:command: false && true\n```\n")
    assert capture.capture_page(repository, page).failed == []


def test_nothing_is_run_twice_until_something_changes(repository: capture.Repository) -> None:
    source = repository.root / "chapters" / "01-a" / "data.txt"
    source.write_text("one")
    page = page_of(repository, console("cat chapters/01-a/data.txt"))
    fresh = lambda: capture.Repository(repository.root, repository.build)  # noqa: E731
    assert capture.capture_page(fresh(), page).ran == 1
    assert capture.capture_page(fresh(), page).cached == 1
    source.write_text("two")
    assert capture.capture_page(fresh(), page).ran == 1


def test_what_a_command_writes_does_not_make_it_run_again(repository: capture.Repository) -> None:
    source = repository.root / "chapters" / "01-a" / "step.sh"
    source.write_text("echo hello")
    build = "mkdir -p work/01; cp chapters/01-a/step.sh work/01/step"
    text = console(build, "cat chapters/01-a/step.sh > work/01/out", "bash work/01/step")
    page = page_of(repository, text + console("cat work/01/out"))
    fresh = lambda: capture.Repository(repository.root, repository.build)  # noqa: E731
    assert capture.capture_page(fresh(), page).failed == []
    (repository.root / "work" / "01" / "out").write_text("touched by a later run")
    assert capture.capture_page(fresh(), page).ran == 0


def test_a_program_compiled_on_the_page_is_no_input_of_its_block(repository) -> None:
    compiler = repository.root / "src" / "cpu_device" / "cpucc"
    compiler.parent.mkdir(parents=True)
    compiler.write_text("#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\n"
                        "printf '#!/bin/sh\\nexit 86' > $1; chmod +x $1\n")  # fmt: skip
    compiler.chmod(0o755)
    page = page_of(repository, "```{goes-wrong} broken/a.cu\n:exit: 86\n```\n")
    fresh = lambda: capture.Repository(repository.root, repository.build)  # noqa: E731
    assert capture.capture_page(fresh(), page).failed == []
    assert capture.capture_page(fresh(), page).ran == 0
    assert (repository.root / "work" / "01" / "a").is_file()


def test_a_changed_program_runs_its_commands_again(repository: capture.Repository) -> None:
    program = repository.build / "chapters" / "01-a-cpu"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\necho one\n")
    program.chmod(0o755)
    page = page_of(repository, console("./course run 1 hello"))
    ((_, before),) = capture.keyed_blocks(repository, page)
    program.write_text("#!/bin/sh\necho two\n")
    ((_, after),) = capture.keyed_blocks(
        capture.Repository(repository.root, repository.build), page
    )
    assert before != after


def test_later_blocks_find_what_earlier_ones_wrote(repository: capture.Repository) -> None:
    text = console("echo first > note.txt") + console("cat note.txt")
    page = page_of(repository, text)
    assert capture.capture_page(repository, page).failed == []
    (repository.root / "note.txt").unlink()
    page.write_text(text.replace("cat note.txt", "wc -c < note.txt"))
    report = capture.capture_page(capture.Repository(repository.root, repository.build), page)
    assert report.failed == [] and report.ran == 2


def test_a_command_that_never_ends_is_stopped_with_its_children(repository, monkeypatch) -> None:
    code, text = capture.run_command("sleep 60 & echo begun; wait", repository.root, timeout=0.5)
    assert code == -1
    assert text.startswith("begun") and "stopped after" in text


def test_no_gpu_is_there_and_none_is_pretended(repository, monkeypatch) -> None:
    monkeypatch.setenv("CPU_DEVICE_AS", "h200")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    _, text = capture.run_command("env", repository.root)
    lines = text.splitlines()
    assert "CUDA_VISIBLE_DEVICES=" in lines
    assert not [line for line in lines if line.startswith("CPU_DEVICE_")]
    assert "NO_COLOR=1" in lines


@pytest.mark.parametrize(
    ("printed", "kept"),
    [
        ("took 0.123 s", "took … s"),
        ("took 12\u202fms, then 3 min", "took … ms, then … min"),
        ("built at 2025-12-01T12:30:11Z", "built at …"),
        ("built at 12:30:11", "built at …"),
        ("pointer 0x7f12ab34cd56", "pointer 0x…"),
        ("mask 0xffffffff", "mask 0xffffffff"),
        ("==4711== ERROR", "==…== ERROR"),
        ("process 4711 ended", "process … ended"),
        ("see /tmp/tmpab12/out.txt: bad", "see /tmp/…: bad"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("10 %\r20 %\rdone", "done"),
        ("32 sectors, 4 requests", "32 sectors, 4 requests"),
        ("sum 29884416 of 1048576 numbers", "sum 29884416 of 1048576 numbers"),
    ],
)
def test_volatile_parts_are_taken_out(printed: str, kept: str, tmp_path: Path) -> None:
    assert capture.normalise(printed, tmp_path) == kept


def test_the_place_of_the_checkout_is_not_shown(tmp_path: Path) -> None:
    text = f"{tmp_path}/chapters/01-a/step.cu:3: error"
    assert capture.normalise(text, tmp_path) == "~/coalesce/chapters/01-a/step.cu:3: error"


def test_recorded_output_has_command_facts_and_text(tmp_path: Path) -> None:
    folder = tmp_path / "chapters" / "01-a" / "recorded" / "nvidia-h200"
    folder.mkdir(parents=True)
    (folder / "hello.txt").write_text("$ build/hello\n#: driver: 580\nhello\n  world\n")
    recorded = capture.recorded_output(tmp_path, "01-a", "nvidia-h200", "hello")
    assert recorded["command"] == "build/hello"
    assert recorded["facts"] == {"driver": "580"}
    assert recorded["output"] == "hello\n  world"
    with pytest.raises(capture.CaptureError, match="no recorded output"):
        capture.recorded_output(tmp_path, "01-a", "nvidia-h200", "other")


def test_every_block_of_the_pages_can_be_understood() -> None:
    root = Path(capture.__file__).resolve().parent.parent
    for page in capture.pages(root):
        capture.find_blocks(page)
