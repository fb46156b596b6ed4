"""Transforms as single calls."""

from __future__ import annotations

import os
import threading
from typing import Any, Dict, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from wavefield.nufft.arrays import SINGLE, Array, Modes, Values, mode_counts, numbers, vectors
from wavefield.nufft.plan import Plan

#: Cached plans: maximum number, and maximum memory of each in bytes.
MAX_IDLE, LARGEST_IDLE = 8, 1 << 24
_idle: Dict[Tuple[Any, ...], Plan] = {}
_idle_lock = threading.Lock()


def nufft1d1(
    x: ArrayLike,
    c: ArrayLike,
    n_modes: Optional[Modes] = None,
    out: Optional[Values] = None,
    eps: float = 1e-6,
    isign: int = 1,
    *,
    modeord: int = 0,
    nthreads: Optional[int] = None,
    upsampfac: Optional[float] = None,
    device: str = "cpu",
) -> Values:
    """Type 1, points to modes in one dimension: f[k] = Σ_j c[j] e^{± i k x[j]}.

    ``c`` of shape (n_trans, M) is transformed vector by vector. ``n_modes`` defaults to the shape of ``out``.

        f = nufft1d1([0.1, 2.0], [1, 1j], 8)
    """
    return _type1((x,), c, n_modes, out, eps, isign, modeord, nthreads, upsampfac, device)


def nufft1d2(
    x: ArrayLike,
    f: ArrayLike,
    out: Optional[Values] = None,
    eps: float = 1e-6,
    isign: int = -1,
    *,
    modeord: int = 0,
    nthreads: Optional[int] = None,
    upsampfac: Optional[float] = None,
    device: str = "cpu",
) -> Values:
    """Type 2, modes to points in one dimension: c[j] = Σ_k f[k] e^{± i k x[j]}.

    ``f`` of shape (n_trans, N) is transformed vector by vector.

        c = nufft1d2([0.1, 2.0], np.ones(8))
    """
    return _type2((x,), f, out, eps, isign, modeord, nthreads, upsampfac, device)


def nufft1d3(
    x: ArrayLike,
    c: ArrayLike,
    s: ArrayLike,
    out: Optional[Values] = None,
    eps: float = 1e-6,
    isign: int = 1,
    *,
    nthreads: Optional[int] = None,
    upsampfac: Optional[float] = None,
    device: str = "cpu",
) -> Values:
    """Type 3, points to frequencies in one dimension: v[k] = Σ_j c[j] e^{± i s[k] x[j]}.

    ``c`` of shape (n_trans, M) is transformed vector by vector. The cost grows with the range of the points
    times the range of the frequencies.

        v = nufft1d3([0.1, 2.0], [1, 1j], [-3.5, 0.2, 8.0])
    """
    return _type3((x,), c, (s,), out, eps, isign, nthreads, upsampfac, device)


def nufft2d1(
    x: ArrayLike,
    y: ArrayLike,
    c: ArrayLike,
    n_modes: Optional[Modes] = None,
    out: Optional[Values] = None,
    eps: float = 1e-6,
    isign: int = 1,
    *,
    modeord: int = 0,
    nthreads: Optional[int] = None,
    upsampfac: Optional[float] = None,
    device: str = "cpu",
) -> Values:
    """Type 1, points to modes in two dimensions: f[k1, k2] = Σ_j c[j] e^{± i (k1 x[j] + k2 y[j])}.

    ``c`` of shape (n_trans, M) is transformed vector by vector. ``n_modes`` defaults to the shape of ``out``;
    a single number applies to both axes.

        f = nufft2d1([0.1, 2.0], [0.3, 1.0], [1, 1j], (8, 10))
    """
    return _type1((x, y), c, n_modes, out, eps, isign, modeord, nthreads, upsampfac, device)


