"""Non-uniform fast Fourier transforms over NumPy arrays, called as FINUFFT's users expect.

    import numpy as np
    import wavefield as wf

    rng = np.random.default_rng(1)
    x, y = rng.uniform(-np.pi, np.pi, (2, 10_000))
    c = rng.normal(size=10_000) + 1j * rng.normal(size=10_000)

    f = wf.nufft.nufft2d1(x, y, c, (64, 96), eps=1e-9)    # points to modes
    c = wf.nufft.nufft2d2(x, y, f, eps=1e-9)              # modes to points

    plan = wf.nufft.Plan(2, (64, 96), eps=1e-9)           # many transforms over the same points
    plan.setpts(x, y)
    c, gradient = plan.execute_gradient(f)                # values, and their slopes at the points

====  ================  ==============================
type  what              equation
====  ================  ==============================
1     points to modes   f_k = Σ_j c_j e^{± i k·x_j}
2     modes to points   c_j = Σ_k f_k e^{± i k·x_j}
====  ================  ==============================

Modes run over −⌊N/2⌋ … ⌈N/2⌉ − 1 on every axis (``modeord=0``) or start with mode zero as NumPy's FFT has
them (``modeord=1``). Points are in radians and may be any real number. ``eps`` is the largest relative error
of the result in the root mean square. No points give zeros, as an empty sum is.

**Arrays.** Any stride, byte order and real or complex dtype is taken. Where every array of a call is float32
or complex64, the transform is computed and returned in single precision; everything else is converted to
double precision. A plan converts to its own ``dtype``. An array that is C-contiguous and already of the right
dtype is used where it lies; others are copied. ``out`` is written in place and must have the result's shape
and dtype and be C-contiguous. Coordinates that are not finite are refused; data that are not finite give a
result that is not finite.

**Options.** ``threads`` defaults to every hardware thread; the result has the same bits for any number.
``upsampling`` is the ratio of the fine grid to the modes (1.25 to 4); left out, the fastest is chosen.
``device`` is "cpu", "gpu", "gpu:NAME" or "auto". Other Python threads run on during a transform.
"""

from __future__ import annotations

import operator
import os
import threading
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from wavefield import _native

__all__ = ["Plan", "nufft1d1", "nufft1d2", "nufft2d1", "nufft2d2", "nufft3d1", "nufft3d2"]

Array = np.ndarray[Any, Any]
Modes = Union[int, Sequence[int]]

#: Real and complex numbers of each precision.
_SINGLE = (np.dtype(np.float32), np.dtype(np.complex64))
_DOUBLE = (np.dtype(np.float64), np.dtype(np.complex128))
_AXES = ("x", "y", "z")
#: Modes beyond which memory is asked for before a plan is laid out.
_MANY_MODES = 1 << 26
#: Plans of the simple functions that wait for the next such call: at most so many, of at most so many bytes.
_MOST_IDLE, _LARGEST_IDLE = 8, 1 << 24
_idle: Dict[Tuple[Any, ...], "Plan"] = {}
_idle_lock = threading.Lock()


