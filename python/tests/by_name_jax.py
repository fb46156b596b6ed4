"""NUFFTs under JAX: derivatives, jit, vmap. By name: JAX takes 382 MB.

    pip install jax jax-finufft
    pytest python/tests/by_name_jax.py
"""

import subprocess
import sys

import jax
import jax.numpy as jnp
import jax_finufft
import numpy as np
import pytest

import wavefield as wf
from wavefield.jax import nufft1, nufft2, nufft3

jax.config.update("jax_enable_x64", True)
RNG = np.random.default_rng(7)
POINTS, MODES = 300, {1: (31,), 2: (12, 15), 3: (8, 6, 7)}


def case(dimensions):
    points = tuple(RNG.uniform(-np.pi, np.pi, (dimensions, POINTS)))
    return MODES[dimensions], complex_normal(POINTS), points


def complex_normal(*shape):
    return RNG.normal(size=shape) + 1j * RNG.normal(size=shape)


def relative(a, b):
    return np.linalg.norm(np.asarray(a) - np.asarray(b)) / np.linalg.norm(np.asarray(b))


def losses(package, shape, weights):
    """A real function of strengths and points through type 1, of modes and points through type 2, and through both."""

    def type1(c, *x):
        return jnp.sum(jnp.abs(package.nufft1(shape, c, *x, eps=1e-12) - weights) ** 2)

    def type2(f, *x):
        return jnp.sum(jnp.abs(package.nufft2(f, *x, eps=1e-12)) ** 3)

    def both(c, *x):
        modes = package.nufft1(shape, c, *x, eps=1e-12)
        return jnp.sum(jnp.abs(package.nufft2(modes * jnp.abs(modes), *x, eps=1e-12)) ** 2)

    return type1, type2, both


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_transforms_are_those_of_numpy(dimensions):
    shape, c, points = case(dimensions)
    plan = wf.nufft.Plan(1, shape, eps=1e-9)
    plan.setpts(*points)
    f = plan.execute(c)
    assert np.array_equal(nufft1(shape, c, *points, eps=1e-9), f)
    plan = wf.nufft.Plan(2, shape, eps=1e-9)
    plan.setpts(*points)
    assert np.array_equal(nufft2(f, *points, eps=1e-9), plan.execute(f))


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_gradients_agree_with_jax_finufft(dimensions):
    shape, c, points = case(dimensions)
    f = complex_normal(*shape)
    arguments = tuple(range(dimensions + 1))
    ours, theirs = (losses(package, shape, f) for package in (wf.jax, jax_finufft))
    for mine, other, data in zip(ours, theirs, (c, f, c)):
        found = jax.jit(jax.grad(mine, argnums=arguments))(data, *points)
        expected = jax.grad(other, argnums=arguments)(data, *points)
        for a, b in zip(found, expected):
            assert relative(a, b) <= 1e-10


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_gradients_agree_with_central_differences(dimensions):
    shape, c, points = case(dimensions)
    f = complex_normal(*shape)
    for function, data in zip(losses(wf.jax, shape, f), (c, f, c)):
        by_data, *by_points = jax.grad(function, argnums=tuple(range(dimensions + 1)))(data, *points)
        step, toward = 1e-6, complex_normal(*data.shape)
        difference = (function(data + step * toward, *points) - function(data - step * toward, *points)) / (2 * step)
        # JAX has the gradient g of which a step d changes the function by Re(g d).
        assert abs(jnp.sum(jnp.real(by_data * toward)) / difference - 1) <= 1e-7
        toward = RNG.normal(size=(dimensions, POINTS))
        moved = [[x + sign * step * d for x, d in zip(points, toward)] for sign in (1, -1)]
        difference = (function(data, *moved[0]) - function(data, *moved[1])) / (2 * step)
        change = sum(jnp.sum(g * d) for g, d in zip(by_points, toward))
        assert abs(change / difference - 1) <= 1e-7


def test_second_derivatives_agree_with_central_differences():
    shape, c, (x, y) = case(2)
    weights = RNG.normal(size=POINTS)
    function = losses(wf.jax, shape, complex_normal(*shape))[2]

    def slope(x):
        return jax.grad(function, argnums=1)(c, x, y) @ weights

    toward, step = RNG.normal(size=POINTS), 1e-6
    difference = (slope(x + step * toward) - slope(x - step * toward)) / (2 * step)
    assert abs(jax.grad(slope)(x) @ toward / difference - 1) <= 1e-7


