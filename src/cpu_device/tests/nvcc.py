"""The toolkit's own compiler, where there is one: it compiles here, and nothing is run."""

import re
import shutil
import subprocess

import pytest
from hardware import NVCC


def version():
    """The major version of CUDA; 0 without a compiler that works."""
    if not shutil.which("nvcc"):
        return 0
    result = subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=False)
    release = re.search(r"release (\d+)", result.stdout)
    return int(release[1]) if release and result.returncode == 0 else 0


needed = pytest.mark.skipif(version() < 13, reason="no nvcc of CUDA 13 or newer here")


def build(source, *options, without=()):
    """The finished process of a compilation, with the object beside the source."""
    target = source.parent / f"{source.stem}.nvcc.o"
    usual = [word for word in NVCC if word not in without]
    words = [*usual, "-arch=sm_90", "-w", *options, "-c", source, "-o", target]
    return subprocess.run(words, capture_output=True, text=True, check=False)
