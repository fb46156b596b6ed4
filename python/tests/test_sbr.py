"""Radar cross sections by rays from Python."""

import numpy as np
import pytest

import wavefield as wf

#: Two triangles: a square of 1 m in the x–y plane.
PLATE = """\
v -0.5 -0.5 0
v 0.5 -0.5 0
v 0.5 0.5 0
v -0.5 0.5 0
f 1 2 3
f 1 3 4
"""


@pytest.fixture
def plate(tmp_path):
    path = tmp_path / "plate.obj"
    path.write_text(PLATE)
    return path


def test_a_plate_is_its_closed_form(plate):
    theta = np.arange(0.0, 30.0, 1.0)
    result = wf.sbr.rcs(plate, unit="m", frequency=3e9, theta_deg=theta, phi_deg=0.0, progress=False)
    k = 2 * np.pi * 3e9 / 299792458
    sine = np.sin(np.radians(theta))
    exact = -1j * k / np.sqrt(np.pi) * np.cos(np.radians(theta)) * np.sinc(k * sine / np.pi)
    np.testing.assert_allclose(result["rcs/vv"], exact, atol=2e-3 * abs(exact[0]))
    np.testing.assert_allclose(result["rcs/hh"], exact, atol=2e-3 * abs(exact[0]))


def test_edges_and_bistatic_angles_change_what_they_should(plate):
    asked = dict(unit="m", frequency=[3e9, 3.1e9], theta_deg=40, phi_deg=10, progress=False)
    plain = wf.sbr.rcs(plate, **asked)
    edged = wf.sbr.rcs(plate, edges=True, **asked)
    assert plain["rcs/vv"].shape == (2,)
    assert np.all(np.abs(plain["rcs/vv"] - edged["rcs/vv"]) > 1e-3)
    # Towards the mirrored direction the whole plate shines.
    seen = wf.sbr.rcs(plate, seen_theta_deg=40, seen_phi_deg=[10, 190], **asked)
    assert seen["rcs/vv_dbsm"].reshape(2, 2)[0, 1] > plain["rcs/vv_dbsm"][0] + 20


def test_what_is_wrong_is_said(plate, tmp_path):
    with pytest.raises(ValueError, match="rays.step"):
        wf.sbr.rcs(plate, unit="m", frequency=3e9, phi_deg=0, step=0.0, progress=False)
    with pytest.raises((ValueError, wf.ProblemError)):
        wf.sbr.rcs(tmp_path / "none.stl", unit="m", frequency=3e9, phi_deg=0, progress=False)
