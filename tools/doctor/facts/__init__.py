"""What this machine has: gathered first, in groups, and judged afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from tools import ask
from tools.doctor import compatibility
from tools.doctor.compatibility import Compatibility
from tools.doctor.facts import build, driver, gpus, system, toolkit
from tools.doctor.facts.build import Build
from tools.doctor.facts.driver import Driver
from tools.doctor.facts.gpus import Gpus
from tools.doctor.facts.system import System
from tools.doctor.facts.toolkit import Toolkit

SECONDS = 2.5  # after this long nobody is waited for


@dataclass
class Facts:
    """All groups, and the table that they are held against. Rules read this and nothing else."""

    driver: Driver = field(default_factory=Driver)
    gpus: Gpus = field(default_factory=Gpus)
    toolkit: Toolkit = field(default_factory=Toolkit)
    build: Build = field(default_factory=Build)
    system: System = field(default_factory=System)
    table: Compatibility = field(default_factory=Compatibility)
    unread: dict[str, str] = field(default_factory=dict)  # groups that failed, and how

    @property
    def usable(self) -> bool:
        """CUDA can use a GPU."""
        return bool(self.gpus.usable)

    @property
    def cpu_device_ready(self) -> bool:
        return bool(self.build.clang)


def gather(seconds: float = SECONDS) -> Facts:
    """All groups at the same time: most of it is waiting for other programs."""
    ask.deadline = time.monotonic() + seconds
    facts = Facts(table=compatibility.load())

    def part(name: str, gatherer: Callable[[], object]) -> None:
        try:
            setattr(facts, name, gatherer())
        except Exception as error:  # the others still tell something
            facts.unread[name] = f"{type(error).__name__}: {error}"

    def driver_and_gpus() -> None:
        part("driver", driver.gather)
        part("gpus", lambda: gpus.gather(facts.driver))

    with ThreadPoolExecutor() as pool:
        pool.submit(driver_and_gpus)
        for name, module in (("toolkit", toolkit), ("build", build), ("system", system)):
            pool.submit(part, name, module.gather)
    ask.deadline = float("inf")
    return facts
