"""Plans: transforms prepared once and executed many times."""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Tuple, Union, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from wavefield import _native
from wavefield.nufft.arrays import Array, Modes, Values, mode_counts, numbers, precision, ready, result, vectors, whole


class Plan:
    """Plan of a transform for fixed modes and tolerance, executed for many data.

    ``nufft_type`` is 1, 2 or 3. ``n_modes_or_dim`` is the number of modes along each axis for types 1 and 2, the
    number of dimensions for type 3. ``n_trans`` vectors are transformed by one call. ``isign`` is the sign of the
    exponent, +1 or −1 (default: +1 for types 1 and 3, −1 for type 2). ``dtype`` is "complex64" or
    "complex128". ``spreader`` selects the GPU spreading kernel: "deterministic" (bitwise identical
    on every run) or "atomic" (complex64 only).

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
        nthreads: Optional[int] = None,
        upsampfac: Optional[float] = None,
        device: str = "cpu",
        spreader: str = "deterministic",
    ) -> None:
        if nufft_type not in (1, 2, 3):
            raise ValueError(f"the type of a transform is 1, 2 or 3, not {nufft_type!r}")
        if modeord not in (0, 1):
            raise ValueError(f"modeord is 0 (from the most negative mode) or 1 (from mode zero), not {modeord!r}")
        if isign not in (None, 1, -1):
            raise ValueError(f"isign is +1 or -1, not {isign!r}")
        self._type = int(nufft_type)
        self._many = whole(n_trans, "n_trans", least=1)
        self._fft_order = bool(modeord)
        self._real, self._complex = precision(dtype)
        self._points: Optional[int] = None
        self._frequencies = 0
        positive = isign == 1 if isign is not None else self._type != 2
        options = (
            self._real == np.float32,
            float(eps),
            positive,
            None if upsampfac is None else float(upsampfac),
            spreader,
            device,
            None if nthreads is None else whole(nthreads, "nthreads", least=1),
        )
        self._modes: Tuple[int, ...] = ()
        self._native: Any
        if self._type == 3:
            self._dimensions = whole(n_modes_or_dim, "the number of dimensions", least=1)
            self._native = _native.NufftType3(self._dimensions, *options)
        else:
            self._modes = mode_counts(n_modes_or_dim)
            self._dimensions = len(self._modes)
            self._native = _native.NufftPlan(self._modes, *options)

    def setpts(
        self,
        x: ArrayLike,
        y: Optional[ArrayLike] = None,
        z: Optional[ArrayLike] = None,
        s: Optional[ArrayLike] = None,
        t: Optional[ArrayLike] = None,
        u: Optional[ArrayLike] = None,
    ) -> None:
        """Sets the points: one vector of coordinates in radians per axis, which is copied.

        Type 3 takes its frequencies ``s``, ``t``, ``u`` as well, one vector per axis.
        """
        self._points = None
        points = self._vectors((x, y, z), "xyz", "coordinates")
        if self._type == 3:
            frequencies = self._vectors((s, t, u), "stu", "frequencies")
            self._native.set_points(points, frequencies)
            self._frequencies = len(frequencies[0])
        elif s is None and t is None and u is None:
            self._native.set_points(points)
        else:
            raise ValueError("s, t and u are the frequencies of type 3; this plan is of another type")
        self._points = len(points[0])

    def execute(self, data: ArrayLike, out: Optional[Values] = None) -> Values:
        """Executes the transform: strengths to modes (type 1), modes to values (type 2), strengths to frequencies (type 3).

        ``data`` has one value per point or per mode; with ``n_trans`` above one, a leading axis of that
        length, which the result has as well.
        """
        return self._execute(data, out, "data")

    def execute_adjoint(self, data: ArrayLike, out: Optional[Values] = None) -> Values:
        """Executes the adjoint of ``execute``: its output to its input, with the opposite sign of the exponent."""
        points = (self._count(),)
        if self._type == 1:
            return self._run(self._native.type1_adjoint, data, self._modes, points, out, "data")
        if self._type == 2:
            return self._run(self._native.type2_adjoint, data, points, self._modes, out, "data")
        return self._run(self._native.adjoint, data, (self._frequencies,), points, out, "data")

    @overload
    def execute_gradient(
        self, data: ArrayLike, along: None = None, out: Optional[Tuple[Values, Values]] = None
    ) -> Tuple[Values, Values]: ...

    @overload
    def execute_gradient(self, data: ArrayLike, along: ArrayLike, out: Optional[Values] = None) -> Values: ...

    def execute_gradient(
        self,
        data: ArrayLike,
        along: Optional[ArrayLike] = None,
        out: Union[None, Values, Tuple[Values, Values]] = None,
    ) -> Union[Values, Tuple[Values, Values]]:
        """Executes the transform with derivatives with respect to the points' coordinates, in one pass.

        Type 2 returns ``(values, gradient)`` with gradient[a, j] = ∂c_j/∂x_{aj} of shape (dim, M), or
        (n_trans, dim, M); ``out`` is such a pair. Type 1 takes strengths and ``along`` of that shape, and
        returns f_k = Σ_j (c_j + Σ_a along[a, j] ∂/∂x_{aj}) e^{± i k·x_j}.

            plan = Plan(2, (64, 64))
            plan.setpts(x, y)
            values, (by_x, by_y) = plan.execute_gradient(f)
        """
        points = self._count()
        if self._type == 3:
            raise ValueError("type 3 has no derivatives; use type 1 or 2")
        if self._type == 1:
            if along is None:
                raise ValueError("type 1 needs `along`, the strengths of the derivatives, of shape (dim, M)")
            strengths, batch = self._given(data, (points,), "data")
            shape = (*batch, self._dimensions, points)
            slopes = numbers(along, "along")
            if slopes.shape != shape:
                raise ValueError(f"along has the shape {slopes.shape}, but {shape} is needed")
            if isinstance(out, tuple):
                raise TypeError("out must be one array for type 1")
            modes = result(out, (*batch, *self._modes), self._complex)
            self._native.type1_gradient(strengths, ready(slopes, self._complex), modes)
            return self._reordered(modes)
        if along is not None:
            raise ValueError("along belongs to type 1; type 2 returns the derivatives")
        coefficients, batch = self._given(data, self._modes, "data")
        if out is not None and not isinstance(out, tuple):
            raise TypeError("out must be a pair of arrays for type 2: values and gradient")
        given_values, given_gradient = (None, None) if out is None else out
        values = result(given_values, (*batch, points), self._complex)
        gradient = result(given_gradient, (*batch, self._dimensions, points), self._complex)
        self._native.type2_gradient(self._centered(coefficients), values, gradient)
        return values, gradient

    @property
    def type(self) -> int:
        """Type of the transform: 1, 2, or 3."""
        return self._type

    @property
    def dtype(self) -> Union[np.dtype[np.complex64], np.dtype[np.complex128]]:
        """Dtype of the data: complex64 or complex128."""
        return self._complex

    @property
    def n_trans(self) -> int:
        """Number of vectors per call."""
        return self._many

    @property
    def modes(self) -> Tuple[int, ...]:
        """Number of modes along each axis; none for type 3."""
        return self._modes

    @property
    def points(self) -> Optional[int]:
        """Number of points; None before they are set."""
        return self._points

    @property
    def width(self) -> Optional[int]:
        """Width of the spreading kernel in points of the fine grid; None for type 3.

        Width, grid, and instructions may change when points are set.
        """
        return None if self._type == 3 else int(self._native.width)

    @property
    def grid(self) -> Optional[Tuple[int, ...]]:
        """Lengths of the fine grid; None for type 3."""
        return None if self._type == 3 else tuple(self._native.grid)

    @property
    def simd(self) -> Optional[str]:
        """SIMD instructions in use, such as "AVX-512"; None on the GPU and for type 3."""
        return None if self._type == 3 else self._native.simd

    @property
    def memory(self) -> Optional[int]:
        """Memory of the points and one transform in addition to their arguments, bytes; None for type 3."""
        return None if self._type == 3 else int(self._native.memory(self._points or 0))

    def __repr__(self) -> str:
        modes = f"{'×'.join(map(str, self._modes))} modes" if self._modes else f"{self._dimensions} dimensions"
        return f"<wavefield.nufft.Plan type {self._type}, {modes}, {self._points or 0} points, {self._complex}>"

    def _execute(self, data: ArrayLike, out: Optional[Array], name: str) -> Array:
        points = (self._count(),)
        if self._type == 1:
            return self._run(self._native.type1, data, points, self._modes, out, name)
        if self._type == 2:
            return self._run(self._native.type2, data, self._modes, points, out, name)
        return self._run(self._native.execute, data, points, (self._frequencies,), out, name)

    def _run(
        self,
        transform: Callable[[Array, Array], None],
        data: ArrayLike,
        shape: Tuple[int, ...],
        to_shape: Tuple[int, ...],
        out: Optional[Array],
        name: str,
    ) -> Array:
        # Points and modes may have equal shapes; the identity of the tuple distinguishes them.
        given, batch = self._given(data, shape, name)
        found = result(out, (*batch, *to_shape), self._complex)
        if found.size:
            transform(self._centered(given) if shape is self._modes else given, found)
        return self._reordered(found) if to_shape is self._modes else found

    def _count(self) -> int:
        if self._points is None:
            raise ValueError("the points are not set yet; call setpts first")
        return self._points

    def _vectors(self, values: Tuple[Optional[ArrayLike], ...], names: str, what: str) -> List[Array]:
        return [ready(axis, self._real) for axis in vectors(values, names, self._dimensions, what)]

    def _given(self, data: ArrayLike, shape: Tuple[int, ...], name: str) -> Tuple[Array, Tuple[int, ...]]:
        """Returns the data for the native part, and their leading axis if they have one."""
        array = numbers(data, name)
        if array.shape == (self._many, *shape):
            return ready(array, self._complex), (self._many,)
        if array.shape == shape and self._many == 1:
            return ready(array, self._complex), ()
        wanted = shape if self._many == 1 else (self._many, *shape)
        raise ValueError(f"{name} has the shape {array.shape}, but {wanted} is needed")

    def _centered(self, modes: Array) -> Array:
        """Returns modes ordered from the most negative one."""
        if not self._fft_order:
            return modes
        return np.fft.fftshift(modes, axes=range(-self._dimensions, 0))

    def _reordered(self, modes: Array) -> Array:
        """Reorders modes in place to the order of `modeord`."""
        if self._fft_order:
            modes[...] = np.fft.ifftshift(modes, axes=range(-self._dimensions, 0))
        return modes
