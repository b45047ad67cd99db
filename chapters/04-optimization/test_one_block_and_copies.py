"""What the pages on the sum on one block and on copies claim beyond their programs' answers."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.chapters import support

CHAPTER = Path(__file__).resolve().parent
PAGES = "".join(
    (CHAPTER / f"{name}.md").read_text(encoding="utf-8") for name in ("index", "copies")
)
PICTURES = sorted({CHAPTER / name for name in re.findall(r"pictures/\w+\.svg", PAGES)})
RECORDED = CHAPTER / "recorded" / "nvidia-h200"


# The compiler's code -----------------------------------------------------------------------------


def loads_of(name: str, tmp_path: Path, change: tuple[str, str] | None = None) -> list[list[int]]:
    """For each kernel of a source: loads from device memory in each of its loops, in PTX."""
    reason = support.lacking("nvcc")
    if reason:
        pytest.skip(reason)
    text = (CHAPTER / name).read_text(encoding="utf-8")
    if change:
        assert change[0] in text
        text = text.replace(*change)
    source, ptx = tmp_path / "kernel.cu", tmp_path / "kernel.ptx"
    source.write_text(text, encoding="utf-8")
    flags = ["-arch=sm_90", "-O3", "-std=c++20", f"-I{support.ROOT / 'src'}", f"-I{CHAPTER}"]
    subprocess.run([support.tool("nvcc"), *flags, "-ptx", source, "-o", ptx], check=True)
    kernels = re.split(r"^(?:\.visible )?\.entry", ptx.read_text(encoding="utf-8"), flags=re.M)[1:]
    loop = re.compile(r"^(\$L\w+):\n((?:(?!^\$L).*\n)*?.*bra\S*\s+\1;)", re.MULTILINE)
    return [sorted(body.count("ld.global") for _, body in loop.findall(k)) for k in kernels]


def test_compiler_unrolls_slices_by_four(tmp_path: Path) -> None:
    assert loads_of("step1_contiguous.cu", tmp_path) == [[1, 4]]  # four at a time, then the rest


def test_compiler_does_not_unroll_a_step_of_block_dim(tmp_path: Path) -> None:
    assert loads_of("step2_strided.cu", tmp_path) == [[1]]


@pytest.mark.parametrize("name", ["step3_strided_unrolled.cu", "step4_contiguous_unrolled.cu"])
def test_counted_turns_are_unrolled_as_asked(name: str, tmp_path: Path) -> None:
    most = sorted(max(loops) for loops in loads_of(name, tmp_path))
    assert most == [1, 2, 4, 8, 16]


def test_read_footprint_has_eight_loads_in_flight(tmp_path: Path) -> None:
    assert max(loads_of("read_footprint.cu", tmp_path)[0]) == 8


# The steps differ by their idea only -------------------------------------------------------------


def kernel_lines(name: str) -> list[str]:
    text = (CHAPTER / name).read_text(encoding="utf-8")
    lines = text.split("// [kernel]")[1].split("// [/kernel]")[0]
    lines = re.sub(r"\w+_kernel\(const int\* values,\s*", "kernel(const int* values, ", lines)
    return re.sub(r",\s+", ", ", lines).splitlines()


def test_unrolled_slices_add_a_template_and_a_pragma() -> None:
    plain, unrolled = (
        kernel_lines("step1_contiguous.cu"),
        kernel_lines("step4_contiguous_unrolled.cu"),
    )
    added = [line for line in unrolled if line not in plain]
    assert added == ["template <int unroll>", "#pragma unroll unroll"]
    assert [line for line in unrolled if line not in added] == plain


def test_strided_changes_the_loop_and_nothing_else() -> None:
    plain, strided = kernel_lines("step1_contiguous.cu"), kernel_lines("step2_strided.cu")
    assert [line for line in strided if line not in plain] == [
        "  for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x) {"
    ]


# Recordings from the reference GPU ---------------------------------------------------------------


def recorded(name: str) -> str:
    path = RECORDED / f"{name}.txt"
    if not path.is_file():
        pytest.skip(f"{path.relative_to(support.ROOT)} is not recorded yet")
    return path.read_text(encoding="utf-8")


def returned_and_done(text: str, kind: str) -> tuple[float, float]:
    found = re.search(
        rf"^{kind}\s+returns after\s+([\d.]+) ms, done after\s+([\d.]+) ms", text, re.M
    )
    assert found, kind
    return float(found[1]), float(found[2])


def test_recorded_copies_return_as_the_table_says() -> None:
    text = recorded("when_copies_return")
    for kind in ("pinned, to device", "pinned, from device"):
        returned, done = returned_and_done(text, kind)
        assert returned < 0.1 * done, f"{kind}: at once"
    for kind in ("pageable, to device", "pageable, from device"):
        returned, done = returned_and_done(text, kind)
        assert returned > 0.8 * done, f"{kind}: when it has been read, or is there"
    assert "what came back is what was sent" in text


def test_recorded_block_is_a_small_part_of_the_device() -> None:
    text = recorded("one_block_clock")
    bytes_a_cycle = re.search(r"^bytes a cycle:\s+([\d.]+)", text, re.M)
    share = re.search(r"^of the device's peak: ([\d.]+) %", text, re.M)
    assert bytes_a_cycle and share
    assert float(bytes_a_cycle[1]) < 64
    assert float(share[1]) < 5


# Pictures ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("picture", PICTURES, ids=[path.stem for path in PICTURES])
def test_picture_is_readable_everywhere(picture: Path) -> None:
    text = picture.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    names = {child.tag.rpartition("}")[2] for child in root}
    assert {"title", "desc"} <= names
    assert float(root.attrib["viewBox"].split()[2]) <= 640  # text stays readable on a phone
    without_fallbacks = re.sub(r"var\(--[a-z0-9-]+, #[0-9a-f]{6}\)", "", text)
    assert not re.search(r"#[0-9a-fA-F]{3,6}\b", re.sub(r"url\(#[^)]*\)", "", without_fallbacks))
