"""The backend of mri-nufft. By name: mri-nufft brings SciPy and more.

    pip install mri-nufft finufft
    pytest python/tests/by_name_mri.py
"""

import mrinufft
import numpy as np
import pytest

import wavefield.mri  # noqa: F401

RNG = np.random.default_rng(5)


def operators(shape, samples, **options):
    return [mrinufft.get_operator(name)(samples, shape=shape, eps=1e-6, **options) for name in ("wavefield", "finufft")]


def random(*shape):
    return (RNG.normal(size=shape) + 1j * RNG.normal(size=shape)).astype(np.complex64)


def relative(a, b):
    return np.linalg.norm(a - b) / np.linalg.norm(b)


@pytest.mark.parametrize("shape", [(32, 40), (16, 12, 20)])
@pytest.mark.parametrize("sense", [False, True])
@pytest.mark.parametrize("n_trans", [1, 2])
def test_operator_and_adjoint_are_those_of_the_backend_finufft(shape, sense, n_trans):
    samples = RNG.uniform(-0.5, 0.5, (3000, len(shape))).astype(np.float32)
    maps = random(4, *shape) if sense else None
    ours, theirs = operators(shape, samples, n_coils=4, smaps=maps, n_trans=n_trans, density=False)
    image = random(*shape) if sense else random(4, *shape)
    kspace = random(4, len(samples))
    assert relative(ours.op(image), theirs.op(image)) < 1e-5
    assert relative(ours.adj_op(kspace), theirs.adj_op(kspace)) < 1e-5
    # <A x, y> = <x, A* y> to rounding, because both directions have one plan.
    ahead, back = np.vdot(ours.op(image), kspace), np.vdot(image, ours.adj_op(kspace))
    assert abs(ahead - back) < 1e-5 * np.linalg.norm(image) * np.linalg.norm(kspace)


def test_the_trajectory_can_be_replaced():
    first, second = RNG.uniform(-0.5, 0.5, (2, 500, 2)).astype(np.float32)
    ours, theirs = operators((16, 16), first)
    ours.update_samples(second)
    theirs.update_samples(second)
    image = random(16, 16)
    assert relative(ours.op(image), theirs.op(image)) < 1e-5
    theirs._make_plan_grad()
    with ours.grad_traj_plan(), theirs.grad_traj_plan():
        assert relative(ours.op(image), theirs.op(image)) < 1e-5
