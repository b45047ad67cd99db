"""What the page of the integer ladder claims beyond right answers: code, diffs, pictures."""

from __future__ import annotations

import difflib
import functools
import re
import subprocess
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.chapters import support

CHAPTER = Path(__file__).resolve().parent
PAGE = (CHAPTER / "index.md").read_text(encoding="utf-8")
PICTURES = sorted((CHAPTER / "pictures").glob("ladder_*.svg"))
STEPS = sorted(
    CHAPTER.glob("step*_*.cu"), key=lambda path: int(re.search(r"step(\d+)", path.name)[1])
)
RECORDED = CHAPTER / "recorded" / "nvidia-h200"


# The compiler's code -----------------------------------------------------------------------------


@functools.cache
def compiled(step: str) -> tuple[str, str]:
    """PTX of a step, and what ptxas says of it, for sm_90."""
    reason = support.lacking("nvcc")
    if reason:
        pytest.skip(reason)
    (source,) = CHAPTER.glob(f"step*_{step}.cu")
    flags = ["-arch=sm_90", "-O3", "-std=c++20", f"-I{support.ROOT / 'src'}", f"-I{CHAPTER}"]
    nvcc = [support.tool("nvcc"), *flags]
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = Path(folder) / "step.ptx", Path(folder) / "step.cubin"
        subprocess.run([*nvcc, "-ptx", source, "-o", ptx], check=True, capture_output=True)
        ptxas = [Path(nvcc[0]).resolve().parent / "ptxas", "-arch=sm_90", "-v", ptx, "-o", cubin]
        told = subprocess.run(ptxas, check=True, capture_output=True, text=True)
        return ptx.read_text(encoding="utf-8"), told.stdout + told.stderr


def loops(ptx: str) -> list[str]:
    """Bodies of the innermost loops: from a label to the branch back to it."""
    return re.findall(r"^(?:\$L\w+):\n((?:(?!^\$L).*\n)*)", ptx, re.MULTILINE)


def most_in_a_loop(ptx: str, instruction: str) -> int:
    """Most occurrences of an instruction between two labels."""
    return max(len(re.findall(instruction, body)) for body in loops(ptx))


def test_grid_stride_has_eight_loads_before_the_first_addition() -> None:
    assert most_in_a_loop(compiled("grid_stride")[0], r"ld\.global\.u32") >= 8


def test_wide_loads_read_sixteen_bytes_four_times() -> None:
    assert most_in_a_loop(compiled("wide_loads")[0], r"ld\.global\.v4\.u32") >= 4


def test_tile_a_block_has_eight_wide_loads() -> None:
    assert (
        most_in_a_loop(
            compiled("tile_a_block")[0], r"ld\.global\.nc\.L1::no_allocate\.L2::cache_hint\.v4\.s32"
        )
        == 8
    )


def test_remainder_is_computed_in_the_first_tree_only() -> None:
    assert re.search(r"\brem\.u32", compiled("tree_divergent")[0])
    for step in ("tree_bank_conflicts", "tree_sequential"):
        assert not re.search(r"\brem\.", compiled(step)[0]), step


def test_shuffles_are_written_out() -> None:
    # Five rounds, twice, with two registers for a number of 64 bits.
    assert len(re.findall(r"shfl\.sync\.down", compiled("warp_shuffle")[0])) == 20


def test_one_launch_has_a_fence_on_either_side_of_the_ticket() -> None:
    order = re.findall(r"(membar\.gl|fence\.\w+|atom\.global)", compiled("one_launch")[0])
    kinds = ["ticket" if one.startswith("atom") else "fence" for one in order]
    assert kinds == ["fence", "ticket", "fence"]


def test_packed_ticket_has_fences_for_large_sums_only() -> None:
    body = (CHAPTER / "step12_packed_ticket.cu").read_text(encoding="utf-8")
    for fence in re.finditer("__threadfence", body):
        before = body[: fence.start()].rstrip().splitlines()[-2:]
        assert any("large" in line for line in before), before


@pytest.mark.parametrize("step", ["first_add_during_load", "warp_shuffle"])
def test_eight_blocks_of_256_threads_fit_as_the_page_says(step: str) -> None:
    registers = int(re.search(r"Used (\d+) registers", compiled(step)[1])[1])
    assert 65536 // (256 * 8 * -(-registers // 8)) >= 1  # registers are given out by eights
    assert 8 * 256 == 2048


# Steps -------------------------------------------------------------------------------------------


def kernel(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return text.split("// [kernel]")[1].split("// [/kernel]")[0].splitlines()


@pytest.mark.parametrize("number", range(1, 9))
def test_neighbouring_steps_differ_by_their_idea(number: int) -> None:
    old, new = kernel(STEPS[number - 1]), kernel(STEPS[number])
    changes = [
        line for line in difflib.ndiff(old, new) if line[:2] in ("+ ", "- ") and line[2:].strip()
    ]
    assert 1 <= len(changes) <= 22, "\n".join(changes)


def test_steps_are_short() -> None:
    for path in STEPS:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 85, path.name
        assert max(map(len, lines)) <= 110, path.name


def test_page_shows_every_step() -> None:
    for path in STEPS:
        assert re.search(rf"^```{{(snippet|step-diff)}} .*{path.name}", PAGE, re.MULTILINE), path


def test_fifth_round_takes_eight_passes_as_the_page_says() -> None:
    # Distance 16: thread t of one warp reads place 2 * 16 * t, for t below 8; 32 banks of 4 bytes.
    banks = [2 * 16 * t * 8 // 4 % 32 for t in range(8)]
    assert set(banks) == {0}


# Recordings from the reference GPU ---------------------------------------------------------------


def recorded(name: str) -> str:
    path = RECORDED / f"{name}.txt"
    if not path.is_file():
        pytest.skip(f"{path.relative_to(support.ROOT)} is not recorded yet")
    return path.read_text(encoding="utf-8")


def test_recorded_sums_without_fence_are_wrong() -> None:
    assert "right in 0 of 1000 launches" in recorded("no_fence")


def test_recorded_last_warp_is_right_by_luck() -> None:
    assert "sum 2080, which is right" in recorded("last_warp_without_sync")


# Pictures ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_picture_has_words_and_follows_the_theme(path: Path) -> None:
    root = ElementTree.parse(path).getroot()
    space = {"svg": "http://www.w3.org/2000/svg"}
    assert root.findtext("svg:title", namespaces=space)
    assert len(root.findtext("svg:desc", namespaces=space) or "") > 80
    text = path.read_text(encoding="utf-8")
    assert not re.search(r'(?:fill|stroke)="#', text)
    assert f"pictures/{path.name}" in PAGE
    width = float(root.get("viewBox").split()[2])
    for word in root.iter("{http://www.w3.org/2000/svg}text"):
        size = float(word.get("font-size"))
        # About half of the size for each letter; wider letters are caught by looking.
        long = 0.5 * size * len(word.text)
        x = float(word.get("x"))
        left = {"start": x, "middle": x - long / 2, "end": x - long}[word.get("text-anchor")]
        assert left >= -4 and left + long <= width + 4, word.text
