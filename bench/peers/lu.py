"""Wavefield's complex LU decomposition beside LAPACK's zgetrf, as SciPy brings it (OpenBLAS).

    pip install scipy threadpoolctl
    python bench/peers/lu.py                         # orders 2500 and 5000 on one and two threads
    python bench/peers/lu.py --orders 10000 --threads 2 --repeats 2
    python bench/peers/lu.py --json                  # one JSON object a row

The two take turns, and the best time of several counts. Both factor a random double-precision matrix in place;
rates count 8/3 N^3 operations for either. The backward error of a solution, |Ax - b| / (eps N |A| |x|) in the
maximum norm, is printed for both.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

import numpy as np
from scipy.linalg import lapack
from threadpoolctl import threadpool_limits

ROOT = Path(__file__).resolve().parents[2]
#: Seconds between two turns, so that threads of the one have stopped spinning.
PAUSE = 0.05


def build() -> Path:
    """The example that factors with Wavefield, built for release."""
    command = ["cargo", "build", "--release", "--package", "wavefield-numerics", "--example", "lu_rate"]
    messages = subprocess.run(
        [*command, "--message-format", "json"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    for message in map(json.loads, messages.splitlines()):
        if message.get("executable") and message["target"]["name"] == "lu_rate":
            return Path(message["executable"])
    raise SystemExit("cargo built no example called lu_rate")


def wavefield(program: Path, order: int, threads: int) -> Dict[str, float]:
    """Seconds and backward error of Wavefield."""
    run = subprocess.run([str(program), str(order), str(threads)], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(run.stdout)


def openblas(order: int, threads: int) -> Dict[str, float]:
    """Seconds and backward error of zgetrf."""
    random = np.random.default_rng(order)
    matrix = np.empty((order, order), dtype=complex, order="F")
    matrix.real = random.random((order, order)) - 0.5
    matrix.imag = random.random((order, order)) - 0.5
    right = random.random(order) - 0.5 + 1j * (random.random(order) - 0.5)
    factors = matrix.copy(order="F")
    with threadpool_limits(threads):
        began = time.perf_counter()
        factors, pivots, info = lapack.zgetrf(factors, overwrite_a=True)
        seconds = time.perf_counter() - began
        if info != 0:
            raise SystemExit(f"zgetrf returned {info}")
        x, _ = lapack.zgetrs(factors, pivots, right)
    norm = float(np.abs(matrix).sum(axis=1).max())
    residual = float(np.abs(matrix @ x - right).max())
    error = residual / (np.finfo(float).eps * order * norm * float(np.abs(x).max()))
    return {"seconds": seconds, "backward_error": error}


def compare(program: Path, order: int, threads: int, repeats: int) -> Dict[str, Any]:
    """One row: both in turn, the best of each."""
    ours: List[Dict[str, float]] = []
    theirs: List[Dict[str, float]] = []
    for _ in range(repeats):
        ours.append(wavefield(program, order, threads))
        time.sleep(PAUSE)
        theirs.append(openblas(order, threads))
        time.sleep(PAUSE)
    operations = 8.0 / 3.0 * order**3
    seconds = min(run["seconds"] for run in ours)
    seconds_openblas = min(run["seconds"] for run in theirs)
    return {
        "n": order,
        "threads": threads,
        "gflops": operations / seconds / 1e9,
        "gflops_openblas": operations / seconds_openblas / 1e9,
        "ratio": seconds_openblas / seconds,
        "seconds": seconds,
        "seconds_openblas": seconds_openblas,
        "fill": min(run["fill"] for run in ours),
        "backward_error": ours[0]["backward_error"],
        "backward_error_openblas": theirs[0]["backward_error"],
    }


def main(arguments: Optional[Sequence[str]] = None) -> None:
    """Prints a row for each order and number of threads."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--orders", type=int, nargs="+", default=[2500, 5000])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--program", type=Path, help="the example lu_rate, if it is built already")
    parser.add_argument("--json", action="store_true", help="one JSON object a row")
    options = parser.parse_args(arguments)
    program = options.program or build()
    if not options.json:
        print(f"{'N':>6} {'threads':>7} {'GF/s':>8} {'OpenBLAS':>8} {'ratio':>6} {'errors':>16}")
    for order in options.orders:
        for threads in options.threads:
            row = compare(program, order, threads, options.repeats)
            if options.json:
                print(json.dumps(row), flush=True)
            else:
                print(
                    f"{order:>6} {threads:>7} {row['gflops']:>8.1f} {row['gflops_openblas']:>8.1f} {row['ratio']:>6.2f}"
                    f" {row['backward_error']:>8.1e}{row['backward_error_openblas']:>8.1e}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
