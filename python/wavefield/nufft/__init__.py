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
3     points to points  v_k = Σ_j c_j e^{± i s_k·x_j}
====  ================  ==============================

Modes run over −⌊N/2⌋ … ⌈N/2⌉ − 1 on every axis (``modeord=0``) or start with mode zero as NumPy's FFT has
them (``modeord=1``). Points are in radians and may be any real number; so may the frequencies of type 3.
``eps`` is the largest relative error of the result in the root mean square. No points give zeros, as an empty
sum is.

**Arrays.** Any stride, byte order and real or complex dtype is taken. Where every array of a call is float32
or complex64, the transform is computed and returned in single precision; everything else is converted to
double precision. A plan converts to its own ``dtype``. An array that is C-contiguous and already of the right
dtype is used where it lies; others are copied. ``out`` is written in place and must have the result's shape
and dtype and be C-contiguous. Coordinates that are not finite are refused; data that are not finite give a
result that is not finite.

**Options.** ``threads`` defaults to every hardware thread; the result has the same bits for any number.
``upsampling`` is the ratio of the fine grid to the modes (1.25 to 4); left out, the fastest is chosen.
``device`` is "cpu", "gpu", "gpu:NAME" or "auto"; derivatives and type 3 are computed on the CPU only. Other
Python threads run on during a transform.
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
