"""The table behind the troubleshooting page: nothing without proof, nothing unreachable."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chapters import support
from tools import paths, troubles

ENTRIES, NUMBERS = troubles.everything()
OURS = [entry for entry in ENTRIES.values() if entry.group != troubles.MACHINE]
MACHINE = [entry for entry in ENTRIES.values() if entry.group == troubles.MACHINE]
PAGE = paths.REPO / "chapters/01-environment/troubleshooting.md"


def of(entries: list[troubles.Trouble]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("entry", entries, ids=lambda entry: entry.id)


# Proofs ------------------------------------------------------------------------------------------


def proofs(ending: str) -> list[str]:
    found = {proof for entry in ENTRIES.values() for proof in entry.shown_by}
    return sorted(proof for proof in found if proof.partition("::")[0].endswith(ending))


@of(list(ENTRIES.values()))
def test_no_entry_is_without_a_proof(entry: troubles.Trouble) -> None:
    assert entry.shown_by
    for proof in entry.shown_by:
        assert (paths.REPO / proof.partition("::")[0]).is_file(), proof


@pytest.mark.parametrize("proof", proofs(".cu"))
def test_a_program_that_proves_something_is_run(proof: str) -> None:
    path = paths.REPO / proof
    programs = (paths.REPO / "tests/troubles/programs").glob("*.cu")
    assert path in {*support.broken_programs(), *programs}
    assert any(not one.skip for one in support.expectations(path))


def sources_of_tests() -> str:
    files = ["tests/meson.build", "chapters/meson.build"]
    return "\n".join((paths.REPO / name).read_text(encoding="utf-8") for name in files)


@pytest.mark.parametrize("proof", proofs(".cpp"))
def test_a_googletest_that_proves_something_is_built(proof: str) -> None:
    name, _, case = proof.partition("::")
    suite, _, test = case.partition(".")
    text = (paths.REPO / name).read_text(encoding="utf-8")
    assert re.search(rf"\bTEST(_F|_P)?\({suite}, {test}\)", text)
    part = Path(name).stem.removesuffix("_test")
    assert f"'{part}'" in sources_of_tests() or f"'{Path(name).name}'" in sources_of_tests()


@pytest.fixture(scope="session")
def collected() -> set[str]:
    """Names of what pytest collects from the files that prove something."""
    files = sorted({proof.partition("::")[0] for proof in proofs(".py")})
    found: set[str] = set()
    for folder in sorted({str(Path(name).parent) for name in files}):
        here = [name for name in files if str(Path(name).parent) == folder]
        target = ["tests/chapters"] if folder.startswith("chapters/") else here
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--no-header", *target]
        done = subprocess.run(command, cwd=paths.REPO, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 5), done.stdout[-2000:]
        found |= {line.partition("[")[0] for line in done.stdout.splitlines() if "::" in line}
    return found


@pytest.mark.parametrize("proof", proofs(".py"))
def test_a_python_test_that_proves_something_is_collected(proof: str, collected: set[str]) -> None:
    path, _, name = proof.partition("::")
    assert any(one.endswith(f"::{name}") and Path(path).name in one for one in collected), proof


# Entries -----------------------------------------------------------------------------------------


@of(list(ENTRIES.values()))
def test_an_entry_is_short_and_whole(entry: troubles.Trouble) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry.id)
    assert len(entry.cause) < 260
    assert entry.cause.endswith((".", ")"))
    assert all(0 < len(step) < 260 for step in entry.cure)
    for source in entry.sources:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+#\d+|[A-Z][^#]+", source)
    for page in entry.met:
        assert (paths.REPO / "chapters" / f"{page}.md").is_file(), page


def test_what_is_seen_is_said_once() -> None:
    seen = [message for entry in ENTRIES.values() for message in (entry.symptom, *entry.also)]
    assert len(seen) == len(set(seen))


def test_every_entry_of_the_log_has_its_place() -> None:
    """Numbers of the log that are not the doctor's."""
    import tomllib

    raw = tomllib.loads(troubles.DATA.read_text(encoding="utf-8"))["trouble"]
    logged = [number for entry in raw for number in entry["log"]]
    assert len(set(logged)) == 60


def test_the_page_shows_every_group_once() -> None:
    shown = re.findall(r"^```\{troubles\} (\w+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(shown) == sorted((troubles.MACHINE, *troubles.GROUPS))


def test_every_rule_of_the_doctor_with_a_symptom_is_an_entry() -> None:
    from tools.doctor.rules import all_rules

    wanted = {rule.id for rule in all_rules() if rule.symptom}
    assert len(wanted) > 30
    assert wanted == {entry.id for entry in MACHINE}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda raw: raw.pop("cause"), "lacks cause"),
        (lambda raw: raw.update(advice="none"), "unknown keys: advice"),
        (lambda raw: raw.update(group="nowhere"), "in no group"),
    ],
)
def test_an_entry_that_cannot_be_used_is_named(change, complaint: str) -> None:
    raw = {
        "id": "made-up", "group": "stops", "symptom": "s", "cause": "c.", "cure": "d", "met": [],
        "sources": [], "shown_by": [], "log": [],
    }  # fmt: skip
    change(raw)
    with pytest.raises(troubles.TroubleError, match=f"made-up .*{complaint}"):
        troubles._entry(raw)


