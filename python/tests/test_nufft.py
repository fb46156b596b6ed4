"""Non-uniform transforms from Python: every one against the sum it stands for."""

import os
import subprocess
import sys
import threading

import inspect

import numpy as np
import pytest

import wavefield as wf
from wavefield import nufft
from wavefield.nufft import arrays, simple as one_call

MODES = {1: (13,), 2: (12, 9), 3: (6, 8, 5)}
POINTS = 57
#: Relative error asked for in each precision.
TOLERANCE = {np.complex64: 1e-4, np.complex128: 1e-10}


def points(dimensions, count=POINTS, seed=1):
    return list(np.random.default_rng(seed).uniform(-np.pi, np.pi, (dimensions, count)))


def noise(*shape, seed=2):
    rng = np.random.default_rng(seed)
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


def waves(axes, modes, sign, order=0):
    """e^{± i k·x_j} over all modes and points."""
    result = np.ones((1, len(axes[0])))
    for x, count in zip(axes, modes):
        k = np.arange(count) - count // 2
        k = np.fft.ifftshift(k) if order else k
        own = np.exp(sign * 1j * np.outer(k, x))
        result = (result[:, None, :] * own[None, :, :]).reshape(-1, len(x))
    return result


def wavenumbers(modes):
    return np.meshgrid(*(np.arange(count) - count // 2 for count in modes), indexing="ij")


def assert_close(found, expected, tolerance):
    assert found.shape == expected.shape
    error = np.linalg.norm(found - expected) / np.linalg.norm(expected)
    assert error <= tolerance, f"{error:.2e}"


def simple(dimensions, kind):
    return getattr(nufft, f"nufft{dimensions}d{kind}")


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("order", [0, 1])
def test_simple_functions_give_the_sums(dimensions, sign, dtype, order):
    modes, tolerance = MODES[dimensions], TOLERANCE[dtype]
    real = np.empty(0, dtype).real.dtype
    axes = [x.astype(real) for x in points(dimensions)]
    matrix = waves([x.astype(float) for x in axes], modes, sign, order)
    c, f = noise(POINTS).astype(dtype), noise(*modes).astype(dtype)
    options = dict(eps=tolerance, isign=sign, modeord=order)
    found = simple(dimensions, 1)(*axes, c, modes, **options)
    assert found.dtype == dtype
    assert_close(found, (matrix @ c).reshape(modes), tolerance)
    found = simple(dimensions, 2)(*axes, f, **options)
    assert found.dtype == dtype
    assert_close(found, f.reshape(-1) @ matrix, tolerance)


def frequencies(dimensions, count=31, seed=7):
    return list(np.random.default_rng(seed).uniform(-9.0, 14.0, (dimensions, count)))


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_type_3_gives_the_sum_and_its_adjoint(dimensions, sign, dtype):
    tolerance = TOLERANCE[dtype]
    real = np.empty(0, dtype).real.dtype
    axes = [x.astype(real) for x in points(dimensions)]
    to = [s.astype(real) for s in frequencies(dimensions)]
    matrix = np.exp(sign * 1j * sum(np.outer(s.astype(float), x.astype(float)) for s, x in zip(to, axes)))
    c = noise(2, POINTS).astype(dtype)
    found = simple(dimensions, 3)(*axes, c, *to, eps=tolerance, isign=sign)
    assert found.dtype == dtype
    assert_close(found, c @ matrix.T, tolerance)
    np.testing.assert_array_equal(simple(dimensions, 3)(*axes, c[1], *to, eps=tolerance, isign=sign), found[1])
    plan = nufft.Plan(3, dimensions, eps=tolerance, isign=sign, dtype=dtype)
    plan.setpts(*axes, **dict(zip("stu", to)))
    np.testing.assert_array_equal(plan.execute(c[0]), found[0])
    v = noise(31).astype(dtype)
    assert_close(plan.execute_adjoint(v), v @ matrix.conj(), tolerance)


def test_type_3_without_points_or_frequencies():
    np.testing.assert_array_equal(nufft.nufft1d3([], [], [1.0, 2.0]), np.zeros(2))
    assert nufft.nufft1d3([1.0, 2.0], np.ones((3, 2)), []).shape == (3, 0)
    plan = nufft.Plan(3, 2)
    assert plan.modes == () and plan.width is None and plan.memory is None and "2 dimensions" in repr(plan)


def test_defaults_are_those_finufft_users_know():
    (x,) = points(1)
    c, f = noise(POINTS), noise(16)
    assert_close(nufft.nufft1d1(x, c, 16), waves([x], (16,), 1) @ c, 1e-6)
    assert_close(nufft.nufft1d2(x, f), f @ waves([x], (16,), -1), 1e-6)
    first, second = nufft.Plan(1, 16), nufft.Plan(2, (16,))
    first.setpts(x)
    second.setpts(x)
    np.testing.assert_array_equal(first.execute(c), nufft.nufft1d1(x, c, 16))
    np.testing.assert_array_equal(second.execute(f), nufft.nufft1d2(x, f))
    # One number of modes stands for all axes.
    assert nufft.nufft2d1(x, x, c, 16).shape == (16, 16)


def test_the_number_of_modes_is_read_off_out():
    x, y = points(2)
    c = noise(3, POINTS)
    out = np.empty((3, 12, 9), complex)
    found = nufft.nufft2d1(x, y, c, out=out)
    assert found is out
    np.testing.assert_array_equal(found, nufft.nufft2d1(x, y, c, (12, 9)))


@pytest.mark.parametrize("kind", [1, 2])
@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("order", [0, 1])
def test_many_vectors_are_transformed_one_by_one(kind, dimensions, order):
    axes, modes = points(dimensions), MODES[dimensions]
    shape = (POINTS,) if kind == 1 else modes
    data = noise(4, *shape)
    options = dict(eps=1e-9, modeord=order)
    extra = (modes,) if kind == 1 else ()
    together = simple(dimensions, kind)(*axes, data, *extra, **options)
    for one, vector in zip(together, data):
        np.testing.assert_array_equal(one, simple(dimensions, kind)(*axes, vector, *extra, **options))
    assert simple(dimensions, kind)(*axes, data[:1], *extra).shape == (1, *together.shape[1:])


@pytest.mark.parametrize("kind", [1, 2])
@pytest.mark.parametrize("order", [0, 1])
def test_the_adjoint_is_the_conjugate_transpose(kind, order):
    plan = nufft.Plan(kind, (12, 9), n_trans=2, eps=1e-6, isign=-1, modeord=order)
    plan.setpts(*points(2))
    a, b = noise(2, POINTS), noise(2, 12, 9, seed=3)
    data, other = (a, b) if kind == 1 else (b, a)
    there, back = plan.execute(data), plan.execute_adjoint(other)
    assert there.shape == other.shape and back.shape == data.shape
    # The same weights both ways: exact to rounding, whatever the tolerance.
    assert abs(np.vdot(other, there) - np.vdot(back, data)) < 1e-12 * abs(np.vdot(other, there))


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("many", [1, 3])
def test_gradients_are_those_of_the_differentiated_sums(dimensions, sign, many):
    axes, modes = points(dimensions), MODES[dimensions]
    matrix = waves(axes, modes, sign)
    slopes = [sign * 1j * k.reshape(-1, 1) * matrix for k in wavenumbers(modes)]
    batch = () if many == 1 else (many,)
    # Slopes are as large as the wavenumbers, and so is their error.
    tolerance = 1e-9 * max(modes)

    second = nufft.Plan(2, modes, many, eps=1e-9, isign=sign)
    second.setpts(*axes)
    f = noise(*batch, *modes)
    flat = f.reshape(*batch, -1)
    values, gradient = second.execute_gradient(f)
    assert_close(values, flat @ matrix, 1e-9)
    assert_close(gradient, np.stack([flat @ slope for slope in slopes], axis=-2), tolerance)
    out = (np.empty_like(values), np.empty_like(gradient))
    again = second.execute_gradient(f, out=out)
    assert again[0] is out[0] and again[1] is out[1]
    np.testing.assert_array_equal(out[1], gradient)

    first = nufft.Plan(1, modes, many, eps=1e-9, isign=sign)
    first.setpts(*axes)
    c, along = noise(*batch, POINTS), noise(*batch, dimensions, POINTS, seed=4)
    expected = c @ matrix.T + sum(along[..., a, :] @ slopes[a].T for a in range(dimensions))
    assert_close(first.execute_gradient(c, along), expected.reshape(*batch, *modes), tolerance)


def test_gradients_follow_the_order_of_the_modes():
    x, y = points(2)
    f, c, along = noise(12, 9), noise(POINTS), noise(2, POINTS, seed=5)
    shifted = np.fft.ifftshift(f)
    plans = [nufft.Plan(2, (12, 9), modeord=order) for order in (0, 1)]
    plans += [nufft.Plan(1, (12, 9), modeord=order) for order in (0, 1)]
    for plan in plans:
        plan.setpts(x, y)
    np.testing.assert_array_equal(plans[0].execute_gradient(f)[1], plans[1].execute_gradient(shifted)[1])
    np.testing.assert_array_equal(
        np.fft.ifftshift(plans[2].execute_gradient(c, along)), plans[3].execute_gradient(c, along)
    )


def _unaligned(values):
    raw = np.zeros(values.nbytes + 1, dtype=np.uint8)
    raw[1:] = np.frombuffer(values.tobytes(), dtype=np.uint8)
    array = raw[1:].view(values.dtype).reshape(values.shape)
    assert not array.flags.aligned
    return array


def _read_only(values):
    copy = values.copy()
    copy.flags.writeable = False
    return copy


@pytest.mark.parametrize(
    "odd",
    [
        lambda a: np.repeat(a, 3, axis=-1)[..., ::3],
        lambda a: a[..., ::-1].copy()[..., ::-1],
        lambda a: np.asfortranarray(a),
        lambda a: a.astype(a.dtype.newbyteorder(">")),
        lambda a: a.tolist(),
        lambda a: a.astype(np.clongdouble if a.dtype.kind == "c" else np.longdouble),
        _unaligned,
        _read_only,
    ],
    ids=["strided", "reversed", "fortran", "byte order", "list", "long double", "unaligned", "read only"],
)
def test_any_stride_and_dtype_is_taken(odd):
    x, y = points(2)
    c, f = noise(2, POINTS), noise(2, 12, 9)
    modes = nufft.nufft2d1(x, y, c, (12, 9))
    np.testing.assert_array_equal(nufft.nufft2d1(odd(x), odd(y), odd(c), (12, 9)), modes)
    np.testing.assert_array_equal(nufft.nufft2d2(odd(x), odd(y), odd(f)), nufft.nufft2d2(x, y, f))


def test_whole_and_real_numbers_are_converted():
    x = np.arange(-3, 4, dtype=np.int8)
    for c in (np.arange(7), np.arange(7, dtype=np.float16), [True] * 7, np.arange(7.0)):
        expected = waves([x], (8,), 1) @ np.asarray(c, dtype=complex)
        found = nufft.nufft1d1(x, c, 8, eps=1e-12)
        assert found.dtype == np.complex128
        assert_close(found, expected, 1e-12)


def test_single_precision_needs_every_array_to_be_single():
    (x,), c = points(1), noise(POINTS)
    narrow = x.astype(np.float32), c.astype(np.complex64)
    assert nufft.nufft1d1(*narrow, 8, eps=1e-4).dtype == np.complex64
    assert nufft.nufft1d1(narrow[0], c.real.astype(np.float32), 8, eps=1e-4).dtype == np.complex64
    assert nufft.nufft1d1(x, narrow[1], 8).dtype == np.complex128
    assert nufft.nufft1d1(narrow[0], c, 8).dtype == np.complex128
    plan = nufft.Plan(1, 8, eps=1e-4, dtype=np.complex64)
    plan.setpts(x)
    assert plan.execute(c).dtype == np.complex64


def test_right_arrays_are_not_copied():
    ready = np.ones(5, np.complex128)
    assert arrays.ready(ready, np.dtype(np.complex128)) is ready
    assert arrays.ready(ready[::2], np.dtype(np.complex128)).flags.owndata


def test_the_bits_do_not_depend_on_the_threads():
    x, y = points(2, count=40_000)
    c = noise(40_000)
    first = nufft.nufft2d1(x, y, c, (128, 128), nthreads=1)
    for threads in (2, 3, None):
        np.testing.assert_array_equal(nufft.nufft2d1(x, y, c, (128, 128), nthreads=threads), first)


def test_points_may_be_any_real_number_and_may_coincide():
    x = np.array([0.3, 0.3, 0.3 + 200 * np.pi, -np.pi, np.pi])
    c = noise(5)
    assert_close(nufft.nufft1d1(x, c, 8, eps=1e-9), waves([x], (8,), 1) @ c, 1e-9)


def test_no_points_give_zeros():
    np.testing.assert_array_equal(nufft.nufft2d1([], [], [], (4, 5)), np.zeros((4, 5)))
    assert nufft.nufft2d2([], [], np.ones((4, 5))).shape == (0,)


def test_points_can_be_set_again():
    plan = nufft.Plan(1, (12, 9), eps=1e-9)
    for seed, count in ((1, 20), (2, 2000), (3, 1)):
        axes = points(2, count, seed)
        c = noise(count)
        plan.setpts(*axes)
        assert_close(plan.execute(c), (waves(axes, (12, 9), 1) @ c).reshape(12, 9), 1e-9)
    with pytest.raises(ValueError, match="nan|NaN"):
        plan.setpts([np.nan], [0.0])
    with pytest.raises(ValueError, match="setpts"):
        plan.execute([1.0])


def test_a_plan_says_what_it_has_chosen():
    plan = nufft.Plan(2, (12, 9), eps=1e-9, n_trans=2)
    assert plan.points is None and plan.type == 2 and plan.n_trans == 2
    plan.setpts(*points(2))
    assert plan.modes == (12, 9) and plan.points == POINTS and plan.dtype == np.complex128
    assert len(plan.grid) == 2 and all(n >= 1.25 * m for n, m in zip(plan.grid, plan.modes))
    assert 2 <= plan.width <= 16 and plan.memory > 0 and plan.simd
    assert "12×9" in repr(plan)
    with pytest.raises(AttributeError):
        plan.modes = (1,)
    assert nufft.Plan(2, (64, 64), upsampfac=2.0).grid[0] >= 128


def test_small_plans_wait_for_the_next_call_and_large_ones_do_not():
    (x,), c = points(1), noise(POINTS)
    results = [nufft.nufft1d1(x, c, count) for count in range(8, 8 + 2 * one_call.MAX_IDLE)]
    assert len(one_call._idle) == one_call.MAX_IDLE
    again = [nufft.nufft1d1(x, c, count) for count in range(8, 8 + 2 * one_call.MAX_IDLE)]
    assert all(np.array_equal(a, b) for a, b in zip(results, again))
    nufft.nufft2d1(x, x, c, (1024, 1024))
    assert all(plan.memory <= one_call.LARGEST_IDLE for plan in one_call._idle.values())


def test_simple_calls_run_in_many_threads_at_once():
    axes = [points(2, 2000, seed) for seed in range(4)]
    c = noise(2000)
    expected = [nufft.nufft2d1(*xy, c, (16, 16)) for xy in axes]
    wrong = []

    def work(index):
        for _ in range(50):
            if not np.array_equal(nufft.nufft2d1(*axes[index], c, (16, 16)), expected[index]):
                wrong.append(index)

    workers = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def test_threads_share_a_plan():
    plan = nufft.Plan(1, (32, 32))
    plan.setpts(*points(2, 5000))
    data = [noise(5000, seed=seed) for seed in range(4)]
    expected = [plan.execute(c) for c in data]
    found = [None] * 4

    def work(index):
        for _ in range(10):
            found[index] = plan.execute(data[index])

    workers = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    np.testing.assert_array_equal(found, expected)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_transforms_work_in_a_forked_process():
    code = """
import os, numpy as np
from wavefield import nufft
from wavefield.nufft import arrays, simple as one_call
x = np.linspace(-3, 3, 50_000)
plan = nufft.Plan(1, 50_000)
plan.setpts(x)
before = plan.execute(np.ones(50_000))
child = os.fork()
if child == 0:
    same = np.array_equal(nufft.nufft1d1(x, np.ones(50_000), 50_000), before)
    try:
        plan.execute(np.ones(50_000))
    except RuntimeError as error:
        os._exit(0 if same and "new plan" in str(error) else 1)
    os._exit(2)
assert os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, timeout=60)


def test_a_graphics_card_gives_the_same_transform():
    x, y = (axis.astype(np.float32) for axis in points(2))
    c, f = noise(POINTS).astype(np.complex64), noise(12, 10).astype(np.complex64)
    try:
        modes = nufft.nufft2d1(x, y, c, (12, 10), eps=1e-4, device="gpu")
    except wf.DeviceError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
    assert_close(modes, nufft.nufft2d1(x, y, c, (12, 10), eps=1e-4), 2e-4)
    values = nufft.nufft2d2(x, y, f, eps=1e-4, device="gpu")
    assert_close(values, nufft.nufft2d2(x, y, f, eps=1e-4), 2e-4)
    plan = nufft.Plan(1, (12, 10), eps=1e-4, dtype="complex64", device="gpu", spreader="atomic")
    plan.setpts(x, y)
    assert plan.simd is None
    assert_close(plan.execute(c), modes, 2e-4)
    with pytest.raises(ValueError, match="cpu"):
        plan.execute_gradient(c, np.zeros((2, POINTS)))


X = [0.1, 0.2, 0.3]
C = [1.0, 2.0, 3.0]


def _plan(*arguments, set_points=True, **options):
    plan = nufft.Plan(*arguments, **options)
    if set_points:
        plan.setpts(*[X] * len(plan.modes))
    return plan


def _type3():
    plan = nufft.Plan(3, 1)
    plan.setpts(X, s=X)
    return plan


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: nufft.nufft1d1([0.1, np.nan, 0.3], C, 8), ValueError, "number 1 of axis 0 is NaN"),
        (lambda: nufft.nufft2d1(X, [0.1, 0.2, -np.inf], C, (8, 8)), ValueError, "number 2 of axis 1 is -inf"),
        (lambda: nufft.nufft2d1(X, X[:2], C, (8, 8)), ValueError, "y has 2 coordinates, but x has 3"),
        (lambda: nufft.nufft1d1(X, C[:2], 8), ValueError, r"c has the shape \(2,\), but \(3,\) is needed"),
        (lambda: nufft.nufft1d1(X, np.ones((2, 2, 3)), 8), ValueError, "n_trans"),
        (lambda: nufft.nufft1d1(X, np.ones((0, 3)), 8), ValueError, "n_trans must be at least 1"),
        (lambda: nufft.nufft1d1([X], C, 8), ValueError, "a vector is needed"),
        (lambda: nufft.nufft1d1(X, C), ValueError, "n_modes"),
        (lambda: nufft.nufft1d1(X, C, 0), ValueError, "n_modes must be at least 1"),
        (lambda: nufft.nufft1d1(X, C, -4), ValueError, "n_modes must be at least 1"),
        (lambda: nufft.nufft1d1(X, C, 2.5), TypeError, "whole number"),
        (lambda: nufft.nufft1d1(X, C, ()), ValueError, "0 axes"),
        (lambda: nufft.nufft2d1(X, X, C, (8, 8, 8)), ValueError, "3 axes of modes"),
        (lambda: nufft.nufft1d1(X, C, 10**13), MemoryError, "allocate"),
        (lambda: nufft.nufft2d2(X, X, np.ones(8)), ValueError, "2 axes of modes"),
        (lambda: nufft.nufft2d2(X, X, np.ones((0, 8))), ValueError, "n_modes must be at least 1"),
        (lambda: nufft.nufft1d1([1j, 2, 3], C, 8), TypeError, "x must hold real numbers"),
        (lambda: nufft.nufft1d1(X, ["a", "b", "c"], 8), TypeError, "c must hold real or complex numbers"),
        (lambda: nufft.nufft1d1(X, C, 8, eps=0), ValueError, "tolerance"),
        (lambda: nufft.nufft1d1(X, C, 8, eps=np.nan), ValueError, "tolerance"),
        (lambda: nufft.nufft1d1(X, C, 8, eps=2), ValueError, "tolerance"),
        (lambda: nufft.Plan(1, 8, eps=1e-9, dtype="complex64"), ValueError, "not possible in this precision"),
        (lambda: nufft.nufft1d1(X, C, 8, isign=0), ValueError, "isign is"),
        (lambda: nufft.nufft1d1(X, C, 8, modeord=2), ValueError, "modeord is"),
        (lambda: nufft.nufft1d1(X, C, 8, upsampfac=1.0), ValueError, "upsamp"),
        (lambda: nufft.nufft1d1(X, C, 8, nthreads=0), ValueError, "threads"),
        (lambda: nufft.nufft1d1(X, C, 8, nthreads=10**9), ValueError, "threads"),
        (lambda: nufft.nufft1d1(X, C, 8, device="tpu"), ValueError, "tpu"),
        (lambda: nufft.nufft1d1(X, C, out=[0] * 8), TypeError, "NumPy array"),
        (lambda: nufft.nufft1d1(X, C, 8, out=np.empty(9, complex)), ValueError, r"out has the shape \(9,\)"),
        (lambda: nufft.nufft1d1(X, C, out=np.empty(8)), TypeError, "out holds float64"),
        (lambda: nufft.nufft1d1(X, C, out=np.empty(16, complex)[::2]), ValueError, "C-contiguous"),
        (lambda: nufft.nufft1d1(X, C, out=_read_only(np.empty(8, complex))), ValueError, "writeable"),
        (lambda: nufft.Plan(4, 8), ValueError, "type"),
        (lambda: nufft.Plan(1, (2, 2, 2, 2)), ValueError, "4 axes"),
        (lambda: nufft.Plan(1, 8, dtype="float64"), ValueError, "complex64 or complex128"),
        (lambda: nufft.Plan(1, 8, spreader="fast"), ValueError, "deterministic"),
        (lambda: nufft.Plan(1, 8).setpts(X, X), ValueError, "1 axes, but coordinates of 2"),
        (lambda: nufft.Plan(1, 8).setpts(X, s=X), ValueError, "type 3"),
        (lambda: nufft.Plan(3, 1).setpts(X), ValueError, "frequencies of 0"),
        (lambda: nufft.Plan(3, 4), ValueError, "4 dimensions"),
        (lambda: nufft.Plan(3, (2, 2)), TypeError, "whole number"),
        (lambda: nufft.nufft1d3(X, C, [1.0, np.inf]), ValueError, "number 1 of axis 0 is inf"),
        (lambda: nufft.nufft1d3([0.0, 1e9], [1, 1], [0.0, 1e9]), ValueError, "product"),
        (lambda: nufft.nufft2d3(X, X, C, [1.0], [1.0, 2.0]), ValueError, "t has 2 frequencies, but s has 1"),
        (lambda: nufft.nufft1d3(X, C[:2], [1.0]), ValueError, r"\(3,\) is needed"),
        (lambda: _type3().execute_gradient(C), ValueError, "type 3 has no derivatives"),
        (lambda: _plan(1, 8, set_points=False).execute(C), ValueError, "setpts first"),
        (lambda: _plan(1, 8, 2).execute(C), ValueError, r"\(2, 3\) is needed"),
        (lambda: _plan(1, 8).execute_gradient(C), ValueError, "along"),
        (lambda: _plan(1, 8).execute_gradient(C, C), ValueError, r"\(1, 3\) is needed"),
        (lambda: _plan(2, 8).execute_gradient(np.ones(8), C), ValueError, "belongs to type 1"),
    ],
)
def test_errors_say_what_is_wrong(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_out_that_overlaps_the_input_is_refused():
    x = np.linspace(-3, 3, 8)
    both = np.ones(8, complex)
    with pytest.raises(ValueError, match="shares memory"):
        nufft.nufft1d1(x, both, out=both)


def test_data_that_are_not_finite_are_seen_in_the_result():
    assert np.isnan(nufft.nufft1d1(X, [1.0, np.nan, 1.0], 8)).any()


#: Arguments of FINUFFT's Python interface, in their order; further ones are keywords.
OF_FINUFFT = {
    "nufft1d1": "x c n_modes out eps isign",
    "nufft1d2": "x f out eps isign",
    "nufft1d3": "x c s out eps isign",
    "nufft2d1": "x y c n_modes out eps isign",
    "nufft2d2": "x y f out eps isign",
    "nufft2d3": "x y c s t out eps isign",
    "nufft3d1": "x y z c n_modes out eps isign",
    "nufft3d2": "x y z f out eps isign",
    "nufft3d3": "x y z c s t u out eps isign",
    "Plan": "nufft_type n_modes_or_dim n_trans eps isign dtype",
}


@pytest.mark.parametrize("name", OF_FINUFFT)
def test_arguments_are_those_of_finufft(name):
    parameters = inspect.signature(getattr(nufft, name)).parameters
    positional = [key for key, value in parameters.items() if value.kind == value.POSITIONAL_OR_KEYWORD]
    assert positional == OF_FINUFFT[name].split()
    assert {"modeord", "nthreads", "upsampfac"} - set(parameters) <= ({"modeord"} if name.endswith("d3") else set())
