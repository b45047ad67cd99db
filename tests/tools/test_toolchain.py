"""tools/toolchain.py with made-up compilers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPO, Fakes

from tools import toolchain
from tools.toolchain import ToolchainError, architecture_flags, parse_architectures

KNOWN = [75, 80, 90, 100, 103]


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("90", ["90"]),
        ("sm_90", ["90"]),
        ("9.0", ["90"]),
        ("compute_75", ["75"]),
        ("75,90", ["75", "90"]),
        ("75; 10.3", ["75", "103"]),
        ("90 90", ["90"]),
        ("90a", ["90a"]),
    ],
)
def test_architectures_are_read_in_every_usual_spelling(text: str, chosen: list[str]) -> None:
    assert parse_architectures(text, KNOWN, "13.0") == chosen


@pytest.mark.parametrize("text", ["130", "61", "13.0", "75a", "native", "hopper", "90,61", "-1"])
def test_unknown_architectures_are_refused_with_the_list(text: str) -> None:
    with pytest.raises(ToolchainError, match=r"75, 80, 90, 100, 103"):
        parse_architectures(text, KNOWN, "13.0")


def test_the_gpu_present_decides() -> None:
    flags, remark = architecture_flags("", [80, 90], 90, KNOWN, "13.0")
    assert flags == [
        "-gencode=arch=compute_80,code=sm_80",
        "-gencode=arch=compute_90,code=sm_90",
    ]
    assert remark == ""


def test_without_a_gpu_the_reference_device_and_ptx_of_the_lowest() -> None:
    flags, remark = architecture_flags("", [], 90, KNOWN, "13.0")
    assert flags == [
        "-gencode=arch=compute_90,code=sm_90",
        "-gencode=arch=compute_75,code=compute_75",
    ]
    assert "No GPU found here" in remark


def test_a_gpu_newer_than_the_toolkit_gets_the_newest_ptx() -> None:
    flags, _ = architecture_flags("", [120], 90, KNOWN, "12.9")
    assert flags == ["-gencode=arch=compute_103,code=compute_103"]


def test_a_gpu_too_old_for_the_toolkit_is_named() -> None:
    with pytest.raises(ToolchainError, match=r"7\.5 and newer.*6\.1"):
        architecture_flags("", [61], 90, KNOWN, "13.0")


def test_architectures_are_sorted_as_numbers(fakes: Fakes) -> None:
    assert toolchain.known_architectures(fakes.nvcc(architectures="90 100 75 110 103")) == [
        *(75, 90, 100),
        *(103, 110),
    ]


def run_tool(fakes: Fakes, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(REPO / "tools" / "toolchain.py"), *words],
        env={"PATH": str(fakes.folder)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def sentence(answer: subprocess.CompletedProcess[str]) -> str:
    """The one sentence of a refusal."""
    assert answer.returncode == 1
    assert answer.stdout == ""
    assert len(answer.stderr.strip().splitlines()) == 1
    return answer.stderr


def test_flags_come_one_a_line(fakes: Fakes) -> None:
    fakes.nvcc()
    fakes.add("g++", "echo 'g++ (Debian 12.2.0-14) 12.2.0'")
    answer = run_tool(fakes, "nvcc", "--arch", "75,90")
    assert answer.returncode == 0
    assert answer.stdout.splitlines() == [
        "-gencode=arch=compute_75,code=sm_75",
        "-gencode=arch=compute_90,code=sm_90",
    ]


def test_the_device_query_beside_nvcc_is_asked(fakes: Fakes) -> None:
    fakes.nvcc()
    fakes.add("g++", "echo 'g++ 12.2.0'")
    fakes.add("__nvcc_device_query", "printf '80,90'")
    assert "sm_80" in run_tool(fakes, "nvcc").stdout
    fakes.add("__nvcc_device_query", "echo 'no driver' >&2; exit 1")
    fakes.add("nvidia-smi", "echo 10.3")
    assert run_tool(fakes, "nvcc").stdout == "-gencode=arch=compute_103,code=sm_103\n"


def test_an_old_nvcc_is_refused(fakes: Fakes) -> None:
    fakes.nvcc(version="11.5")
    assert "older than CUDA 12.4" in sentence(run_tool(fakes, "nvcc"))


def test_a_broken_nvcc_is_refused_with_its_reason(fakes: Fakes) -> None:
    fakes.nvcc(compiles="echo 'nvcc fatal: error: cicc is not there' >&2; exit 1")
    fakes.add("g++", "echo 'g++ 12.2.0'")
    told = sentence(run_tool(fakes, "nvcc"))
    assert "does not compile an empty .cu" in told
    assert "cicc is not there" in told


def test_a_silent_nvcc_is_refused(fakes: Fakes) -> None:
    fakes.add("nvcc", "exit 3")
    assert "does not tell its version" in sentence(run_tool(fakes, "nvcc"))


def test_a_missing_host_compiler_is_named(fakes: Fakes) -> None:
    fakes.nvcc()
    assert "g++ is not found" in sentence(run_tool(fakes, "nvcc"))


def test_a_host_compiler_too_new_is_named_with_the_limit(fakes: Fakes) -> None:
    fakes.nvcc(compiles="echo '#error -- unsupported GNU version! gcc versions' >&2; exit 1")
    fakes.add("g++", "echo 'g++ (Debian 16.1.0-1) 16.1.0'")
    fakes.add("g++-15", "echo 'g++-15 15.2.0'")
    include = fakes.folder.parent / "include" / "crt"
    include.mkdir(parents=True)
    (include / "host_config.h").write_text("#if __GNUC__ > 15\n#error\n#endif\n")
    told = sentence(run_tool(fakes, "nvcc"))
    assert "GCC 16.1.0" in told
    assert "newest is GCC 15" in told
    assert "-Dcuda_ccbindir=" in told
    assert "g++-15" in told
    assert "NVCC_CCBIN" in told


def test_an_nvcc_beside_the_path_is_named_with_the_line(fakes: Fakes, tmp_path: Path) -> None:
    Fakes(tmp_path / "cuda" / "bin").nvcc()
    told = sentence(run_tool(fakes, "nvcc", CUDA_HOME=str(tmp_path / "cuda")))
    assert f'export PATH="{tmp_path}/cuda/bin:$PATH"' in told


def clang(version: str, checks: str = "exit 0") -> str:
    return f'case "$*" in *--version*) echo "clang version {version}";; *) {checks};; esac'


def test_the_newest_clang_is_taken(fakes: Fakes) -> None:
    for number in (14, 16, 19):
        fakes.add(f"clang++-{number}", clang(f"{number}.1.0"))
    fakes.add("clang++", clang("14.0.6"))
    assert run_tool(fakes, "clang").stdout.strip().endswith("clang++-19")


def test_an_old_clang_is_named(fakes: Fakes) -> None:
    fakes.add("clang++", clang("14.0.6"))
    told = sentence(run_tool(fakes, "clang"))
    assert "clang 16 or newer" in told
    assert "14.0.6" in told


def test_a_missing_clang_says_how_to_get_one(fakes: Fakes) -> None:
    assert "apt-get install clang-19" in sentence(run_tool(fakes, "clang"))


def test_a_clang_without_headers_is_not_taken(fakes: Fakes) -> None:
    fakes.add("clang++-19", clang("19.1.7", "echo \"'vector' file not found\" >&2; exit 1"))
    assert "'vector' file not found" in sentence(run_tool(fakes, "clang"))
    fakes.add("clang++-17", clang("17.0.6"))
    assert run_tool(fakes, "clang").stdout.strip().endswith("clang++-17")


def test_a_missing_boost_context_is_named(fakes: Fakes) -> None:
    fakes.add(
        "clang++-19", clang("19.1.7", 'case "$*" in *boost_context*) exit 1;; *) exit 0;; esac')
    )
    assert "apt-get install libboost-context-dev" in sentence(run_tool(fakes, "clang"))


def test_the_variable_names_a_clang(fakes: Fakes) -> None:
    fakes.add("clang++-19", clang("19.1.7"))
    other = fakes.add("other", clang("18.1.8"))
    assert run_tool(fakes, "clang", CPU_DEVICE_CLANG=str(other)).stdout.strip() == str(other)
    assert "not found" in sentence(run_tool(fakes, "clang", CPU_DEVICE_CLANG="/none"))
