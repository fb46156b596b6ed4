"""Backend "wavefield" of mri-nufft, which importing this module registers.

    import mrinufft
    import wavefield.mri

    operator = mrinufft.get_operator("wavefield")(samples, shape=(256, 256), n_coils=8, eps=1e-6)
    image = operator.adj_op(kspace)

Options of the operator beyond those of mri-nufft are those of :class:`wavefield.nufft.Plan`.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np
from mrinufft._utils import proper_trajectory
from mrinufft.operators.base import FourierOperatorCPU, _ToggleGradPlanMixin
from numpy.typing import ArrayLike

from wavefield.nufft.plan import Plan


class _Transform:
    """Transforms in both directions by one plan, so that one is the adjoint of the other to rounding."""

    def __init__(self, samples: Any, shape: Sequence[int], n_trans: int, eps: float, options: Any) -> None:
        dtype = np.complex64 if samples.dtype == np.float32 else np.complex128
        self._settings = dict(n_trans=n_trans, eps=eps, dtype=dtype, **options)
        self._shape, self._batch = tuple(shape), (n_trans,)
        self._plan = Plan(2, list(shape), **self._settings)
        self._other: Optional[Plan] = None
        self.set_points(samples)

    def set_points(self, samples: Any) -> None:
        self._axes = list(np.asarray(samples).T)
        for plan in (self._plan, self._other):
            if plan is not None:
                plan.setpts(*self._axes)

    def op(self, coeffs_data: Any, grid_data: Any) -> Any:
        """Type 2: image to samples, written to ``coeffs_data``."""
        out = coeffs_data.reshape(*self._batch, len(self._axes[0]))
        return self._plan.execute(grid_data.reshape(*self._batch, *self._shape), out=out)

    def adj_op(self, coeffs_data: Any, grid_data: Any) -> Any:
        """Type 1: samples to image, written to ``grid_data``."""
        out = grid_data.reshape(*self._batch, *self._shape)
        return self._plan.execute_adjoint(coeffs_data.reshape(*self._batch, len(self._axes[0])), out=out)

    def toggle_grad_traj(self) -> None:
        """Changes the sign of the exponent, for gradients by the trajectory."""
        if self._other is None:
            self._other = Plan(2, list(self._shape), isign=1, **self._settings)
            self._other.setpts(*self._axes)
        self._plan, self._other = self._other, self._plan


class WavefieldOperator(FourierOperatorCPU, _ToggleGradPlanMixin):
    """Fourier operator of mri-nufft: image to samples of k-space, with coils, batches, sensitivity maps, and density."""

    backend = "wavefield"
    available = True
    autograd_available = True

    def __init__(
        self,
        samples: ArrayLike,
        shape: Sequence[int],
        density: Union[bool, ArrayLike] = False,
        n_coils: int = 1,
        n_batchs: int = 1,
        n_trans: int = 1,
        smaps: Optional[ArrayLike] = None,
        squeeze_dims: bool = True,
        eps: float = 1e-6,
        **options: Union[int, float, str, None],
    ) -> None:
        trajectory = np.asarray(proper_trajectory(samples, normalize="pi"))
        super().__init__(
            trajectory,
            shape,
            density,
            n_coils=n_coils,
            n_batchs=n_batchs,
            n_trans=n_trans,
            smaps=smaps,
            raw_op=_Transform(trajectory, shape, n_trans, eps, options),
            squeeze_dims=squeeze_dims,
        )

    def update_samples(self, new_samples: ArrayLike, unsafe: bool = False) -> None:
        """Replaces the trajectory."""
        self._samples = new_samples if unsafe else np.asarray(proper_trajectory(new_samples, normalize="pi"))
        self.raw_op.set_points(self._samples)
        self.compute_density(self._density_method)

    def _make_plan_grad(self, **_: Any) -> None:
        """The plan of the other sign is created when it is needed."""