class Plan:
    """A transform prepared once for its modes and a tolerance, and executed for many data.

    ``nufft_type`` is 1 or 2 and ``n_modes_or_dim`` the number of modes along each axis; ``n_trans`` vectors
    are transformed by one call. ``isign`` is the sign of the exponent, +1 or −1; left out it is +1 for type 1
    and −1 for type 2. ``dtype`` is "complex64" or "complex128". ``spreader`` says how a graphics card adds
    points to its grid: "deterministic" (the same bits on every run) or "atomic" (complex64 only).

        plan = Plan(1, (64, 64), eps=1e-9)
        plan.setpts(x, y)
        f = plan.execute(c)
    """

    def __init__(
        self,
        nufft_type: int,
        n_modes_or_dim: Modes,
        n_trans: int = 1,
        eps: float = 1e-6,
        isign: Optional[int] = None,
        dtype: DTypeLike = "complex128",
        *,
        modeord: int = 0,
        threads: Optional[int] = None,
        upsampling: Optional[float] = None,
        device: str = "cpu",
        spreader: str = "deterministic",
    ) -> None:
        if nufft_type not in (1, 2):
            raise ValueError(f"the type of a transform is 1 or 2, not {nufft_type!r}")
        if modeord not in (0, 1):
            raise ValueError(f"modeord is 0 (from the most negative mode) or 1 (from mode zero), not {modeord!r}")
        if isign not in (None, 1, -1):
            raise ValueError(f"isign is +1 or -1, not {isign!r}")
        self._type = int(nufft_type)
        self._modes = _mode_counts(n_modes_or_dim)
        self._many = _whole(n_trans, "n_trans", least=1)
        self._fft_order = bool(modeord)
        self._real, self._complex = _precision(dtype)
        self._points: Optional[int] = None
        positive = isign == 1 if isign is not None else self._type == 1
        self._native = _native.NufftPlan(
            self._modes,
            self._real == np.float32,
            float(eps),
            positive,
            None if upsampling is None else float(upsampling),
            spreader,
            device,
            None if threads is None else _whole(threads, "threads", least=1),
        )

    def setpts(
        self,
        x: ArrayLike,
        y: Optional[ArrayLike] = None,
        z: Optional[ArrayLike] = None,
        s: Optional[ArrayLike] = None,
        t: Optional[ArrayLike] = None,
        u: Optional[ArrayLike] = None,
    ) -> None:
        """Take the points: one vector of coordinates in radians per axis. They are copied."""
        self._points = None
        if not (s is None and t is None and u is None):
            raise ValueError("s, t and u are the frequencies of type 3; this plan is of another type")
        axes = _axes((x, y, z), len(self._modes))
        points = [_ready(axis, self._real) for axis in axes]
        self._native.set_points(points)
        self._points = len(points[0])

    def execute(self, data: ArrayLike, out: Optional[Array] = None) -> Array:
        """Transform: strengths to modes (type 1) or modes to values (type 2).

        ``data`` has one value per point or per mode; with ``n_trans`` above one, a leading axis of that
        length, which the result has as well.
        """
        return self._execute(data, out, "data")

    def execute_adjoint(self, data: ArrayLike, out: Optional[Array] = None) -> Array:
        """The adjoint transform: modes to values (type 1) or strengths to modes (type 2), the sign reversed."""
        if self._type == 1:
            return self._to_points(self._native.type1_adjoint, data, out, "data")
        return self._to_modes(self._native.type2_adjoint, data, out, "data")

    def execute_gradient(self, data: ArrayLike, along: Optional[ArrayLike] = None, out: Any = None) -> Any:
        """Transform with derivatives by the points' coordinates, in one pass.

        Type 2 returns ``(values, gradient)`` with gradient[a, j] = ∂c_j/∂x_{aj} of shape (dim, M), or
        (n_trans, dim, M); ``out`` is such a pair. Type 1 takes strengths and ``along`` of that shape, and
        returns f_k = Σ_j (c_j + Σ_a along[a, j] ∂/∂x_{aj}) e^{± i k·x_j}.

            values, (by_x, by_y) = Plan(2, (64, 64)) ... .execute_gradient(f)
        """
        points, axes = self._count(), len(self._modes)
        if self._type == 1:
            if along is None:
                raise ValueError("type 1 needs along: the strengths of the derivatives, of shape (dim, M)")
            strengths, batch = self._given(data, (points,), "data")
            shape = (*batch, axes, points)
            slopes = np.asarray(along)
            if slopes.shape != shape:
                raise ValueError(f"along has the shape {slopes.shape}, but {shape} is needed")
            modes = self._result(out, (*batch, *self._modes))
            self._native.type1_gradient(strengths, _ready(_numbers(slopes, "along"), self._complex), modes)
            return self._reordered(modes)
        if along is not None:
            raise ValueError("along belongs to type 1; type 2 returns the derivatives")
        coefficients, batch = self._given(data, self._modes, "data")
        given_values, given_gradient = (None, None) if out is None else out
        values = self._result(given_values, (*batch, points))
        gradient = self._result(given_gradient, (*batch, axes, points))
        self._native.type2_gradient(self._centred(coefficients), values, gradient)
        return values, gradient

    @property
    def type(self) -> int:
        """1 or 2."""
        return self._type

    @property
    def dtype(self) -> np.dtype[Any]:
        """complex64 or complex128."""
        return self._complex

    @property
    def n_trans(self) -> int:
        """Vectors that one call transforms."""
        return self._many

    @property
    def modes(self) -> Tuple[int, ...]:
        """Number of modes along each axis."""
        return self._modes

    @property
    def points(self) -> Optional[int]:
        """Number of points; None before they are set."""
        return self._points

    @property
    def width(self) -> int:
        """Points of the fine grid that a point is spread over along each axis; may change with the points."""
        return self._native.width

    @property
    def grid(self) -> Tuple[int, ...]:
        """Lengths of the fine grid; they may change with the points."""
        return tuple(self._native.grid)

    @property
    def simd(self) -> Optional[str]:
        """Vector instructions in use, such as "AVX-512"; None on a graphics card."""
        return self._native.simd

    @property
    def memory(self) -> int:
        """Bytes that the points and one transform take beside their arguments."""
        return self._native.memory(self._points or 0)

    def __repr__(self) -> str:
        modes = "×".join(str(count) for count in self._modes)
        return f"<wavefield.nufft.Plan type {self._type}, {modes} modes, {self._points or 0} points, {self._complex}>"

    def _execute(self, data: ArrayLike, out: Optional[Array], name: str) -> Array:
        if self._type == 1:
            return self._to_modes(self._native.type1, data, out, name)
        return self._to_points(self._native.type2, data, out, name)

    def _to_modes(self, run: Any, data: ArrayLike, out: Optional[Array], name: str) -> Array:
        strengths, batch = self._given(data, (self._count(),), name)
        modes = self._result(out, (*batch, *self._modes))
        run(strengths, modes)
        return self._reordered(modes)

    def _to_points(self, run: Any, data: ArrayLike, out: Optional[Array], name: str) -> Array:
        points = self._count()
        modes, batch = self._given(data, self._modes, name)
        values = self._result(out, (*batch, points))
        run(self._centred(modes), values)
        return values

    def _count(self) -> int:
        if self._points is None:
            raise ValueError("the points are not set yet; call setpts first")
        return self._points

    def _given(self, data: ArrayLike, shape: Tuple[int, ...], name: str) -> Tuple[Array, Tuple[int, ...]]:
        """The data ready for the native part, and their leading axis if they have one."""
        array = _numbers(data, name)
        batch = array.shape[: array.ndim - len(shape)]
        if array.shape != (*batch, *shape) or batch not in ((self._many,), () if self._many == 1 else (self._many,)):
            wanted = shape if self._many == 1 else (self._many, *shape)
            raise ValueError(f"{name} has the shape {array.shape}, but {wanted} is needed")
        return _ready(array, self._complex), batch

    def _result(self, out: Optional[Array], shape: Tuple[int, ...]) -> Array:
        if out is None:
            return np.empty(shape, self._complex)
        if not isinstance(out, np.ndarray):
            raise TypeError(f"out must be a NumPy array, not {type(out).__name__}")
        if out.shape != shape:
            raise ValueError(f"out has the shape {out.shape}, but the result has {shape}")
        if out.dtype != self._complex:
            raise TypeError(f"out holds {out.dtype}, but the result is {self._complex}")
        if not (out.flags.c_contiguous and out.flags.aligned and out.flags.writeable):
            raise ValueError("out must be C-contiguous, aligned and writeable")
        return out

    def _centred(self, modes: Array) -> Array:
        """Modes from the most negative one on."""
        if not self._fft_order:
            return modes
        return np.fft.fftshift(modes, axes=range(-len(self._modes), 0))

    def _reordered(self, modes: Array) -> Array:
        """Modes in the order the caller wants, in place."""
        if self._fft_order:
            modes[...] = np.fft.ifftshift(modes, axes=range(-len(self._modes), 0))
        return modes


