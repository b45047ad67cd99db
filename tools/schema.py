"""Checks of the files under figures/: shape by JSON Schema, then what a schema cannot say.

The schemas lie in figures/schema/ and are ordinary JSON Schemas (draft 2020-12) of few keywords,
so that this module can apply them without any package on a bare GPU machine. Where the package
jsonschema is installed it is asked too. `python3 -m tools.schema [FILE…]` checks the files given,
or all that are committed.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

from tools.keys import DEVICE_SLUG_PATTERN, Key

ROOT = Path(__file__).resolve().parent.parent
SCHEMA_VERSION = 1
KINDS = ("device", "benchmarks", "build", "counters", "sanitizer", "historical")

# What the stdlib validator understands; a test keeps the schemas within it.
KEYWORDS = {
    "$schema", "$id", "$defs", "$ref", "title", "description", "type", "required", "properties",
    "patternProperties", "additionalProperties", "items", "enum", "const", "pattern", "minimum",
    "exclusiveMinimum", "minItems", "minLength", "minProperties",
}  # fmt: skip

_TYPES = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
}  # fmt: skip


class FileError(Exception):
    """A results file that cannot be used; the message names the file and the reason."""

    def __init__(self, path: Path | str, reason: str):
        self.path, self.reason = Path(path), reason
        super().__init__(f"{path}: {reason}")


def load_schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of one kind of file."""
    return json.loads((ROOT / "figures" / "schema" / f"{kind}.schema.json").read_text("utf-8"))


def kind_of(path: Path) -> str:
    """Which kind of file a path names, by its place and ending."""
    if path.name == "device.json":
        return "device"
    for kind in ("build", "counters", "sanitizer"):
        if path.name.endswith(f".{kind}.json"):
            return kind
    return "historical" if path.parent.name == "historical" else "benchmarks"


def _is_type(value: Any, name: str) -> bool:
    if name in ("number", "integer"):
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return name == "number" or float(value).is_integer()
    return isinstance(value, _TYPES[name])


