"""The test programs are CUDA as nvcc takes it: none passes here that would not build for a GPU."""

import concurrent.futures
import os
import shutil

import nvcc
import pytest
from running import HERE

# older.cu is about what CUDA 13 has no more.
SOURCES = [file for file in sorted(HERE.rglob("*.cu")) if file.name != "older.cu"]


@pytest.mark.slow
@nvcc.needed
def test_the_programs_of_the_tests_build_with_nvcc(tmp_path):
    def errors(file):
        copy = tmp_path / file.relative_to(HERE).with_suffix("") / file.name
        copy.parent.mkdir(parents=True)
        shutil.copy(file, copy)
        result = nvcc.build(copy, f"-I{HERE}", f"-I{file.parent}")
        return result.returncode and f"{file.name}:\n{result.stderr}"

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        assert not list(filter(None, pool.map(errors, SOURCES)))
