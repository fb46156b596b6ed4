"""Validation and conversion of the transforms' arguments."""

from __future__ import annotations

import operator
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

#: Data of a transform.
Values = Union[NDArray[np.complex64], NDArray[np.complex128]]
#: An array before its validation.
Array = np.ndarray[Any, Any]
Modes = Union[int, Sequence[int]]

#: Real and complex dtypes of each precision.
SINGLE = (np.dtype(np.float32), np.dtype(np.complex64))
DOUBLE = (np.dtype(np.float64), np.dtype(np.complex128))
#: Number of modes above which the memory is checked before a plan is created.
MANY_MODES = 1 << 26


def numbers(value: ArrayLike, name: str) -> Array:
    """Returns an array of real or complex numbers of any dtype."""
    array = np.asarray(value)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"{name} must hold real or complex numbers, not {array.dtype}")
    return array


def vectors(values: Sequence[Optional[ArrayLike]], names: str, dimensions: int, what: str) -> List[Array]:
    """Returns one vector of any real dtype per axis; checks their number and lengths."""
    axes: List[Array] = []
    for value, name in zip(values, names):
        if value is None:
            continue
        array = np.asarray(value)
        if array.dtype.kind not in "biuf":
            raise TypeError(f"{name} must hold real numbers, not {array.dtype}")
        if array.ndim != 1:
            raise ValueError(f"{name} has the shape {array.shape}; a vector is needed")
        if axes and len(array) != len(axes[0]):
            raise ValueError(f"{name} has {len(array)} {what}, but {names[0]} has {len(axes[0])}")
        axes.append(array)
    if len(axes) != dimensions:
        raise ValueError(f"the transform has {dimensions} axes, but {what} of {len(axes)} were given")
    return axes


def ready(array: Array, dtype: np.dtype[Any]) -> Array:
    """Returns the array itself if it is C-contiguous and of the dtype, else a converted copy."""
    if array.dtype == dtype and array.flags.c_contiguous and array.flags.aligned:
        return array
    return np.array(array, dtype=dtype, order="C")


def result(out: Optional[Array], shape: Tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """Returns the output array: the caller's, after validation, or a new one."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be a NumPy array, not {type(out).__name__}")
    if out.shape != shape:
        raise ValueError(f"out has the shape {out.shape}, but the result has {shape}")
    if out.dtype != dtype:
        raise TypeError(f"out holds {out.dtype}, but the result is {dtype}")
    if not (out.flags.c_contiguous and out.flags.aligned and out.flags.writeable):
        raise ValueError("out must be C-contiguous, aligned and writeable")
    return out


def precision(dtype: DTypeLike) -> Tuple[np.dtype[Any], np.dtype[Any]]:
    """Returns the real and complex dtype of a plan."""
    wanted = np.dtype(dtype)
    for pair in (SINGLE, DOUBLE):
        if wanted == pair[1]:
            return pair
    raise ValueError(f"dtype is complex64 or complex128, not {wanted}")


def mode_counts(n_modes: Modes) -> Tuple[int, ...]:
    """Returns the number of modes along each axis."""
    given = n_modes if isinstance(n_modes, (tuple, list)) else np.atleast_1d(np.asarray(n_modes)).tolist()
    modes = tuple(whole(count, "n_modes", least=1) for count in given)
    if not 1 <= len(modes) <= 3:
        raise ValueError(f"n_modes has {len(modes)} axes; a transform has 1, 2 or 3")
    total = 1
    for count in modes:
        total *= count
    if total > MANY_MODES:
        # Insufficient memory raises MemoryError here, before the native part allocates.
        np.empty(modes, np.complex128)
    return modes


def whole(value: Any, name: str, least: int) -> int:
    """Returns an integer of at least `least`."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return number
