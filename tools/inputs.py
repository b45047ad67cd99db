"""What a piece of work was made from, so that it is not made again when nothing changed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from tools import atomic

SKIPPED_FOLDERS = {"__pycache__", ".git", "build", ".venv", "node_modules"}

# path → [modification time in ns, size, sha256]
Snapshot = dict[str, list]


def files_under(places: Iterable[Path]) -> list[Path]:
    """All files of the places, which are files or folders; missing ones are left out."""
    found: list[Path] = []
    for place in places:
        if place.is_file():
            found.append(place)
        for folder, folders, names in os.walk(place):
            folders[:] = sorted(name for name in folders if name not in SKIPPED_FOLDERS)
            found.extend(Path(folder) / name for name in sorted(names) if not name.endswith(".pyc"))
    return found


def content_hash(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def snapshot(paths: Iterable[Path], known: Snapshot | None = None) -> Snapshot:
    """The state of files. A hash is taken only where time or size differ from the known ones."""
    state: Snapshot = {}
    for path in paths:
        try:
            facts = path.stat()
        except OSError:
            continue
        old = (known or {}).get(str(path))
        if old and old[:2] == [facts.st_mtime_ns, facts.st_size]:
            state[str(path)] = old
        else:
            state[str(path)] = [facts.st_mtime_ns, facts.st_size, content_hash(path)]
    return state


def same_content(one: Snapshot, other: Snapshot) -> bool:
    return {path: entry[2] for path, entry in one.items()} == {
        path: entry[2] for path, entry in other.items()
    }


class Stamp:
    """Remembers in a file what some result was made from."""

    def __init__(self, path: Path, places: Iterable[Path], extra: str = ""):
        self.path = path
        self.places = list(places)
        self.extra = extra
        try:
            read = json.loads(path.read_text(encoding="utf-8"))
            self.known: Snapshot = read["files"] if read["extra"] == extra else {}
        except (OSError, ValueError, KeyError, TypeError):
            self.known = {}

    def now(self) -> Snapshot:
        return snapshot(files_under(self.places), self.known)

    def current(self) -> bool:
        return bool(self.known) and same_content(self.known, self.now())

    def write(self, state: Snapshot) -> None:
        """Keeps the state that was taken before the work began."""
        atomic.write_text(self.path, json.dumps({"extra": self.extra, "files": state}))

    def forget(self) -> None:
        self.path.unlink(missing_ok=True)
