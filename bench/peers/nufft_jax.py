"""Gradients of Wavefield's nonuniform FFT under JAX beside jax-finufft.

    pip install jax jax-finufft
    python bench/peers/nufft_jax.py --json

The gradient of Σ |f_k − g_k|² by strengths and points, f being a transform of type 1, or of Σ |c_j − d_j|², c of type 2, compiled
by jit. Both libraries run in one process, in turn, with the same number of threads; the best time of several counts.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from typing import Any, Callable, Dict, List


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=200_000)
    parser.add_argument("--modes", type=int, default=256, help="along each of two axes")
    parser.add_argument("--eps", type=float, default=1e-6)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    return parser.parse_args()


def gradients(points: int, modes: int, eps: float, threads: int) -> Dict[str, Dict[str, Callable[[], Any]]]:
    """Returns the compiled gradient of each type by library."""
    import jax
    import jax.numpy as jnp
    import jax_finufft
    import numpy as np
    from jax_finufft.options import NestedOpts, Opts

    import wavefield.jax

    jax.config.update("jax_enable_x64", True)
    rng = np.random.default_rng(1)
    x, y = (jnp.asarray(v) for v in rng.uniform(-np.pi, np.pi, (2, points)))
    strengths = jnp.asarray(rng.normal(size=points) + 1j * rng.normal(size=points))
    coefficients = jnp.asarray(rng.normal(size=(modes, modes)) + 1j * rng.normal(size=(modes, modes)))
    shape = (modes, modes)
    peer = Opts(nthreads=threads)
    libraries = {
        "wavefield": (wavefield.jax, {"nthreads": threads}),
        "jax-finufft": (jax_finufft, {"opts": NestedOpts(type1=peer, type2=peer)}),
    }
    found: Dict[str, Dict[str, Callable[[], Any]]] = {"type 1": {}, "type 2": {}}
    for name, (package, options) in libraries.items():

        def type1(c: Any, x: Any, y: Any, package: Any = package, options: Any = options) -> Any:
            return jnp.sum(jnp.abs(package.nufft1(shape, c, x, y, eps=eps, **options) - coefficients) ** 2)

        def type2(f: Any, x: Any, y: Any, package: Any = package, options: Any = options) -> Any:
            return jnp.sum(jnp.abs(package.nufft2(f, x, y, eps=eps, **options) - strengths) ** 2)

        for kind, function, data in (("type 1", type1, strengths), ("type 2", type2, coefficients)):
            compiled = jax.jit(jax.grad(function, argnums=(0, 1, 2)))
            found[kind][name] = lambda compiled=compiled, data=data: jax.block_until_ready(compiled(data, x, y))
    return found


def seconds(run: Callable[[], Any]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    options = parsed()
    import numpy as np

    rows: List[Dict[str, Any]] = []
    for threads in options.threads:
        for kind, libraries in gradients(options.points, options.modes, options.eps, threads).items():
            ours, theirs = (libraries[name]() for name in ("wavefield", "jax-finufft"))
            difference = max(float(np.linalg.norm(a - b) / np.linalg.norm(b)) for a, b in zip(ours, theirs))
            best = dict.fromkeys(libraries, float("inf"))
            for _ in range(options.repetitions):
                for name, run in libraries.items():
                    best[name] = min(best[name], seconds(run))
            speedup = best["jax-finufft"] / best["wavefield"]
            rows.append({"kind": kind, "threads": threads, "speedup": speedup, "difference": difference, "seconds": best})
    report = {
        "points": options.points,
        "modes": [options.modes] * 2,
        "eps": options.eps,
        "cores": len(os.sched_getaffinity(0)),
        "rows": rows,
        "worst_speedup": min(row["speedup"] for row in rows),
    }
    if options.json:
        print(json.dumps(report, indent=2))
        return
    for row in rows:
        ours, theirs = (1e3 * row["seconds"][name] for name in ("wavefield", "jax-finufft"))
        print(f"{row['kind']}, {row['threads']} threads: {ours:.1f} ms, jax-finufft {theirs:.1f} ms, ratio {row['speedup']:.2f}")


if __name__ == "__main__":
    main()
