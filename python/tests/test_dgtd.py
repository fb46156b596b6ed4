"""Waves in time from Python."""

import numpy as np
import pytest

import wavefield as wf

SPHERE = {
    "name": "sphere",
    "shape": {"kind": "sphere", "radius": "100 mm"},
    "material": "pec",
    "edge": "60 mm",
}
DOMAIN = {"edge": "90 mm", "margin": "40 mm", "gap": "50 mm", "layer": "120 mm", "bodies": [SPHERE]}


def test_a_sphere_is_near_its_series():
    seen = np.arange(0, 181, 30)
    asked = dict(frequency=[600e6, 700e6], polarisation="v", theta_deg=0, phi_deg=0, seen_theta_deg=seen, seen_phi_deg=0)
    found = wf.dgtd.run(domain=DOMAIN, order=2, end={"decay": 1e-4}, progress=False, **asked)
    exact = wf.run(
        """
        format = 1
        solver = "exact"
        frequency = ["600 MHz", "700 MHz"]
        target = { shape = "sphere", radius = "100 mm", material = "pec" }
        incidence = { theta = "0 deg", phi = "0 deg" }
        observation = { kind = "bistatic", theta = { start = "0 deg", stop = "180 deg", step = "30 deg" }, phi = "0 deg" }
        """,
        progress=False,
    )
    # Twenty triangles or so are no sphere: a tenth of the largest amplitude.
    scale = np.max(np.abs(exact["rcs/vv"]))
    np.testing.assert_allclose(found["rcs/vv"], exact["rcs/vv"], atol=0.1 * scale)
    assert "rcs/hh" not in found
    assert found["energy/1_energy"].max() == 0.0


def test_what_is_wrong_is_said():
    with pytest.raises((ValueError, wf.ProblemError), match="incidence"):
        wf.dgtd.run(domain=DOMAIN, frequency=600e6, progress=False)
