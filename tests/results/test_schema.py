"""The schemas, the small validator against the real one, and every committed file."""

from __future__ import annotations

import copy
import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.results import made_up
from tools import schema
from tools.schema import FileError

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = sorted(made_up.FIXTURES.rglob("*.json"))
COMMITTED = schema.committed_files(ROOT)
EXAMPLES = {schema.kind_of(path): path for path in [*FIXTURES, *COMMITTED]}


@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_committed_files_are_good(path):
    document = schema.read(path)
    context = document.get("context", {})
    assert context.get("commit") != "unknown"
    assert not str(context.get("commit", "")).endswith("-dirty")
    if context:
        commands = [context["command"]]
        commands += [row["context"]["command"] for row in document.get("benchmarks", [])
                     if "context" in row]  # fmt: skip
        assert not any("/tmp" in command or "/home" in command for command in commands)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_fixtures_are_good(path):
    schema.read(path)


def test_there_is_an_example_of_each_kind():
    assert set(EXAMPLES) == set(schema.KINDS)


def walk(node: Any):
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from walk(value)
    elif isinstance(node, list):
        for value in node:
            yield from walk(value)


def keywords(node: Any, named: bool = False) -> set[str]:
    """Keywords used in a schema; names under properties and $defs are no keywords."""
    if not isinstance(node, dict):
        return set()
    found = set() if named else set(node)
    for name, value in node.items():
        holds_names = not named and name in ("properties", "$defs", "patternProperties")
        found |= keywords(value, holds_names)
    return found


@pytest.mark.parametrize("kind", schema.KINDS)
def test_schemas_keep_to_what_the_small_validator_knows(kind):
    assert keywords(schema.load_schema(kind)) <= schema.KEYWORDS


@pytest.mark.parametrize("kind", schema.KINDS)
def test_schemas_are_schemas(kind):
    validator = pytest.importorskip("jsonschema").Draft202012Validator
    validator.check_schema(schema.load_schema(kind))


def mutations(document: Any, draw: random.Random):
    """Copies of a document, each with one thing spoiled."""
    for _ in range(150):
        changed = copy.deepcopy(document)
        at = draw.choice([node for node in walk(changed) if node])
        name = draw.choice(sorted(at))
        doing = draw.randrange(4)
        if doing == 0:
            del at[name]
        elif doing == 1:
            at[name] = draw.choice([None, -1, 0, "", "x", [], {}, True, 1.5, 2])
        elif doing == 2:
            at["surplus"] = draw.choice([1, "x", [1]])
        else:
            at[name] = [at[name]]
        yield changed


@pytest.mark.parametrize("kind", schema.KINDS)
def test_both_validators_agree_on_spoiled_files(kind):
    pytest.importorskip("jsonschema")
    document = json.loads(EXAMPLES[kind].read_text())
    if "benchmarks" in document:
        document["benchmarks"] = document["benchmarks"][:2]
    refused = 0
    for changed in mutations(document, random.Random(kind)):
        mine = schema.check_shape(changed, kind)
        theirs = schema.check_shape_with_jsonschema(changed, kind)
        assert bool(mine) == bool(theirs), (mine, theirs)
        refused += bool(mine)
    assert refused > 50


def spoil_row(**changes: Any):
    return lambda document: document["benchmarks"][0].update(changes)


SPOILED = {
    "median": (spoil_row(real_time=1.0), "not the median"),
    "interval": (spoil_row(low=1.0, high=2.0), "outside its interval"),
    "half an interval": (spoil_row(low=None), "two ends or none"),
    "rate": (spoil_row(bytes_per_second=1.0), "bytes_per_second is not bytes"),
    "repetitions": (spoil_row(repetitions=3), "not 3"),
    "rounds": (spoil_row(rounds=[0]), "1 rounds"),
    "unverified": (spoil_row(verified=False), "verified"),
    "other chapter": (lambda d: d["context"].update(slug="03-x"), "does not belong"),
    "other device": (lambda d: d["context"].update(device="tesla-t4"), "lies under"),
    "twice": (lambda d: d["benchmarks"].append(d["benchmarks"][0]), "occurs twice"),
    "version": (lambda d: d["context"].update(schema_version=7), "version 7"),
    "local date": (lambda d: d["context"].update(date="2025-12-01 12:00"), "date"),
    "NaN": (spoil_row(error=float("nan")), "damaged"),
}


@pytest.mark.parametrize("case", SPOILED)
def test_spoiled_files_are_refused_by_name(case, tmp_path, capsys):
    change, why = SPOILED[case]
    folder = tmp_path / "nvidia-h200"
    folder.mkdir()
    source = made_up.FIXTURES / "course/figures/results/nvidia-h200/04-optimization.json"
    document = json.loads(source.read_text())
    change(document)
    path = folder / source.name
    path.write_text(json.dumps(document))
    with pytest.raises(FileError, match=why) as caught:
        schema.read(path)
    assert str(path) in str(caught.value)
    assert schema.main([str(path)]) == 1
    assert str(path) in capsys.readouterr().err


def test_files_must_be_named_for_what_they_hold(tmp_path):
    folder = tmp_path / "nvidia-h200"
    folder.mkdir()
    source = made_up.FIXTURES / "course/figures/results/nvidia-h200/04-optimization.json"
    shutil.copy(source, folder / "05-advanced-optimization.json")
    with pytest.raises(FileError, match="not the file's name"):
        schema.read(folder / "05-advanced-optimization.json")


def test_the_peak_follows_from_clock_and_bus(tmp_path):
    path = tmp_path / "device.json"
    facts = json.loads(
        (made_up.FIXTURES / "course/figures/results/nvidia-h200/device.json").read_text()
    )
    path.write_text(json.dumps({**facts, "memory_bandwidth_peak": 4.8e12}))
    with pytest.raises(FileError, match="memory_bandwidth_peak is not"):
        schema.read(path, "device")


def test_without_arguments_all_committed_files_are_checked(capsys):
    assert schema.main([]) == 0
    assert f"{len(COMMITTED)} of {len(COMMITTED)}" in capsys.readouterr().out
