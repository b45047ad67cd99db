"""Checks that the build knows the headers of a step: only then does an edit of one rebuild it.

    python3 tests/headers.py BUILD_FOLDER

Reads ninja's own record of what each object was made from. Exit code 77 where nothing is built.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

STEP = "step1_one_thread"
HEADERS = ("03-first-gpu-program/steps.hpp", "coalesce/launch.hpp")


def main() -> int:
    beside = Path(sys.executable).parent / "ninja"
    ninja = str(beside) if beside.exists() else shutil.which("ninja")
    if ninja is None:
        print("skipped: there is no ninja here")
        return 77
    command = [ninja, "-C", sys.argv[1], "-t", "deps"]
    known = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    objects = [block for block in known.split("\n\n") if STEP in block.partition(":")[0]]
    if not objects:
        print(f"skipped: no object of {STEP} is built")
        return 77
    missing = [
        f"{block.partition(':')[0].strip()} does not know {header}"
        for block in objects
        for header in HEADERS
        if header not in block
    ]
    print("\n".join(missing) or f"{len(objects)} objects know their headers")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
