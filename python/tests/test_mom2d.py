"""2-D method of moments from Python."""

import numpy as np
import pytest

import wavefield as wf

CIRCLE = {"geometry": {"shape": "circle", "radius": "1 m"}, "material": "pec"}
FREQUENCY = 10 * 299792458 / (2 * np.pi)


def solve(bodies, **asked):
    return wf.run(wf.mom2d.problem(bodies, **asked), progress=False)


def test_a_circle_is_its_series():
    phi = np.arange(0, 181, 5)
    found = solve([CIRCLE], frequency=FREQUENCY, incidence_phi_deg=180, observation_phi_deg=phi)
    for name in ["tm", "te"]:
        exact = wf.exact.cylinder(1.0, FREQUENCY, observation_phi_deg=phi, polarization=name, incidence_phi_deg=180.0)
        np.testing.assert_allclose(found[f"scattering_width/{name}"], exact.amplitude, atol=1e-6)
    assert np.all(found["error_estimates/exact_current_error"] < 1e-6)
    assert found["current/tm"].shape == found["current/arc"].shape


def test_a_resonance_is_told_and_the_combined_equation_has_none():
    asked = dict(frequency=11.791534439014281 * 299792458 / (2 * np.pi), incidence_phi_deg=180, polarization="tm")
    efie = solve([CIRCLE], equation={"kind": "efie"}, **asked)
    cfie = solve([CIRCLE], equation={"kind": "cfie"}, **asked)
    assert efie["error_estimates/condition"][0] > 1e8
    assert cfie["error_estimates/condition"][0] < 1e3
    assert cfie["error_estimates/exact_current_error"][0] < 1e-5


def test_materials_and_methods_pass_through():
    lens = {
        "geometry": {"shape": "ellipse", "semi_axes": ["0.2 m", "0.5 m"]},
        "material": {"permittivity": 2.5 - 0.1j},
    }
    asked = dict(frequency=3e8, incidence_phi_deg=[0, 90], polarization="te")
    panels = solve([lens], method={"kind": "nystrom", "order": 10}, **asked)
    even = solve([lens], method={"kind": "kress", "unknowns": 120}, linear_solver={"kind": "gmres"}, **asked)
    np.testing.assert_allclose(panels["scattering_width/te"], even["scattering_width/te"], atol=1e-7)


def test_what_is_wrong_is_said():
    with pytest.raises((ValueError, wf.ProblemError), match="surface impedance"):
        solve([{**CIRCLE, "material": {"surface_impedance": -1.0}}], frequency=3e8, incidence_phi_deg=0)
    with pytest.raises((ValueError, wf.ProblemError)):
        solve([], frequency=3e8, incidence_phi_deg=0)
