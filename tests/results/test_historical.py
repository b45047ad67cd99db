"""The older texts' figures: complete, sourced, and derived as they say."""

from __future__ import annotations

import ast
import operator
from pathlib import Path

import pytest

from tools import schema
from tools.keys import device_slug
from tools.results import MissingKey

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "figures/historical").glob("*.json"))
G103M, G80, M2070 = "geforce-g-103m", "geforce-8800-gtx", "tesla-m2070"
SUM = "sum_of_squares_i32"
ONE = f"{G103M}:03-first-gpu-program/{SUM}/one_thread/n:1048576"
CONTIGUOUS = f"{G103M}:04-optimization/{SUM}/contiguous/n:1048576"
STRIDED = f"{G103M}:04-optimization/{SUM}/strided/n:1048576"
TREE = f"{G80}:05-advanced-optimization/sum_i32"
ADD = f"{M2070}:04-optimization/matrix_add"

_OPERATORS = {ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Add: operator.add,
              ast.Sub: operator.sub, ast.Pow: operator.pow}  # fmt: skip


def worked_out(node: ast.AST) -> float:
    """The value of an arithmetic formula of numbers alone."""
    if isinstance(node, ast.Expression):
        return worked_out(node.body)
    if isinstance(node, ast.Constant):
        return node.value
    assert isinstance(node, ast.BinOp), ast.dump(node)
    return _OPERATORS[type(node.op)](worked_out(node.left), worked_out(node.right))


def entries(path: Path):
    document = schema.read(path)
    for name, entry in document["facts"].items():
        yield name, entry
    for row in document["benchmarks"]:
        for name, entry in row["values"].items():
            yield f"{row['name']}#{name}", entry


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_derived_values_follow_from_their_formulas(path):
    derived = 0
    for name, entry in entries(path):
        assert entry["note"], name
        if "formula" in entry:
            value = worked_out(ast.parse(entry["formula"], mode="eval"))
            assert entry["value"] == pytest.approx(value, rel=1e-9), name
            derived += 1
        elif entry["kind"] == "derived":
            assert isinstance(entry["value"], str), f"{name} does not say how it is derived"
    assert derived >= 8


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_peaks_and_slugs_follow_from_the_facts(path):
    facts = {name: entry["value"] for name, entry in entries(path) if "#" not in name}
    assert facts["memory_bandwidth_peak"] == pytest.approx(
        2 * facts["memory_clock_hz"] * facts["memory_bus_bits"] / 8
    )
    assert facts["fp32_peak"] == pytest.approx(
        2 * facts["sms"] * facts["fp32_lanes_per_sm"] * facts["sm_clock_hz"]
    )
    assert device_slug(facts["name"]) == facts["slug"] == path.stem


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        (ONE, "492 ms"),
        (CONTIGUOUS, "14 ms"),
        (f"{CONTIGUOUS}#ratio_to_one_thread", "36×"),
        (STRIDED, "997.4 µs"),
        (f"{STRIDED}#cycles", "1 595 788"),
        (f"{STRIDED}#ratio_to_contiguous", "13×"),
        (f"{STRIDED}#ratio_to_one_thread", "493×"),
        (f"{STRIDED}#bytes_per_second_printed", "4.01 GB/s"),
        (f"{STRIDED}#bytes_per_second", "4.2 GB/s"),
        (f"{STRIDED}#share_of_peak", "53 %"),
        (f"{STRIDED}#threads", "512"),
        (f"{G103M}:memory_bandwidth_peak", "8 GB/s"),
        (f"{G103M}:sm_clock_hz", "1.6 GHz"),
        (f"{G103M}:fp32_lanes_per_sm", "8"),
        (f"{G103M}:max_threads_per_block", "512"),
        (f"{G103M}:compute_capability", "1.1"),
        (f"{TREE}/tree_divergent/n:4194304", "8.054 ms"),
        (f"{TREE}/tree_divergent/n:4194304#bytes_per_second", "2.083 GB/s"),
        (f"{TREE}/tree_bank_conflicts/n:4194304#ratio_to_tree_divergent", "2.33×"),
        (f"{TREE}/many_elements_a_thread/n:4194304", "268 µs"),
        (f"{TREE}/many_elements_a_thread/n:4194304#share_of_peak", "72.5 %"),
        (f"{G80}:memory_bandwidth_peak", "86.4 GB/s"),
        (f"{M2070}:memory_bandwidth_peak", "150 GB/s"),
        (f"{M2070}:max_threads_per_sm", "1536"),
        (f"{M2070}:shared_per_block", "48 KiB"),
        (f"{ADD}/cpu_one_thread/n:268435456", "1.41 s"),
        (f"{ADD}/one_element_a_thread/n:268435456/block:32x32", "70 ms"),
        (f"{ADD}/one_element_a_thread/n:268435456/block:32x16", "40 ms"),
        (f"{ADD}/one_element_a_thread/n:268435456/block:16x16", "50 ms"),
        (f"{ADD}/one_element_a_thread/n:268435456/block:32x32#theoretical_occupancy", "66.7 %"),
        (f"{ADD}/one_element_a_thread/n:268435456/block:32x16#ratio_to_cpu_one_thread", "35×"),
        (f"{ADD}/one_element_a_thread/n:268435456/block:32x16"
         "#ratio_to_cpu_one_thread_with_copies", "2.4×"),
    ],
)  # fmt: skip
def test_the_figures_of_the_older_texts(historical, reference, text):
    value = historical.resolve(reference)
    assert value.text.replace("\u202f", " ") == text
    assert value.device.role == "historical"
    assert "source:" in value.title
    assert "note:" in value.title


def test_then_can_be_compared_with_then(historical):
    assert historical.evaluate(f"{ONE} / {STRIDED}").text == "493×"
    assert historical.claim(f"30 * {CONTIGUOUS} < {ONE}").holds
    assert historical.claim(
        f"{STRIDED}#bytes_per_second < 0.6 * {G103M}:memory_bandwidth_peak"
    ).holds


def test_what_the_older_texts_do_not_say_is_missing(historical):
    with pytest.raises(MissingKey) as caught:
        historical.resolve(f"{STRIDED}#power_w")
    assert "bytes_per_second" in caught.value.nearest or caught.value.nearest


def test_devices_can_be_put_side_by_side(historical):
    columns = ("name", "compute_capability", "sms", "fp32_lanes_per_sm", "sm_clock_hz",
               "fp32_peak", "memory_bytes", "memory_bandwidth_peak", "l2_bytes",
               "max_threads_per_block", "max_threads_per_sm", "max_block_z", "max_grid_x",
               "registers_per_sm", "shared_per_block", "warp_size")  # fmt: skip
    for device in (G103M, M2070):
        for name in columns:
            assert historical.fact(name, device).text
