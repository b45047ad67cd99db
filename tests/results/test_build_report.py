"""What the compiler says of kernels."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tools import build_report, schema
from tools.schema import FileError

TILE = "_ZN6course36_GLOBAL__N__0cf8e329_4_k_cu_dd87842011tile_kernelILi32EEEvPKfPf"
SPILL = "_ZN6course36_GLOBAL__N__0cf8e329_4_k_cu_dd87842012spill_kernelEPKfPfi"

PTXAS = f"""\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '{TILE}' for 'sm_90'
ptxas info    : Function properties for {TILE}
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 14 registers, used 1 barriers, 4224 bytes smem, 544 bytes cmem[0]
ptxas info    : Compile time = 13.862 ms
ptxas info    : Compiling entry function '{SPILL}' for 'sm_90'
ptxas info    : Function properties for {SPILL}
    776 bytes stack frame, 1088 bytes spill stores, 1120 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 776 bytes cumulative stack size
"""

DUMP = f"""
Fatbin elf code:
================
arch = sm_90
code version = [1,8]

Resource usage:
 Common:
  GLOBAL:0
 Function {TILE}:
  REG:14 STACK:0 SHARED:4224 LOCAL:0 CONSTANT[0]:544 TEXTURE:0 SURFACE:0 SAMPLER:0
 Function {SPILL}:
  REG:32 STACK:776 SHARED:0 LOCAL:0 CONSTANT[0]:548 TEXTURE:0 SURFACE:0 SAMPLER:0
"""


def write(tmp_path: Path, text: str, **options) -> dict:
    report = tmp_path / "report.txt"
    report.write_text(text)
    path = build_report.record(report, tmp_path, slug="04-optimization", device="nvidia-h200",
                               nvcc="13.0.88", commit="abcdef0", **options)  # fmt: skip
    assert path == tmp_path / "nvidia-h200/04-optimization.build.json"
    schema.read(path)
    return {kernel["symbol"]: kernel for kernel in json.loads(path.read_text())["kernels"]}


def test_ptxas(tmp_path):
    kernels = write(tmp_path, PTXAS)
    tile, spill = kernels[TILE], kernels[SPILL]
    assert (tile["registers"], tile["shared_bytes"], tile["barriers"]) == (14, 4224, 1)
    assert (tile["spill_store_bytes"], tile["spill_load_bytes"]) == (0, 0)
    assert tile["constant_bytes"] == 544
    assert (spill["registers"], spill["stack_bytes"]) == (32, 776)
    assert (spill["spill_store_bytes"], spill["spill_load_bytes"]) == (1088, 1120)


def test_cuobjdump_does_not_tell_spills(tmp_path):
    kernels = write(tmp_path, DUMP)
    assert kernels[TILE]["shared_bytes"] == 4224
    assert kernels[SPILL]["stack_bytes"] == 776
    assert kernels[SPILL]["spill_store_bytes"] is None


def test_both_together_complete_each_other(tmp_path):
    kernels = write(tmp_path, PTXAS + DUMP)
    assert len(kernels) == 2
    assert kernels[SPILL]["spill_load_bytes"] == 1120
    assert kernels[SPILL]["constant_bytes"] == 548


def test_one_architecture_is_chosen(tmp_path):
    both = PTXAS + PTXAS.replace("sm_90", "sm_75").replace("14 registers", "18 registers")
    with pytest.raises(FileError, match=r"covers sm_75, sm_90; choose one"):
        write(tmp_path, both)
    assert write(tmp_path, both, architecture="sm_75")[TILE]["registers"] == 18
    with pytest.raises(FileError, match=r"no kernel for sm_80; it has sm_75, sm_90"):
        write(tmp_path, both, architecture="sm_80")


def test_a_report_without_kernels_is_refused(tmp_path, capsys):
    report = tmp_path / "report.txt"
    report.write_text("error: nothing here\n")
    arguments = [str(report), "--into", str(tmp_path), "--slug", "04-optimization", "--device",
                 "nvidia-h200", "--nvcc", "13.0"]  # fmt: skip
    assert build_report.main(arguments) == 1
    assert "report.txt: it tells of no kernel" in capsys.readouterr().err
    assert not (tmp_path / "nvidia-h200").exists()
    report.write_text(PTXAS)
    assert build_report.main([*arguments, "--commit", "abcdef0"]) == 0


@pytest.mark.skipif(not shutil.which("c++filt"), reason="no c++filt on this machine")
def test_names_are_readable(tmp_path):
    kernels = write(tmp_path, PTXAS)
    assert kernels[TILE]["name"] == "course::tile_kernel<32>"
    assert kernels[SPILL]["name"] == "course::spill_kernel"
    assert "float const*" in kernels[SPILL]["signature"]


@pytest.mark.parametrize(
    ("signature", "name"),
    [
        ("void a::(anonymous namespace)::k<4, float>(float const*, int)", "a::k<4, float>"),
        ("k(int (*)(int))", "k"),
        ("_Z1kv", "_Z1kv"),
        ("void k<a::b<(int)4>>(int)", "k<a::b<(int)4>>"),
    ],
)
def test_plain_names(signature, name):
    assert build_report.plain_name(signature) == name


def test_a_kernel_in_an_unnamed_namespace_is_traced_to_its_file():
    symbol = "_ZN9chapter0351_GLOBAL__N__0cf8e329_19_step1_one_thread_cu_dd87842010sum_kernelEPKi"
    other = symbol.replace("step1_one_thread", "step1_two_thread")
    kernels = [build_report.Kernel(symbol, "sm_90"), build_report.Kernel(other, "sm_90")]
    document = build_report.document_of(
        kernels, slug="03-first-gpu-program", device="nvidia-h200", nvcc="13.0", commit="0123456",
        command="x", date="2026-01-01T00:00:00Z",
    )  # fmt: skip
    sources = {entry["symbol"]: entry.get("source") for entry in document["kernels"]}
    assert sources[symbol] == "chapters/03-first-gpu-program/step1_one_thread.cu"
    assert sources[other] is None
