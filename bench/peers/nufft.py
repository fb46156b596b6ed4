"""Wavefield's nonuniform FFT beside FINUFFT and ducc0, at equal delivered accuracy.

    pip install finufft ducc0
    python bench/peers/nufft.py                  # everything
    python bench/peers/nufft.py --quick          # a smoke test in half a minute
    python bench/peers/nufft.py --rows '1e6*t2'  # some rows

All three run in one process, in turn, and the best time of several counts. Points are uniformly random, in
double precision. The error of each library is measured against direct sums over a random subset of the result
(relative root mean square); a library that misses the tolerance is asked for a smaller one until it delivers.
Two times are taken: points + transform, and the transform alone. Making a plan is not counted for libraries that
make it without points; ducc0's plan takes the points, so it is. Where ducc0's function without a plan is faster
for points + transform, its time counts.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import math
import os
import platform
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

#: Points and modes of each geometry.
GEOMETRIES: List[Tuple[int, Tuple[int, ...]]] = [
    (5041, (142, 142)),
    (5041, (256, 256)),
    (100_000, (256, 256)),
    (1_000_000, (256, 256)),
    (1_000_000, (1024, 1024)),
    (10_000_000, (1024, 1024)),
    (100_000, (100_000,)),
    (1_000_000, (1_000_000,)),
    (100_000, (64, 64, 64)),
    (1_000_000, (128, 128, 128)),
]
TOLERANCES = (1e-6, 1e-9, 1e-12)
#: Those of a smoke test.
QUICK_GEOMETRIES: List[Tuple[int, Tuple[int, ...]]] = [
    (5041, (142, 142)),
    (100_000, (256, 256)),
    (100_000, (100_000,)),
    (20_000, (32, 32, 32)),
]
QUICK_TOLERANCES = TOLERANCES[::2]
#: Fractions of the tolerance that a library is asked for, until it delivers.
FRACTIONS = (1.0, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01)
#: Sign of the exponent of types 1 and 2.
SIGN = {1: 1, 2: -1}
OURS = "wavefield"
PEERS = ("finufft", "ducc0")
#: Seconds between two libraries' turns, so that threads of the one have stopped spinning.
PAUSE = 0.005


@dataclass(frozen=True)
class Row:
    """One transform to measure."""

    points: int
    modes: Tuple[int, ...]
    kind: int
    eps: float

    @property
    def name(self) -> str:
        """Such as ``1e6:1024x1024:t1:1e-09``."""
        return f"{count(self.points)}:{'x'.join(map(str, self.modes))}:t{self.kind}:{self.eps:.0e}"


@dataclass
class Problem:
    """Random points and data of a row, and the exact result on a subset."""

    axes: List[Any]
    #: The coordinates once more, as ducc0 takes them.
    coordinates: Any
    data: Any
    out: Any
    subset: Any
    exact: Any

    def error(self) -> float:
        """Relative error of what is in ``out``."""
        return relative_error(self.out[self.subset].reshape(-1), self.exact)


class Library:
    """One library with a plan for a row; ``variants`` are its ways to points + transform."""

    def __init__(self, set_points: Callable[[], Any], execute: Callable[[], Any]) -> None:
        self.set_points = set_points
        self.execute = execute
        self.variants: List[Callable[[], Any]] = [self._both]

    def _both(self) -> None:
        self.set_points()
        self.execute()


def wavefield(row: Row, problem: Problem, eps: float, threads: int) -> Library:
    """Wavefield's plan."""
    from wavefield import nufft

    plan = nufft.Plan(row.kind, row.modes, eps=eps, isign=SIGN[row.kind], nthreads=threads)
    return Library(
        lambda: plan.setpts(*problem.axes),
        lambda: plan.execute(problem.data, out=problem.out),
    )


