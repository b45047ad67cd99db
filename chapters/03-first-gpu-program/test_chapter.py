"""What chapter 3 claims beyond its programs' answers: headers, compiler's code, recordings, page.

What every chapter needs (broken programs, exercises) is tested in tests/chapters/.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.chapters import support

CHAPTER = Path(__file__).resolve().parent
PAGE = (CHAPTER / "index.md").read_text(encoding="utf-8")
PICTURES = sorted((CHAPTER / "pictures").glob("*.svg"))
RECORDED = CHAPTER / "recorded" / "nvidia-h200"


# The headers' words ------------------------------------------------------------------------------


def runtime_header(name: str) -> str:
    """Text of a header of the toolkit that nvcc belongs to."""
    nvcc = support.tool("nvcc")
    if nvcc is None:
        pytest.skip("nvcc was not found, and the headers come with it")
    places = [Path(nvcc).resolve().parents[1] / "include", Path("/usr/include")]
    path = next((place / name for place in places if (place / name).is_file()), None)
    if path is None:
        pytest.skip(f"{name} was not found beside nvcc")
    return path.read_text(encoding="utf-8", errors="replace")


def documented_errors(function: str) -> set[str]:
    """The errors that the header's comment above a function lists as its return values."""
    text = runtime_header("cuda_runtime_api.h")
    declaration = re.search(rf"^extern .*\b{function}\(", text, re.MULTILINE)
    assert declaration, function
    comment = text[: declaration.start()].rsplit("/**", 1)[1]
    listed = comment.split("\\return", 1)[1].split("\\notefnerr", 1)[0]
    return set(re.findall(r"::(cudaError[A-Za-z]+)", listed))


def errors_on_the_page(function: str) -> set[str]:
    """The errors in the page's table row of a function."""
    row = re.search(rf"^\| \{{api\}}`{function}` .*$", PAGE, re.MULTILINE)
    assert row, f"the page has no row for {function}"
    return set(re.findall(r"`(cudaError[A-Za-z]+)`", row[0].rsplit("|", 2)[1]))


@pytest.mark.parametrize(
    "function", ["cudaMalloc", "cudaMemcpy", "cudaFree", "cudaDeviceSynchronize"]
)
def test_page_names_the_errors_that_the_header_documents(function: str) -> None:
    assert errors_on_the_page(function) == documented_errors(function)


def test_copy_kinds_are_those_of_the_header() -> None:
    body = re.search(
        r"enum\s+\S*\s*cudaMemcpyKind\s*\{(.*?)\}", runtime_header("driver_types.h"), re.S
    )
    assert body
    kinds = set(re.findall(r"\bcudaMemcpy[A-Za-z]+\b", body[1]))
    assert kinds == set(re.findall(r"`(cudaMemcpy(?:\w+To\w+|Default))`", PAGE))


def test_invalid_device_pointer_is_deprecated() -> None:
    text = runtime_header("driver_types.h")
    comment = text[: text.index("cudaErrorInvalidDevicePointer ")].rsplit("/**", 1)[1]
    assert "\\deprecated" in comment


def test_pageable_copy_may_return_early_as_the_page_says() -> None:
    text = re.sub(r"\s*\*\s*", " ", runtime_header("cuda_runtime_api.h"))
    assert "but the DMA to final destination may not have completed" in text


# The compiler's code -----------------------------------------------------------------------------


def loads_of(source: str, tmp_path: Path) -> list[int]:
    """Loads from device memory in each loop of a kernel: in PTX, from a label to its branch."""
    reason = support.lacking("nvcc")
    if reason:
        pytest.skip(reason)
    ptx = tmp_path / "kernel.ptx"
    flags = ["-arch=sm_90", "-O3", "-std=c++20", f"-I{support.ROOT / 'src'}"]
    command = [support.tool("nvcc"), *flags, "-ptx", CHAPTER / source, "-o", ptx]
    subprocess.run(command, check=True)
    text = ptx.read_text(encoding="utf-8")
    loops = re.findall(r"^(\$L\w+):\n((?:(?!^\$L).*\n)*?.*bra\S*\s+\1;)", text, re.MULTILINE)
    return sorted(body.count("ld.global") for _, body in loops)


