"""The one reader of the course's numbers: measured, the reader's own, and historical.

    store = Results.load(root, extra_dirs=[root / "work" / "results"])
    store.row("03-first-gpu-program/…/n:1048576/cache:hot/launch:stream").seconds
    store.resolve("geforce-g-103m:04-optimization/…/strided/n:1048576").text
    store.claim("KEY1 > 10 * KEY2").holds

Standard library only.
"""

from __future__ import annotations

import difflib
import fnmatch
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from tools import expressions, schema, units
from tools.expressions import ExpressionError, Quantity
from tools.intervals import ratio_of_pairs
from tools.keys import Key
from tools.record import times_by_round
from tools.schema import FileError

REFERENCE = "nvidia-h200"

Role = Literal["reference", "reader", "historical", "contributed"]

_FIELD_UNITS = {
    "real_time": "s", "low": "s", "high": "s", "bytes": "B", "flops": "FLOP",
    "bytes_per_second": "B/s", "flops_per_second": "FLOP/s",
    "error": "error", "mean_error": "error",
    "repetitions": "1", "launches": "1", "n": "1", "cycles": "1",
    "share_of_peak": "%", "share_of_read_roof": "%", "share_of_flops_peak": "%",
    "interval_width": "%", "power_w": "W",
}  # fmt: skip
_ALIASES = {"time": "real_time", "seconds": "real_time", "median": "real_time"}

# How a fact's unit follows from the end of its name.
_FACT_UNITS = (
    ("_hz", "Hz"),
    ("_bytes", "B"),
    ("shared_per_block", "B"),
    ("shared_per_block_optin", "B"),
    ("shared_per_sm", "B"),
    ("_bits", "bit"),
    ("bandwidth_peak", "B/s"),
    ("bandwidth_measured", "B/s"),
    ("fp32_peak", "FLOP/s"),
    ("_w", "W"),
)


class MissingKey(KeyError):  # noqa: N818 - says what is the matter
    """A name that no file has. `nearest` lists the names most like it."""

    def __init__(self, what: str, name: str, device: str, nearest: Sequence[str]):
        self.name, self.device, self.nearest = name, device, list(nearest)
        near = f"; nearest: {', '.join(nearest)}" if nearest else ""
        self.sentence = f"{device} has no {what} {name}{near}"
        super().__init__(self.sentence)

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class Device:
    """A device of which results are known.

    `id` tells devices apart and is what every `device=` takes; it is the slug, but a reader's
    own H200 is `your-nvidia-h200` beside the reference.
    """

    id: str
    slug: str
    role: Role
    name: str
    facts: dict[str, Any] = field(repr=False, hash=False, compare=False)
    directory: Path = field(repr=False, compare=False)


@dataclass(frozen=True)
class Value:
    """A number as the text prints it, with all that a reader may ask of it.

    value, unit   unit is one of tools/units.py's, or '' for text
    text          the printed form
    device        where it was measured or what it describes
    name, field   which number it is
    origin        ordered facts for the tooltip: device, driver, date, command, … or source, note
    low, high     its 95 % interval where it has one
    """

    value: float | str
    unit: str
    text: str
    device: Device
    name: str
    field: str
    origin: dict[str, str]
    low: float | None = None
    high: float | None = None

    @property
    def steady(self) -> bool:
        """Whether the GPU kept its clock while this was measured."""
        return "throttled samples" not in self.origin

    @property
    def title(self) -> str:
        """One line for a tooltip."""
        return ", ".join(f"{name}: {text}" for name, text in self.origin.items())

    @property
    def quantity(self) -> Quantity:
        """The number for use in an expression."""
        if isinstance(self.value, str):
            raise ExpressionError(f"{self.name} is the text {self.value!r}, not a number")
        return Quantity.of(self.value, self.unit)


def _printed(value: float | str, unit: str, digits: int | None = None) -> str:
    if isinstance(value, str):
        return value
    if unit == "bit":
        return f"{units.format_count(value)}{units.NARROW_SPACE}bit"
    return units.format_unit(value, unit, digits)


def fact_unit(name: str) -> str:
    """The unit of a fact, '1' for a plain count."""
    return next((unit for ending, unit in _FACT_UNITS if name.endswith(ending)), "1")