def finufft(row: Row, problem: Problem, eps: float, threads: int) -> Library:
    """FINUFFT's plan with its defaults."""
    import finufft as peer

    plan = peer.Plan(row.kind, row.modes, eps=eps, isign=SIGN[row.kind], dtype="complex128", nthreads=threads)
    return Library(
        lambda: plan.setpts(*problem.axes),
        lambda: plan.execute(problem.data, out=problem.out),
    )


def ducc0(row: Row, problem: Problem, eps: float, threads: int) -> Library:
    """ducc0's plan, and its function that does all at once."""
    import ducc0 as peer

    to_modes = row.kind == 1
    common = dict(epsilon=eps, nthreads=threads, coord=problem.coordinates)
    forward = SIGN[row.kind] < 0
    plan: List[Any] = []

    def set_points() -> None:
        plan[:] = [peer.nufft.plan(nu2u=to_modes, grid_shape=row.modes, **common)]

    def execute() -> None:
        if to_modes:
            plan[0].nu2u(forward=forward, points=problem.data, out=problem.out)
        else:
            plan[0].u2nu(forward=forward, grid=problem.data, out=problem.out)

    def at_once() -> None:
        if to_modes:
            peer.nufft.nu2u(points=problem.data, forward=forward, out=problem.out, **common)
        else:
            peer.nufft.u2nu(grid=problem.data, forward=forward, out=problem.out, **common)

    library = Library(set_points, execute)
    library.variants.append(at_once)
    return library


LIBRARIES: Dict[str, Callable[[Row, Problem, float, int], Library]] = {
    OURS: wavefield,
    "finufft": finufft,
    "ducc0": ducc0,
}


