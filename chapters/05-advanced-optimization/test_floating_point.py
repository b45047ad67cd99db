"""What the page on floating point claims beyond its programs' answers: code, recordings, page."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.chapters import support

CHAPTER = Path(__file__).resolve().parent
PAGE = (CHAPTER / "floating-point.md").read_text(encoding="utf-8")
PICTURES = sorted((CHAPTER / "pictures").glob("float_*.svg"))
RECORDED = CHAPTER / "recorded"


def ptx_of(source: str, tmp_path: Path, *flags: str) -> str:
    """PTX that nvcc makes of a file of this chapter."""
    reason = support.lacking("nvcc")
    if reason:
        pytest.skip(reason)
    target = tmp_path / "kernel.ptx"
    command = [support.tool("nvcc"), "-arch=sm_90", "-O3", "-std=c++20", *flags]
    command += [f"-I{support.ROOT / 'src'}", "-ptx", CHAPTER / source, "-o", target]
    subprocess.run(command, check=True, capture_output=True)
    return target.read_text(encoding="utf-8")


def loops(ptx: str) -> list[str]:
    """Bodies of the innermost loops: from a label to the branch back to it."""
    found = re.findall(r"^(\$L\w+):\n((?:(?!^\$L).*\n)*?.*bra\S*\s+\1;)", ptx, re.MULTILINE)
    return [body for _, body in found]


def count(pattern: str, text: str) -> int:
    return len(re.findall(pattern, text))


# Kahan and the compiler --------------------------------------------------------------------------


@pytest.mark.parametrize("flags", [(), ("-use_fast_math",)], ids=["plain", "fast_math"])
def test_kahan_keeps_four_operations_an_element(flags: tuple, tmp_path: Path) -> None:
    bodies = loops(ptx_of("float2_one_thread_kahan.cu", tmp_path, *flags))
    assert bodies
    for body in bodies:
        loads = count(r"ld\.global", body)
        assert loads >= 1
        assert count(r"fma\.rn", body) == loads
        assert (
            count(r"(?:add|sub)\.(?:rn\.)?(?:ftz\.)?f32|(?:add|sub)\.rn\S*f32", body) == 3 * loads
        )


@pytest.mark.parametrize("flags", [(), ("-use_fast_math",)], ids=["plain", "fast_math"])
def test_nvcc_does_not_reorder_plain_operators(flags: tuple, tmp_path: Path) -> None:
    bodies = loops(ptx_of("kahan_and_flags.cu", tmp_path, *flags))
    assert bodies
    for body in bodies:
        loads = count(r"ld\.global", body)
        assert count(r"(?:add|sub)\.\S*f32", body) == 4 * loads > 0


@pytest.mark.parametrize(
    ("flags", "host", "code"),
    [(("-O1",), 16782216, 0), (("-O1", "-ffast-math"), 16777216, 1)],
    ids=["plain", "fast_math"],
)
def test_fast_math_of_the_host_removes_kahan(
    flags: tuple, host: int, code: int, tmp_path: Path
) -> None:
    reason = support.lacking("cpu")
    if reason:
        pytest.skip(reason)
    program = tmp_path / "kahan"
    source = CHAPTER / "kahan_and_flags.cu"
    subprocess.run([support.CPUCC, *flags, source, "-o", program], check=True, capture_output=True)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert f"host {host}, device {host}" in done.stdout
    assert done.returncode == code


# The deterministic sum ---------------------------------------------------------------------------


def body_of(ptx: str, name: str) -> str:
    """One kernel of a PTX file."""
    found = re.search(rf"\.entry \S*{name}\S*\((.*?)^}}", ptx, re.MULTILINE | re.DOTALL)
    assert found, name
    return found[1]


def test_deterministic_loads_four_vectors_in_a_row(tmp_path: Path) -> None:
    kernel = body_of(ptx_of("float6_deterministic.cu", tmp_path), "ILi512ELi4ELb1E")
    assert count(r"ld\.global\.cs\.v4\.f32", kernel) == 4
    between = kernel[kernel.index("ld.global.cs.v4") : kernel.rindex("ld.global.cs.v4")]
    assert not re.search(r"(?:fma|add|mul)\.\S*f32", between)


def test_deterministic_writes_out_every_operation(tmp_path: Path) -> None:
    """`.rn` is what the intrinsics give, and what ptxas must not fuse."""
    kernel = body_of(ptx_of("float6_deterministic.cu", tmp_path), "ILi512ELi4ELb1E")
    operations = re.findall(r"\b(?:add|sub|mul|fma|mad)\.\S*f(?:32|64)", kernel)
    assert operations
    assert all(".rn." in operation for operation in operations), set(operations)


def test_order_mentions_neither_grid_nor_block() -> None:
    """In the kernel they may only say who works: in the loop over chains and in comes_last()."""
    source = (CHAPTER / "float6_deterministic.cu").read_text(encoding="utf-8")
    kernel = source.split("// [kernel]")[1].split("// [/kernel]")[0]
    lines = [line for line in kernel.splitlines() if re.search(r"gridDim|blockIdx", line)]
    assert len(lines) == 1 and "for (int chain = blockIdx.x" in lines[0]


def test_promise_of_four_blocks_spills_and_of_one_does_not(tmp_path: Path) -> None:
    reason = support.lacking("nvcc")
    if reason:
        pytest.skip(reason)
    command = [support.tool("nvcc"), "-arch=sm_90", "-O3", "-std=c++20", "-Xptxas", "-v", "-c"]
    command += [f"-I{support.ROOT / 'src'}", CHAPTER / "limit_registers.cu", "-o", tmp_path / "o"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    spills = {
        int(blocks): int(stores)
        for blocks, stores in re.findall(
            r"Function properties for \S*kernelILi(\d)ELb1E\S*\n.*?(\d+) bytes spill stores",
            done.stderr + done.stdout,
        )
    }
    assert spills[1] == 0 < spills[2] < spills[4]


def test_tiled_product_loads_two_floats_an_operation_in_ptx(tmp_path: Path) -> None:
    ptx = ptx_of("product2_tiled.cu", tmp_path)
    assert count(r"fma\.rn\.f32", ptx) == 16
    assert count(r"ld\.shared\.f32", ptx) == 32


# Recordings --------------------------------------------------------------------------------------


def recorded(name: str, machine: str = "nvidia-h200") -> str:
    path = RECORDED / machine / f"{name}.txt"
    if not path.is_file():
        pytest.skip(f"{path.relative_to(support.ROOT)} is not recorded yet")
    return path.read_text(encoding="utf-8")


def test_recorded_sums_are_many_and_one() -> None:
    lines = re.findall(r"^(\w[^:]*):\s+(\d+) different", recorded("repeated_sums"), re.MULTILINE)
    counts = {what: int(many) for what, many in lines}
    assert counts.pop("one atomic addition a block, 100 runs") > 1
    assert len(counts) == 3 and set(counts.values()) == {1}


def test_recorded_bits_are_those_of_the_cpu_device() -> None:
    """The GPU's answer for the page's seed, and the CPU device's for the same seed."""
    bits = re.search(r"\((0x1\.[0-9a-f]+p\+\d+)\)", recorded("float_deterministic"))
    assert bits
    program = support.BUILD / "chapters" / "05-advanced-optimization-cpu"
    if not program.is_file():
        pytest.skip("the chapter's program for the CPU device is not built")
    done = subprocess.run(
        [program, "run", "deterministic", "--seed", "5"], capture_output=True, text=True, check=True
    )
    assert bits[1] in done.stdout


