"""Takes out of a report what belongs to a person or to one machine, before it is shown to others.

User and host names, home folders, serial numbers, UUIDs, addresses, and the place of the checkout.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path

from tools import paths
from tools.doctor.look import root

COMMON_NAMES = {"root", "user", "nobody", "localhost", "linux"}  # these tell nothing of anybody

PATTERNS = (
    (r"(?<![\w.-])((?:/[\w.-]+)*/(?:home|Users))/[^/\s\"':,;]+", "~"),
    (r"(?i)\b(?:GPU|MIG)-[0-9a-f]{8}[0-9a-f/-]*", "<uuid>"),
    (r"(?i)\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "<uuid>"),
    (r"(?i)\bserial(?:\s*(?:number|no\.?|#))?\s*[:=]\s*\S+", "serial: <number>"),
    (r"\b\d{11,}\b", "<number>"),
    (r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)*", "<address>"),
    (r"(?i)\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", "<address>"),
    (r"\b(?:\d{1,3}\.){3}\d{1,3}\b", "<address>"),
)


def redact(value: object) -> object:
    """A copy of a JSON document with every text in it cleaned; keys are ours and stay."""
    names = list(known_names())
    return walk(value, names)


def walk(value: object, names: list[tuple[str, str]]) -> object:
    if isinstance(value, dict):
        return {key: walk(part, names) for key, part in value.items()}
    if isinstance(value, list):
        return [walk(part, names) for part in value]
    return clean(value, names) if isinstance(value, str) else value


def clean(text: str, names: list[tuple[str, str]]) -> str:
    for name, stand_in in names:
        edge = r"(?<![A-Za-z0-9]){}(?![A-Za-z0-9])"
        text = re.sub(edge.format(re.escape(name)), stand_in, text)
    for pattern, stand_in in PATTERNS:
        text = re.sub(pattern, stand_in, text)
    return text


def known_names() -> Iterator[tuple[str, str]]:
    """What is known of this user and this machine; folders before the names that are in them."""
    folders = [(str(paths.REPO), "<course>"), (root(), ""), (os.environ.get("HOME", ""), "~")]
    for folder, stand_in in folders:
        if len(Path(folder).parts) > 1:
            yield folder.rstrip("/"), stand_in
    for name in filter(None, user_names()):
        if len(name) > 1 and name not in COMMON_NAMES:
            yield name, "<user>"
    for name in filter(None, host_names()):
        if len(name) > 1 and name not in COMMON_NAMES:
            yield name, "<host>"


def user_names() -> set[str]:
    names = {os.environ.get(name, "") for name in ("USER", "LOGNAME", "SUDO_USER")}
    try:
        import pwd

        entry = pwd.getpwuid(os.getuid())
        names |= {entry.pw_name, entry.pw_gecos.split(",")[0]}
    except (ImportError, KeyError):
        pass
    return names


def host_names() -> list[str]:
    full = {socket.gethostname(), os.environ.get("HOSTNAME", "")}
    return sorted(full | {name.partition(".")[0] for name in full}, key=len, reverse=True)