def geometric_mean(values: Sequence[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(math.log(value) for value in values) / len(values))


def relative_error(found: Any, exact: Any) -> float:
    """Root mean square of the difference over that of the exact values."""
    return float(np.linalg.norm(found - exact) / np.linalg.norm(exact))


def equal_accuracy(eps: float, delivered: Callable[[float], Optional[float]]) -> Tuple[float, float]:
    """The largest tolerance to ask for so that the error is at most ``eps``, and that error.

    ``delivered`` gives the error for a tolerance, or None where the library refuses it. Where rounding keeps the
    error above ``eps`` whatever is asked, the largest tolerance counts that comes within a tenth of the best.
    """
    tried = []
    for fraction in FRACTIONS:
        error = delivered(fraction * eps)
        if error is None:
            break
        if error <= eps:
            return fraction * eps, error
        tried.append((fraction * eps, error))
        # Three tolerances without a tenth of progress: this is rounding.
        if len(tried) >= 3 and error > 0.9 * tried[-3][1]:
            break
    if not tried:
        raise ValueError(f"a tolerance of {eps} was refused")
    least = min(error for _, error in tried)
    return next((asked, error) for asked, error in tried if error <= 1.1 * least)


def turns(x: Any) -> Tuple[Any, Any]:
    """Coordinates in turns as a sum of two doubles, so that their products with whole numbers below 2^20 are exact."""
    turn = 2 * np.longdouble("3.14159265358979323846264338327950288")
    exact = x.astype(np.longdouble) / turn
    high = np.rint(exact * 2.0**32) / 2.0**32
    return high.astype(np.float64), (exact - high).astype(np.float64)


def waves(wavenumbers: Any, x: Any, sign: int) -> Any:
    """e^{± i k x} of every wavenumber (rows) and point (columns), with phases exact to rounding."""
    high, low = turns(x)
    whole = np.outer(wavenumbers, high)
    phase = 2 * np.pi * sign * ((whole - np.rint(whole)) + np.outer(wavenumbers, low))
    return np.cos(phase) + 1j * np.sin(phase)


def exact_modes(axes: Sequence[Any], strengths: Any, wavenumbers: Sequence[Any], sign: int) -> Any:
    """Type 1 by direct summation, for every combination of the given wavenumbers."""
    total = np.zeros([len(k) for k in wavenumbers], complex).reshape(len(wavenumbers[0]), -1)
    for start in range(0, len(strengths), 50_000):
        part = slice(start, start + 50_000)
        first, *others = [waves(k, x[part], sign) for k, x in zip(wavenumbers, axes)]
        rest = np.ones((1, first.shape[1]))
        for other in others:
            rest = (rest[:, None, :] * other[None, :, :]).reshape(-1, first.shape[1])
        total += (first * strengths[part]) @ rest.T
    return total.reshape(-1)


def exact_values(axes: Sequence[Any], modes: Any, sign: int) -> Any:
    """Type 2 by direct summation at the given points."""
    every = [waves(np.arange(n) - n // 2, x, sign) for n, x in zip(modes.shape, axes)]
    # The last axis for all points at once, then the others point by point.
    partial = modes.reshape(-1, modes.shape[-1]) @ every[-1]
    values = []
    for j in range(len(axes[0])):
        value = partial[:, j]
        for axis in reversed(every[:-1]):
            value = value.reshape(-1, axis.shape[0]) @ axis[:, j]
        values.append(value.reshape(-1)[0])
    return np.array(values)


def make_problem(points: int, modes: Tuple[int, ...], kind: int) -> Problem:
    """Random points and data, with the exact result on a random subset."""
    rng = np.random.default_rng(points + kind)
    axes = [rng.uniform(-np.pi, np.pi, points) for _ in modes]
    shape, result = ((points,), modes) if kind == 1 else (modes, (points,))
    data = rng.normal(size=shape) + 1j * rng.normal(size=shape)
    out = np.empty(result, complex)
    if kind == 1:
        per_axis = {1: 64, 2: 12, 3: 6}[len(modes)]
        chosen = [np.sort(rng.choice(n, min(n, per_axis), replace=False)) for n in modes]
        subset: Any = np.ix_(*chosen)
        exact = exact_modes(axes, data, [k - n // 2 for k, n in zip(chosen, modes)], SIGN[1])
    else:
        subset = np.sort(rng.choice(points, min(points, 64), replace=False))
        exact = exact_values([x[subset] for x in axes], data, SIGN[2])
    return Problem(axes, np.stack(axes, axis=1), data, out, subset, exact)


def find_tolerance(name: str, row: Row, problem: Problem) -> Tuple[float, float]:
    """What to ask a library for, and the error it then delivers."""

    def delivered(asked: float) -> Optional[float]:
        try:
            library = LIBRARIES[name](row, problem, asked, 1)
            library.set_points()
            library.execute()
        except (ValueError, RuntimeError):
            return None
        return problem.error()

    return equal_accuracy(row.eps, delivered)


def seconds(work: Callable[[], Any]) -> float:
    """Time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measure(
    row: Row, problem: Problem, asked: Dict[str, float], threads: int, budget: float, turns: int
) -> Dict[str, Tuple[float, float]]:
    """Best seconds of points + transform and of the transform alone, for each library, taken in turn.

    There are so many ``turns`` at least, and more until ``budget`` seconds have passed.
    """
    libraries = {name: LIBRARIES[name](row, problem, eps, threads) for name, eps in asked.items()}
    best: Dict[str, List[float]] = {name: [math.inf, math.inf] for name in libraries}
    repeats = {}
    for name, library in libraries.items():
        for variant in library.variants:
            variant()
        repeats[name] = max(1, min(50, int(0.02 / seconds(library.variants[0]))))
    start = time.perf_counter()
    turn = 0
    while turn < turns or (time.perf_counter() - start < budget and turn < 100):
        for name, library in libraries.items():
            time.sleep(PAUSE)
            both, alone = best[name]
            for _ in range(repeats[name]):
                both = min(both, *(seconds(variant) for variant in library.variants))
                alone = min(alone, seconds(library.execute))
            best[name] = [both, alone]
        turn += 1
    return {name: (both, alone) for name, (both, alone) in best.items()}


def compare(
    row: Row,
    threads: int,
    times: Dict[str, Tuple[float, float]],
    asked: Dict[str, float],
    errors: Dict[str, float],
) -> Dict[str, Any]:
    """A row of the table. The best peer is the fastest of those that deliver, or of all where rounding lets none."""
    delivering = [name for name in PEERS if errors[name] <= row.eps] or list(PEERS)
    libraries = {
        name: {
            "ms": 1e3 * times[name][0],
            "execute_ms": 1e3 * times[name][1],
            "asked_eps": asked[name],
            "error_over_eps": errors[name] / row.eps,
        }
        for name in times
    }
    return {
        "row": row.name,
        "points": row.points,
        "modes": list(row.modes),
        "type": row.kind,
        "eps": row.eps,
        "threads": threads,
        "libraries": libraries,
        "ratio": min(times[name][0] for name in delivering) / times[OURS][0],
        "ratio_execute": min(times[name][1] for name in delivering) / times[OURS][1],
    }


def summary(rows: Sequence[Dict[str, Any]]) -> Dict[str, Any]:
    """Means and worst rows for each number of threads; ratios are best peer's time over ours."""
    result = {}
    for threads in sorted({row["threads"] for row in rows}):
        own = [row for row in rows if row["threads"] == threads]
        worst = min(own, key=lambda row: row["ratio"])
        worst_execute = min(own, key=lambda row: row["ratio_execute"])
        result[f"threads_{threads}"] = {
            "rows": len(own),
            "geomean_vs_best": round(geometric_mean([row["ratio"] for row in own]), 3),
            "worst_vs_best": round(worst["ratio"], 3),
            "worst_row": worst["row"],
            "geomean_execute": round(geometric_mean([row["ratio_execute"] for row in own]), 3),
            "worst_execute": round(worst_execute["ratio_execute"], 3),
            "worst_execute_row": worst_execute["row"],
            # Rows in which rounding keeps a library above the tolerance, whatever it is asked for.
            "rows_above_eps": {
                name: sum(row["libraries"][name]["error_over_eps"] > 1 for row in own) for name in LIBRARIES
            },
        }
    return result


def count(number: int) -> str:
    """5041, 1e5, 1e6."""
    exponent = round(math.log10(number))
    return f"1e{exponent}" if number == 10**exponent else str(number)


def cells(row: Dict[str, Any]) -> List[str]:
    """A row as text, under the heads of :func:`heads`."""
    libraries = row["libraries"]
    order = (OURS, *PEERS)
    return [
        count(row["points"]),
        "×".join(count(n) for n in row["modes"]),
        str(row["type"]),
        f"{row['eps']:.0e}",
        str(row["threads"]),
        *(f"{libraries[name]['ms']:.3g}" for name in order),
        f"{row['ratio']:.2f}",
        *(f"{libraries[name]['execute_ms']:.3g}" for name in order),
        f"{row['ratio_execute']:.2f}",
        " ".join(f"{libraries[name]['error_over_eps']:.2g}" for name in order),
        " ".join(f"{libraries[name]['asked_eps'] / row['eps']:.2g}" for name in order),
    ]


def heads() -> List[str]:
    """Heads of the table's columns."""
    short = {OURS: "wavefield", "finufft": "FINUFFT", "ducc0": "ducc0"}
    names = [short[name] for name in (OURS, *PEERS)]
    return [
        "points",
        "modes",
        "type",
        "eps",
        "threads",
        *(f"{name} ms" for name in names),
        "ratio",
        *(f"{name} transform ms" for name in names),
        "ratio",
        "error / eps",
        "asked / eps",
    ]


def markdown(rows: Sequence[Dict[str, Any]], machine: str) -> str:
    """The table for the book."""
    lines = [machine, ""]
    for threads, means in summary(rows).items():
        number = threads.split("_")[1]
        lines.append(
            f"- {number} {'thread' if number == '1' else 'threads'}, {means['rows']} rows: best peer over Wavefield "
            f"{means['geomean_vs_best']:.2f} in the geometric mean, {means['worst_vs_best']:.2f} at worst; "
            f"transform alone {means['geomean_execute']:.2f} and {means['worst_execute']:.2f}."
        )
    head = heads()
    lines += ["", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(cells(row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def machine() -> str:
    """What the measurement ran on, and with which versions."""
    import ducc0 as ducc
    import finufft as fi

    import wavefield as wf

    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    simd = wf.nufft.Plan(1, 16).simd
    return (
        f"{model}, {os.cpu_count()} cores, {simd}; wavefield {wf.__version__}, "
        f"FINUFFT {fi.__version__} and ducc0 {ducc.__version__} as their wheels come."
    )


def rows_of(
    geometries: Sequence[Tuple[int, Tuple[int, ...]]], tolerances: Sequence[float], pattern: str
) -> Iterator[List[Row]]:
    """The rows whose name fits the pattern, those with the same points and data together."""
    for points, modes in geometries:
        for kind in (1, 2):
            rows = [Row(points, modes, kind, eps) for eps in tolerances]
            chosen = [row for row in rows if fnmatch.fnmatch(row.name, f"*{pattern}*")]
            if chosen:
                yield chosen


def missing() -> List[str]:
    """Packages that are needed and not installed."""
    absent = []
    for name in (OURS, *PEERS):
        try:
            __import__(name)
        except ImportError:
            absent.append(name)
    return absent


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Measures, prints the table and, in the last line, the summary as JSON."""
    parser = argparse.ArgumentParser(description="Wavefield's nonuniform FFT beside FINUFFT and ducc0.")
    parser.add_argument("--quick", action="store_true", help="fewer rows and repeats")
    parser.add_argument("--rows", default="", metavar="PATTERN", help="only rows such as '1e6:1024x1024:t1:1e-09'")
    parser.add_argument("--threads", default="1,2", help="numbers of threads, such as 1,2")
    parser.add_argument("--json", action="store_true", help="print every row as JSON as well")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table as Markdown")
    options = parser.parse_args(arguments)
    absent = missing()
    if absent:
        print(f"This comparison needs {' and '.join(absent)}: pip install {' '.join(absent)}", file=sys.stderr)
        return 2
    thread_counts = [int(number) for number in options.threads.split(",")]
    budget, turns = (0.1, 2) if options.quick else (2.0, 3)
    geometries = QUICK_GEOMETRIES if options.quick else GEOMETRIES
    tolerances = QUICK_TOLERANCES if options.quick else TOLERANCES
    print(machine())
    layout = "{:>6} {:>13} {:>4} {:>6} {:>3}  {:>8} {:>8} {:>8} {:>6}  {:>8} {:>8} {:>8} {:>6}  {:<18} {}"
    print(layout.format("points", "modes", "type", "eps", "thr", "ours ms", "finufft", "ducc0", "ratio", "transf.",
                        "finufft", "ducc0", "ratio", "error/eps (o f d)", "asked/eps"))
    measured: List[Dict[str, Any]] = []
    for group in rows_of(geometries, tolerances, options.rows):
        problem = make_problem(group[0].points, group[0].modes, group[0].kind)
        for row in group:
            found = {name: find_tolerance(name, row, problem) for name in LIBRARIES}
            asked = {name: pair[0] for name, pair in found.items()}
            errors = {name: pair[1] for name, pair in found.items()}
            for threads in thread_counts:
                times = measure(row, problem, asked, threads, budget, turns)
                measured.append(compare(row, threads, times, asked, errors))
                print(layout.format(*cells(measured[-1])), flush=True)
                if options.json:
                    print(json.dumps(measured[-1]), flush=True)
    if not measured:
        print(f"No row fits {options.rows!r}; names are such as '1e6:1024x1024:t1:1e-09'.", file=sys.stderr)
        return 2
    if options.markdown:
        options.markdown.write_text(markdown(measured, machine()), encoding="utf-8")
    print(json.dumps(summary(measured)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
