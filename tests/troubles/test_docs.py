"""The documentation's tools: what they leave out without a word when they are not told."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools import paths, sitebuild

needs_doxygen = pytest.mark.skipif(
    subprocess.run(["which", "doxygen"], capture_output=True).returncode != 0,
    reason="Doxygen was not found",
)
HEADER = """#pragma once
/// \\defgroup made Made up
/// @{
/// Doubles. \\param x values \\param n how many
__global__ void doubled(float* x, int n);
/// Halves. \\param x values \\param n how many
__global__ void __launch_bounds__(192) halved(float* x, int n);
/// Rests. \\param x values \\param n how many
__global__ void __launch_bounds__(192, 3) rested(float* x, int n);
/// @}
"""
DEFINITION = """#include "kernels.cuh"
__global__ void doubled(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }
"""


def made_up_repository(folder: Path) -> Path:
    sources = folder / "src" / "coalesce"
    sources.mkdir(parents=True)
    (sources / "kernels.cuh").write_text(HEADER, encoding="utf-8")
    (sources / "kernels.cu").write_text(DEFINITION, encoding="utf-8")
    return folder


@needs_doxygen
def test_doxygen_reads_cuda_files_and_keeps_bounded_kernels(tmp_path: Path) -> None:
    xml = sitebuild.doxygen(made_up_repository(tmp_path / "repo"), tmp_path / "build")
    text = "\n".join(path.read_text(encoding="utf-8") for path in xml.glob("*.xml"))
    for name in ("doubled", "halved", "rested"):
        assert f"<name>{name}</name>" in text
    assert "<name>__launch_bounds__</name>" not in text


def configuration(name: str) -> str:
    """The value of a setting of docs/conf.py, as it is written there."""
    text = (paths.REPO / "docs" / "conf.py").read_text(encoding="utf-8")
    return re.search(rf"^{name} = (\[.*?\]|\S.*?)$", text, re.DOTALL | re.MULTILINE)[1]


@needs_doxygen
def test_a_kernel_in_header_and_cuda_file_is_shown_once(tmp_path: Path) -> None:
    """Under -W. (The log saw an older Breathe call this ambiguous unless .cu is named as an
    implementation; the pinned one does not, and the setting stays for the distribution's.)"""
    xml = sitebuild.doxygen(made_up_repository(tmp_path / "repo"), tmp_path / "build")
    endings = configuration("breathe_implementation_filename_extensions")
    assert '".cu"' in endings
    docs = tmp_path / "docs"
    docs.mkdir()
    lines = [
        'extensions = ["breathe"]',
        f'breathe_projects = {{"p": {str(xml)!r}}}',
        'breathe_default_project = "p"',
        f"cpp_id_attributes = {configuration('cpp_id_attributes')}",
        f"breathe_implementation_filename_extensions = {endings}",
    ]
    (docs / "conf.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (docs / "index.rst").write_text("T\n=\n\n.. doxygenfunction:: doubled\n", encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", docs, tmp_path / "out"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "index.html").read_text().count('id="_CPPv47doubled') == 1


def pinned(name: str) -> str:
    text = (paths.REPO / "requirements.lock").read_text(encoding="utf-8")
    return re.search(rf"^{name}==([\d.]+)", text, re.MULTILINE)[1]


def test_breathe_and_sphinx_are_pinned_as_a_pair() -> None:
    asked = (paths.REPO / "pyproject.toml").read_text(encoding="utf-8")
    for name in ("breathe", "sphinx"):
        least, most = re.search(rf'"{name}>=([\d.]+),<([\d.]+)"', asked).groups()
        major, minor = least.split(".")
        assert most == f"{major}.{int(minor) + 1}"
        assert pinned(name).startswith(f"{least}.")


def test_the_lexers_are_pinned() -> None:
    assert re.fullmatch(r"\d+\.\d+(\.\d+)?", pinned("pygments"))


def test_sphinx_started_alone_says_what_to_run_first(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-b",
        "html",
        paths.REPO / "docs",
        tmp_path / "o",
    ]
    environment = {"PATH": "/usr/bin:/bin", "COALESCE_BUILD": str(tmp_path / "nothing")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode != 0
    assert "run `./course site`, which makes it first" in done.stderr


# Pages -------------------------------------------------------------------------------------------

CODE = {"bash", "cpp", "cuda", "json", "python", "sh", "toml"}
PLAIN = {"text", "console", "markdown", "none"}


def pages() -> list[Path]:
    found = [path for path in (paths.REPO / "docs").rglob("*.md") if "chapters" not in path.parts]
    return sorted(found) + sorted((paths.REPO / "chapters").glob("*/*.md"))


def fences(text: str) -> list[tuple[str, str]]:
    """(language, body) of every fenced block that is no directive, also inside directives."""
    found: list[tuple[str, str]] = []
    open_fences: list[tuple[str, str, list[str]]] = []
    for line in text.splitlines():
        match = re.match(r"\s*(`{3,})(.*)$", line)
        if match and not match[2] and open_fences and open_fences[-1][0] == match[1]:
            _, language, body = open_fences.pop()
            if not language.startswith("{"):
                found.append((language, "\n".join(body)))
        elif match and (not open_fences or open_fences[-1][1].startswith("{")):
            open_fences.append((match[1], match[2].strip(), []))
        elif open_fences:
            open_fences[-1][2].append(line)
    return found


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(paths.REPO)))
def test_a_block_is_tagged_as_what_it_is(page: Path) -> None:
    """Listings are parts of files and output is captured; what is typed is whole or plain text."""
    for language, body in fences(page.read_text(encoding="utf-8")):
        assert language in CODE | PLAIN, language
        assert language in PLAIN or "…" not in body, f"{language} cut short: {body[:60]}"


def test_there_are_no_translations_that_could_fall_behind() -> None:
    """The course has one language, and the glossary's Chinese terms stand beside the English ones.

    Message files would need what the log asks for: a count for each page of entries that are
    empty or out of date, in the build's output and on the page. Whoever adds them begins here.
    """
    listed = subprocess.run(
        ["git", "ls-files", "*.po", "*.pot", "*/locale/*"],
        cwd=paths.REPO, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert listed.stdout == ""
    assert configuration("language") == '"en"'