@dataclass(frozen=True)
class Row:
    """One result. `record` is the row as it stands in its file."""

    name: str
    key: Key
    device: Device
    record: dict[str, Any] = field(repr=False)
    context: dict[str, Any] = field(repr=False)

    @property
    def historical(self) -> bool:
        """True when the row comes from an older text and was not measured by the course."""
        return self.device.role == "historical"

    @property
    def rival(self) -> bool:
        """True for a library's or the CPU's answer to the same problem."""
        return bool(self.record.get("rival", False))

    def number(self, name: str = "real_time") -> float | None:
        """A field as a number in its base unit (s, B/s, …), None where the row has none."""
        name = _ALIASES.get(name, name)
        if self.historical:
            entry = self.record["values"].get(name)
            return entry["value"] if entry else None
        if name in self.record:
            return self.record[name]
        return self._derived(name)

    def _derived(self, name: str) -> float | None:
        facts, rate = self.device.facts, self.record.get("bytes_per_second")
        if name == "share_of_peak" and rate and facts.get("memory_bandwidth_peak"):
            return rate / facts["memory_bandwidth_peak"]
        if name == "share_of_read_roof" and rate and facts.get("read_bandwidth_measured"):
            return rate / facts["read_bandwidth_measured"]
        if name == "share_of_flops_peak" and facts.get("fp32_peak"):
            flops = self.record.get("flops_per_second")
            return flops / facts["fp32_peak"] if flops else None
        if name == "interval_width" and self.record.get("low") is not None:
            return (self.record["high"] - self.record["low"]) / self.record["real_time"]
        return None

    @property
    def seconds(self) -> float | None:
        """The median time."""
        return self.number()

    @property
    def low(self) -> float | None:
        """Lower end of the time's 95 % interval, None without one."""
        return self.number("low")

    @property
    def high(self) -> float | None:
        """Upper end of the time's 95 % interval, None without one."""
        return self.number("high")

    @property
    def bytes_per_second(self) -> float | None:
        """The bandwidth, None where the row counts no bytes."""
        return self.number("bytes_per_second")

    @property
    def flops_per_second(self) -> float | None:
        """The rate of floating-point operations, None where the row counts none."""
        return self.number("flops_per_second")

    def fields(self) -> list[str]:
        """Names of the fields that `value` takes for this row."""
        if self.historical:
            return list(self.record["values"])
        names = [n for n in self.record if n in _FIELD_UNITS or n.startswith("ratio_to_")]
        names = [n for n in names if isinstance(self.record[n], int | float)]
        if "sm_clock_mhz" in self.record:
            names.append("sm_clock_mhz")
        return names + [n for n in _FIELD_UNITS if self._derived(n) is not None]

    def origin(self) -> dict[str, str]:
        """Where the row comes from, for a tooltip."""
        context = self.context
        origin = {
            "device": context.get("device_name", self.device.name),
            "driver": context["driver"],
            "CUDA": context["cuda_runtime"],
            "date": context["date"],
            "command": context["command"],
            "commit": context["commit"][:12],
        }
        if self.record.get("kind") == "baseline" and context.get("host_cpu"):
            origin["processor"] = f"{context['host_cpu']}, {context['host_threads']} threads"
        if self.number("repetitions"):
            origin["samples"] = str(self.record["repetitions"])
        if slow := self.record.get("throttled"):
            kept = "all counted" if self.record.get("unsteady") else "not counted"
            origin["throttled samples"] = f"{len(slow)}, {kept}"
        if context.get("system", "Linux") != "Linux":
            origin["system"] = context["system"]
        return origin

    def value(self, name: str = "real_time") -> Value:
        """A field ready to print. Raises MissingKey when the row has no such field."""
        name = _ALIASES.get(name, name)
        number = self.number(name)
        if number is None:
            nearest = difflib.get_close_matches(name, self.fields(), 5, 0.3) or self.fields()
            raise MissingKey("field", f"{self.name}#{name}", self.device.id, nearest)
        if self.historical:
            return _historical_value(self.record["values"][name], self.device, self.name, name)
        factor = 1e6 if name == "sm_clock_mhz" else 1.0
        unit = "Hz" if name == "sm_clock_mhz" else _FIELD_UNITS.get(name, "x")
        text = _printed(number * factor, unit)
        if name in ("low", "high"):
            text = units.format_interval(self.low, self.high).split(" to ")[name == "high"]
        low = high = None
        if name == "real_time":
            low, high = self.low, self.high
        elif name.startswith("ratio_to_"):
            low, high = self.record.get(f"{name}_low"), self.record.get(f"{name}_high")
        elif name in ("bytes_per_second", "flops_per_second") and self.low is not None:
            low, high = number * self.seconds / self.high, number * self.seconds / self.low
        return Value(
            number * factor, unit, text, self.device, self.name, name, self.origin(), low, high
        )

    def interval_text(self) -> str | None:
        """The time's interval in words, None without one."""
        if self.low is None or self.high is None:
            return None
        return units.format_interval(self.low, self.high)


