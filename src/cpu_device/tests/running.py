"""Runs compiled test programs."""

import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


def clean_environment(**settings):
    """The environment with these settings of the CPU device and no others."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("CPU_DEVICE_")}
    return {**clean, **settings}


def run(program, *arguments, exit_code=0, **environment):
    """Runs a program; returns (stdout lines, stderr)."""
    result = subprocess.run(
        [str(program), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=clean_environment(**environment),
    )
    assert result.returncode == exit_code, result.stderr
    return result.stdout.splitlines(), result.stderr


def line_of(file, marker):
    """The number of the line that carries the comment LINE `marker`."""
    for number, line in enumerate((HERE / file).read_text().splitlines(), 1):
        if f"LINE {marker}" in line:
            return number
    raise AssertionError(marker)