def nufft1d1(
    x: ArrayLike,
    c: ArrayLike,
    n_modes: Optional[Modes] = None,
    out: Optional[Array] = None,
    eps: float = 1e-6,
    isign: int = 1,
    *,
    modeord: int = 0,
    threads: Optional[int] = None,
    upsampling: Optional[float] = None,
    device: str = "cpu",
) -> Array:
    """Points to modes in one dimension: f[k] = Σ_j c[j] e^{± i k x[j]}.

    ``c`` of shape (n_trans, M) is transformed vector by vector. Without ``n_modes`` the shape of ``out`` says
    how many modes there are.

        f = nufft1d1([0.1, 2.0], [1, 1j], 8)
    """
    return _type1((x,), c, n_modes, out, eps, isign, modeord, threads, upsampling, device)


def nufft1d2(
    x: ArrayLike,
    f: ArrayLike,
    out: Optional[Array] = None,
    eps: float = 1e-6,
    isign: int = -1,
    *,
    modeord: int = 0,
    threads: Optional[int] = None,
    upsampling: Optional[float] = None,
    device: str = "cpu",
) -> Array:
    """Modes to points in one dimension: c[j] = Σ_k f[k] e^{± i k x[j]}.

    ``f`` of shape (n_trans, N) is transformed vector by vector.

        c = nufft1d2([0.1, 2.0], np.ones(8))
    """
    return _type2((x,), f, out, eps, isign, modeord, threads, upsampling, device)


