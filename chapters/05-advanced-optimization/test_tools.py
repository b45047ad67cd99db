"""What the page about the tools claims beyond its programs' answers: counts, code, pictures."""

from __future__ import annotations

import functools
import json
import math
import os
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.chapters import support
from tools.counters import from_cpu_device

CHAPTER = Path(__file__).resolve().parent
PAGE = (CHAPTER / "tools.md").read_text(encoding="utf-8")
PICTURES = sorted((CHAPTER / "pictures").glob("tools_*.svg"))
PROGRAM = support.BUILD / "chapters" / "05-advanced-optimization-cpu"
N = 4096  # 128 warps, 4 tiles


# Counts on the CPU device ------------------------------------------------------------------------


@functools.cache
def report(step: str, variant: str = "") -> Path:
    """The CPU device's report of a step on N elements."""
    if not PROGRAM.is_file():
        pytest.skip(f"{PROGRAM} is not built")
    folder = support.BUILD / "chapter-tests"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"tools-{step}{variant.replace(':', '-')}-{os.getpid()}.json"
    command = [PROGRAM, "run", step, "--n", str(N), *(["--variant", variant] if variant else [])]
    environment = os.environ | {"CPU_DEVICE_REPORT": str(path)}
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    return path


def counts(step: str, variant: str = "") -> dict[str, float]:
    return from_cpu_device(report(step, variant))[0]


def divergent_blocks(step: str, variant: str = "") -> int:
    """Basic blocks that only a part of a warp's lanes executed."""
    launches = json.loads(report(step, variant).read_text("utf-8"))["kernels"]
    return launches[-1]["divergent_basic_blocks"]


@pytest.mark.parametrize("pitch", range(32, 64))
def test_passes_are_the_common_divisor_of_pitch_and_banks(pitch: int) -> None:
    counted = counts("rows_by_4_bytes", f"pitch:{pitch}")
    requests = N // 32
    assert counted["shared_load_instructions"] == requests
    assert counted["shared_load_wavefronts"] == requests * math.gcd(pitch, 32)
    assert counted["shared_store_conflicts"] == 0, "along the rows there is none"


def test_the_pages_table_of_passes_is_the_rule() -> None:
    head = re.search(r"^\| pitch \|(.*)\|$", PAGE, re.MULTILINE)
    body = re.search(r"^\| passes a request \|(.*)\|$", PAGE, re.MULTILINE)
    assert head and body
    for pitches, passes in zip(head[1].split("|"), body[1].split("|"), strict=True):
        for pitch in re.findall(r"\d+", pitches):
            assert math.gcd(int(pitch), 32) == int(passes), pitch


def test_reversing_touches_the_same_sectors_both_ways() -> None:
    direct, shared = counts("reverse_direct"), counts("reverse_shared")
    for name in ("load_sectors", "store_sectors", "load_requests", "store_requests"):
        assert direct[name] == shared[name]
    assert direct["load_sectors"] == 4 * direct["load_requests"]
    assert shared["shared_load_conflicts"] == 0


def test_atomics_of_a_warp_travel_as_one_request() -> None:
    assert counts("count_by_thread")["atomic_requests"] == N // 32
    assert counts("count_by_warp")["atomic_requests"] == N // 32
    assert counts("count_by_block")["atomic_requests"] == N // 256


def test_only_lanes_that_disagree_diverge() -> None:
    assert divergent_blocks("two_ways_by_lane") > 0
    assert divergent_blocks("two_ways_by_warp") == 0
    assert divergent_blocks("trips_by_lane") > 0
    assert divergent_blocks("trips_by_warp") == 0
    assert divergent_blocks("many_ways", "ways:1") == 0
    assert divergent_blocks("many_ways", "ways:32") > divergent_blocks("many_ways", "ways:2") > 0


def test_new_numbering_costs_sectors() -> None:
    sectors = {
        step: counts(step)["load_sectors"] / counts(step)["load_requests"]
        for step in ("two_ways_by_lane", "two_ways_by_warp", "trips_by_lane", "trips_by_warp")
    }
    assert list(sectors.values()) == [4, 8, 4, 32]


def test_shuffle_leaves_shared_memory_alone() -> None:
    shared, shuffled = counts("warp_sum_shared"), counts("warp_sum_shuffle")
    warps = N // 32
    assert shared["shared_load_instructions"] == shared["shared_store_instructions"] == 5 * warps
    assert "shared_load_instructions" not in shuffled


def test_swizzled_tile_has_no_conflicts(tmp_path: Path) -> None:
    """Exercise 8: neither side of its solution meets a bank twice."""
    reason = support.lacking("cpu", library=True)
    if reason:
        pytest.skip(reason)
    exercise = CHAPTER / "exercises" / "8-swizzle"
    check, said = support.build("cpu", [exercise / "check.cpp"], includes=[exercise], suffix=".o")
    assert check, said.output
    program, said = support.build(
        "cpu", [check, exercise / "solution.cu"], includes=[exercise], library=True
    )
    assert program, said.output
    path = tmp_path / "report.json"
    environment = os.environ | {"CPU_DEVICE_REPORT": str(path)}
    subprocess.run([program], env=environment, stdout=subprocess.DEVNULL, check=True)
    launches = json.loads(path.read_text("utf-8"))["kernels"]
    lines = [line for one in launches for line in one["lines"] if line["space"] == "shared"]
    assert {line["op"] for line in lines} == {"load", "store"}
    assert all(line["conflicts"] == 0 for line in lines)


