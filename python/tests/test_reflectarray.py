"""Reflectarray synthesis from Python."""

import numpy as np
import pytest

import wavefield as wf


def synthesize(**changed):
    asked = dict(
        frequency=10e9,
        elements=(10, 9),
        spacing=0.5,
        feed=(0.0, -0.06, 0.18),
        feed_q=8,
        coverage={"ellipse": {"center": [0.05, 0.1], "semi_axes": [0.2, 0.12], "rotation": "30 deg"}},
    )
    asked.update(changed)
    return wf.run(wf.reflectarray.problem(**asked), progress=False)


def test_a_beam_comes_with_its_elements_and_its_bounds(tmp_path):
    result = synthesize()
    elements = result.table("elements")
    assert elements["x"].shape == (90,)
    assert np.all((elements["phase"] >= 0) & (elements["phase"] < 360))
    least, bound = result["directivity/d_min"][0], result["directivity/bound_min"][0]
    assert bound - 2.5 < least < bound
    assert result["directivity/d_mean"][0] < result["directivity/bound_mean"][0]
    # The amplitudes carry the power that the cells intercept, as a fraction of the feed's 2 pi / (2 q + 1).
    cell = (0.5 * 299792458 / 10e9) ** 2
    intercepted = np.sum(elements["amplitude"] ** 2) / cell
    np.testing.assert_allclose(result["directivity/spillover_efficiency"][0], intercepted * 17 / (2 * np.pi), rtol=1e-9)

    folder = result.save(tmp_path / "beam")
    # A header of seven lines, then a direction per line; |E|² is the directivity.
    grid = (folder / "beam.grd").read_text().splitlines()
    columns, rows, _ = map(int, grid[6].split())
    field = np.array([[float(part) for part in line.split()] for line in grid[7:]])
    assert field.shape == (rows * columns, 4)
    decibels = 10 * np.log10(field[:, 0] ** 2 + field[:, 1] ** 2)
    np.testing.assert_allclose(decibels.reshape(rows, columns), result["map/directivity"], atol=1e-6)
    cuts = (folder / "beam.cut").read_text().splitlines()
    start, step, count, phi, component, kind, components = map(float, cuts[1].split())
    assert (component, kind, components) == (3, 1, 2)
    assert len(cuts) == 4 * (2 + count)
    assert wf.load(folder)["map/co"].dtype == np.complex128


def test_spacing_between_limits_widens_the_array():
    result = synthesize(spacing=(0.5, 0.7))
    x = np.unique(result["elements/x"])
    wavelength = 299792458 / 10e9
    gaps = np.diff(x) / wavelength
    assert np.all((gaps > 0.5 - 1e-9) & (gaps < 0.7 + 1e-9))
    assert gaps.mean() > 0.65


def test_what_is_wrong_is_said_with_its_key():
    with pytest.raises(ValueError, match="lattice.rows"):
        synthesize(elements=(10, 1))
    with pytest.raises(ValueError, match="Frence"):
        synthesize(coverage={"countries": ["Frence"], "satellite_longitude": "5 deg"})
    with pytest.raises(wf.ProblemError, match="margn"):
        synthesize(coverage={"countries": ["FRA"], "margn": 1})


def test_a_sidelobe_mask_lowers_the_peak_sidelobe():
    free = synthesize()
    level = free["directivity/peak_sidelobe"][0] - 4
    held = synthesize(max_sidelobe_dbi=level)
    assert held["directivity/peak_sidelobe"][0] < level + 0.02
    assert held["directivity/d_min"][0] < free["directivity/d_min"][0]
    with pytest.raises(ValueError, match="max_sidelobe_dbi"):
        synthesize(transition=0.1)
