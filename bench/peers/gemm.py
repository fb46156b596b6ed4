"""Wavefield's stages on tetrahedra beside OpenBLAS's SGEMM, as NumPy's wheel brings it.

    pip install numpy threadpoolctl
    python bench/peers/gemm.py                       # builds the program, then measures orders 1 to 8
    python bench/peers/gemm.py --program PATH --json # one JSON object a row

Products of two single-precision matrices of 2048 rows are timed before and after `wavefield bench dgtd/kernel`, on one
thread and on two; the best of all counts. A row has the GFLOP/s of a stage, counted as the equations are written (see
`wavefield bench`), and its percentage of OpenBLAS's and of the program's own products.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from pathlib import Path
from typing import Dict, Optional, Sequence

import numpy as np
from threadpoolctl import threadpool_limits

ROOT = Path(__file__).resolve().parents[2]
SIZE = 2048


def build() -> Path:
    """The program, built for release."""
    subprocess.run(["cargo", "build", "--release", "--package", "wavefield"], cwd=ROOT, check=True)
    return ROOT / "target" / "release" / "wavefield"


def sgemm(threads: int, repeats: int) -> float:
    """GFLOP/s of the best of some products."""
    random = np.random.default_rng(1)
    a, b = (random.random((SIZE, SIZE), dtype=np.float32) for _ in range(2))
    product = np.empty((SIZE, SIZE), dtype=np.float32)
    best = float("inf")
    with threadpool_limits(threads):
        for _ in range(repeats):
            began = time.perf_counter()
            np.matmul(a, b, out=product)
            best = min(best, time.perf_counter() - began)
    return 2.0 * SIZE**3 / best / 1e9


def stages(program: Path) -> Dict[str, float]:
    """The metrics of the program's own bench."""
    run = subprocess.run([str(program), "bench", "dgtd/kernel", "--json"], stdout=subprocess.PIPE, text=True)
    lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    if not lines:
        raise SystemExit("`wavefield bench dgtd/kernel --json` gave no result")
    return lines[0]["metrics"]


def main(arguments: Optional[Sequence[str]] = None) -> None:
    """Prints a row for each order and number of threads."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, help="wavefield, if it is built already")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--json", action="store_true", help="one JSON object a row")
    options = parser.parse_args(arguments)
    program = options.program or build()
    before = {threads: sgemm(threads, options.repeats) for threads in (1, 2)}
    metrics = stages(program)
    openblas = {threads: max(before[threads], sgemm(threads, options.repeats)) for threads in (1, 2)}
    if not options.json:
        print(f"{'threads':>7} {'N':>2} {'MDOF/s':>7} {'GF/s':>7} {'% OpenBLAS':>10} {'% own SGEMM':>11} {'% STREAM':>8}")
    for threads in (1, 2):
        ending = "" if threads == 1 else "_two_threads"
        for order in range(1, 9):
            rate = metrics[f"gflops_{order}{ending}"]
            row = {
                "threads": threads,
                "order": order,
                "mdof": metrics[f"mdof_{order}{ending}"],
                "gflops": rate,
                "gflops_openblas": openblas[threads],
                "percent_openblas": 100.0 * rate / openblas[threads],
                "percent_sgemm": metrics[f"percent_sgemm_{order}{ending}"],
                "percent_stream": metrics[f"percent_stream_{order}{ending}"],
            }
            if options.json:
                print(json.dumps(row), flush=True)
            else:
                print(
                    f"{threads:>7} {order:>2} {row['mdof']:>7.0f} {rate:>7.1f} {row['percent_openblas']:>10.1f}"
                    f" {row['percent_sgemm']:>11.1f} {row['percent_stream']:>8.1f}"
                )


if __name__ == "__main__":
    main()