# The compiler's code -----------------------------------------------------------------------------


def ptx_of(source: str, tmp_path: Path) -> str:
    reason = support.lacking("nvcc")
    if reason:
        pytest.skip(reason)
    target = tmp_path / "kernel.ptx"
    flags = ["-arch=sm_90", "-O3", "-std=c++20", f"-I{support.ROOT / 'src'}"]
    subprocess.run(
        [support.tool("nvcc"), *flags, "-ptx", CHAPTER / source, "-o", target], check=True
    )
    return target.read_text(encoding="utf-8")


def test_atomics_without_a_result_are_sent_off(tmp_path: Path) -> None:
    text = ptx_of("tool06_histogram_global.cu", tmp_path)
    assert "red.global.add" in text or "atom.global.add" in text


def test_sixteen_bytes_are_one_load(tmp_path: Path) -> None:
    assert "ld.shared.v4.u32" in ptx_of("tool15_rows_by_16_bytes.cu", tmp_path)


def test_plain_warp_sum_loads_before_it_stores(tmp_path: Path) -> None:
    """The five loads of other lanes' places stand before the store of the own sum."""
    text = ptx_of("broken/plain_warp_sum.cu", tmp_path)
    body = text[text.index(".entry") :]
    operations = re.findall(r"\b(ld|st)\.(?:volatile\.)?shared", body)
    last_store = len(operations) - 1 - operations[::-1].index("st")
    assert operations[:last_store].count("ld") >= 4


# The page ----------------------------------------------------------------------------------------

BROKEN = (  # those of the table of checks
    "barrier_in_branch",
    "message_without_fence",
    "missing_barrier",
    "padding_breaks_16_bytes",
    "plain_warp_sum",
    "racy_increment",
)


@pytest.mark.parametrize("name", BROKEN)
def test_broken_program_is_on_the_page(name: str) -> None:
    assert (CHAPTER / "broken" / f"{name}.cu").is_file()
    assert f"broken/{name}.cu" in PAGE


@pytest.mark.parametrize("name", BROKEN)
def test_the_pages_table_says_what_the_checks_find(name: str) -> None:
    """A cell says "finds it" where the program expects to be found, and only there."""
    row = re.search(rf"^\| `{name}` \|(.*)\|$", PAGE, re.MULTILINE)
    assert row, name
    cells = [cell.strip() for cell in row[1].split("|")]
    wanted = support.expectations(CHAPTER / "broken" / f"{name}.cu")
    for device, cell in zip(("racecheck", "synccheck", "cpu"), cells[1:], strict=True):
        codes = {one.code for one in wanted if one.device == device}
        assert cell == ("finds it" if codes == {86} else "–"), (name, device)


def test_steps_that_the_page_compares_differ_in_their_idea_only() -> None:
    def kernel(name: str) -> list[str]:
        text = (CHAPTER / name).read_text(encoding="utf-8")
        return text.split("// [kernel]")[1].split("// [/kernel]")[0].splitlines()

    for one, other in (
        ("tool09_two_ways_by_lane.cu", "tool10_two_ways_by_warp.cu"),
        ("tool11_trips_by_lane.cu", "tool12_trips_by_warp.cu"),
    ):
        changed = [(a, b) for a, b in zip(kernel(one), kernel(other), strict=True) if a != b]
        assert len(changed) == 1, (one, other)


@pytest.mark.parametrize("picture", PICTURES, ids=[path.stem for path in PICTURES])
def test_picture_is_readable_everywhere(picture: Path) -> None:
    text = picture.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    names = {child.tag.rpartition("}")[2] for child in root}
    assert {"title", "desc"} <= names
    assert float(root.attrib["viewBox"].split()[2]) <= 640  # text stays readable on a phone
    assert f"pictures/{picture.name}" in PAGE
    without_fallbacks = re.sub(r"var\(--[a-z0-9-]+, #[0-9a-f]{6}\)", "", text)
    assert not re.search(r"#[0-9a-fA-F]{3,6}\b", re.sub(r"url\(#[^)]*\)", "", without_fallbacks))


# What finds what ---------------------------------------------------------------------------------

FOUND_ROWS = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", PAGE, re.M)


def finds(source: Path, device: str) -> bool:
    """Do the program's own expectations say that this tool always reports it?"""
    expected = support.expected_on(source, device)
    return bool(expected) and all(one.code == 86 for one in expected)


@pytest.mark.parametrize("row", FOUND_ROWS, ids=lambda row: row[0])
def test_the_table_of_tools_says_what_the_programs_expect(row: tuple[str, ...]) -> None:
    program, *cells = row
    source = CHAPTER / "broken" / f"{program}.cu"
    wanted = [finds(source, device) for device in ("racecheck", "synccheck", "cpu")]
    assert [cell == "finds it" for cell in cells] == wanted


def test_the_table_of_tools_is_found() -> None:
    assert len(FOUND_ROWS) == 6