def nufft2d2(
    x: ArrayLike,
    y: ArrayLike,
    f: ArrayLike,
    out: Optional[Values] = None,
    eps: float = 1e-6,
    isign: int = -1,
    *,
    modeord: int = 0,
    nthreads: Optional[int] = None,
    upsampfac: Optional[float] = None,
    device: str = "cpu",
) -> Values:
    """Type 2, modes to points in two dimensions: c[j] = Σ_k f[k1, k2] e^{± i (k1 x[j] + k2 y[j])}.

    ``f`` of shape (n_trans, N1, N2) is transformed vector by vector.

        c = nufft2d2([0.1, 2.0], [0.3, 1.0], np.ones((8, 10)))
    """
    return _type2((x, y), f, out, eps, isign, modeord, nthreads, upsampfac, device)


def nufft2d3(
    x: ArrayLike,
    y: ArrayLike,
    c: ArrayLike,
    s: ArrayLike,
    t: ArrayLike,
    out: Optional[Values] = None,
    eps: float = 1e-6,
    isign: int = 1,
    *,
    nthreads: Optional[int] = None,
    upsampfac: Optional[float] = None,
    device: str = "cpu",
) -> Values:
    """Type 3, points to frequencies in two dimensions: v[k] = Σ_j c[j] e^{± i (s[k] x[j] + t[k] y[j])}.

    ``c`` of shape (n_trans, M) is transformed vector by vector. The cost grows with the range of the points
    times the range of the frequencies.

        v = nufft2d3([0.1, 2.0], [0.3, 1.0], [1, 1j], [-3.5, 8.0], [0.2, 1.0])
    """
    return _type3((x, y), c, (s, t), out, eps, isign, nthreads, upsampfac, device)


def nufft3d1(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    c: ArrayLike,
    n_modes: Optional[Modes] = None,
    out: Optional[Values] = None,
    eps: float = 1e-6,
    isign: int = 1,
    *,
    modeord: int = 0,
    nthreads: Optional[int] = None,
    upsampfac: Optional[float] = None,
    device: str = "cpu",
) -> Values:
    """Type 1, points to modes in three dimensions: f[k1, k2, k3] = Σ_j c[j] e^{± i (k1 x[j] + k2 y[j] + k3 z[j])}.

    ``c`` of shape (n_trans, M) is transformed vector by vector. ``n_modes`` defaults to the shape of ``out``;
    a single number applies to all axes.

        f = nufft3d1([0.1, 2.0], [0.3, 1.0], [0.0, 3.0], [1, 1j], (8, 10, 6))
    """
    return _type1((x, y, z), c, n_modes, out, eps, isign, modeord, nthreads, upsampfac, device)


def nufft3d2(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    f: ArrayLike,
    out: Optional[Values] = None,
    eps: float = 1e-6,
    isign: int = -1,
    *,
    modeord: int = 0,
    nthreads: Optional[int] = None,
    upsampfac: Optional[float] = None,
    device: str = "cpu",
) -> Values:
    """Type 2, modes to points in three dimensions: c[j] = Σ_k f[k1, k2, k3] e^{± i (k1 x[j] + k2 y[j] + k3 z[j])}.

    ``f`` of shape (n_trans, N1, N2, N3) is transformed vector by vector.

        c = nufft3d2([0.1, 2.0], [0.3, 1.0], [0.0, 3.0], np.ones((8, 10, 6)))
    """
    return _type2((x, y, z), f, out, eps, isign, modeord, nthreads, upsampfac, device)


def nufft3d3(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    c: ArrayLike,
    s: ArrayLike,
    t: ArrayLike,
    u: ArrayLike,
    out: Optional[Values] = None,
    eps: float = 1e-6,
    isign: int = 1,
    *,
    nthreads: Optional[int] = None,
    upsampfac: Optional[float] = None,
    device: str = "cpu",
) -> Values:
    """Type 3, points to frequencies in three dimensions: v[k] = Σ_j c[j] e^{± i (s[k] x[j] + t[k] y[j] + u[k] z[j])}.

    ``c`` of shape (n_trans, M) is transformed vector by vector. The cost grows with the range of the points
    times the range of the frequencies.

        v = nufft3d3([0.1, 2.0], [0.3, 1.0], [0.0, 3.0], [1, 1j], [-3.5, 8.0], [0.2, 1.0], [4.0, 0.0])
    """
    return _type3((x, y, z), c, (s, t, u), out, eps, isign, nthreads, upsampfac, device)