def _check(value: Any, schema: Any, root: dict[str, Any], where: str) -> list[str]:
    """The problems of `value` under the subset of JSON Schema that our schemas use."""
    if schema is True:
        return []
    if schema is False:
        return [f"{where} is not expected here"]
    if "$ref" in schema:
        return _check(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, where)
    problems: list[str] = []
    types = schema.get("type")
    if types is not None:
        types = [types] if isinstance(types, str) else types
        if not any(_is_type(value, name) for name in types):
            return [f"{where} is not of type {' or '.join(types)}"]
    if "const" in schema and value != schema["const"]:
        problems.append(f"{where} is {value!r} instead of {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        problems.append(f"{where} is {value!r}, none of {schema['enum']}")
    if isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            problems.append(f"{where} is {value!r} and does not match {schema['pattern']}")
        if len(value) < schema.get("minLength", 0):
            problems.append(f"{where} is empty")
    if _is_type(value, "number"):
        if "minimum" in schema and not value >= schema["minimum"]:
            problems.append(f"{where} is {value}, below {schema['minimum']}")
        if "exclusiveMinimum" in schema and not value > schema["exclusiveMinimum"]:
            problems.append(f"{where} is {value}, not above {schema['exclusiveMinimum']}")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            problems.append(f"{where} has {len(value)} entries, fewer than {schema['minItems']}")
        for index, item in enumerate(value):
            problems += _check(item, schema.get("items", True), root, f"{where}[{index}]")
    if isinstance(value, dict):
        problems += [
            f"{where} lacks {name!r}" for name in schema.get("required", ()) if name not in value
        ]
        if len(value) < schema.get("minProperties", 0):
            problems.append(f"{where} is empty")
        named = schema.get("properties", {})
        for name, item in value.items():
            rules = [
                rule
                for p, rule in schema.get("patternProperties", {}).items()
                if re.search(p, name)
            ]
            if name in named:
                rules.append(named[name])
            if not rules:
                rules.append(schema.get("additionalProperties", True))
            for rule in rules:
                problems += _check(item, rule, root, f"{where}.{name}")
    return problems


def check_shape(document: Any, kind: str) -> list[str]:
    """Problems under the schema of `kind`, one sentence each, by the standard library alone."""
    schema = load_schema(kind)
    return _check(document, schema, schema, "the file")


def check_shape_with_jsonschema(document: Any, kind: str) -> list[str] | None:
    """The same by the package jsonschema; None where it is not installed."""
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        return None
    errors = Draft202012Validator(load_schema(kind)).iter_errors(document)
    return [f"{error.json_path}: {error.message}" for error in errors]


def _close(left: float, right: float) -> bool:
    return math.isclose(left, right, rel_tol=1e-6)


def _check_benchmarks(document: dict[str, Any]) -> list[str]:
    problems: list[str] = []
    names = [row["name"] for row in document["benchmarks"]]
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    problems += [f"{name} occurs twice" for name in twice]
    for row in document["benchmarks"]:
        name = row["name"]
        try:
            key = Key.parse(name)
        except ValueError as error:
            problems.append(str(error))
            continue
        if key.slug != document["context"]["slug"]:
            problems.append(f"{name} does not belong to {document['context']['slug']}")
        if row["repetitions"] != len(row["samples"]):
            problems.append(f"{name} has {len(row['samples'])} samples, not {row['repetitions']}")
        if len(row["rounds"]) != len(row["samples"]):
            problems.append(f"{name} has {len(row['rounds'])} rounds for its samples")
        if not _close(row["real_time"], median(row["samples"])):
            problems.append(f"{name}: real_time is not the median of the samples")
        if (row["low"] is None) != (row["high"] is None):
            problems.append(f"{name}: an interval has two ends or none")
        if row["low"] is None and "interval_reason" not in row:
            problems.append(f"{name}: no interval and no interval_reason")
        if row["low"] is not None and not row["low"] <= row["real_time"] <= row["high"]:
            problems.append(f"{name}: the median lies outside its interval")
        for rate, amount in (("bytes_per_second", "bytes"), ("flops_per_second", "flops")):
            if rate in row and not _close(row[rate], row.get(amount, 0) / row["real_time"]):
                problems.append(f"{name}: {rate} is not {amount} / real_time")
    return problems


def _check_device(document: dict[str, Any]) -> list[str]:
    clock, bus = document.get("memory_clock_hz"), document.get("memory_bus_bits")
    peak = document.get("memory_bandwidth_peak")
    if clock and bus and (peak is None or not _close(peak, 2 * clock * bus / 8)):
        return ["memory_bandwidth_peak is not 2 * memory_clock_hz * memory_bus_bits / 8"]
    return []


def _check_historical(document: dict[str, Any]) -> list[str]:
    problems: list[str] = []
    for row in document["benchmarks"]:
        try:
            Key.parse(row["name"])
        except ValueError as error:
            problems.append(str(error))
        if not row["values"]:
            problems.append(f"{row['name']} has no values")
    entries = [(f"fact {name}", fact) for name, fact in document["facts"].items()]
    for row in document["benchmarks"]:
        entries += [(f"{row['name']}#{name}", value) for name, value in row["values"].items()]
    problems += [
        f"{name} cites the unknown source {entry['source']!r}"
        for name, entry in entries
        if entry["source"] not in document["sources"]
    ]
    return problems


def _names_device(document: dict[str, Any]) -> str:
    return document["slug"] if "slug" in document else document["context"]["device"]


def version_of(document: Any) -> Any:
    """The schema version that a document says it has, None where it says nothing."""
    if not isinstance(document, dict):
        return None
    context = document.get("context")
    if isinstance(context, dict) and "schema_version" in context:
        return context["schema_version"]
    return document.get("schema_version")


def problems_of(document: Any, kind: str, device: str | None = None) -> list[str]:
    """All problems of one document; `device` is the folder it lies in, where that is known."""
    version = version_of(document)
    if version is not None and version != SCHEMA_VERSION:
        return [f"it has schema version {version!r}, this course reads {SCHEMA_VERSION}"]
    problems = check_shape(document, kind) or check_shape_with_jsonschema(document, kind) or []
    if problems:
        return problems
    checks = {"benchmarks": _check_benchmarks, "device": _check_device,
              "historical": _check_historical}  # fmt: skip
    if kind in checks:
        problems = checks[kind](document)
    if kind != "historical" and device is not None and _names_device(document) != device:
        problems.append(f"it is of device {_names_device(document)!r} but lies under {device!r}")
    return problems


def _no_constants(text: str) -> float:
    raise ValueError(f"{text} is no JSON number")


def read(path: Path, kind: str | None = None) -> dict[str, Any]:
    """Reads and checks one file. Raises FileError naming the file and the first reasons."""
    kind = kind or kind_of(path)
    try:
        document = json.loads(path.read_text("utf-8"), parse_constant=_no_constants)
    except OSError as error:
        raise FileError(path, f"it cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise FileError(path, f"it is damaged ({error})") from error
    folder = path.parent.name
    device = folder if kind != "historical" and DEVICE_SLUG_PATTERN.fullmatch(folder) else None
    problems = problems_of(document, kind, device)
    if kind == "historical" and not problems and document["device"] != path.stem:
        problems = [f"it is of device {document['device']!r}, which is not the file's name"]
    if kind == "benchmarks" and not problems and document["context"]["slug"] != path.stem:
        problems = [f"it is of {document['context']['slug']!r}, which is not the file's name"]
    if problems:
        more = f"; and {len(problems) - 3} more" if len(problems) > 3 else ""
        raise FileError(path, "; ".join(problems[:3]) + more)
    return document


def committed_files(root: Path = ROOT) -> list[Path]:
    """Every results file that the repository holds."""
    figures = root / "figures"
    return sorted([*figures.glob("results/*/*.json"), *figures.glob("historical/*.json")])


def main(arguments: list[str] | None = None) -> int:
    """Checks files; prints one line a problem; 0 when all are good, 1 otherwise."""
    parser = argparse.ArgumentParser(prog="python3 -m tools.schema", description=main.__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="default: all under figures/")
    files = parser.parse_args(arguments).files or committed_files()
    failed = 0
    for path in files:
        try:
            read(path)
        except FileError as error:
            failed += 1
            print(error, file=sys.stderr)
    print(f"{len(files) - failed} of {len(files)} results files are good")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