def test_recorded_host_breaks_and_device_does_not() -> None:
    text = recorded("float_kahan_flags")
    assert re.search(r"right 16782216, host (?!16782216)\d+, device 16782216", text)


def test_recorded_read_behind_writes_is_slower() -> None:
    rates = re.findall(r"64 MiB read behind (\w+):\s+(\d+) GB/s", recorded("l2_and_write_back"))
    rate = {what: int(number) for what, number in rates}
    assert rate["writes"] < rate["reads"]


def test_recorded_machine_code_is_what_the_page_says() -> None:
    text = recorded("float_deterministic_sass", "nvcc-13.0")
    assert count(r"LDG\.E\.EF\.128", text) == 4
    assert count(r"\*/\s+FFMA\b", text) == 16


def test_recorded_unrolling_explains_one_thread() -> None:
    text = recorded("float_one_thread_sass", "nvcc-13.0")
    most = {
        name: max(int(many) for many in re.findall(r"(\d+) LDG", part))
        for name, part in re.findall(r"^(float\d_\w+)\n((?:\s+\d+ \w+\n?)+)", text, re.MULTILINE)
    }
    assert most == {"float1_one_thread": 4, "float2_one_thread_kahan": 16}


def test_recorded_machine_code_of_the_tiled_product_has_wider_loads() -> None:
    text = recorded("float_tiled_sass", "nvcc-13.0")
    counts = {what: int(many) for many, what in re.findall(r"(\d+) (\S+)$", text, re.MULTILINE)}
    assert (counts["FFMA"], counts["LDS"], counts["LDS.128"]) == (16, 16, 4)


# The page ----------------------------------------------------------------------------------------


def test_every_broken_program_is_on_the_page() -> None:
    for source in sorted((CHAPTER / "broken").glob("float_*.cu")):
        assert f"broken/{source.name}" in PAGE, source.name


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
