"""Reads the hardware's counters for the addition in several shapes of a block. Needs a GPU and ncu.

python3 chapters/04-optimization/evidence/ncu_shapes.py [SHAPE …]
"""

import csv
import subprocess
import sys

PROGRAM = "build/chapters/04-optimization"
SHAPES = ["256x1", "64x4", "32x8", "16x16", "8x32", "32x32", "1024x1", "128x1", "1x256"]
METRICS = {
    "sm__warps_active.avg.pct_of_peak_sustained_active": ("warps resident", "%", 1),
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": ("sectors from L1", "M", 1e-6),
    "lts__t_sectors_srcunit_tex_op_read.sum": ("sectors from L2", "M", 1e-6),
    "dram__bytes_read.sum": ("DRAM read", "MB", 1e-6),
    "dram__bytes_write.sum": ("DRAM written", "MB", 1e-6),
}


def counters_of(shape: str) -> dict[str, float]:
    """The metrics of one launch."""
    command = ["ncu", "--clock-control", "none", "--csv", "--print-units", "base"]
    command += ["-k", "regex:add_kernel", "-c", "1", "--metrics", ",".join(METRICS), PROGRAM]
    command += ["run", "one_element_a_thread", "--variant", f"block:{shape}"]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if done.returncode != 0 or begin is None:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    rows = csv.DictReader(lines[begin:])
    return {row["Metric Name"]: float(row["Metric Value"].replace(",", "")) for row in rows}


def main() -> None:
    titles = [f"{title} ({unit})" for title, unit, _ in METRICS.values()]
    print("block".ljust(8) + "".join(title.rjust(20) for title in titles))
    for shape in sys.argv[1:] or SHAPES:
        found = counters_of(shape)
        numbers = [found[metric] * factor for metric, (_, _, factor) in METRICS.items()]
        print(shape.ljust(8) + "".join(f"{number:20.1f}" for number in numbers), flush=True)


if __name__ == "__main__":
    main()