# Numbers of errors -------------------------------------------------------------------------------


def numbers_that_programs_name() -> set[int]:
    """Those of src/coalesce/error.cpp that get a sentence, so that messages link to their row."""
    text = (paths.REPO / "src/coalesce/error.cpp").read_text(encoding="utf-8")
    table = re.search(r"enum code_number : int \{(.*?)\};", text, re.DOTALL)[1]
    named = {name: int(number) for name, number in re.findall(r"(\w+) = (\d+)", table)}
    first, last = named.pop("stream_capture_first"), named.pop("stream_capture_last")
    del named["cudart_unloading"]  # silent: the process is ending
    return set(named.values()) | set(range(first, last + 1))


def test_every_number_that_a_program_explains_has_a_row() -> None:
    assert numbers_that_programs_name() == {one.number for one in NUMBERS}


@pytest.mark.parametrize("one", NUMBERS, ids=lambda one: str(one.number))
def test_a_number_leads_to_entries(one: troubles.ErrorNumber) -> None:
    assert one.see
    assert set(one.see) <= ENTRIES.keys()


@pytest.fixture(scope="session")
def names_of_the_toolkit() -> dict[int, str]:
    nvcc = support.tool("nvcc")
    header = Path(nvcc or "/x").resolve().parent.parent / "include" / "driver_types.h"
    if not header.is_file():
        pytest.skip("the toolkit's headers were not found")
    text = header.read_text(encoding="utf-8", errors="replace")
    return {int(n): name for name, n in re.findall(r"^\s*(cudaError\w+)\s*=\s*(\d+)", text, re.M)}


@pytest.mark.parametrize("one", NUMBERS, ids=lambda one: str(one.number))
def test_a_number_has_the_toolkits_name(
    one: troubles.ErrorNumber, names_of_the_toolkit: dict[int, str]
) -> None:
    if one.number not in names_of_the_toolkit:
        pytest.skip(f"this toolkit has no error {one.number}")
    assert names_of_the_toolkit[one.number] == one.name


QUOTED = re.compile(r"^(?P<text>[a-z][\w ,'-]+?) \((?P<name>cudaError\w+), (?P<number>\d+)\)")


@of([entry for entry in OURS if QUOTED.match(entry.symptom)])
def test_a_quoted_message_is_cudas_own(entry: troubles.Trouble, tmp_path: Path) -> None:
    if reason := support.lacking("nvcc"):
        pytest.skip(reason)
    quoted = QUOTED.match(entry.symptom)
    assert next(n.name for n in NUMBERS if n.number == int(quoted["number"])) == quoted["name"]
    assert quoted["text"] == messages()[int(quoted["number"])]


def messages() -> dict[int, str]:
    """What the runtime's cudaGetErrorString says, which needs no GPU."""
    if not _messages:
        source = support.BUILD / "chapter-tests" / "error_strings.cu"
        source.parent.mkdir(parents=True, exist_ok=True)
        rows = "".join(
            f'  std::printf("{n.number} %s\\n", cudaGetErrorString((cudaError_t){n.number}));\n'
            for n in NUMBERS
        )
        source.write_text(f"#include <cstdio>\nint main() {{\n{rows}}}\n", encoding="utf-8")
        program, said = support.build("gpu", [source])
        assert program, said.output
        printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
        for line in printed.splitlines():
            number, _, text = line.partition(" ")
            _messages[int(number)] = text
    return _messages


_messages: dict[int, str] = {}


# The rendered page -------------------------------------------------------------------------------


def test_the_rendered_page_has_every_anchor_and_every_message() -> None:
    path = paths.build_dir() / "site/chapters/01-environment/troubleshooting.html"
    if not path.is_file():
        pytest.skip("the site is not rendered: run ./course site")
    import html

    text = path.read_text(encoding="utf-8")
    plain = html.unescape(re.sub(r"<[^>]*>", "", text)).replace("\N{NO-BREAK SPACE}", " ")
    for entry in ENTRIES.values():
        assert f'id="{entry.id}"' in text, entry.id
        for message in (entry.symptom, *entry.also):
            assert message in plain, message
    for one in NUMBERS:
        assert f'id="error-{one.number}"' in text
