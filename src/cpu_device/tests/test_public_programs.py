"""What public programs use, and the survey that builds and runs a folder of them."""

import subprocess
import sys

import pytest
from running import HERE, run

pytestmark = pytest.mark.compiler

EXPECTED = """\
outside 163 100, 272 bytes
areas 1 961
heap 1 0 1
tiles 430833 430873
cudaSuccess cudaSuccess
peers cudaSuccess 0, cudaErrorInvalidDevice""".splitlines()


@pytest.mark.parametrize("option", ["", "-explain", "-check"])
def test_what_public_programs_use(programs, option):
    lines, said = run(programs["public_programs" + option])
    assert lines == EXPECTED
    assert "problem" not in said


SURVEY = HERE.parent / "benchmarks" / "survey.py"


def test_a_survey_of_a_folder_of_programs(tmp_path):
    """One program passes, one ends with 3, one needs what a CPU has not."""
    texts = {
        "right/main.cu": '#include "part.h"\nint main() { return part(); }\n',
        "right/part.cpp": '#include "part.h"\nint part() { return 0; }\n',
        "right/include/part.h": "int part();\n",
        "wrong/main.cu": "int main() { return 3; }\n",
        "driver/main.cpp": "#include <cuda.h>\nint main() { return cuInit(0); }\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    words = [sys.executable, SURVEY, "-O1", tmp_path]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    rows = {line.split()[0]: line for line in result.stdout.splitlines()}
    assert result.returncode == 1 and "1 of 3 programs passed" in result.stdout
    assert rows["right"].count("passed") >= 1
    assert "exit 3" in rows["wrong"] and "passed" not in rows["wrong"]
    assert "main.cpp:2: cuInit belongs to the driver API" in rows["driver"]
