"""DGTD from Python."""

import numpy as np
import pytest

import wavefield as wf

SPHERE = {"geometry": {"shape": "sphere", "radius": "100 mm"}, "material": "pec", "mesh_size": "60 mm"}
DOMAIN = {"mesh_size": "90 mm", "huygens_margin": "40 mm", "pml_gap": "50 mm", "pml_thickness": "120 mm"}


def run(**asked):
    return wf.run(wf.dgtd.problem(**asked), progress=False)


def test_a_sphere_is_near_its_series():
    theta = np.arange(0, 181, 30)
    found = run(
        bodies=[SPHERE],
        domain=DOMAIN,
        frequency=[600e6, 700e6],
        incidence_theta_deg=0,
        incidence_phi_deg=0,
        polarization="v",
        observation_theta_deg=theta,
        observation_phi_deg=0,
        order=2,
        stop={"energy_decay": 1e-4},
    )
    exact = wf.run(
        {
            "solver": "exact",
            "frequency": ["600 MHz", "700 MHz"],
            "bodies": [{"geometry": SPHERE["geometry"], "material": "pec"}],
            "excitation": {"kind": "plane-wave", "theta": "0 deg", "phi": "0 deg"},
            "observation": {"kind": "bistatic", "theta": [f"{angle} deg" for angle in theta], "phi": "0 deg"},
        },
        progress=False,
    )
    # Twenty triangles or so are no sphere: a tenth of the largest amplitude.
    scale = np.max(np.abs(exact["rcs/vv"]))
    np.testing.assert_allclose(found["rcs/vv"], exact["rcs/vv"], atol=0.1 * scale)
    assert "rcs/hh" not in found
    assert found["energy/1_energy"].max() == 0.0


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="incidence_phi_deg"):
        run(bodies=[SPHERE], domain=DOMAIN, frequency=600e6)
    with pytest.raises(ValueError, match="incidence_phi_deg"):
        dipole = {"position": ["0 m", "0 m", "0 m"], "moment": [0, 0, 1]}
        run(domain=DOMAIN, frequency=600e6, incidence_phi_deg=0, dipoles=[dipole])
    with pytest.raises(wf.ProblemError, match="unknown key `time_step` in `dgtd`\n.*`time_step` is now `dgtd.cfl`"):
        run(bodies=[SPHERE], domain=DOMAIN, frequency=6e8, incidence_phi_deg=0, time_step=0.5)
