"""cuRAND's device side: the toolkit's own generators, run on the host, said what must come."""

import os
import pathlib
import shutil
import subprocess

import pytest
from running import HERE, run

# Recorded from tests/random_oracle.cpp with CUDA 13.0; the test below runs it where it can.
RECORDED = (HERE / "random_numbers.txt").read_text().splitlines()


def agree(line, wanted):
    """Integers and uniform numbers are the same; normal ones to nearly all printed digits."""
    words, wanted_words = line.split(), wanted.split()
    if words[1:2] != ["normal"]:
        return line == wanted
    pairs = zip(words[2:], wanted_words[2:], strict=True)
    return all(abs(float(a) - float(b)) <= 2e-4 * max(1, abs(float(b))) for a, b in pairs)


@pytest.mark.parametrize("name", ["random", "random-explain"])
def test_the_sequences_are_curands(programs, name):
    lines, _ = run(programs[name])
    *numbers, fours, means = lines
    for line, wanted in zip(numbers, RECORDED, strict=True):
        assert agree(line, wanted), f"{line}\n{wanted}"
    assert fours == "fours 64"
    uniform, square, small, large = (float(word) for word in means.split()[1:])
    assert abs(uniform - 0.5) < 0.01 and abs(square - 1) < 0.02
    assert abs(small - 3.5) < 0.05 and abs(large - 150) < 0.5


def test_philox_gives_the_published_numbers():
    """The known answer of its authors for a counter and a key of zeros (Random123)."""
    (line,) = [x for x in RECORDED if x.startswith("philox bits")][:1]
    assert line.split()[2:6] == ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"]


def toolkit_include():
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    folders = [pathlib.Path(home) / "include" for home in homes if home]
    folders += [pathlib.Path("/usr/local/include"), pathlib.Path("/usr/include")]
    return next((folder for folder in folders if (folder / "curand_kernel.h").exists()), None)


def test_the_toolkit_still_says_so(tmp_path):
    include, compiler = toolkit_include(), shutil.which("g++")
    if not include or not compiler:
        pytest.skip("no toolkit with curand_kernel.h here, or no g++")
    program = tmp_path / "oracle"
    # `-I` of a system folder is ignored, which is fine: it is searched anyway.
    command = [compiler, "-w", "-O1", f"-I{include}", HERE / "random_oracle.cpp", "-o", program]
    subprocess.run(command, check=True)
    result = subprocess.run([program], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines() == RECORDED
