"""NUFFTs under PyTorch. By name: PyTorch takes more than a gigabyte.

    pip install torch
    pytest python/tests/by_name_torch.py
"""

import numpy as np
import pytest
import torch

import wavefield as wf
from wavefield.torch import finufft_type1, finufft_type2, finufft_type3

RNG = np.random.default_rng(3)
POINTS, MODES = 40, {1: (9,), 2: (6, 7), 3: (4, 5, 3)}


def normal(*shape):
    return torch.from_numpy(RNG.normal(size=shape) + 1j * RNG.normal(size=shape))


def uniform(*shape):
    return torch.from_numpy(RNG.uniform(-3, 3, shape))


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_transforms_are_those_of_numpy_with_the_defaults_of_pytorch_finufft(dimensions):
    shape, points, values = MODES[dimensions], uniform(dimensions, POINTS), normal(2, POINTS)
    modes = finufft_type1(points, values, shape, eps=1e-9)
    plan = wf.nufft.Plan(1, shape, 2, eps=1e-9, isign=-1, modeord=1)
    plan.setpts(*points.numpy())
    assert np.array_equal(modes, plan.execute(values.numpy()))
    plan = wf.nufft.Plan(2, shape, 2, eps=1e-9, isign=-1, modeord=1)
    plan.setpts(*points.numpy())
    assert np.array_equal(finufft_type2(points, modes, eps=1e-9), plan.execute(modes.numpy()))
    # On a grid, type 1 is the FFT.
    grid = [2 * np.pi * torch.arange(n, dtype=torch.float64) / n for n in shape]
    places = torch.stack([axis.ravel() for axis in torch.meshgrid(*grid, indexing="ij")])
    samples = normal(*shape)
    found = finufft_type1(places, samples.ravel(), shape, eps=1e-12)
    assert torch.allclose(found, torch.fft.fftn(samples), rtol=1e-9)


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("options", [{}, {"isign": 1, "modeord": 0}])
def test_gradients_agree_with_central_differences(dimensions, options):
    shape = MODES[dimensions]
    points = uniform(dimensions, POINTS).requires_grad_()
    values, modes = normal(2, POINTS).requires_grad_(), normal(2, *shape).requires_grad_()
    close = {"eps": 1e-6, "rtol": 1e-7, "atol": 1e-6}
    type1 = lambda x, c: finufft_type1(x, c, shape, eps=1e-13, **options)
    type2 = lambda x, f: finufft_type2(x, f, eps=1e-13, **options)
    assert torch.autograd.gradcheck(type1, (points, values), **close)
    assert torch.autograd.gradcheck(type2, (points, modes), **close)
    assert torch.autograd.gradcheck(lambda f: type2(points.detach(), f), (modes,), **close)


def test_type_3_has_gradients_by_all_arguments():
    points, targets = uniform(2, 12).requires_grad_(), (2 * uniform(2, 9)).requires_grad_()
    values = normal(2, 12).requires_grad_()
    type3 = lambda x, c, s: finufft_type3(x, c, s, eps=1e-12)
    assert torch.autograd.gradcheck(type3, (points, values, targets), eps=1e-6, rtol=1e-6, atol=1e-6)


def test_one_dimension_and_single_precision():
    points, values = uniform(POINTS).float().requires_grad_(), normal(POINTS).to(torch.complex64)
    modes = finufft_type1(points, values, 9, eps=1e-4)
    assert modes.dtype == torch.complex64 and modes.shape == (9,)
    modes.abs().square().sum().backward()
    assert points.grad.dtype == torch.float32 and points.grad.shape == points.shape


def test_a_loop_of_gradient_descent_finds_the_points():
    true = uniform(2, 30)
    weights = normal(30)
    target = finufft_type1(true, weights, (9, 9), eps=1e-9)
    points = (true + 0.02 * torch.randn(true.shape, generator=torch.Generator().manual_seed(1))).requires_grad_()
    optimizer = torch.optim.LBFGS([points], max_iter=60, line_search_fn="strong_wolfe")

    def loss():
        optimizer.zero_grad()
        value = (finufft_type1(points, weights, (9, 9), eps=1e-9) - target).abs().square().sum()
        value.backward()
        return value

    optimizer.step(loss)
    assert (points - true).abs().max() < 1e-4
