"""The sanitizer's record: what its output means, and a whole run with a stand-in for the tool."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import sanitize, schema

LIST = [
    {"name": name, "kind": kind, "default_n": default_n, "least_n": least, "most_n": most}
    for name, kind, default_n, least, most in [
        ("good", "measure", 1 << 20, 0, 1 << 62),
        ("good", "measure", 1 << 20, 1 << 21, 1 << 62),
        ("racy", "measure", 2048, 0, 1 << 62),
        ("newer", "show", 0, 0, 1 << 62),
        ("large", "measure", 1 << 20, 1 << 28, 1 << 28),
        ("small", "measure", 1 << 20, 0, 100),
        ("host", "baseline", 1 << 20, 0, 1 << 62),
    ]
]

PROGRAM = f"""#!/usr/bin/env python3
import sys
if sys.argv[1] == "list":
    print({json.dumps(json.dumps(LIST))})
elif sys.argv[2] == "newer":
    print("Step newer needs compute capability 99.0; this GPU has 9.0.")
    sys.exit(2)
"""

TOOL = """#!/usr/bin/env python3
import subprocess, sys
if sys.argv[1] == "--version":
    print("NVIDIA (R) Compute Sanitizer\\nVersion 2025.3.0.0")
    sys.exit()
tool = sys.argv[2]
at = sys.argv.index("run")
code = subprocess.run(sys.argv[at - 1:]).returncode
bad = sys.argv[at + 1] == "racy" and tool == "racecheck"
if tool == "racecheck":
    print(f"========= RACECHECK SUMMARY: {int(bad)} hazards displayed ({int(bad)} errors)")
else:
    print("========= ERROR SUMMARY: 0 errors")
sys.exit(code)
"""


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """A build folder with a program, and the tool beside it."""
    for name, text in (("chapters/09-test", PROGRAM), ("tool", TOOL)):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("output", "errors"),
    [
        ("========= ERROR SUMMARY: 0 errors", 0),
        ("========= ERROR SUMMARY: 12 errors\n", 12),
        ("========= RACECHECK SUMMARY: 3 hazards displayed (3 errors, 0 warnings)", 3),
        ("it crashed", 1),
        ("", 1),
    ],
)
def test_a_summary_is_counted_and_its_absence_is_an_error(output, errors):
    assert sanitize.errors_in(output)[0] == errors


def test_every_step_meets_every_tool_and_a_finding_is_kept(build, capsys):
    arguments = ["09-test", "--device", "nvidia-h200", "--into", str(build / "results"),
                 "--build", str(build), "--sanitizer", str(build / "tool"),
                 "--commit", "0123456"]  # fmt: skip
    assert sanitize.main(arguments) == 1
    assert "racy: racecheck: RACECHECK SUMMARY: 1 hazard" in capsys.readouterr().err
    path = build / "results" / "nvidia-h200" / "09-test.sanitizer.json"
    runs = schema.read(path)["runs"]
    assert {(run["step"], run["tool"]) for run in runs} == {
        (step, tool) for step in ("good", "racy", "large", "small") for tool in sanitize.TOOLS
    }
    assert [run["step"] for run in runs if run["errors"]] == ["racy"]


def test_a_missing_program_is_named(build, capsys):
    arguments = ["08-none", "--device", "nvidia-h200", "--into", str(build), "--build", str(build)]
    assert sanitize.main(arguments) == 1
    assert "08-none" in capsys.readouterr().err


def test_what_is_recorded_is_clean():
    files = Path(__file__).resolve().parents[2].glob("figures/results/*/*.sanitizer.json")
    for path in files:
        assert not [run for run in schema.read(path)["runs"] if run["errors"]], path


def test_a_step_is_run_on_few_elements_that_it_allows(build):
    assert sanitize.steps_of(build / "chapters/09-test") == {
        "good": 5000,
        "racy": 256,
        "newer": 5000,
        "large": 1 << 28,
        "small": 100,
    }
