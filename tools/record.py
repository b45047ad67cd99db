"""Turns a benchmark's raw lines into the course's results files.

    python3 -m tools.record raw.jsonl --into work/results [--commit HASH] [--regime sustained]

writes `<into>/<device>/<slug>.json` and `<into>/<device>/device.json`. Rows that the new run does
not have are kept, with the context of the run that gave them. A file that is damaged, of another
schema version or another device, and a run with unverified rows, from a device-debug build or with
times that do not grow with the work, are refused in one sentence with exit code 1, and nothing is
written.

Samples taken while the GPU had lowered its clock are kept apart, counted, and named; see
`_steady`. With `--strict` they make the exit code 1.

What a raw file holds (one JSON object a line):
  context  slug, device {name and the other facts of device.json}, nvcc, date; optionally command,
           commit, regime ("burst" or "sustained"), gpu_flags, device_debug
  row      name, rival, kind ("baseline" for the CPU's answer), bytes and flops of one call
           (family, step and n are read from the name)
  verify   name, verified, error, mean_error, message; once before and once after timing
  sample   name, round, seconds (device time of ONE call), launches (calls behind the sample);
           bytes, flops, clock_mhz, power_w, temperature_c and throttle may stand here too
  end      medians over the run: clock_mhz, power_w; also temperature_c, throttle

Standard library only: this runs on a GPU machine that has nothing but Python.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from tools import schema
from tools.intervals import estimate, least_samples, ratio_of_pairs
from tools.keys import Key, device_slug
from tools.schema import ROOT, SCHEMA_VERSION, FileError

# Names under which a program may give a fact, and the name it has in device.json.
FACT_NAMES = {
    "cc": "compute_capability",
    "runtime": "cuda_runtime",
    "multiprocessors": "sms",
    "global_memory_bytes": "memory_bytes",
    "total_memory_bytes": "memory_bytes",
    "l2_cache_bytes": "l2_bytes",
    "memory_bus_width": "memory_bus_bits",
    "memory_bus_width_bits": "memory_bus_bits",
}
FACTS_OF_THE_RUN = {"cuda_runtime", "nvcc", "driver"}

# A sample at less than this share of the run's best clock was taken while the GPU was throttled.
STEADY_CLOCK = 0.8
# From here on a kernel takes longer than a launch, so more work must take more time.
LARGE_WORK = 64 << 20

# Measured roofs of device.json: the steps whose large rows set them.
ROOFS = {
    "read_bandwidth_measured": ("read", "read_roof"),
    "copy_bandwidth_measured": ("memcpy", "device_copy"),
}


@dataclass
class _Arm:
    """What the raw file says of one name."""

    rival: bool = False
    kind: str = "measure"
    bytes: float = 0
    flops: float = 0
    verified: bool | None = None
    error: float | None = None
    mean_error: float | None = None
    message: str = ""
    samples: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class RawRun:
    """A raw file, read and found fit for recording."""

    context: dict[str, Any]
    arms: dict[str, _Arm]
    end: dict[str, Any]


def _number(path: Path, line: int, name: str, value: Any) -> float:
    good = isinstance(value, int | float) and not isinstance(value, bool)
    if not good or not math.isfinite(value):
        raise FileError(path, f"line {line} is damaged ({name} is {value!r}, not a number)")
    return value


def read_raw(path: Path) -> RawRun:
    """Reads a raw file. Raises FileError when it is damaged or unfit for recording."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise FileError(path, f"it cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise FileError(path, "it is damaged (not UTF-8 text)") from error
    context: dict[str, Any] | None = None
    arms: dict[str, _Arm] = {}
    end: dict[str, Any] = {}
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            entry = json.loads(text, parse_constant=lambda name: name)
            kind = entry["type"]
            if kind == "context":
                if context is not None:
                    raise FileError(path, f"line {number} begins a second run; give one run a file")
                context = entry
            elif kind == "end":
                end = entry
            if kind not in ("row", "verify", "sample"):
                continue
            name = entry["name"]
            key = Key.parse(name)
        except (ValueError, KeyError, TypeError) as error:
            reason = str(error) if isinstance(error, ValueError) else "no type or name"
            raise FileError(path, f"line {number} is damaged ({reason})") from error
        if context is None:
            raise FileError(path, f"line {number} comes before any context")
        if key.slug != context.get("slug"):
            raise FileError(path, f"line {number} names {name}, not of {context.get('slug')}")
        arm = arms.setdefault(name, _Arm())
        if kind == "row":
            arm.kind = "baseline" if entry.get("kind") == "baseline" else "measure"
            arm.rival = entry.get("rival") is True or arm.kind == "baseline"
            for amount in ("bytes", "flops"):
                setattr(arm, amount, _number(path, number, amount, entry.get(amount, 0)))
        elif kind == "verify":
            good = entry.get("verified") is True
            arm.verified = good if arm.verified is None else arm.verified and good
            arm.message = arm.message or ("" if good else str(entry.get("message", "")))
            for field_name in ("error", "mean_error"):
                if entry.get(field_name) is not None:
                    error = _number(path, number, field_name, entry[field_name])
                    setattr(arm, field_name, max(getattr(arm, field_name) or 0, error))
        else:
            if not _number(path, number, "seconds", entry.get("seconds")) > 0:
                raise FileError(path, f"line {number} is damaged (a time of {entry['seconds']} s)")
            _number(path, number, "round", entry.get("round"))
            for field_name in ("launches", "bytes", "flops", "clock_mhz", "power_w"):
                if entry.get(field_name) is not None:
                    _number(path, number, field_name, entry[field_name])
            arm.samples.append(entry)
    if context is None:
        raise FileError(path, "it holds no run (no context line)")
    _refuse_unfit(path, context, arms)
    return RawRun(context, arms, end)


