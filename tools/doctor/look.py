"""Looks at files. DOCTOR_ROOT stands before every absolute path; nothing here ever fails."""

from __future__ import annotations

import os
from pathlib import Path

MOST_CHARACTERS = 1 << 20


def root() -> str:
    return os.environ.get("DOCTOR_ROOT", "")


def under(path: str) -> Path:
    return Path(root() + path)


def there(path: str) -> bool:
    return exists(under(path))


def exists(path: Path) -> bool:
    """Without an error where a folder on the way may not be entered."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def writable(path: Path) -> bool:
    return os.access(path, os.W_OK)


def read(path: Path) -> str:
    """A file's text; an empty one where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(MOST_CHARACTERS).decode(errors="replace")
    except (OSError, ValueError):
        return ""


def text(path: str) -> str:
    return read(under(path))


def matching(folder: Path, pattern: str) -> list[Path]:
    """Files of a folder by pattern, in order; none where it cannot be listed."""
    try:
        return sorted(folder.glob(pattern))
    except (OSError, ValueError):
        return []
