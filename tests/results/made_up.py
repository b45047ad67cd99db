"""Made-up devices for tests: a reference and a reader's `test-gpu-9000`, with invented numbers.

`python3 -m tests.results.made_up` writes tests/results/fixtures/ anew:

    course/figures/results/nvidia-h200/    stands in for the reference
    reader/test-gpu-9000/                  stands in for the reader's work/results/test-gpu-9000

Load both with `Results.load(FIXTURES / "course", [FIXTURES / "reader"])`. On the made-up reader's
device strided access is slower than contiguous, so that it contradicts a sentence of the course.
`beside(reference, into)` makes results of test-gpu-9000 for whatever the reference has.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tools import schema
from tools.record import dump, record

FIXTURES = Path(__file__).resolve().parent / "fixtures"
SIZE = 1 << 20
COMMIT = "0123456789abcdef0123456789abcdef01234567"

H200 = {
    "name": "NVIDIA H200", "compute_capability": "9.0", "driver": "580.0", "cuda_runtime": "13.0",
    "sms": 132, "warp_size": 32, "memory_bytes": 150 * 10**9, "l2_bytes": 60 << 20,
    "sm_clock_hz": 1.98e9, "memory_clock_hz": 3.201e9, "memory_bus_bits": 6016,
    "max_threads_per_block": 1024, "max_threads_per_sm": 2048, "shared_per_block": 49152,
}  # fmt: skip
TEST_GPU = {
    **H200, "name": "Test GPU 9000", "compute_capability": "8.9", "sms": 40,
    "memory_bytes": 16 * 2**30, "l2_bytes": 32 << 20, "memory_clock_hz": 10e9,
    "memory_bus_bits": 256,
}  # fmt: skip

STREAM = "/cache:hot/launch:stream"
ONE_THREAD = f"03-first-gpu-program/sum_of_squares_i32/one_thread/n:{SIZE}{STREAM}"
CPU = f"03-first-gpu-program/sum_of_squares_i32/cpu_one_thread/n:{SIZE}"
CONTIGUOUS = f"04-optimization/sum_of_squares_i32/contiguous/n:{SIZE}{STREAM}"
STRIDED = f"04-optimization/sum_of_squares_i32/strided/n:{SIZE}{STREAM}"


def sum_key(step: str, n: int) -> str:
    """A key of the made-up chapter 5, at one size in graph replay."""
    return f"05-advanced-optimization/sum_of_squares_i32/{step}/n:{n}/cache:hot/launch:graph"


def raw_lines(
    facts: dict[str, Any],
    times: dict[str, float],
    *,
    rounds: int = 31,
    noise: float = 0.01,
    seed: int = 1,
    rivals: Iterable[str] = ("cub",),
    **context: Any,
) -> list[dict[str, Any]]:
    """Lines of a raw file: each key at about its time, a drift shared by all arms of a round."""
    draw = random.Random(seed)
    slug = next(iter(times)).split("/")[0]
    lines: list[dict[str, Any]] = [
        {"type": "context", "slug": slug, "device": facts, "nvcc": "13.0.88",
         "date": "2025-12-01T12:00:00Z", "commit": COMMIT,
         "command": f"build/chapters/{slug}-bench --out raw.jsonl", **context}
    ]  # fmt: skip
    for key in times:
        _, _, step, size, *_ = key.split("/")
        kind = "baseline" if step.startswith("cpu_") else "measure"
        lines.append({"type": "row", "name": key, "rival": step in rivals, "kind": kind,
                      "bytes": 4 * int(size[2:]), "flops": 0})  # fmt: skip
        lines.append({"type": "verify", "name": key, "verified": True, "error": 0, "message": ""})
    for number in range(rounds):
        drift = 1 + 0.05 * draw.random()
        for key, seconds in draw.sample(sorted(times.items()), len(times)):
            spread = 1 + abs(draw.gauss(0, noise))
            lines.append(
                {
                    "type": "sample",
                    "name": key,
                    "round": number,
                    "seconds": float(f"{seconds * drift * spread:.9g}"),
                    "launches": 10,
                }
            )
    lines.append({"type": "end", "verified": True, "clock_mhz": 1980, "power_w": 310.5})
    return lines  # fmt: skip


def write_raw(path: Path, lines: Iterable[dict[str, Any]]) -> Path:
    """Writes lines as a raw file."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def beside(reference: Path, into: Path, factor: float = 1.5) -> Path:
    """Results of test-gpu-9000 for every row of a reference's folder, `factor` times as slow."""
    folder = into / "test-gpu-9000"
    folder.mkdir(parents=True)
    for path in sorted(reference.glob("*.json")):
        document = schema.read(path)
        kind = schema.kind_of(path)
        if kind == "device":
            document = {**document, **TEST_GPU, "slug": "test-gpu-9000",
                        "memory_bandwidth_peak": 640e9}  # fmt: skip
        else:
            document["context"]["device"] = "test-gpu-9000"
        if kind == "benchmarks":
            document["context"]["device_name"] = TEST_GPU["name"]
            for row in document["benchmarks"]:
                row["samples"] = [factor * sample for sample in row["samples"]]
                for name in ("real_time", "low", "high"):
                    row[name] = row[name] and factor * row[name]
                for name in ("bytes_per_second", "flops_per_second"):
                    if name in row:
                        row[name] /= factor
                if "context" in row:
                    row["context"] |= {"device": "test-gpu-9000", "device_name": TEST_GPU["name"]}
        (folder / path.name).write_text(dump(document), "utf-8")
    return folder


