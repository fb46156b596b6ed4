"""Non-uniform fast Fourier transforms (NUFFT) on NumPy arrays, with the interface of FINUFFT.

    import numpy as np
    import wavefield as wf

    rng = np.random.default_rng(1)
    x, y = rng.uniform(-np.pi, np.pi, (2, 10_000))
    c = rng.normal(size=10_000) + 1j * rng.normal(size=10_000)

    f = wf.nufft.nufft2d1(x, y, c, (64, 96), eps=1e-9)    # type 1: points to modes
    c = wf.nufft.nufft2d2(x, y, f, eps=1e-9)              # type 2: modes to points

    plan = wf.nufft.Plan(2, (64, 96), eps=1e-9)           # many transforms of the same points
    plan.setpts(x, y)
    c, gradient = plan.execute_gradient(f)                # values, and their gradient at the points

====  ================  ==============================
type  maps              equation
====  ================  ==============================
1     points to modes   f_k = Σ_j c_j e^{± i k·x_j}
2     modes to points   c_j = Σ_k f_k e^{± i k·x_j}
3     points to points  v_k = Σ_j c_j e^{± i s_k·x_j}
====  ================  ==============================

Modes run over −⌊N/2⌋ … ⌈N/2⌉ − 1 on every axis (``modeord=0``) or start with mode zero as in NumPy's FFT
(``modeord=1``). Points are in radians and may be any real number; so may the frequencies of type 3.
``eps`` is the tolerance, the relative rms error of the result. Without points the result is zero.

**Arrays.** Any stride, byte order, and real or complex dtype is accepted. If every array of a call is float32
or complex64, the transform is computed and returned in single precision; everything else is converted to
double precision. A plan converts to its own ``dtype``. A C-contiguous array of the right dtype is used without
a copy; others are copied. ``out`` is written in place and must be C-contiguous, with the result's shape and
dtype. Non-finite coordinates raise an error; non-finite data give a non-finite result.

**Options.** ``nthreads`` defaults to every hardware thread; results are bitwise identical for any number.
``upsampfac`` is the ratio of the fine grid to the modes (1.25 to 4; default: the fastest).
``device`` is "cpu", "gpu", "gpu:NAME", or "auto"; derivatives run on the CPU only. Other Python
threads continue during a transform.

**Machine learning and imaging.** :mod:`wavefield.jax`, :mod:`wavefield.torch`, and :mod:`wavefield.mri` are the same transforms for
JAX, PyTorch, and mri-nufft.
"""

from wavefield.nufft.plan import Plan
from wavefield.nufft.simple import (
    nufft1d1,
    nufft1d2,
    nufft1d3,
    nufft2d1,
    nufft2d2,
    nufft2d3,
    nufft3d1,
    nufft3d2,
    nufft3d3,
)

__all__ = [
    "Plan",
    "nufft1d1",
    "nufft1d2",
    "nufft1d3",
    "nufft2d1",
    "nufft2d2",
    "nufft2d3",
    "nufft3d1",
    "nufft3d2",
    "nufft3d3",
]
