"""Where things are: the repository, the build folder, the virtual environment, the reader's work.

A checkout that cannot be written to is usable too: what would be written into it goes to
$COALESCE_BUILD, or to a cache folder.
"""

from __future__ import annotations

import functools
import hashlib
import os
import tempfile
from pathlib import Path

from tools.errors import SETUP_NEEDED, Failure

REPO = Path(__file__).resolve().parent.parent


def writable(folder: Path) -> bool:
    """Whether files can be made in `folder`, or it can itself be made."""
    while not folder.exists() and folder.parent != folder:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


def cache_folders() -> list[Path]:
    """Where a read-only checkout may build: the user's cache, else the temporary folder."""
    name = "coalesce-" + hashlib.sha256(os.fsencode(REPO)).hexdigest()[:8]
    folders = []
    if os.environ.get("XDG_CACHE_HOME"):
        folders.append(Path(os.environ["XDG_CACHE_HOME"]) / name)
    home = os.environ.get("HOME")
    if home:
        folders.append(Path(home) / ".cache" / name)
    try:
        folders.append(Path(tempfile.gettempdir()) / f"{name}-{os.getuid()}")
    except OSError:  # nowhere can a file be written
        pass
    return folders


@functools.cache
def build_dir() -> Path:
    """The build folder: $COALESCE_BUILD, else build/ in the repository, else in a cache."""
    if os.environ.get("COALESCE_BUILD"):
        chosen = Path(os.environ["COALESCE_BUILD"]).expanduser().resolve()
        if not writable(chosen):
            raise Failure(
                f"COALESCE_BUILD names {chosen}, where nothing can be written.",
                "Set it to a folder that you may write to.",
                SETUP_NEEDED,
            )
        return chosen
    inside = REPO / "build"
    if writable(inside):
        return inside
    for folder in cache_folders():
        if writable(folder):
            return folder / "build"
    raise Failure(
        "This checkout is read-only, and no cache or temporary folder can be written to.",
        "Set COALESCE_BUILD to a folder that you may write to.",
        SETUP_NEEDED,
    )


def remark_on_build_dir() -> str:
    """One sentence when the build folder is not the usual one, and nobody asked for that."""
    if os.environ.get("COALESCE_BUILD") or build_dir() == REPO / "build":
        return ""
    return f"This checkout is read-only: building in {build_dir()} (COALESCE_BUILD changes that)."


@functools.cache
def venv_dir() -> Path:
    """The virtual environment: .venv in the repository, or beside a build folder elsewhere."""
    if os.environ.get("COALESCE_VENV"):
        return Path(os.environ["COALESCE_VENV"]).expanduser().resolve()
    inside = REPO / ".venv"
    if inside.exists() or writable(inside):
        return inside
    return build_dir().parent / f"{build_dir().name}-venv"


def work_dir() -> Path:
    """The reader's labs and results: $COALESCE_WORK, else work/ in the repository, or in a build
    folder elsewhere."""
    if os.environ.get("COALESCE_WORK"):
        return Path(os.environ["COALESCE_WORK"]).expanduser().resolve()
    inside = REPO / "work"
    return inside if writable(inside) else build_dir() / "work"


def results_dir() -> Path:
    """The reader's own results."""
    return work_dir() / "results"


def shown(path: Path) -> str:
    """A path as messages show it: from the repository where it is inside, else whole."""
    full = Path(os.path.normpath(REPO / path))
    return full.relative_to(REPO).as_posix() if full.is_relative_to(REPO) else str(full)
