"""NUFFTs for PyTorch: functions that autograd differentiates, on the CPU.

Names and arguments are those of pytorch-finufft, and so are the defaults: both signs of the exponent are negative, and modes
start with mode zero as in ``torch.fft`` (``modeord=1``).

    import torch
    from wavefield.torch import finufft_type1, finufft_type2

    f = finufft_type1(points, values, (64, 96), eps=1e-6)    # f_k = Σ_j c_j e^{-i k·x_j}
    c = finufft_type2(points, f, eps=1e-6)                   # c_j = Σ_k f_k e^{-i k·x_j}
    f.abs().square().sum().backward()                        # points.grad, values.grad

``points`` has the shape (dim, M), or (M,) in one dimension, in radians. Leading axes of the data are batches. Other keyword
arguments are those of :class:`wavefield.nufft.Plan`. Gradients are with respect to data and points, one transform each.
"""

from __future__ import annotations

from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np
import torch

from wavefield.nufft.arrays import mode_counts
from wavefield.nufft.plan import Plan

#: Value of a keyword argument of a plan.
Option = Union[int, float, str, None]

__all__ = ["finufft_type1", "finufft_type2", "finufft_type3"]


def finufft_type1(
    points: torch.Tensor, values: torch.Tensor, output_shape: Union[int, Sequence[int]], **options: Option
) -> torch.Tensor:
    """Type 1, points to modes: f_k = Σ_j c_j e^{± i k·x_j}, with c = ``values``."""
    result: torch.Tensor = _Type1.apply(points, values, mode_counts(output_shape), options)
    return result


def finufft_type2(points: torch.Tensor, targets: torch.Tensor, **options: Option) -> torch.Tensor:
    """Type 2, modes to points: c_j = Σ_k f_k e^{± i k·x_j}, with f = ``targets``."""
    result: torch.Tensor = _Type2.apply(points, targets, options)
    return result


def finufft_type3(
    points: torch.Tensor, values: torch.Tensor, targets: torch.Tensor, **options: Option
) -> torch.Tensor:
    """Type 3, points to frequencies: v_k = Σ_j c_j e^{± i s_k·x_j}, with c = ``values`` and s = ``targets``."""
    result: torch.Tensor = _Type3.apply(points, values, targets, options)
    return result


# For y = A(x) c, autograd has the gradient g of a real loss by y, ∂L/∂Re y + i ∂L/∂Im y. The gradient by c is A^H g, and that by a
# coordinate Re(g* ∂y/∂x).


class _Type1(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, points: torch.Tensor, values: torch.Tensor, shape: Tuple[int, ...], options: Dict[str, Any]) -> Any:
        axes, data, batch = _arrays(points, values, 1)
        ctx.save_for_backward(points, values)
        ctx.shape, ctx.options = shape, options
        plan = _plan(1, shape, data, axes, options)
        return torch.from_numpy(plan.execute(data)).reshape(*batch, *shape)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        points, values = ctx.saved_tensors
        axes, data, _ = _arrays(points, values, 1)
        given = _numpy(gradient).reshape(-1, *ctx.shape)
        back = {**ctx.options, "isign": -ctx.options.get("isign", -1)}
        plan = _plan(2, ctx.shape, given, axes, back)
        by_points = None
        if ctx.needs_input_grad[0]:
            strengths, slopes = plan.execute_gradient(given)
            by_points = _tensor(np.sum((data[:, None] * slopes.conj()).real, axis=0), points)
        else:
            strengths = plan.execute(given)
        return by_points, _data(strengths.reshape(values.shape), values), None, None


