"""The table of what goes with what: docs/data/compatibility.toml, as questions and answers."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
PATH = REPO / "docs" / "data" / "compatibility.toml"

Version = tuple[int, ...]


def version(text: object) -> Version:
    """(580, 123, 4) from "580.123.04"; () where there is no number."""
    match = re.match(r"\s*(\d+(?:\.\d+)*)", str(text))
    return tuple(int(part) for part in match[1].split(".")) if match else ()


def text(number: Version) -> str:
    return ".".join(str(part) for part in number)


def latest(table: dict, wanted: Version) -> object | None:
    """The entry of the newest toolkit that is not newer than `wanted`, within its major release."""
    known = [key for key in table if version(key)[:1] == wanted[:1] and version(key) <= wanted]
    return table[max(known, key=version)] if known else None


@dataclass(frozen=True)
class Compatibility:
    """Empty where the file is missing or damaged: then doctor judges less."""

    data: dict = field(default_factory=dict)

    def group(self, name: str, part: str) -> dict:
        found = self.data.get(name, {}).get(part, {})
        return found if isinstance(found, dict) else {}

    def least_driver(self, toolkit: Version) -> int:
        """The driver branch without which no program of this toolkit starts; 0: not known."""
        return self.group("driver", "least").get(str(toolkit[0]), 0) if toolkit else 0

    def own_driver(self, toolkit: Version) -> str:
        """The driver that came with this toolkit, or an empty text."""
        return str(self.group("driver", "of").get(text(toolkit[:2]), ""))

    def toolkit_served(self, driver: Version) -> Version:
        """The newest toolkit all of which this driver serves."""
        of = self.group("driver", "of")
        served = [version(toolkit) for toolkit, least in of.items() if version(least) <= driver]
        return max(served, default=())

    def architectures(self, toolkit: Version) -> list[int]:
        """[75, 80, …]: what the toolkit makes machine code for, in rising order."""
        found = []
        for name, entry in self.group("architectures", "of").items():
            last = version(entry["last"]) if "last" in entry else toolkit
            if version(entry["first"]) <= toolkit[:2] <= last:
                found.append(number_of(name))
        return sorted(found)

    def family(self, capability: str) -> str:
        return self.group("architectures", "of").get(capability, {}).get("family", "")

    def last_toolkit(self, capability: str) -> str:
        """The last toolkit that knows this GPU; empty where none has dropped it."""
        return self.group("architectures", "of").get(capability, {}).get("last", "")

    def first_toolkit(self, capability: str) -> str:
        return self.group("architectures", "of").get(capability, {}).get("first", "")

    def newest_compiler(self, toolkit: Version, kind: str) -> int:
        """The newest GCC ("gcc") or clang ("clang") that this nvcc takes; 0: not known."""
        entry = latest(self.group("host_compilers", "of"), toolkit)
        return entry.get(kind, 0) if isinstance(entry, dict) else 0

    def newest_glibc(self, toolkit: Version) -> Version:
        """The newest glibc that goes with this toolkit's headers; (): no limit is known."""
        entry = latest(self.group("glibc", "of"), toolkit)
        return version(entry.get("newest", "")) if isinstance(entry, dict) else ()


def number_of(capability: str) -> int:
    """90 from "9.0"; 0 where it is no capability."""
    return int(capability.replace(".", "")) if re.fullmatch(r"\d+\.\d", capability) else 0


def load(path: Path = PATH) -> Compatibility:
    try:
        return Compatibility(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return Compatibility()