def nufft2d1(
    x: ArrayLike,
    y: ArrayLike,
    c: ArrayLike,
    n_modes: Optional[Modes] = None,
    out: Optional[Array] = None,
    eps: float = 1e-6,
    isign: int = 1,
    *,
    modeord: int = 0,
    threads: Optional[int] = None,
    upsampling: Optional[float] = None,
    device: str = "cpu",
) -> Array:
    """Points to modes in two dimensions: f[k1, k2] = Σ_j c[j] e^{± i (k1 x[j] + k2 y[j])}.

    ``c`` of shape (n_trans, M) is transformed vector by vector. Without ``n_modes`` the shape of ``out`` says
    how many modes there are; a single number is taken for both axes.

        f = nufft2d1([0.1, 2.0], [0.3, 1.0], [1, 1j], (8, 10))
    """
    return _type1((x, y), c, n_modes, out, eps, isign, modeord, threads, upsampling, device)


def nufft2d2(
    x: ArrayLike,
    y: ArrayLike,
    f: ArrayLike,
    out: Optional[Array] = None,
    eps: float = 1e-6,
    isign: int = -1,
    *,
    modeord: int = 0,
    threads: Optional[int] = None,
    upsampling: Optional[float] = None,
    device: str = "cpu",
) -> Array:
    """Modes to points in two dimensions: c[j] = Σ_k f[k1, k2] e^{± i (k1 x[j] + k2 y[j])}.

    ``f`` of shape (n_trans, N1, N2) is transformed vector by vector.

        c = nufft2d2([0.1, 2.0], [0.3, 1.0], np.ones((8, 10)))
    """
    return _type2((x, y), f, out, eps, isign, modeord, threads, upsampling, device)


def nufft3d1(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    c: ArrayLike,
    n_modes: Optional[Modes] = None,
    out: Optional[Array] = None,
    eps: float = 1e-6,
    isign: int = 1,
    *,
    modeord: int = 0,
    threads: Optional[int] = None,
    upsampling: Optional[float] = None,
    device: str = "cpu",
) -> Array:
    """Points to modes in three dimensions: f[k1, k2, k3] = Σ_j c[j] e^{± i (k1 x[j] + k2 y[j] + k3 z[j])}.

    ``c`` of shape (n_trans, M) is transformed vector by vector. Without ``n_modes`` the shape of ``out`` says
    how many modes there are; a single number is taken for all axes.

        f = nufft3d1([0.1, 2.0], [0.3, 1.0], [0.0, 3.0], [1, 1j], (8, 10, 6))
    """
    return _type1((x, y, z), c, n_modes, out, eps, isign, modeord, threads, upsampling, device)


def nufft3d2(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    f: ArrayLike,
    out: Optional[Array] = None,
    eps: float = 1e-6,
    isign: int = -1,
    *,
    modeord: int = 0,
    threads: Optional[int] = None,
    upsampling: Optional[float] = None,
    device: str = "cpu",
) -> Array:
    """Modes to points in three dimensions: c[j] = Σ_k f[k1, k2, k3] e^{± i (k1 x[j] + k2 y[j] + k3 z[j])}.

    ``f`` of shape (n_trans, N1, N2, N3) is transformed vector by vector.

        c = nufft3d2([0.1, 2.0], [0.3, 1.0], [0.0, 3.0], np.ones((8, 10, 6)))
    """
    return _type2((x, y, z), f, out, eps, isign, modeord, threads, upsampling, device)