class _Type2(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, points: torch.Tensor, targets: torch.Tensor, options: Dict[str, Any]) -> Any:
        dimensions = 1 if points.dim() == 1 else points.shape[0]
        axes, data, batch = _arrays(points, targets, dimensions)
        plan = _plan(2, data.shape[1:], data, axes, options)
        slopes: Optional[Any] = None
        if ctx.needs_input_grad[0]:
            values, slopes = plan.execute_gradient(data)
        else:
            values = plan.execute(data)
        ctx.plan, ctx.slopes = plan, slopes
        ctx.save_for_backward(points, targets)
        return torch.from_numpy(values).reshape(*batch, -1)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        points, targets = ctx.saved_tensors
        given = _numpy(gradient).reshape(ctx.plan.n_trans, -1)
        by_points, by_targets = None, None
        if ctx.needs_input_grad[0]:
            by_points = _tensor(np.sum((given.conj()[:, None] * ctx.slopes).real, axis=0), points)
        if ctx.needs_input_grad[1]:
            by_targets = _data(ctx.plan.execute_adjoint(given).reshape(targets.shape), targets)
        return by_points, by_targets, None


class _Type3(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, points: torch.Tensor, values: torch.Tensor, targets: torch.Tensor, options: Dict[str, Any]
    ) -> Any:
        axes, data, batch = _arrays(points, values, 1)
        frequencies = _axes(targets, data.real.dtype)
        ctx.save_for_backward(points, values, targets)
        ctx.options = options
        return torch.from_numpy(_type3(axes, data, frequencies, options)).reshape(*batch, -1)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, gradient: torch.Tensor) -> Any:
        points, values, targets = ctx.saved_tensors
        axes, data, _ = _arrays(points, values, 1)
        frequencies = _axes(targets, data.real.dtype)
        given = _numpy(gradient).reshape(len(data), -1)
        sign = ctx.options.get("isign", -1)
        back = {**ctx.options, "isign": -sign}
        by_points, by_values, by_targets = None, None, None
        if ctx.needs_input_grad[0]:
            slopes = [_type3(frequencies, -1j * sign * axis * given, axes, back) for axis in frequencies]
            by_points = _tensor(np.stack([np.sum((data * slope.conj()).real, axis=0) for slope in slopes]), points)
        if ctx.needs_input_grad[2]:
            slopes = [_type3(axes, 1j * sign * axis * data, frequencies, ctx.options) for axis in axes]
            by_targets = _tensor(np.stack([np.sum((given.conj() * slope).real, axis=0) for slope in slopes]), targets)
        if ctx.needs_input_grad[1]:
            by_values = _data(_type3(frequencies, given, axes, back).reshape(values.shape), values)
        return by_points, by_values, by_targets, None


def _type3(points: Any, data: Any, frequencies: Any, options: Dict[str, Any]) -> Any:
    plan = Plan(3, len(points), len(data), dtype=data.dtype, **{"isign": -1, **options})
    plan.setpts(*points, **dict(zip("stu", frequencies)))
    return plan.execute(data)


def _plan(nufft_type: int, shape: Sequence[int], data: Any, axes: Any, options: Dict[str, Any]) -> Plan:
    plan = Plan(nufft_type, list(shape), len(data), dtype=data.dtype, **{"isign": -1, "modeord": 1, **options})
    plan.setpts(*axes)
    return plan


def _arrays(points: torch.Tensor, values: torch.Tensor, core: int) -> Tuple[Any, Any, Tuple[int, ...]]:
    """Returns the coordinates of each axis, the data with one leading axis, and the leading axes of the data."""
    data = _numpy(values)
    single = data.dtype in (np.float32, np.complex64)
    data = data.astype(np.complex64 if single else np.complex128, copy=False)
    if data.ndim < core:
        raise ValueError(f"the data have the shape {data.shape}, but {core} axes are needed")
    batch = data.shape[: data.ndim - core]
    return _axes(points, data.real.dtype), data.reshape(-1, *data.shape[data.ndim - core :]), batch


def _axes(points: torch.Tensor, dtype: Any) -> Any:
    return np.atleast_2d(_numpy(points)).astype(dtype, copy=False)


def _numpy(tensor: torch.Tensor) -> Any:
    if tensor.device.type != "cpu":
        raise ValueError(f"tensors must be on the CPU, not on {tensor.device}")
    return tensor.detach().resolve_conj().resolve_neg().numpy()


def _tensor(array: Any, like: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(array)).reshape(like.shape).to(like.dtype)


def _data(array: Any, like: torch.Tensor) -> torch.Tensor:
    """Returns the gradient by data, whose imaginary part real data do not have."""
    return _tensor(array if like.is_complex() else array.real, like)