def _historical_value(entry: dict[str, Any], device: Device, name: str, part: str) -> Value:
    value = entry["value"]
    unit = "" if isinstance(value, str) else entry.get("unit") or fact_unit(part)
    kinds = {"printed": "printed in the source", "derived": "derived from the source",
             "specification": "public specification"}  # fmt: skip
    origin = {
        "device": device.name,
        "kind": kinds[entry["kind"]],
        "source": entry["source_title"],
        "note": entry["note"],
    }
    digits = entry.get("digits") if unit != "1" or "digits" in entry else None
    if unit == "1" and digits is not None:
        text = units.format_number(value, digits)
    else:
        text = _printed(value, unit, digits if unit not in ("", "bit") else None)
    return Value(value, unit, text, device, name, part, origin)


@dataclass(frozen=True)
class Claim:
    """Whether a sentence that rests on data holds on a device.

    holds is None where the device lacks a result; `missing` then says which.
    """

    expression: str
    device: Device
    holds: bool | None
    values: dict[str, Value]
    missing: str | None = None

    def values_text(self) -> str:
        """The numbers behind it in words, for the note of a contradiction."""
        return "; ".join(f"{name}: {value.text}" for name, value in self.values.items())


@dataclass(frozen=True)
class Results:
    """All results that a checkout knows. Build it with `Results.load`."""

    _devices: dict[str, Device]
    _rows: dict[str, dict[str, Row]]
    _contexts: dict[str, dict[str, dict[str, Any]]]
    _extras: dict[str, dict[str, dict[str, Any]]]
    problems: list[str] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)

    # -- loading ---------------------------------------------------------------------------------

    @classmethod
    def load(cls, root: Path | str, extra_dirs: Iterable[Path | str] = ()) -> Results:
        """Reads figures/ under `root` and the reader's results under `extra_dirs`.

        A bad committed file raises FileError. A bad file of the reader's is left out and named in
        `problems`. Folders that do not exist are empty. `files` lists every file that was read.
        """
        figures = Path(root) / "figures"
        store = cls({}, {}, {}, {})
        for path in sorted((figures / "historical").glob("*.json")):
            store._add_historical(path)
        for folder in sorted(p for p in (figures / "results").glob("*") if p.is_dir()):
            store._add_folder(folder, "reference" if folder.name == REFERENCE else "contributed")
        for directory in extra_dirs:
            for folder in sorted(p for p in Path(directory).glob("*") if p.is_dir()):
                store._add_folder(folder, "reader")
        return store

    def _read(self, path: Path, role: Role) -> dict[str, Any] | None:
        try:
            document = schema.read(path)
        except FileError as error:
            if role != "reader":
                raise
            self.problems.append(str(error))
            return None
        self.files.append(path)
        return document

    def _add_folder(self, folder: Path, role: Role) -> None:
        paths = sorted(p for p in folder.glob("*.json") if not p.name.startswith("."))
        documents = {path: self._read(path, role) for path in paths}
        facts = documents.get(folder / "device.json")
        contexts = [d["context"] for d in documents.values() if d and "context" in d]
        if not facts and not contexts:
            return
        names = [c["device_name"] for c in contexts if "device_name" in c]
        name = facts["name"] if facts else (names or [folder.name])[0]
        ident = folder.name
        if ident in self._devices:
            ident = f"your-{ident}"
        device = Device(ident, folder.name, role, name, facts or {}, folder)
        self._devices[ident] = device
        rows = self._rows.setdefault(ident, {})
        for path, document in documents.items():
            kind = schema.kind_of(path)
            if document is None or kind == "device":
                continue
            slug = document["context"]["slug"]
            if kind != "benchmarks":
                self._extras.setdefault(ident, {})[f"{kind}/{slug}"] = document
                continue
            self._contexts.setdefault(ident, {})[slug] = document["context"]
            for record in document["benchmarks"]:
                context = record.get("context", document["context"])
                key = Key.parse(record["name"])
                rows[record["name"]] = Row(record["name"], key, device, record, context)

    def _add_historical(self, path: Path) -> None:
        document = self._read(path, "historical")
        assert document is not None
        sources = document["sources"]
        for entry in [
            *document["facts"].values(),
            *(v for row in document["benchmarks"] for v in row["values"].values()),
        ]:
            entry["source_title"] = sources[entry["source"]]
        facts = {name: entry["value"] for name, entry in document["facts"].items()}
        device = Device(
            document["device"], document["device"], "historical", facts["name"], facts, path.parent
        )
        self._devices[device.id] = device
        self._extras.setdefault(device.id, {})["facts"] = document["facts"]
        self._rows[device.id] = {
            row["name"]: Row(row["name"], Key.parse(row["name"]), device, row, {})
            for row in document["benchmarks"]
        }

    # -- devices ---------------------------------------------------------------------------------

    def devices(self) -> list[Device]:
        """All devices: the reference, the reader's, contributed ones, historical ones."""
        order = {"reference": 0, "reader": 1, "contributed": 2, "historical": 3}
        return sorted(self._devices.values(), key=lambda device: order[device.role])

    def device(self, device: str | Device = REFERENCE) -> Device:
        """The device of an id; the reference always is one, though it may have no results yet.

        Raises MissingKey with the nearest ones.
        """
        ident = device.id if isinstance(device, Device) else device
        if ident == REFERENCE and ident not in self._devices:
            return Device(ident, ident, "reference", ident, {}, Path())
        if ident not in self._devices:
            near = difflib.get_close_matches(ident, self._devices, 3, 0.3) or list(self._devices)
            raise MissingKey("results of device", ident, "the course", near)
        return self._devices[ident]

    def readers(self) -> list[Device]:
        """The reader's own devices."""
        return [device for device in self._devices.values() if device.role == "reader"]

    def facts(self, device: str | Device = REFERENCE) -> dict[str, Any]:
        """A device's facts, plain values by name."""
        return self.device(device).facts

    def fact(self, name: str, device: str | Device = REFERENCE) -> Value:
        """One fact ready to print. Raises MissingKey with the nearest ones."""
        where = self.device(device)
        if name not in where.facts:
            near = difflib.get_close_matches(name, where.facts, 5, 0.3)
            raise MissingKey("fact", name, where.id, near)
        if where.role == "historical":
            entry = self._extras[where.id]["facts"][name]
            return _historical_value(entry, where, f"{where.id}:{name}", name)
        value = where.facts[name]
        if isinstance(value, bool):
            value = "yes" if value else "no"
        origin = {"device": where.name, "driver": str(where.facts.get("driver", "unknown"))}
        if f"{name}_key" in where.facts:
            origin["measured as"] = str(where.facts[f"{name}_key"])
        if "date" in where.facts:
            origin["date"] = str(where.facts["date"])
        unit = "" if isinstance(value, str) else fact_unit(name)
        return Value(value, unit, _printed(value, unit), where, f"{where.id}:{name}", name, origin)

    # -- rows ------------------------------------------------------------------------------------

    def keys(self, device: str | Device = REFERENCE) -> list[str]:
        """Names of all rows of a device, in the files' order."""
        return list(self._rows.get(self.device(device).id, {}))

    def row(self, key: str, device: str | Device = REFERENCE) -> Row:
        """One row. Raises MissingKey with the nearest names."""
        where = self.device(device)
        rows = self._rows.get(where.id, {})
        if key not in rows:
            raise MissingKey("result", key, where.id, self._nearest(key, list(rows)))
        return rows[key]

    def find(self, key: str, device: str | Device) -> Row | None:
        """One row, or None where the device has no such row."""
        return self._rows.get(self.device(device).id, {}).get(key)

    def rows(self, pattern: str, device: str | Device = REFERENCE) -> list[Row]:
        """Rows whose names match a shell pattern (`*` and `?`), in the files' order."""
        rows = self._rows.get(self.device(device).id, {})
        return [row for name, row in rows.items() if fnmatch.fnmatchcase(name, pattern)]

    @staticmethod
    def _nearest(name: str, names: list[str]) -> list[str]:
        same = [other for other in names if other.split("/")[0] == name.split("/")[0]] or names
        return difflib.get_close_matches(name, same, 3, 0.4)

    def context(self, slug: str, device: str | Device = REFERENCE) -> dict[str, Any]:
        """The context of a chapter's latest run on a device."""
        where = self.device(device)
        contexts = self._contexts.get(where.id, {})
        if slug not in contexts:
            raise MissingKey("results of chapter", slug, where.id, list(contexts)[:3])
        return contexts[slug]

    def _extra(self, kind: str, slug: str, device: str | Device) -> dict[str, Any]:
        where = self.device(device)
        found = self._extras.get(where.id, {}).get(f"{kind}/{slug}")
        if found is None:
            raise MissingKey(f"{kind} file of chapter", slug, where.id, [])
        return found

    def counters(self, slug: str, device: str | Device = REFERENCE) -> dict[str, Any]:
        """The counters file of a chapter. Raises MissingKey."""
        return self._extra("counters", slug, device)

    def build(self, slug: str, device: str | Device = REFERENCE) -> dict[str, Any]:
        """The build file of a chapter. Raises MissingKey."""
        return self._extra("build", slug, device)

    def sanitizer(self, slug: str, device: str | Device = REFERENCE) -> dict[str, Any]:
        """The sanitizer file of a chapter. Raises MissingKey."""
        return self._extra("sanitizer", slug, device)

    def kernel(self, slug: str, name: str, device: str | Device = REFERENCE) -> dict[str, Any]:
        """One kernel of a build file, by the end of its demangled name. Raises MissingKey."""
        kernels = self.build(slug, device)["kernels"]
        for kernel in kernels:
            plain = kernel["name"].split("<")[0]
            if name in (kernel["name"], plain, plain.split("::")[-1]):
                return kernel
        names = [kernel["name"] for kernel in kernels]
        nearest = difflib.get_close_matches(name, names, 3, 0.3) or names[:3]
        raise MissingKey("kernel", name, self.device(device).id, nearest)

    def count(self, key: str, part: str, device: str | Device = REFERENCE) -> Value:
        """One count. `key` is a row's name or short, slug/step; `part` the count's name.

        `part` may begin with `ncu.` or `cpu_device.`; without, the hardware's count is taken where
        there is one. `requests`, `sectors` and `sectors_per_request` (also with load_ or store_
        before) are worked out where the file only has their parts.
        """
        where = self.device(device)
        slug = key.split("/")[0]
        file = self.counters(slug, where)
        entries = [e for e in file["counters"] if e["name"] == key]
        if not entries and key.count("/") == 1:
            step = key.split("/")[1]
            entries = [e for e in file["counters"] if Key.parse(e["name"]).step == step]
            sizes = ", ".join(entry["name"] for entry in entries)
            if len(entries) > 1:
                raise MissingKey("single count for", f"{key} (it may be {sizes})", where.id, [])
        if not entries:
            names = [entry["name"] for entry in file["counters"]]
            raise MissingKey("counts of", key, where.id, self._nearest(key, names) or names[:3])
        entry = entries[0]
        wanted, _, plain = part.rpartition(".")
        for source in [wanted] if wanted else ["ncu", "cpu_device"]:
            number = _count_of(entry.get(source, {}), plain)
            if number is not None:
                kind = {"ncu": "hardware counters", "cpu_device": "the CPU device"}[source]
                context = file["context"]
                command = entry.get(f"{source}_command", context["command"])
                origin = {"counted by": kind, "device": where.name, "date": context["date"],
                          "command": command}  # fmt: skip
                unit = "%" if plain.endswith("_rate") else "B" if plain.endswith("_bytes") else "1"
                text = _printed(number, unit)
                return Value(number, unit, text, where, entry["name"], part, origin)
        have = sorted({name for source in ("ncu", "cpu_device") for name in entry.get(source, {})})
        raise MissingKey("count", f"{key}#{part}", where.id, have)

    # -- references, ratios, claims --------------------------------------------------------------

    def resolve(self, reference: str, device: str | Device = REFERENCE) -> Value:
        """The value behind a reference as tools/expressions.py defines it.

        KEY, KEY#field, DEVICE:KEY#field, DEVICE:fact (DEVICE may be the word `device`),
        count:KEY#name. Raises MissingKey.
        """
        where = self.device(device)
        name, _, part = reference.partition("#")
        head, colon, rest = name.partition(":")
        counted = False
        if colon and "/" not in head:
            if head != "count":
                where, name = (where if head == "device" else self.device(head)), rest
                head, _, rest = name.partition(":")
            if head == "count":
                counted, name = True, rest
        if counted:
            return self.count(name, part, where)
        if "/" not in name:
            return self.fact(name, where)
        return self.row(name, where).value(part or "real_time")

    def evaluate(self, expression: str, device: str | Device = REFERENCE) -> Value:
        """The value of an expression without comparison, ready to print.

        A quotient of two times is printed as a ratio, and gets an interval where both rows come
        from one run (`ratio`).
        """
        where = self.device(device)
        used = {name: self.resolve(name, where) for name in expressions.references(expression)}
        outcome = expressions.evaluate(expression, lambda name: used[name].quantity)
        if outcome.value is None:
            raise ExpressionError(f"{expression!r} compares; a value was wanted")
        if len(used) == 1 and list(used) == [expression.strip().strip("<>")]:
            return next(iter(used.values()))
        first = next(iter(used.values()), None)
        origin = dict(first.origin) if first else {}
        for value in list(used.values())[1:]:
            for name, text in value.origin.items():
                if origin.setdefault(name, text) != text and text not in origin[name].split(" / "):
                    origin[name] += f" / {text}"
        low = high = None
        words = expression.replace("<", " ").replace(">", " ").split()
        if len(words) == 3 and words[1] == "/" and words[0] in used and words[2] in used:
            low, high = self._ratio_interval(used[words[0]], used[words[2]])
        unit = outcome.value.unit
        return Value(
            outcome.value.value,
            unit or "",
            str(outcome.value),
            where,
            expression,
            "",
            origin,
            low,
            high,
        )

    def ratio(self, key: str, other: str, device: str | Device = REFERENCE) -> Value:
        """How many times longer `key` takes than `other` (both may be any reference to a time)."""
        return self.evaluate(f"{key} / {other}", device)

    def _ratio_interval(self, left: Value, right: Value) -> tuple[float | None, float | None]:
        if (left.field, right.field) != ("real_time", "real_time"):
            return None, None
        first, second = (self.find(value.name, value.device) for value in (left, right))
        if first is None or second is None or first.historical or second.historical:
            return None, None
        if first.context != second.context:
            return None, None
        paired = ratio_of_pairs(times_by_round(first.record), times_by_round(second.record))
        return (paired.low, paired.high) if paired else (None, None)

    def claim(self, expression: str, device: str | Device = REFERENCE) -> Claim:
        """Whether a comparison holds on a device. Raises ExpressionError for a bad expression."""
        where = self.device(device)
        used: dict[str, Value] = {}
        try:
            for name in expressions.references(expression):
                used[name] = self.resolve(name, where)
        except MissingKey as error:
            return Claim(expression, where, None, used, str(error))
        outcome = expressions.evaluate(expression, lambda name: used[name].quantity)
        if outcome.holds is None:
            raise ExpressionError(f"{expression!r} compares nothing")
        return Claim(expression, where, outcome.holds, used)

    def claims(self, expression: str) -> list[Claim]:
        """The claim on the reference and on each of the reader's devices."""
        where = [d for d in self.devices() if d.role in ("reference", "reader")]
        return [self.claim(expression, device) for device in where]

    def contradictions(self, expression: str) -> list[Claim]:
        """The claims that the reader's own results deny."""
        denied = [claim for claim in self.claims(expression) if claim.holds is False]
        return [claim for claim in denied if claim.device.role == "reader"]

    def __iter__(self) -> Iterator[Row]:
        for rows in self._rows.values():
            yield from rows.values()


def _count_of(counts: dict[str, Any], name: str) -> float | None:
    if name in counts:
        return counts[name]
    if name in ("requests", "sectors"):
        parts = [counts[p] for p in (f"load_{name}", f"store_{name}") if p in counts]
        return sum(parts) if parts else None
    if name.endswith("sectors_per_request"):
        prefix = name.removesuffix("sectors_per_request")
        sectors = _count_of(counts, f"{prefix}sectors")
        requests = _count_of(counts, f"{prefix}requests")
        return sectors / requests if sectors is not None and requests else None
    return None


def main() -> int:
    """Prints what results there are: devices, chapters, rows."""
    root = schema.ROOT
    store = Results.load(root, [root / "work" / "results"])
    for device in store.devices():
        print(f"{device.id} ({device.role}): {device.name}, {len(store.keys(device))} rows")
        for name in store.keys(device):
            row = store.row(name, device)
            print(f"  {name}  {row.value().text if row.seconds else json.dumps(row.fields())}")
    for problem in store.problems:
        print(f"left out: {problem}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