def _type1(
    points: Tuple[ArrayLike, ...],
    c: ArrayLike,
    n_modes: Optional[Modes],
    out: Optional[Array],
    eps: float,
    isign: int,
    modeord: int,
    threads: Optional[int],
    upsampling: Optional[float],
    device: str,
) -> Array:
    strengths = _numbers(c, "c")
    if strengths.ndim not in (1, 2):
        raise ValueError(f"c has the shape {strengths.shape}, but (M,) or (n_trans, M) is needed")
    if n_modes is not None:
        modes = _mode_counts(n_modes)
        modes = modes * len(points) if len(modes) == 1 else modes
    elif out is not None:
        modes = tuple(np.shape(out))[strengths.ndim - 1 :]
    else:
        raise ValueError("give n_modes, or an array out whose shape says how many modes there are")
    if len(modes) != len(points):
        raise ValueError(f"there are {len(points)} coordinates per point, but {len(modes)} axes of modes")
    return _simple(1, modes, points, strengths, "c", out, eps, isign, modeord, threads, upsampling, device)


def _type2(
    points: Tuple[ArrayLike, ...],
    f: ArrayLike,
    out: Optional[Array],
    eps: float,
    isign: int,
    modeord: int,
    threads: Optional[int],
    upsampling: Optional[float],
    device: str,
) -> Array:
    coefficients = _numbers(f, "f")
    axes = len(points)
    if coefficients.ndim not in (axes, axes + 1):
        raise ValueError(
            f"f has the shape {coefficients.shape}, but {axes} axes of modes are needed, and one before for many"
        )
    modes = coefficients.shape[coefficients.ndim - axes :]
    return _simple(2, modes, points, coefficients, "f", out, eps, isign, modeord, threads, upsampling, device)


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
    threads: Optional[int],
    upsampling: Optional[float],
    device: str,
) -> Array:
    axes = _axes(points, len(points))
    single = all(array.dtype in _SINGLE for array in (*axes, data))
    per_vector = 1 if nufft_type == 1 else len(modes)
    many = data.shape[0] if data.ndim > per_vector else 1
    # A plan's threads stay behind when a process forks.
    key = (os.getpid(), nufft_type, modes, many, float(eps), isign, single, modeord, threads, upsampling, device)
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
            threads=threads,
            upsampling=upsampling,
            device=device,
        )
    plan.setpts(*axes)
    result = plan._execute(data, out, name)
    if plan.memory <= _LARGEST_IDLE:
        with _idle_lock:
            _idle[key] = plan
            if len(_idle) > _MOST_IDLE:
                del _idle[next(iter(_idle))]
    return result


def _axes(values: Sequence[Optional[ArrayLike]], dimensions: int) -> Sequence[Array]:
    """Vectors of coordinates, as many and as long as they have to be, of any real dtype."""
    axes: List[Array] = []
    for value, name in zip(values, _AXES):
        if value is None:
            continue
        array = np.asarray(value)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"{name} must hold real numbers, not {array.dtype}")
        if array.ndim != 1:
            raise ValueError(f"{name} has the shape {array.shape}; a vector of coordinates is needed")
        if axes and len(array) != len(axes[0]):
            raise ValueError(f"{name} has {len(array)} coordinates, but x has {len(axes[0])}")
        axes.append(array)
    if len(axes) != dimensions:
        raise ValueError(f"the modes have {dimensions} axes, but coordinates of {len(axes)} were given")
    return axes


def _numbers(value: ArrayLike, name: str) -> Array:
    array = np.asarray(value)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"{name} must hold real or complex numbers, not {array.dtype}")
    return array


def _ready(array: Array, dtype: np.dtype[Any]) -> Array:
    """The array itself where it is already right, a copy where it is not."""
    if array.dtype == dtype and array.flags.c_contiguous and array.flags.aligned:
        return array
    return np.array(array, dtype=dtype, order="C")


def _precision(dtype: DTypeLike) -> Tuple[np.dtype[Any], np.dtype[Any]]:
    wanted = np.dtype(dtype)
    for real, both in (_SINGLE, _DOUBLE):
        if wanted == both:
            return real, both
    raise ValueError(f"dtype is complex64 or complex128, not {wanted}")


def _mode_counts(n_modes: Modes) -> Tuple[int, ...]:
    given = n_modes if isinstance(n_modes, (tuple, list)) else np.atleast_1d(np.asarray(n_modes)).tolist()
    modes = tuple(_whole(count, "n_modes", least=1) for count in given)
    if not 1 <= len(modes) <= 3:
        raise ValueError(f"n_modes has {len(modes)} axes; a transform has 1, 2 or 3")
    total = 1
    for count in modes:
        total *= count
    if total > _MANY_MODES:
        # Memory that cannot be had is refused here, where Python can still say so.
        np.empty(modes, np.complex128)
    return modes


def _whole(value: Any, name: str, least: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return number