def _type1(
    points: Tuple[ArrayLike, ...],
    c: ArrayLike,
    n_modes: Optional[Modes],
    out: Optional[Array],
    eps: float,
    isign: int,
    modeord: int,
    nthreads: Optional[int],
    upsampfac: Optional[float],
    device: str,
) -> Array:
    strengths = numbers(c, "c")
    if strengths.ndim not in (1, 2):
        raise ValueError(f"c has the shape {strengths.shape}, but (M,) or (n_trans, M) is needed")
    if n_modes is not None:
        modes = mode_counts(n_modes)
        modes = modes * len(points) if len(modes) == 1 else modes
    elif out is not None:
        modes = tuple(np.shape(out))[strengths.ndim - 1 :]
    else:
        raise ValueError("give n_modes, or an array out with the shape of the modes")
    if len(modes) != len(points):
        raise ValueError(f"there are {len(points)} coordinates per point, but {len(modes)} axes of modes")
    return _simple(1, modes, points, strengths, "c", out, eps, isign, modeord, nthreads, upsampfac, device)


def _type2(
    points: Tuple[ArrayLike, ...],
    f: ArrayLike,
    out: Optional[Array],
    eps: float,
    isign: int,
    modeord: int,
    nthreads: Optional[int],
    upsampfac: Optional[float],
    device: str,
) -> Array:
    coefficients = numbers(f, "f")
    axes = len(points)
    if coefficients.ndim not in (axes, axes + 1):
        raise ValueError(
            f"f has the shape {coefficients.shape}, but {axes} axes of modes are needed, and one before for many"
        )
    modes = coefficients.shape[coefficients.ndim - axes :]
    return _simple(2, modes, points, coefficients, "f", out, eps, isign, modeord, nthreads, upsampfac, device)


def _type3(
    points: Tuple[ArrayLike, ...],
    c: ArrayLike,
    frequencies: Tuple[ArrayLike, ...],
    out: Optional[Array],
    eps: float,
    isign: int,
    nthreads: Optional[int],
    upsampfac: Optional[float],
    device: str,
) -> Array:
    strengths = numbers(c, "c")
    if strengths.ndim not in (1, 2):
        raise ValueError(f"c has the shape {strengths.shape}, but (M,) or (n_trans, M) is needed")
    axes = vectors(points, "xyz", len(points), "coordinates")
    to = vectors(frequencies, "stu", len(points), "frequencies")
    single = all(array.dtype in SINGLE for array in (*axes, *to, strengths))
    plan = Plan(
        3,
        len(points),
        strengths.shape[0] if strengths.ndim == 2 else 1,
        eps,
        isign,
        np.complex64 if single else np.complex128,
        nthreads=nthreads,
        upsampfac=upsampfac,
        device=device,
    )
    plan.setpts(*axes, **dict(zip("stu", to)))
    return plan._execute(strengths, out, "c")


def _simple(
    nufft_type: int,
    modes: Tuple[int, ...],
    points: Tuple[ArrayLike, ...],
    data: Array,
    name: str,
    out: Optional[Array],
    eps: float,
    isign: int,
    modeord: int,
    nthreads: Optional[int],
    upsampfac: Optional[float],
    device: str,
) -> Array:
    axes = vectors(points, "xyz", len(points), "coordinates")
    single = all(array.dtype in SINGLE for array in (*axes, data))
    per_vector = 1 if nufft_type == 1 else len(modes)
    many = data.shape[0] if data.ndim > per_vector else 1
    # Threads of a plan do not survive a fork.
    key = (os.getpid(), nufft_type, modes, many, float(eps), isign, single, modeord, nthreads, upsampfac, device)
    with _idle_lock:
        plan = _idle.pop(key, None)
    if plan is None:
        plan = Plan(
            nufft_type,
            modes,
            many,
            eps,
            isign,
            np.complex64 if single else np.complex128,
            modeord=modeord,
            nthreads=nthreads,
            upsampfac=upsampfac,
            device=device,
        )
    plan.setpts(*axes)
    result = plan._execute(data, out, name)
    if (plan.memory or 0) <= LARGEST_IDLE:
        with _idle_lock:
            _idle[key] = plan
            if len(_idle) > MAX_IDLE:
                del _idle[next(iter(_idle))]
    return result
