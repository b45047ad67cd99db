"""The build: what nvcc is told, what Meson keeps apart, and what the programs need to start.

The course is configured once, with a flag for the host compiler in CXXFLAGS, and nothing of it is
compiled: `ninja -t commands` shows every command that it would run. Small projects of a few lines
show what Meson itself does: this environment's Meson, and the oldest one allowed where it is
installed beside it (.ci/run puts it into build/least-meson).
"""

from __future__ import annotations

import os
import random
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chapters import support
from tools import meson, paths, toolchain

OURS = Path(sys.executable).parent / "meson"
LEAST = paths.build_dir() / "least-meson" / "bin" / "meson"
MESONS = [pytest.param(OURS, id="ours"), pytest.param(LEAST, id="least")]
needs_nvcc = pytest.mark.skipif(support.tool("nvcc") is None, reason="nvcc was not found")
pytestmark = pytest.mark.skipif(not OURS.exists(), reason="Meson is not in this environment")


def run(*command: object, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    environment = meson.environment() | more
    environment["PATH"] = os.pathsep.join(
        [environment["PATH"], str(Path(support.tool("nvcc") or "/x/nvcc").parent)]
    )
    return subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="session")
def commands(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Every command of a build of the course that was configured with CXXFLAGS=-march=native."""
    if support.tool("nvcc") is None:
        pytest.skip("nvcc was not found")
    folder = tmp_path_factory.mktemp("course")
    done = run(OURS, "setup", folder / "b", paths.REPO, folder=folder, CXXFLAGS="-march=native")
    assert done.returncode == 0, done.stdout
    listed = run("ninja", "-C", folder / "b", "-t", "commands", "all", folder=folder)
    assert listed.returncode == 0, listed.stderr
    return listed.stdout.splitlines()


def by_nvcc(commands: list[str]) -> list[list[str]]:
    """The words of every command that compiles with nvcc."""
    found = [shlex.split(line) for line in commands if re.match(r"\S*nvcc ", line)]
    compiling = [words for words in found if "-c" in words]
    assert len(compiling) > 20, "the course compiles many files with nvcc"
    return compiling


def standards(words: list[str]) -> list[str]:
    text = " ".join(words)
    return re.findall(r"(?:-std=|--std[= ]|-std )(\S+)", text)


# What the course tells nvcc ----------------------------------------------------------------------


def test_no_kernel_is_compiled_for_the_debugger(commands: list[str]) -> None:
    for words in by_nvcc(commands):
        assert not {"-G", "--device-debug"} & set(words)


def test_asserts_in_kernels_are_off_in_release_builds(commands: list[str]) -> None:
    for words in by_nvcc(commands):
        assert "-DNDEBUG" in words


def test_nvcc_gets_one_plain_standard(commands: list[str]) -> None:
    for words in by_nvcc(commands):
        assert standards(words) == ["c++20"], words


def test_flags_of_the_host_compiler_do_not_reach_nvcc(commands: list[str]) -> None:
    by_host = [line for line in commands if re.match(r"(\S*/)?(c|g)\+\+ ", line) and " -c " in line]
    assert any("-march=native" in line for line in by_host), "the flag was meant for these"
    for words in by_nvcc(commands):
        assert "-march=native" not in words


def test_architectures_are_code_flags_of_nvccs_own_choice(commands: list[str]) -> None:
    nvcc = Path(support.tool("nvcc"))
    known = toolchain.known_architectures(nvcc)
    for words in by_nvcc(commands):
        text = " ".join(words)
        assert "native" not in text
        assert "-arch" not in text.replace("-gencode=arch", "")
        chosen = re.findall(r"-gencode=arch=compute_(\d+),", text)
        assert chosen
        assert {int(number) for number in chosen} <= set(known)


def test_no_device_code_is_linked_across_files(commands: list[str]) -> None:
    for line in commands:
        assert not re.search(r"-rdc|--relocatable-device-code|\s-dc\s|-dlink", line)


def test_nothing_reorders_the_hosts_arithmetic(commands: list[str]) -> None:
    for line in commands:
        assert not re.search(r"fast-math|fast_math|-Ofast", line)


def test_the_driver_is_not_linked_and_the_runtime_only_statically(commands: list[str]) -> None:
    linking = [line for line in commands if " -o " in line and " -c " not in line]
    by_nvcc = [line for line in linking if re.match(r"\S*nvcc ", line)]
    assert by_nvcc
    for line in by_nvcc:
        assert "-cudart static" in line
    for line in linking:
        shared = r"-cudart[ =]shared|-lcudart(\s|$)|libcudart\.so"
        assert not re.search(rf"-lcuda(\s|$)|libcuda\.so|{shared}", line)


def build_files() -> list[Path]:
    found = [paths.REPO / "meson.build", paths.REPO / "meson.options"]
    return found + [
        path
        for name in ("src", "chapters", "tests")
        for path in (paths.REPO / name).rglob("meson.build")
    ]


@pytest.mark.parametrize("path", build_files(), ids=lambda path: str(path.relative_to(paths.REPO)))
def test_no_build_file_names_an_architecture(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\b(sm|compute)_\d\d|['\" ]-arch\b|=native\b", text)


def test_both_standards_are_set_to_the_same_plain_one() -> None:
    text = (paths.REPO / "meson.build").read_text(encoding="utf-8")
    found = dict(re.findall(r"'(cpp_std|cuda_std)=([^']+)'", text))
    assert found["cpp_std"] == found["cuda_std"]
    assert re.fullmatch(r"c\+\+(17|20|23)", found["cuda_std"])


def test_the_least_meson_is_one_number() -> None:
    text = (paths.REPO / "meson.build").read_text(encoding="utf-8")
    named = re.search(r"meson_version: '>=([\d.]+)'", text)[1]
    assert meson.parse_version(named) == meson.LEAST_MESON
    asked = (paths.REPO / "pyproject.toml").read_text(encoding="utf-8")
    assert f'"meson>={named}"' in asked


def test_googletest_is_pinned_and_stays_out_of_cuda_files() -> None:
    text = (paths.REPO / "tests" / "meson.build").read_text(encoding="utf-8")
    assert re.search(r"dependency\('gtest', version: '>=[\d.]+'\)", text)
    for name in ("src", "chapters", "tests"):
        for path in (paths.REPO / name).rglob("*.cu"):
            assert "gtest" not in path.read_text(encoding="utf-8"), path


# What Meson does with a project of a few lines ----------------------------------------------------


def small_project(folder: Path, text: str, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "meson.build").write_text(text, encoding="utf-8")
    for name, content in files.items():
        (folder / name.replace("_dot_", ".")).write_text(content, encoding="utf-8")
    return folder


def build(program: Path, project: Path) -> subprocess.CompletedProcess[str]:
    if not program.exists():
        pytest.skip(f"{program} is not installed; .ci/run installs it")
    build_folder = project / "b"
    if not build_folder.exists():
        done = run(program, "setup", build_folder, folder=project)
        assert done.returncode == 0, done.stdout + done.stderr
    return run("ninja", "-C", build_folder, "-v", folder=project)


@needs_nvcc
@pytest.mark.parametrize("program", MESONS)
def test_a_changed_header_rebuilds_what_includes_it(program: Path, tmp_path: Path) -> None:
    draw = random.Random(27)
    first, second = (draw.randrange(1, 100) for _ in range(2))
    project = small_project(
        tmp_path / "p",
        "project('t', 'cpp', 'cuda')\nexecutable('answer', 'answer.cu')\n",
        answer_dot_cu='#include "number.hpp"\nint main() { return number; }\n',
        number_dot_hpp=f"constexpr int number = {first};\n",
    )
    assert build(program, project).returncode == 0
    assert run(project / "b" / "answer", folder=project).returncode == first
    header = project / "number.hpp"
    header.write_text(f"constexpr int number = {second};\n", encoding="utf-8")
    later = header.stat().st_mtime + 2
    os.utime(header, (later, later))
    assert build(program, project).returncode == 0
    assert run(project / "b" / "answer", folder=project).returncode == second


@needs_nvcc
@pytest.mark.parametrize("program", MESONS)
def test_the_standards_are_kept_apart(program: Path, tmp_path: Path) -> None:
    project = small_project(
        tmp_path / "p",
        "project('t', 'cpp', 'cuda', default_options: ['cpp_std=gnu++20', 'cuda_std=c++17'])\n"
        "executable('device', 'device.cu')\nexecutable('host', 'host.cpp')\n",
        device_dot_cu="int main() {}\n",
        host_dot_cpp="int main() {}\n",
    )
    done = build(program, project)
    assert done.returncode == 0, done.stdout
    compiling = [
        line for line in done.stdout.splitlines() if "device.cu.o" in line and " -c" in line
    ]
    assert compiling
    for line in compiling:
        assert standards(shlex.split(line.split("] ", 1)[-1])) == ["c++17"], line


@needs_nvcc
@pytest.mark.parametrize("program", MESONS)
def test_device_code_links_across_a_static_library(program: Path, tmp_path: Path) -> None:
    """No chapter needs it, and the oldest Meson allowed can do it."""
    rdc = "cuda_args: ['-rdc=true']"
    project = small_project(
        tmp_path / "p",
        "project('t', 'cpp', 'cuda')\n"
        f"l = static_library('triple', 'triple.cu', {rdc})\n"
        f"executable('x', 'main.cu', link_with: l, {rdc})\n",
        triple_dot_cu="__device__ int triple(int x) { return 3 * x; }\n",
        main_dot_cu="__device__ int triple(int);\n"
        "__global__ void kernel(int* p) { *p = triple(*p); }\n"
        "int main() { kernel<<<1, 1>>>(nullptr); }\n",
    )
    done = build(program, project)
    assert done.returncode == 0, done.stdout


# Warnings and starts -----------------------------------------------------------------------------


def nvcc_flags() -> list[str]:
    """The flags that meson.build hands to nvcc besides the architectures."""
    text = (paths.REPO / "meson.build").read_text(encoding="utf-8")
    found = re.search(r"add_project_arguments\(gpu_flags,(.*?)language: 'cuda'", text, re.DOTALL)
    return re.findall(r"'(-[^']+)'", found[1])


WARNED = {
    "device front end": "__global__ void kernel(int* p) { int unused; *p = 1; }",
    "never used": "static __device__ int never_used() { return 1; }",
    "calls between sides": "int host(); __host__ __device__ int both() { return host(); }\n"
    "__global__ void kernel(int* p) { *p = both(); }",
    "host front end": "int f(int a) { return 1; }",
    "sign": "bool f(int a, unsigned b) { return a < b; }",
    "assembler": "__global__ void __launch_bounds__(1024, 64) kernel(int* p) { *p = 1; }",
    "deprecated": "[[deprecated]] __device__ int old() { return 1; }\n"
    "__global__ void kernel(int* p) { *p = old(); }",
}


@needs_nvcc
@pytest.mark.parametrize("kind", WARNED)
def test_a_warning_of_any_part_of_nvcc_is_an_error(kind: str, tmp_path: Path) -> None:
    source = tmp_path / "warned.cu"
    source.write_text(WARNED[kind] + "\n", encoding="utf-8")
    command = [support.tool("nvcc"), "-arch=sm_90", "-std=c++20", "-c", source, "-o"]
    quiet = run(*command, tmp_path / "plain.o", folder=tmp_path)
    assert quiet.returncode == 0, quiet.stderr
    strict = run(*command, tmp_path / "strict.o", *nvcc_flags(), folder=tmp_path)
    assert strict.returncode != 0, kind


def built_programs() -> list[Path]:
    """Programs of this build for GPUs, as far as they are there."""
    folder = support.BUILD
    if not (folder / "chapters").is_dir():
        return []
    return [
        path
        for path in sorted((folder / "chapters").iterdir()) + sorted((folder / "tests").iterdir())
        if path.is_file() and os.access(path, os.X_OK) and "-cpu" not in path.name
    ]


def test_programs_start_with_an_empty_environment() -> None:
    programs = built_programs()
    if not programs:
        pytest.skip("no program for GPUs is built")
    for path in programs:
        done = subprocess.run([path, "--help"], env={}, capture_output=True, text=True, check=False)
        assert "error while loading shared libraries" not in done.stderr, done.stderr
        assert done.returncode in (0, 77), (path, done.returncode, done.stderr)


def test_programs_need_no_library_of_the_toolkit() -> None:
    programs = built_programs()
    if not programs or support.tool("readelf") is None:
        pytest.skip("no program for GPUs is built, or there is no readelf")
    for path in programs:
        needed = run("readelf", "-d", path, folder=path.parent).stdout
        assert not re.search(r"NEEDED.*lib(cuda|cudart)\.so", needed), path
