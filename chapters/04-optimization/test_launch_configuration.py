"""What the page on launch configuration claims beyond its programs' answers."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.chapters import support

CHAPTER = Path(__file__).resolve().parent
PAGE = (CHAPTER / "launch-configuration.md").read_text(encoding="utf-8")
PICTURES = sorted({CHAPTER / name for name in re.findall(r"pictures/\w+\.svg", PAGE)})
RECORDED = CHAPTER / "recorded" / "nvidia-h200"


# The compiler's code -----------------------------------------------------------------------------


def ptx_of(text: str, tmp_path: Path) -> str:
    """PTX of a source of this chapter, given as text."""
    reason = support.lacking("nvcc")
    if reason:
        pytest.skip(reason)
    source, ptx = tmp_path / "kernel.cu", tmp_path / "kernel.ptx"
    source.write_text(text, encoding="utf-8")
    flags = ["-arch=sm_90", "-O3", "-std=c++20", f"-I{support.ROOT / 'src'}", f"-I{CHAPTER}"]
    subprocess.run([support.tool("nvcc"), *flags, "-ptx", source, "-o", ptx], check=True)
    return ptx.read_text(encoding="utf-8")


def source_of(name: str) -> str:
    return (CHAPTER / name).read_text(encoding="utf-8")


def accesses(ptx: str) -> list[str]:
    """Loads and stores of device memory in their order: ld.v4, st, …"""
    found = re.findall(r"^\s+(ld|st)\.global(\S*)", ptx, re.MULTILINE)
    return [what + (".v4" if "v4" in more else "") for what, more in found]


def test_float4_is_one_instruction(tmp_path: Path) -> None:
    found = accesses(ptx_of(source_of("add5_float4_a_thread.cu"), tmp_path))
    assert found.count("ld.v4") == 2
    assert found.count("st.v4") == 1


def test_several_elements_are_loaded_before_the_first_store(tmp_path: Path) -> None:
    ptx = ptx_of(source_of("add4_several_a_thread.cu"), tmp_path)
    kernels = re.split(r"^\.visible \.entry|^\.entry", ptx, flags=re.MULTILINE)[1:]
    assert sorted(accesses(kernel).count("st") for kernel in kernels) == [2, 4, 8]
    for kernel in kernels:
        order = accesses(kernel)
        count = order.count("st")
        assert order == ["ld"] * (2 * count) + ["st"] * count


def test_restrict_changes_no_load_and_no_store(tmp_path: Path) -> None:
    plain = source_of("add1_one_element_a_thread.cu")
    promised = plain.replace("const float* a, const float* b", "const float* __restrict__ a, "
                             "const float* __restrict__ b").replace(
        "float* c) {", "float* __restrict__ c) {")  # fmt: skip
    assert promised.count("__restrict__") == 3
    assert accesses(ptx_of(plain, tmp_path)) == accesses(ptx_of(promised, tmp_path))
    assert accesses(ptx_of(plain, tmp_path)) == ["ld", "ld", "st"]


def test_bulk_copies_are_instructions_of_their_own(tmp_path: Path) -> None:
    ptx = ptx_of(source_of("add9_bulk_copy.cu"), tmp_path)
    assert ptx.count("cp.async.bulk.shared::cluster.global.mbarrier") >= 2


# Theoretical occupancy ---------------------------------------------------------------------------


def map_in(text: str) -> dict[tuple[int, int], int]:
    """Occupancy in percent by shape, from the first map in a text."""
    table: dict[tuple[int, int], int] = {}
    for line in text.splitlines():
        match = re.match(r"\s*(\d+) ((?:\s*\d+ %)+)$", line)
        if match and (1, int(match[1])) not in table:
            for power, share in enumerate(re.findall(r"(\d+) %", match[2])):
                table[2**power, int(match[1])] = int(share)
    return table


def shares(device: str) -> dict[tuple[int, int], int]:
    """Theoretical occupancy as the CPU device computes it for a GPU."""
    binary = support.BUILD / "chapters" / "04-optimization-cpu"
    if not binary.is_file():
        pytest.skip(f"{binary} is not built")
    command = [binary, "run", "block_occupancy"]
    environment = {"CPU_DEVICE_AS": device}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return map_in(done.stdout)


def test_theoretical_occupancy_says_nothing_about_large_shapes_of_an_h200() -> None:
    table = shares("h200")
    assert len(table) == 66
    assert {share for (x, y), share in table.items() if x * y >= 64} == {100}
    assert {share for (x, y), share in table.items() if x * y <= 32} == {50}  # 32 blocks of a warp


def test_theoretical_occupancy_bites_on_a_card_with_room_for_1536() -> None:
    table = shares("rtx4090")
    assert {share for (x, y), share in table.items() if x * y == 1024} == {67}
    assert {share for (x, y), share in table.items() if 128 <= x * y < 1024} == {100}


# Recordings from the reference GPU ---------------------------------------------------------------


def recorded(name: str) -> str:
    path = RECORDED / f"{name}.txt"
    if not path.is_file():
        pytest.skip(f"{path.relative_to(support.ROOT)} is not recorded yet")
    return path.read_text(encoding="utf-8")


def test_recorded_theoretical_occupancy_is_what_the_cpu_device_computes() -> None:
    assert map_in(recorded("block_occupancy")) == shares("h200")


def test_recorded_achieved_occupancy_is_lower_for_the_largest_blocks() -> None:
    achieved = map_in(recorded("block_occupancy").split("achieved")[1])
    assert len(achieved) == 66
    assert achieved[32, 32] < achieved[256, 1]
    assert achieved[1024, 1] < achieved[256, 1]


def recorded_counters() -> dict[str, list[float]]:
    """The rows of the table of counters, by shape."""
    found = re.findall(r"^(\d+x\d+)((?:\s+[\d.]+)+)\s*$", recorded("ncu_shapes"), re.MULTILINE)
    return {shape: [float(number) for number in rest.split()] for shape, rest in found}


def test_recorded_counters_tell_the_story() -> None:
    rows = recorded_counters()
    warps, from_l1, from_l2, read, written = (
        {shape: row[column] for shape, row in rows.items()} for column in range(5)
    )
    wide = ["256x1", "64x4", "32x8", "32x32", "1024x1", "128x1", "16x16", "8x32"]
    assert max(from_l1[s] for s in wide) < 1.01 * min(from_l1[s] for s in wide)
    assert from_l1["1x256"] > 7.5 * from_l1["256x1"]
    assert from_l2["1x256"] > 4 * from_l2["256x1"]
    assert max(read.values()) < 1.1 * min(read.values())
    assert max(written.values()) < 1.1 * min(written.values())
    assert warps["32x32"] < warps["256x1"]
    assert warps["128x1"] < warps["256x1"]


def test_recorded_limits_are_those_of_the_table() -> None:
    text = recorded("launch_limits")
    for refused in ("1025 threads", "block z of 65", "grid y of 65536", "1024 threads of it"):
        assert re.search(rf"^{refused} +cudaError", text, re.MULTILINE), refused
    for accepted in ("1024 threads", "block z of 64", "grid y of 65535", "grid x of 65536"):
        assert re.search(rf"^{accepted} +cudaSuccess", text, re.MULTILINE), accepted


# The page ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("picture", PICTURES, ids=[path.stem for path in PICTURES])
def test_picture_is_readable_everywhere(picture: Path) -> None:
    text = picture.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    names = {child.tag.rpartition("}")[2] for child in root}
    assert {"title", "desc"} <= names
    assert float(root.attrib["viewBox"].split()[2]) <= 640
    without_fallbacks = re.sub(r"var\(--[a-z0-9-]+, #[0-9a-f]{6}\)", "", text)
    assert not re.search(r"#[0-9a-fA-F]{3,6}\b", re.sub(r"url\(#[^)]*\)", "", without_fallbacks))


def test_page_shows_every_source_of_the_addition() -> None:
    shown = [path for path in sorted(CHAPTER.glob("add*.cu")) if path.name not in PAGE]
    assert [path.name for path in shown] in ([], ["add6_several_float4_a_thread.cu"])
