"""Names of results: `<slug>/<family>/<step>/n:<N>[/cache:hot|cold][/launch:graph|stream][/k:v…]`.

Standard library only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

KEY_PATTERN = re.compile(
    r"(?P<slug>\d\d-[a-z0-9][a-z0-9.-]*)/(?P<family>[a-z0-9_]+)/(?P<step>[a-z0-9_]+)"
    r"/n:(?P<n>\d+)(?P<parts>(?:/[a-z0-9_]+:[A-Za-z0-9_.+-]+)*)"
)
DEVICE_SLUG_PATTERN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True)
class Key:
    """A result's name taken apart; str() gives the name back."""

    slug: str
    family: str
    step: str
    n: int
    parts: dict[str, str] = field(default_factory=dict, hash=False)

    @classmethod
    def parse(cls, name: str) -> Key:
        """Takes a name apart. Raises ValueError with the expected form."""
        match = KEY_PATTERN.fullmatch(name)
        if match is None:
            raise ValueError(
                f"{name!r} is not a result's name; the form is slug/family/step/n:N[/key:value…]"
            )
        pairs = [part.split(":", 1) for part in match["parts"].split("/") if part]
        parts = dict(pairs)
        if len(parts) != len(pairs) or "n" in parts:
            raise ValueError(f"{name!r} gives a part twice")
        return cls(match["slug"], match["family"], match["step"], int(match["n"]), parts)

    def __str__(self) -> str:
        parts = "".join(f"/{name}:{value}" for name, value in self.parts.items())
        return f"{self.slug}/{self.family}/{self.step}/n:{self.n}{parts}"

    def is_rival_of(self, ours: Key) -> bool:
        """True when this row did the same work as `ours` and may be divided by it.

        Family and size are equal, and every part that this row has (cache, launch, …) is the same
        in `ours`; a CPU baseline has no cache and launch parts and so compares with all of them.
        """
        return (
            (self.slug, self.family, self.n) == (ours.slug, ours.family, ours.n)
            and self.step != ours.step
            and all(
                ours.parts.get(name, value if name not in ("cache", "launch") else None) == value
                for name, value in self.parts.items()
            )
        )


def device_slug(name: str) -> str:
    """A device's folder name from the name its driver gives.

    Lower case, words joined by hyphens. A leading 'NVIDIA' goes where a family name follows it
    (GeForce, Tesla, Quadro), because the same cards were sold under both spellings:
    'NVIDIA H200' is nvidia-h200, 'NVIDIA GeForce RTX 4090' is geforce-rtx-4090.
    """
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    if not slug:
        raise ValueError(f"no folder name can be made of the device's name {name!r}")
    return re.sub(r"^nvidia-(?=(?:geforce|tesla|quadro)\b)", "", slug)