def _write(path: Path, document: dict[str, Any]) -> None:
    path.write_text(dump(document), "utf-8")


def make(folder: Path) -> None:
    """Writes the fixtures under `folder`."""
    reference, reader = folder / "course/figures/results", folder / "reader"
    chapters = {
        "03": {ONE_THREAD: (11.6e-3, 9.1e-3), CPU: (0.21e-3, 0.4e-3)},
        "04": {CONTIGUOUS: (539e-6, 333e-6), STRIDED: (35.6e-6, 901e-6)},
        "05": {
            sum_key(step, n): (slow * (2e-6 + 4 * n / 4.6e12), slow * (4e-6 + 4 * n / 5.9e11))
            for step, slow in (("warp_shuffle", 1.0), ("cub", 1.12))
            for n in (1 << 14, 1 << 18, 1 << 22, 1 << 26)
        },
    }
    raw = folder / "raw.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, times) in enumerate(chapters.items()):
        for which, (facts, into) in enumerate(((H200, reference), (TEST_GPU, reader))):
            if name == "05" and which:  # the made-up reader never measured the largest size
                times = {key: pair for key, pair in times.items() if f"n:{1 << 26}" not in key}
            chosen = {key: pair[which] for key, pair in times.items()}
            write_raw(raw, raw_lines(facts, chosen, seed=10 * number + which))
            record(raw, into)
    raw.unlink()
    context = {"schema_version": 1, "device": "nvidia-h200", "slug": "04-optimization",
               "commit": COMMIT, "date": "2025-12-01T12:00:00Z"}  # fmt: skip
    counters = [
        {"name": CONTIGUOUS, "kernel": "sum_contiguous_kernel", "grid": "1", "block": "512",
         "cpu_device": {"load_requests": 32768, "load_sectors": 1048576},
         "ncu": {"load_requests": 32768, "load_sectors": 1048576, "l1_hit_rate": 0.874}},
        {"name": STRIDED, "kernel": "sum_strided_kernel", "grid": "1", "block": "512",
         "cpu_device": {"load_requests": 32768, "load_sectors": 131072}},
    ]  # fmt: skip
    _write(
        reference / "nvidia-h200/04-optimization.counters.json",
        {"context": context | {"command": "ncu --clock-control none …"}, "counters": counters},
    )
    kernels = [
        {"symbol": f"_Z{len(name)}{name}PKiiPi", "name": name, "signature": f"{name}(const int*)",
         "registers": registers, "spill_store_bytes": 0, "spill_load_bytes": 0, "shared_bytes": 0,
         "stack_bytes": 0}
        for name, registers in (("sum_contiguous_kernel", 32), ("sum_strided_kernel", 40))
    ]  # fmt: skip
    build = context | {"nvcc": "13.0.88", "architecture": "sm_90", "command": "nvcc -Xptxas -v …"}
    _write(
        reference / "nvidia-h200/04-optimization.build.json",
        {"context": build, "kernels": kernels},
    )


if __name__ == "__main__":
    make(FIXTURES)