def _refuse_unfit(path: Path, context: dict[str, Any], arms: dict[str, _Arm]) -> None:
    if context.get("device_debug") is True or context.get("build") == "debug":
        raise FileError(path, "it was timed in a device-debug build; such times say nothing")
    for name, arm in arms.items():
        if arm.verified is not True:
            why = "was found wrong" if arm.verified is False else "was never checked"
            said = f" ({arm.message})" if arm.message else ""
            raise FileError(path, f"{name} {why}{said}; unverified rows are not recorded")
    if not any(arm.samples for arm in arms.values()):
        raise FileError(path, "it holds no samples")
    _refuse_launches_only(path, arms)


def _refuse_launches_only(path: Path, arms: dict[str, _Arm]) -> None:
    """Times that stay while the work grows are those of launches that nobody waited for."""
    series: dict[str, list[tuple[float, float, int]]] = {}
    for name, arm in arms.items():
        work = max(arm.bytes, arm.flops)
        if arm.samples and work >= LARGE_WORK:
            key = Key.parse(name)
            same = name.replace(f"/n:{key.n}", "", 1)
            middle = median(sample["seconds"] for sample in arm.samples)
            series.setdefault(same, []).append((work, middle, key.n))
    for name, rows in series.items():
        (little, short, few), (much, long, many) = min(rows), max(rows)
        if much >= 4 * little and long < 1.5 * short:
            raise FileError(
                path,
                f"{name} takes {short:.3g} s for {few} elements and {long:.3g} s for {many}; times "
                "that do not grow are those of launches that nobody waited for",
            )


def _version(value: Any) -> str:
    """13000, as the runtime counts, is 13.0; text stays."""
    if isinstance(value, int) and value >= 1000:
        return f"{value // 1000}.{value % 1000 // 10}"
    return str(value)


def device_facts(raw: dict[str, Any]) -> dict[str, Any]:
    """device.json's facts from what a program says of its device; clocks in kHz become Hz."""
    facts: dict[str, Any] = {}
    for name, value in raw.items():
        if name.startswith("free_") or value == "" or not isinstance(value, int | float | str):
            continue
        if name.endswith("_khz"):
            name, value = name.removesuffix("_khz") + "_hz", value * 1000
        facts[FACT_NAMES.get(name, name)] = value
    for name in FACTS_OF_THE_RUN & facts.keys():
        facts[name] = _version(facts[name])
    if "compute_capability" in facts:
        facts["compute_capability"] = str(facts["compute_capability"])
    facts["slug"] = device_slug(str(facts.get("name", "")))
    clock, bus = facts.get("memory_clock_hz"), facts.get("memory_bus_bits")
    facts.pop("memory_bandwidth_peak", None)
    if clock and bus:
        facts["memory_bandwidth_peak"] = 2 * clock * bus / 8
    return facts