def test_compiler_unrolls_the_loop_by_four(tmp_path: Path) -> None:
    assert loads_of("step1_one_thread.cu", tmp_path) == [1, 4]  # four at a time, then the rest


def test_unroll_1_keeps_one_load_a_turn(tmp_path: Path) -> None:
    assert loads_of("step2_one_thread_no_unroll.cu", tmp_path) == [1]


def test_steps_differ_by_one_line() -> None:
    def kernel(name: str) -> list[str]:
        text = (CHAPTER / name).read_text(encoding="utf-8")
        return text.split("// [kernel]")[1].split("// [/kernel]")[0].splitlines()

    plain, kept = kernel("step1_one_thread.cu"), kernel("step2_one_thread_no_unroll.cu")
    assert [line for line in kept if "#pragma unroll 1" not in line] == plain
    assert len(kept) == len(plain) + 1


# Recordings from the reference GPU ---------------------------------------------------------------


def recorded(name: str) -> str:
    path = RECORDED / f"{name}.txt"
    if not path.is_file():
        pytest.skip(f"{path.relative_to(support.ROOT)} is not recorded yet")
    text = path.read_text(encoding="utf-8")
    if re.search(r"… (?:ns|µs|ms|s)\b", text):
        pytest.skip(f"{path.relative_to(support.ROOT)} was recorded without its times")
    return text


def milliseconds(text: str, line: str) -> float:
    found = re.search(rf"^{re.escape(line)}\s*([0-9.]+) ms", text, re.MULTILINE)
    assert found, line
    return float(found[1])


def test_recorded_clocks_tell_the_story() -> None:
    text = recorded("timing_three_ways")
    events = milliseconds(text, "events around the launch:")
    waiting = milliseconds(text, "host's clock, waiting:")
    careless = milliseconds(text, "host's clock, not waiting (wrong):")
    assert 0.8 < waiting / events < 1.2
    assert careless < events / 10


def test_recorded_queue_is_fast_until_it_is_full() -> None:
    text = recorded("launch_queue")
    loop = re.findall(r"^ *(\d+) +([\d.]+)$", text, re.MULTILINE)
    host = [float(microseconds) for _, microseconds in loop]
    found = re.search(r"^events around all of them: ([\d.]+) us", text, re.MULTILINE)
    assert found and len(host) >= 15
    kernel = float(found[1])
    assert all(each < kernel / 3 for each in host[:8]), "while the queue has room"
    assert all(0.9 < each / kernel < 1.1 for each in host[-5:]), "when it is full"


def test_recorded_first_launch_is_the_slowest() -> None:
    text = recorded("first_launch")
    context = milliseconds(text, "first call, cudaFree(nullptr):")
    first, *later = (milliseconds(text, f"launch {n}, until it ended:") for n in range(1, 6))
    assert context > first > 1.5 * max(later[1:])


def test_recorded_cycles_are_at_or_below_the_peak_clock() -> None:
    text = recorded("one_thread_clock")
    assert milliseconds(text, "cycles / peak clock:") <= 1.02 * milliseconds(
        text, "time by events:"
    )


def cycles_of_one_load() -> dict[str, int]:
    found = re.findall(r"data in ([a-zA-Z0-9 ]+): +(\d+) cycles", recorded("one_load"))
    return {place: int(cycles) for place, cycles in found}


def test_recorded_loads_take_longer_the_farther_the_data_are() -> None:
    cycles = cycles_of_one_load()
    assert cycles["device memory"] > 1.2 * cycles["L2"] > 2.4 * cycles["L1"]


def test_recorded_elements_share_their_trips() -> None:
    element = re.search(r"cycles an element: +([0-9.]+)", recorded("one_thread_clock"))
    assert element
    trip = cycles_of_one_load()["L2"]
    assert float(element[1]) < trip / 3, "several times as many cycles as it does"
    assert 0.5 < (trip / 8) / float(element[1]) < 1, "a share of a trip is most of what it costs"


# The page ----------------------------------------------------------------------------------------


def test_every_broken_program_is_on_the_page() -> None:
    for source in sorted((CHAPTER / "broken").glob("*.cu")):
        assert f"broken/{source.name}" in PAGE or source.stem in PAGE, source.name


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