def test_type_3_has_derivatives_by_points_and_frequencies():
    _, c, points = case(2)
    frequencies = tuple(RNG.uniform(-9, 9, (2, 70)))

    def loss(package):
        return lambda c, *xs: jnp.sum(jnp.abs(package.nufft3(c, *xs, iflag=1, eps=1e-12)) ** 2)

    found = jax.jit(jax.grad(loss(wf.jax), argnums=(0, 1, 2, 3, 4)))(c, *points, *frequencies)
    expected = jax.grad(loss(jax_finufft), argnums=(0, 1, 2, 3, 4))(c, *points, *frequencies)
    for a, b in zip(found, expected):
        assert relative(a, b) <= 1e-10


def test_vmap_over_data_points_and_both():
    shape, _, (x, y) = case(2)
    many, moved = complex_normal(4, POINTS), RNG.uniform(-3, 3, (4, POINTS))
    one = lambda c, x: nufft1(shape, c, x, y, eps=1e-9)
    singly = lambda cs, xs: np.stack([one(c, x) for c, x in zip(cs, xs)])
    assert np.array_equal(jax.vmap(one, (0, None))(many, x), singly(many, [x] * 4))
    assert np.array_equal(jax.vmap(one, (None, 0))(many[0], moved), singly([many[0]] * 4, moved))
    assert np.array_equal(jax.jit(jax.vmap(one))(many, moved), singly(many, moved))
    # Data and points with leading axes, and a vmap over these.
    assert np.array_equal(nufft1(shape, many, moved, y, eps=1e-9), singly(many, moved))
    nested = jax.vmap(jax.vmap(one, (0, None)), (None, 0))(many, moved)
    assert np.array_equal(nested, np.stack([singly(many, [x] * 4) for x in moved]))
    f = complex_normal(4, *shape)
    back = jax.vmap(lambda f, x: nufft2(f, x, y, eps=1e-9))(f, moved)
    assert np.array_equal(back, np.stack([nufft2(a, b, y, eps=1e-9) for a, b in zip(f, moved)]))
    by_x = jax.vmap(jax.grad(lambda x, c: jnp.sum(jnp.abs(one(c, x)) ** 2)))(moved, many)
    alone = [jax.grad(lambda x, c: jnp.sum(jnp.abs(one(c, x)) ** 2))(x, c) for x, c in zip(moved, many)]
    assert relative(by_x, np.stack(alone)) < 1e-12


def test_shared_points_have_the_sum_of_the_gradients():
    shape, _, (x, y) = case(2)
    many = complex_normal(3, POINTS)
    together = jax.grad(lambda x: jnp.sum(jnp.abs(nufft1(shape, many, x, y)) ** 2))(x)
    alone = sum(jax.grad(lambda x, c=c: jnp.sum(jnp.abs(nufft1(shape, c, x, y)) ** 2))(x) for c in many)
    assert relative(together, alone) < 1e-12


def test_single_precision():
    shape, c, points = case(2)
    singles = [np.float32(x) for x in points]
    f = nufft1(shape, np.complex64(c), *singles, eps=1e-4)
    assert f.dtype == jnp.complex64
    assert relative(f, nufft1(shape, c, *points, eps=1e-9)) < 1e-4


def test_mistakes_raise():
    shape, c, (x, y) = case(2)
    with pytest.raises(ValueError, match="axes of modes"):
        nufft1((4, 4, 4), c, x, y)
    with pytest.raises(ValueError, match="299 points"):
        nufft1(shape, c, x[1:], y[1:])
    with pytest.raises(ValueError, match="iflag"):
        nufft1(shape, c, x, y, iflag=2)
    with pytest.raises(ValueError, match="frequencies"):
        nufft3(c, x, y, x)
    with pytest.raises((ValueError, jax.errors.JaxRuntimeError), match="coordinate is not finite"):
        nufft1(shape, c, x * np.nan, y).block_until_ready()
    with pytest.raises((ValueError, jax.errors.JaxRuntimeError), match="tolerance"):
        nufft1(shape, c, x, y, eps=-1.0).block_until_ready()
    # The next call is not disturbed.
    assert np.isfinite(nufft1(shape, c, x, y)).all()


def test_jit_on_one_core_does_not_hang():
    program = """
import os
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
import jax, numpy as np
import jax.numpy as jnp
from wavefield.jax import nufft1
jax.config.update("jax_enable_x64", True)
rng = np.random.default_rng(1)
x, y = rng.uniform(-3, 3, (2, 50_000))
c = rng.normal(size=50_000) + 0j
loss = lambda c, x, y: jnp.sum(jnp.abs(nufft1((128, 128), c, x, y)) ** 2)
slope = jax.jit(jax.grad(loss, argnums=(0, 1, 2)))
for _ in range(5):
    jax.block_until_ready(slope(c, x, y))
print(len(os.sched_getaffinity(0)), "core")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "1 core\n"
