"""NUFFTs for JAX: functions that ``jit`` compiles, ``vmap`` batches, and ``grad`` differentiates, on the CPU.

Names and arguments are those of jax-finufft.

    import jax
    import jax.numpy as jnp
    from wavefield.jax import nufft1, nufft2

    f = nufft1((64, 96), c, x, y, eps=1e-6)     # f_k = Σ_j c_j e^{i k·x_j}
    c = nufft2(f, x, y, eps=1e-6)               # c_j = Σ_k f_k e^{-i k·x_j}

    def loss(x, y):
        return jnp.sum(jnp.abs(nufft1((64, 96), c, x, y) - f) ** 2)

    by_x, by_y = jax.jit(jax.grad(loss, argnums=(0, 1)))(x, y)

Derivatives are of reverse mode, of any order, with respect to data, points, and frequencies; the first derivatives of
types 1 and 2 take one transform. Points are in radians. Leading axes of data and points are batches, which broadcast.
``nthreads`` defaults to every hardware thread. Calls compute in double precision if an argument is float64 or complex128
(``jax.config.update("jax_enable_x64", True)``), else in single precision.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple, Optional, Sequence, Tuple, Union

import jax
import jax.numpy as jnp
import numpy as np

from wavefield import _native

__all__ = ["nufft1", "nufft2", "nufft3"]

for _name, _address in _native.xla_handlers().items():
    jax.ffi.register_ffi_target(f"wavefield_{_name}", jax.ffi.pycapsule(_address), platform="cpu")


class _Options(NamedTuple):
    iflag: int
    eps: float
    nthreads: int


def nufft1(
    output_shape: Union[int, Sequence[int]],
    source: jax.typing.ArrayLike,
    *points: jax.typing.ArrayLike,
    iflag: int = 1,
    eps: float = 1e-6,
    nthreads: Optional[int] = None,
) -> jax.Array:
    """Type 1, points to modes: f_k = Σ_j c_j e^{± i k·x_j}. ``source`` is c, and ``points`` has a vector per axis."""
    shape = tuple(int(count) for count in np.atleast_1d(output_shape))
    if len(shape) != len(points):
        raise ValueError(f"there are {len(points)} coordinates per point, but {len(shape)} axes of modes")
    data, axes = _strengths(source, points)
    result: jax.Array = _type1(shape, _options(iflag, eps, nthreads), data, axes)
    return result


def nufft2(
    source: jax.typing.ArrayLike,
    *points: jax.typing.ArrayLike,
    iflag: int = -1,
    eps: float = 1e-6,
    nthreads: Optional[int] = None,
) -> jax.Array:
    """Type 2, modes to points: c_j = Σ_k f_k e^{± i k·x_j}. ``source`` is f, and ``points`` has a vector per axis."""
    data, axes = _prepared(source, points, len(points))
    result: jax.Array = _type2(_options(iflag, eps, nthreads), data, axes)
    return result


def nufft3(
    source: jax.typing.ArrayLike,
    *points: jax.typing.ArrayLike,
    iflag: int = -1,
    eps: float = 1e-6,
    nthreads: Optional[int] = None,
) -> jax.Array:
    """Type 3, points to frequencies: v_k = Σ_j c_j e^{± i s_k·x_j}.

    ``points`` has a vector of coordinates per axis, then a vector of frequencies per axis.
    """
    if len(points) % 2:
        raise ValueError("type 3 needs as many vectors of frequencies as of coordinates")
    data, axes = _strengths(source, points)
    dimensions = len(points) // 2
    result: jax.Array = _type3(_options(iflag, eps, nthreads), data, axes[:dimensions], axes[dimensions:])
    return result


_Axes = Tuple[jax.Array, ...]


@partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _type1(shape: Tuple[int, ...], options: _Options, source: Any, points: Any) -> Any:
    batch = _batch(source, 1, points)
    return _call("nufft_type1", options, _like(source, (*batch, *shape)), source, *points)


def _type1_forward(shape: Tuple[int, ...], options: _Options, source: Any, points: Any) -> Any:
    moved = any(axis.perturbed for axis in points)
    values, axes = source.value, tuple(axis.value for axis in points)
    # The strengths are needed for derivatives by the points only.
    return _type1(shape, options, values, axes), (values if moved else None, values[..., :0], axes)


def _type1_backward(shape: Tuple[int, ...], options: _Options, residual: Any, cotangent: Any) -> Any:
    source, empty, points = residual
    cotangent = _instantiated(cotangent)
    if source is None:
        batches = (*empty.shape[:-1], points[0].shape[-1])
        return _summed(_type2(options, cotangent, points), batches), tuple(jnp.zeros_like(axis) for axis in points)
    values, gradient = _type2_gradient(options, cotangent, points)
    slopes = (_summed(jnp.real(source * gradient[..., a, :]), axis.shape) for a, axis in enumerate(points))
    return _summed(values, source.shape), tuple(slopes)


_type1.defvjp(_type1_forward, _type1_backward, symbolic_zeros=True)


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def _type2(options: _Options, source: Any, points: Any) -> Any:
    batch = _batch(source, len(points), points)
    return _call("nufft_type2", options, _like(source, (*batch, points[0].shape[-1])), source, *points)


def _type2_forward(options: _Options, source: Any, points: Any) -> Any:
    axes = tuple(axis.value for axis in points)
    modes = source.value
    # An empty array that keeps the shape of the modes.
    shaped = jnp.zeros((0, *modes.shape), modes.dtype)
    if any(axis.perturbed for axis in points):
        values, gradient = _type2_gradient(options, modes, axes)
        return values, (shaped, axes, gradient)
    return _type2(options, modes, axes), (shaped, axes, None)


def _type2_backward(options: _Options, residual: Any, cotangent: Any) -> Any:
    shaped, points, gradient = residual
    cotangent = _instantiated(cotangent)
    shape = shaped.shape[1:]
    modes = _summed(_type1(shape[len(shape) - len(points) :], options, cotangent, points), shape)
    if gradient is None:
        return modes, tuple(jnp.zeros_like(axis) for axis in points)
    slopes = (_summed(jnp.real(cotangent * gradient[..., a, :]), axis.shape) for a, axis in enumerate(points))
    return modes, tuple(slopes)


_type2.defvjp(_type2_forward, _type2_backward, symbolic_zeros=True)


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def _type2_gradient(options: _Options, source: Any, points: Any) -> Any:
    """Values of type 2 and their gradient at the points, in one pass."""
    batch, count = _batch(source, len(points), points), points[0].shape[-1]
    results = (_like(source, (*batch, count)), _like(source, (*batch, len(points), count)))
    return _call("nufft_type2_gradient", options, results, source, *points)


def _type2_gradient_forward(options: _Options, source: Any, points: Any) -> Any:
    return _type2_gradient(options, source, points), (source, points)


def _type2_gradient_backward(options: _Options, residual: Any, cotangents: Any) -> Any:
    # Derivatives of higher order come from transforms of i k f.
    _, pull = jax.vjp(partial(_separate_gradient, options), *residual)
    return pull(cotangents)


_type2_gradient.defvjp(_type2_gradient_forward, _type2_gradient_backward)


def _separate_gradient(options: _Options, source: Any, points: Any) -> Any:
    """Values of type 2 and their gradient at the points, a transform each."""
    slopes = []
    for a in range(len(points)):
        count = source.shape[a - len(points)]
        modes = jnp.arange(count, dtype=points[a].dtype) - count // 2
        factor = (1j * options.iflag * modes).reshape((-1, *[1] * (len(points) - 1 - a)))
        slopes.append(_type2(options, source * factor, points))
    return _type2(options, source, points), jnp.stack(slopes, axis=-2)


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def _type3(options: _Options, source: Any, points: Any, frequencies: Any) -> Any:
    batch = _batch(source, 1, (*points, *frequencies))
    result = _like(source, (*batch, frequencies[0].shape[-1]))
    return _call("nufft_type3", options, result, source, *points, *frequencies)


def _type3_forward(options: _Options, source: Any, points: Any, frequencies: Any) -> Any:
    return _type3(options, source, points, frequencies), (source, points, frequencies)


def _type3_backward(options: _Options, residual: Any, cotangent: Any) -> Any:
    source, points, frequencies = residual
    turn = 1j * options.iflag
    back = _type3(options, cotangent, frequencies, points)
    by_points = [_type3(options, turn * axis * cotangent, frequencies, points) for axis in frequencies]
    by_frequencies = [_type3(options, turn * axis * source, points, frequencies) for axis in points]
    return (
        _summed(back, source.shape),
        tuple(_summed(jnp.real(source * slope), axis.shape) for slope, axis in zip(by_points, points)),
        tuple(_summed(jnp.real(cotangent * slope), axis.shape) for slope, axis in zip(by_frequencies, frequencies)),
    )


_type3.defvjp(_type3_forward, _type3_backward)


def _strengths(source: Any, points: Sequence[Any]) -> Tuple[jax.Array, _Axes]:
    """Returns strengths and coordinates, as many of each."""
    data, axes = _prepared(source, points, 1)
    if data.shape[-1] != axes[0].shape[-1]:
        raise ValueError(f"source has {data.shape[-1]} strengths, but there are {axes[0].shape[-1]} points")
    return data, axes


def _prepared(source: Any, points: Sequence[Any], core: int) -> Tuple[jax.Array, _Axes]:
    """Returns data and coordinates of one precision and the same number of leading axes."""
    dimensions = len(points)
    if dimensions < 1:
        raise ValueError("there are no points")
    dtype = jnp.result_type(source, *points, jnp.complex64)
    data = jnp.asarray(source, dtype)
    axes = [jnp.asarray(axis, data.real.dtype) for axis in points]
    if data.ndim < core or any(axis.ndim < 1 for axis in axes):
        raise ValueError(f"source needs {core} axes, and the coordinates of each axis are a vector")
    leading = max(data.ndim - core, *(axis.ndim - 1 for axis in axes))
    data = jnp.expand_dims(data, tuple(range(leading + core - data.ndim)))
    axes = [jnp.expand_dims(axis, tuple(range(leading + 1 - axis.ndim))) for axis in axes]
    return data, tuple(axes)


def _options(iflag: int, eps: float, nthreads: Optional[int]) -> _Options:
    if iflag not in (1, -1):
        raise ValueError(f"iflag is +1 or -1, not {iflag!r}")
    if nthreads is not None and nthreads < 1:
        raise ValueError(f"nthreads must be at least 1, not {nthreads}")
    return _Options(int(iflag), float(eps), int(nthreads or 0))


def _call(name: str, options: _Options, results: Any, *operands: Any) -> Any:
    call = jax.ffi.ffi_call(f"wavefield_{name}", results, vmap_method="expand_dims")
    attributes = {
        "eps": np.float64(options.eps),
        "iflag": np.int64(options.iflag),
        "nthreads": np.int64(options.nthreads),
    }
    return call(*operands, **attributes)


def _like(array: Any, shape: Tuple[int, ...]) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(shape, array.dtype)


def _batch(source: Any, core: int, axes: Sequence[Any]) -> Tuple[int, ...]:
    """Returns the leading axes of the result."""
    shapes = [source.shape[: source.ndim - core], *(axis.shape[:-1] for axis in axes)]
    return np.broadcast_shapes(*shapes)


def _summed(value: Any, shape: Tuple[int, ...]) -> Any:
    """Sums over the axes along which an argument was the same."""
    alike = tuple(a for a, (have, want) in enumerate(zip(value.shape, shape)) if want == 1 and have != 1)
    return jnp.sum(value, axis=alike, keepdims=True) if alike else value


def _instantiated(cotangent: Any) -> Any:
    """Returns the zeros of a symbolic zero, and any other cotangent itself."""
    if isinstance(cotangent, jax.custom_derivatives.SymbolicZero):
        return jnp.zeros(cotangent.shape, cotangent.dtype)
    return cotangent