def commit_of(root: Path) -> str:
    """The commit of the checkout at `root`, with -dirty where files differ; else 'unknown'."""
    try:

        def git(*arguments: str) -> str:
            return subprocess.run(
                ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True
            ).stdout.strip()

        if Path(git("rev-parse", "--show-toplevel")).resolve() != root.resolve():
            return "unknown"
        changed = git("status", "--porcelain", "--untracked-files=no")
        return git("rev-parse", "HEAD") + ("-dirty" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _utc(path: Path, text: Any) -> str:
    try:
        when = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError as error:
        raise FileError(path, f"its date {text!r} is no ISO 8601 date") from error
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _median_of(samples: list[dict[str, Any]], name: str) -> float | None:
    values = [s[name] for s in samples if s.get(name) is not None]
    return median(values) if values else None


def _best_clock(arms: dict[str, _Arm]) -> float:
    """The highest clock of the run; 0 where it was not read."""
    return max((s.get("clock_mhz") or 0 for a in arms.values() for s in a.samples), default=0)


def _steady(
    samples: list[dict[str, Any]], best: float
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The samples at a good clock, and the throttled ones.

    They are two groups: a mean of both is the time of neither. A sample without a clock is good.
    """
    parts: tuple[list, list] = ([], [])
    for sample in samples:
        clock = sample.get("clock_mhz") or best
        parts[clock < STEADY_CLOCK * best].append(sample)
    return parts


def _row(name: str, arm: _Arm, best_clock: float = 0) -> dict[str, Any]:
    key = Key.parse(name)
    samples, slow = _steady(sorted(arm.samples, key=lambda s: s["round"]), best_clock)
    unsteady = bool(slow) and len(samples) < least_samples()
    if unsteady:  # too few are left: all of them count, and the row says so
        samples = sorted(arm.samples, key=lambda sample: sample["round"])
    times = [sample["seconds"] for sample in samples]
    middle = estimate(times)
    row: dict[str, Any] = {
        "name": name,
        "family": key.family,
        "step": key.step,
        "n": key.n,
        "kind": arm.kind,
        "rival": arm.rival,
        "verified": True,
        "error": arm.error,
        "time_unit": "s",
        "real_time": middle.median,
        "low": middle.low,
        "high": middle.high,
    }
    if arm.mean_error is not None:
        row["mean_error"] = arm.mean_error
    if middle.reason:
        row["interval_reason"] = middle.reason
    for amount in ("bytes", "flops"):
        value = _median_of(samples, amount) or getattr(arm, amount)
        if value:
            row[amount] = int(value) if float(value).is_integer() else value
            row[f"{amount}_per_second"] = value / middle.median
    for raw_name, field_name in (("clock_mhz", "sm_clock_mhz"), ("power_w", "power_w")):
        if value := _median_of(samples, raw_name):
            row[field_name] = value
    if launches := _median_of(samples, "launches"):
        row["launches"] = math.ceil(launches)
    row["repetitions"] = len(times)
    row["samples"] = times
    row["rounds"] = [int(sample["round"]) for sample in samples]
    if slow:
        row["throttled"] = [sample["seconds"] for sample in slow]
    if unsteady:
        row["unsteady"] = True
    return row


def throttling(path: Path) -> list[str]:
    """A sentence for every row of a results file that had throttled samples."""
    sentences = []
    for row in schema.read(path, "benchmarks")["benchmarks"]:
        slow = len(row.get("throttled", []))
        if not slow:
            continue
        taken = len(row["samples"]) + (0 if row.get("unsteady") else slow)
        used = "all of them count, and the row is marked unsteady"
        if not row.get("unsteady"):
            used = f"the median is that of the other {len(row['samples'])}"
        sentences.append(f"{row['name']}: {slow} of {taken} repetitions were throttled; {used}")
    return sentences


def times_by_round(row: dict[str, Any]) -> dict[int, float]:
    """A row's time in each round; the median where a round has several samples."""
    rounds: dict[int, list[float]] = {}
    for number, seconds in zip(row["rounds"], row["samples"], strict=True):
        rounds.setdefault(number, []).append(seconds)
    return {number: median(times) for number, times in rounds.items()}


def _add_ratios(rows: list[dict[str, Any]]) -> None:
    """Adds ratio_to_<rival> (> 1: ours is faster) to every row of ours, from pairs of this run.

    Rates are compared: a rival that moves other bytes (a copy against an addition) is compared by
    bytes a second. Where a rival step has several comparable rows (settings of its own), its
    fastest one counts.
    """
    rivals = sorted((row for row in rows if row["rival"]), key=lambda row: row["real_time"])
    for row in rows:
        if row["rival"]:
            continue
        key = Key.parse(row["name"])
        for rival in rivals:
            name = f"ratio_to_{rival['step']}"
            if name in row or not Key.parse(rival["name"]).is_rival_of(key):
                continue
            more_work = row.get("bytes", 1) / rival.get("bytes", row.get("bytes", 1))
            rival_times = {r: more_work * t for r, t in times_by_round(rival).items()}
            ratio = ratio_of_pairs(rival_times, times_by_round(row))
            if ratio is None:
                continue
            row[name], row[f"{name}_low"], row[f"{name}_high"] = ratio.median, ratio.low, ratio.high
            if ratio.reason:
                row[f"{name}_reason"] = ratio.reason


def _merge(old: dict[str, Any] | None, new: dict[str, Any]) -> dict[str, Any]:
    """The new file with the old one's rows that the new run does not have."""
    if old is None:
        return new
    fresh = {row["name"]: row for row in new["benchmarks"]}
    merged: list[dict[str, Any]] = []
    for row in old["benchmarks"]:
        if row["name"] in fresh:
            merged.append(fresh.pop(row["name"]))
        else:
            context = row.get("context", old["context"])
            kept = {name: value for name, value in row.items() if name != "context"}
            merged.append(kept if context == new["context"] else {**kept, "context": context})
    return {"context": new["context"], "benchmarks": merged + list(fresh.values())}


def _roofs(facts: dict[str, Any], rows: list[dict[str, Any]], slug: str) -> dict[str, Any]:
    """Measured read and copy bandwidth: the best row, of any chapter, too large for the cache."""
    least = 4 * facts.get("l2_bytes", 0)
    found: dict[str, Any] = {}
    for name, steps in ROOFS.items():
        if not facts.get(f"{name}_key", slug).startswith(slug):  # another chapter's row
            found[name], found[f"{name}_key"] = facts[name], facts[f"{name}_key"]
        for row in rows:
            direction = Key.parse(row["name"]).parts.get("direction", "device_to_device")
            if (
                row["step"] in steps
                and direction == "device_to_device"
                and row.get("bytes", 0) >= max(least, 1)
                and row["bytes_per_second"] > found.get(name, 0)
            ):
                found[name], found[f"{name}_key"] = row["bytes_per_second"], row["name"]
    return found


def dump(document: dict[str, Any]) -> str:
    """JSON with one member a line but arrays of numbers on one line."""
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)
    return (
        re.sub(
            r"\[\s+([-+0-9.eE,\s]+?)\s+\]",
            lambda match: "[" + re.sub(r"\s+", " ", match[1]) + "]",
            text,
        )
        + "\n"
    )


def write_together(files: dict[Path, str]) -> None:
    """Writes several files so that none is ever half written: temporary files, then renames."""
    ready: list[tuple[Path, Path]] = []
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(
                "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
            ) as temporary:
                ready.append((Path(temporary.name), path))
                temporary.write(text)
            Path(temporary.name).chmod(0o644)
        for temporary_path, path in ready:
            temporary_path.replace(path)
    except OSError as error:
        where = error.filename or path
        raise FileError(where, f"it cannot be written ({error.strerror})") from error
    finally:
        for temporary_path, _ in ready:
            temporary_path.unlink(missing_ok=True)


def _context(
    path: Path, run: RawRun, facts: dict[str, Any], overrides: dict[str, str | None]
) -> dict[str, Any]:
    raw, samples = run.context, [sample for arm in run.arms.values() for sample in arm.samples]
    command = overrides["command"] or raw.get("command") or f"build/chapters/{raw['slug']}-bench"
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat()
    context = {
        "schema_version": SCHEMA_VERSION,
        "device": facts["slug"],
        "device_name": facts["name"],
        "slug": raw["slug"],
        "driver": str(facts.get("driver", "unknown")),
        "cuda_runtime": str(facts.get("cuda_runtime", "unknown")),
        "nvcc": _version(raw.get("nvcc", facts.get("nvcc", "unknown"))),
        "commit": overrides["commit"] or raw.get("commit") or commit_of(ROOT),
        "date": _utc(path, raw.get("date", written)),
        "command": command if isinstance(command, str) else " ".join(command),
        "regime": overrides["regime"] or raw.get("regime") or "burst",
        "sm_clock_mhz": _median_of(samples, "clock_mhz") or run.end.get("clock_mhz"),
        "power_w": _median_of(samples, "power_w") or run.end.get("power_w"),
    }
    for name, value in (
        ("gpu_flags", raw.get("gpu_flags")),
        ("system", raw.get("system")),
        ("host_cpu", raw.get("host_cpu")),
        ("host_threads", raw.get("host_threads")),
        ("throttle", run.end.get("throttle")),
        ("temperature_c", run.end.get("temperature_c")),
    ):
        if value not in (None, ""):
            context[name] = value if isinstance(value, int | float) else str(value)
    return context


def _folder(into: Path, slug: str) -> Path:
    """`into` itself when it is the device's folder already, else the folder inside it."""
    if into.name == slug:
        return into
    if (into / "device.json").exists():
        raise FileError(into, f"it is another device's folder; the run was on {slug}")
    return into / slug


def _checked(path: Path, document: dict[str, Any], kind: str) -> str:
    problems = schema.problems_of(document, kind, path.parent.name)
    if problems:
        raise FileError(path, f"it would not be a good file ({'; '.join(problems[:3])})")
    return dump(document)


def record(
    raw: Path,
    into: Path,
    *,
    commit: str | None = None,
    command: str | None = None,
    regime: str | None = None,
    facts: dict[str, Any] | None = None,
) -> list[Path]:
    """Records one raw file.

    raw      the benchmark's lines
    into     the folder of all devices (work/results, figures/results), or the device's own
    commit   of the sources, where the tree has no .git
    command  to keep as the command, where the raw file does not say
    regime   'burst' or 'sustained', where the raw file does not say
    facts    further facts for device.json
    Returns the files written. Raises FileError, and then nothing has changed.
    """
    run = read_raw(raw)
    device = run.context.get("device")
    if not isinstance(device, dict) or not device.get("name"):
        raise FileError(raw, "its context does not name the device")
    new_facts = device_facts({**device, **(facts or {})})
    folder = _folder(into, new_facts["slug"])
    overrides = {"commit": commit, "command": command, "regime": regime}
    context = _context(raw, run, new_facts, overrides)

    best = _best_clock(run.arms)
    rows = [_row(name, arm, best) for name, arm in run.arms.items() if arm.samples]
    _add_ratios(rows)
    times_path, device_path = folder / f"{context['slug']}.json", folder / "device.json"
    old = schema.read(times_path, "benchmarks") if times_path.exists() else None
    times = _merge(old, {"context": context, "benchmarks": rows})

    old_facts = schema.read(device_path, "device") if device_path.exists() else {}
    all_facts = {"schema_version": SCHEMA_VERSION, **old_facts, **new_facts}
    all_facts["date"] = context["date"]
    all_facts |= _roofs(all_facts, times["benchmarks"], context["slug"])
    written = {
        times_path: _checked(times_path, times, "benchmarks"),
        device_path: _checked(device_path, all_facts, "device"),
    }
    write_together(written)
    return list(written)


def main(arguments: list[str] | None = None) -> int:
    """Records raw benchmark files into the results folder of their device."""
    parser = argparse.ArgumentParser(prog="python3 -m tools.record", description=main.__doc__)
    parser.add_argument("raw", nargs="+", type=Path, help="what a benchmark wrote with --out")
    parser.add_argument(
        "--into",
        required=True,
        type=Path,
        metavar="DIR",
        help="folder of all devices' results, or this device's own",
    )
    parser.add_argument("--commit", help="of the sources, where there is no .git")
    parser.add_argument("--command", help="the command to keep, where the raw file does not say")
    parser.add_argument("--regime", choices=("burst", "sustained"))
    parser.add_argument("--facts", type=Path, help="JSON file with further facts of the device")
    parser.add_argument(
        "--strict", action="store_true", help="exit code 1 when repetitions were throttled"
    )
    options = parser.parse_args(arguments)
    throttled: list[str] = []
    try:
        facts = json.loads(options.facts.read_text("utf-8")) if options.facts else None
        for raw in options.raw:
            written = record(
                raw,
                options.into,
                commit=options.commit,
                command=options.command,
                regime=options.regime,
                facts=facts,
            )
            for path in written:
                print(f"wrote {path}")
            throttled += throttling(written[0])
    except FileError as error:
        print(f"Not recorded: {error}.", file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:
        print(f"Not recorded: {options.facts}: it is damaged ({error}).", file=sys.stderr)
        return 1
    for sentence in throttled:
        print(sentence, file=sys.stderr)
    return 1 if throttled and options.strict else 0


if __name__ == "__main__":
    sys.exit(main())
