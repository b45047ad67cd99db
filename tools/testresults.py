"""Test results of several runners, read from what they write: JUnit files and Meson's log."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

SKIP_CODE = 77


@dataclass
class Tally:
    """How many tests passed, failed and were skipped, and why."""

    passed: int = 0
    failed: int = 0
    reasons: Counter[str] = field(default_factory=Counter)  # reason → tests skipped for it
    failures: list[str] = field(default_factory=list)  # names of what failed

    @property
    def skipped(self) -> int:
        return self.reasons.total()

    @property
    def total(self) -> int:
        return self.passed + self.failed + self.skipped

    def skip(self, reason: str, count: int = 1) -> None:
        self.reasons[tidy_reason(reason)] += count

    def fail(self, name: str) -> None:
        self.failed += 1
        self.failures.append(name)

    def add(self, other: Tally) -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.reasons += other.reasons
        self.failures += other.failures

    def text(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def tidy_reason(text: str) -> str:
    """One line without the place in the source, so that equal reasons are counted together."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if lines and re.search(r"\.(cpp|cu|hpp|py)[:(]\d+\)?:?$", lines[0]):  # GoogleTest's file:line
        lines = lines[1:]
    reason = " ".join(lines) or "no reason given"
    reason = re.sub(r"^(Skipped|skipped|SKIP(PED)?)\s*:\s*", "", reason)
    return reason[:300]


def read_junit(path: Path) -> Tally | None:
    """The cases of a JUnit file of pytest or GoogleTest; None when it is missing or damaged."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError):
        return None
    tally = Tally()
    for case in root.iter("testcase"):
        name = f"{case.get('classname', '')}.{case.get('name', '')}".strip(".")
        skipped = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            tally.fail(name)
        elif skipped is not None:
            tally.skip(skipped.get("message") or skipped.text or "")
        elif case.get("status") == "notrun" or case.get("result") == "suppressed":
            continue
        elif case.get("result") == "skipped":
            tally.skip("")
        else:
            tally.passed += 1
    return tally


def gtest_output(command: list[str], folder: Path) -> Path | None:
    """The file that a GoogleTest program was told to write."""
    for word in command:
        if word.startswith("--gtest_output=xml:"):
            return folder / word.removeprefix("--gtest_output=xml:")
    return None


def read_meson_entry(entry: dict, build_dir: Path) -> Tally:
    """One test of Meson: its GoogleTest cases where it wrote them, else one test."""
    tally = Tally()
    name, result = entry["name"], entry["result"]
    words = entry.get("stdout", "") + "\n" + entry.get("stderr", "")
    if result == "SKIP" or entry.get("returncode") == SKIP_CODE:
        lines = [line for line in words.splitlines() if line.strip()]
        stated = [line for line in lines if re.match(r"\s*skip", line, re.IGNORECASE)]
        tally.skip((stated or lines or [""])[-1])
        return tally
    output = gtest_output(entry.get("command", []), build_dir)
    cases = read_junit(output) if output else None
    good = result in ("OK", "EXPECTEDFAIL")
    if cases is None or not cases.total:
        if good:
            tally.passed += 1
        else:
            tally.fail(f"{name} ({result.lower()})")
        return tally
    cases.failures = [f"{name}: {case}" for case in cases.failures]
    if not good and not cases.failed:  # it failed outside its cases, by a crash for example
        cases.fail(f"{name} ({result.lower()})")
    return cases


def read_meson_log(path: Path, build_dir: Path) -> tuple[Tally, list[dict]]:
    """The sum over Meson's testlog.json, and the entries that failed."""
    tally, bad = Tally(), []
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return tally, bad
    for line in lines:
        entry = json.loads(line)
        one = read_meson_entry(entry, build_dir)
        tally.add(one)
        if one.failed:
            bad.append(entry)
    return tally, bad
