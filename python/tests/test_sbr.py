"""SBR from Python."""

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


def rcs(mesh, coating=(), **asked):
    body = wf.mesh_body(mesh, unit="m", open_surface=True, coating=coating)
    return wf.run(wf.sbr.problem([body], **asked), progress=False)


@pytest.fixture
def plate(tmp_path):
    path = tmp_path / "plate.obj"
    path.write_text(PLATE)
    return path


def test_a_plate_is_its_closed_form(plate):
    theta = np.arange(0.0, 30.0, 1.0)
    asked = dict(frequency=3e9)
    result = rcs(plate, incidence_theta_deg=theta, incidence_phi_deg=0.0, **asked)
    k = 2 * np.pi * 3e9 / 299792458
    sine = np.sin(np.radians(theta))
    exact = -1j * k / np.sqrt(np.pi) * np.cos(np.radians(theta)) * np.sinc(k * sine / np.pi)
    np.testing.assert_allclose(result["rcs/vv"], exact, atol=2e-3 * abs(exact[0]))
    np.testing.assert_allclose(result["rcs/hh"], exact, atol=2e-3 * abs(exact[0]))


def test_edges_and_bistatic_angles_change_what_they_should(plate):
    asked = dict(frequency=[3e9, 3.1e9], incidence_theta_deg=40, incidence_phi_deg=10)
    plain = rcs(plate, **asked)
    edged = rcs(plate, edge_diffraction=True, **asked)
    assert plain["rcs/vv"].shape == (2,)
    assert np.all(np.abs(plain["rcs/vv"] - edged["rcs/vv"]) > 1e-3)
    # The specular direction.
    seen = rcs(plate, observation_theta_deg=40, observation_phi_deg=[10, 190], **asked)
    assert seen["rcs/vv_dbsm"].reshape(2, 2)[0, 1] > plain["rcs/vv_dbsm"][0] + 20


def test_a_coated_plate_reflects_by_its_layers(plate):
    frequency, thickness, permittivity, permeability = 10e9, 1.5e-3, 16.9 - 0.337j, 1.45 - 1.73j
    asked = dict(frequency=frequency, incidence_theta_deg=0, incidence_phi_deg=0)
    metal = rcs(plate, **asked)
    coated = rcs(plate, coating=[(thickness, permittivity, permeability)], **asked)
    k = 2 * np.pi * frequency / 299792458
    impedance = 1j * np.sqrt(permeability / permittivity) * np.tan(k * thickness * np.sqrt(permeability * permittivity))
    reflection = (impedance - 1) / (impedance + 1)
    np.testing.assert_allclose(coated["rcs/vv"], -reflection * metal["rcs/vv"], rtol=1e-9)
    with pytest.raises(ValueError, match="edge diffraction"):
        rcs(plate, coating=[(thickness, permittivity, permeability)], edge_diffraction=True, **asked)


def test_what_is_wrong_is_said(plate, tmp_path):
    with pytest.raises(ValueError, match="rays.spacing"):
        rcs(plate, frequency=3e9, incidence_phi_deg=0, rays={"spacing": 0.0})
    with pytest.raises((ValueError, wf.ProblemError)):
        rcs(tmp_path / "none.stl", frequency=3e9, incidence_phi_deg=0)


#: Two squares of 20 cm that face +x: around (0.3, -0.4, 0) and around (-0.5, 0.4, 0).
PLATES = """\
v 0.3 -0.5 -0.1
v 0.3 -0.3 -0.1
v 0.3 -0.3 0.1
v 0.3 -0.5 0.1
v -0.5 0.3 -0.1
v -0.5 0.5 -0.1
v -0.5 0.5 0.1
v -0.5 0.3 0.1
f 1 2 3
f 1 3 4
f 5 6 7
f 5 7 8
"""


def test_profiles_images_and_centers_show_plates_where_they_are(tmp_path):
    path = tmp_path / "plates.obj"
    path.write_text(PLATES)
    result = rcs(
        path,
        frequency=np.linspace(9e9, 11e9, 32),
        incidence_phi_deg=np.linspace(-3.0, 3.0, 32),
        products={
            "range_profile": True,
            "image": True,
            "scattering_centers": {"count": 2},
            "image_domain": {"down_range": 0.075, "cross_range": 0.14},
            "surface_map": True,
        },
    )
    down = result["profile/down_range"]
    profile = result["profile/dbsm"]
    assert profile.shape == (32, down.size)
    # Nearly at the normal both plates answer, the near one (x = 0.3) at a down-range of -0.3 m.
    seen = profile[16]
    for place in (-0.3, 0.5):
        near = np.abs(down - place) < 0.2
        peak = down[near][np.argmax(seen[near])]
        assert abs(peak - place) < 0.05
    # Cross-range grows with +y, to the right of a radar on +x.
    for name in ("image", "direct_image"):
        image = result[f"{name}/dbsm"]
        across, along = result[f"{name}/cross_range"], result[f"{name}/down_range"]
        assert image.shape == (along.size, across.size)
        near = np.where(along[:, None] < 0.1, image, -np.inf)
        row, column = np.unravel_index(np.argmax(near), image.shape)
        assert abs(along[row] + 0.3) < 0.05 and -0.5 < across[column] < -0.3
    assert len(result.table("centers")["rcs"]) == 2
    assert result["surface/amplitude"].shape == (4,)
    whole = result["rcs/vv"].reshape(32, 32)[16, 16]
    # Other rays, which are laid out for this frequency alone.
    assert abs(result["surface/amplitude"].sum() - whole) < 0.02 * abs(whole)
    assert "Scattering centers" in result.report()


def test_products_say_what_a_sweep_lacks(plate):
    asked = dict(incidence_phi_deg=[0.0, 1.0])
    with pytest.raises(ValueError, match="at least 2 frequencies"):
        rcs(plate, frequency=3e9, products={"range_profile": True}, **asked)
    with pytest.raises(ValueError, match="uniform step"):
        rcs(plate, frequency=[3e9, 3.1e9, 3.3e9], products={"range_profile": True}, **asked)
    with pytest.raises(ValueError, match="monostatic"):
        rcs(plate, frequency=[3e9, 3.1e9], observation_phi_deg=5, products={"image": True}, **asked)
