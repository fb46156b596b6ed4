"""3-D method of moments from Python."""

import numpy as np
import pytest

import wavefield as wf


def solve(mesh, open_surface=False, **asked):
    body = wf.mesh_body(mesh, unit="m", open_surface=open_surface)
    return wf.run(wf.mom3d.problem([body], **asked), progress=False)


@pytest.fixture
def octahedron(tmp_path):
    """A sphere of 0.3 m, an octahedron whose edges were halved three times."""
    points = [np.array(p, float) for p in [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]]
    faces = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    known = {}

    def middle(a, b):
        key = (min(a, b), max(a, b))
        if key not in known:
            between = points[a] + points[b]
            points.append(between / np.linalg.norm(between))
            known[key] = len(points) - 1
        return known[key]

    for _ in range(3):
        halved = []
        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            halved += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        faces = halved
    path = tmp_path / "sphere.obj"
    lines = [f"v {x} {y} {z}" for x, y, z in (0.3 * p for p in points)]
    path.write_text("\n".join(lines + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]) + "\n")
    return path


def test_a_sphere_is_its_series(octahedron):
    asked = dict(frequency=300e6, incidence_phi_deg=0.0)
    phi = np.arange(0.0, 181.0, 20.0)
    exact = wf.exact.sphere(0.3, 300e6, observation_phi_deg=phi)
    factored = solve(octahedron, observation_phi_deg=phi, **asked)
    iterated = solve(octahedron, observation_phi_deg=phi, linear_solver={"kind": "aim"}, **asked)
    motions = [{"kind": "mirror", "normal": [1, 0, 0]}, {"kind": "rotation", "axis": [1, 0, 0], "fold": 4}]
    folded = solve(octahedron, observation_phi_deg=phi, symmetry=motions, **asked)
    np.testing.assert_allclose(folded["rcs/vv"], factored["rcs/vv"], rtol=1e-4)
    for channel, wanted in (("rcs/vv", exact.vv), ("rcs/hh", exact.hh)):
        wanted = np.ravel(wanted)
        largest = np.abs(wanted).max()
        # Facets of this mesh enclose 2.5 % less than the sphere.
        np.testing.assert_allclose(factored[channel], wanted, atol=0.05 * largest)
        np.testing.assert_allclose(iterated[channel], factored[channel], atol=1e-3 * largest)
    assert factored["current/v"].shape == (512, 3)
    assert factored.table("diagnostics")["extinction_error"][0] < 0.05


def test_what_cannot_be_is_refused(tmp_path):
    plate = tmp_path / "plate.obj"
    plate.write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n")
    with pytest.raises(ValueError, match="closed, consistently oriented surface"):
        solve(plate, open_surface=True, frequency=30e6, incidence_phi_deg=0, equation={"kind": "cfie"})
    plate.write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n")
    with pytest.raises(ValueError, match="no edge between two triangles"):
        solve(plate, open_surface=True, frequency=30e6, incidence_phi_deg=0)


def test_a_strip_is_a_dipole(tmp_path):
    width, length, pieces = 0.02, 0.47, 24
    points = [(x, 0.0, length * (i / pieces - 0.5)) for i in range(pieces + 1) for x in (-width / 2, width / 2)]
    faces = []
    for i in range(pieces):
        a = 2 * i + 1
        faces += [(a, a + 1, a + 3), (a, a + 3, a + 2)]
    strip = tmp_path / "strip.obj"
    strip.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in points) + "".join(f"f {a} {b} {c}\n" for a, b, c in faces))
    port = {"kind": "delta-gap", "position": [0, 0, 0], "direction": [0, 0, 1], "radius": 0.01, "reference_impedance": 73.0}
    plane = {"start": [-0.5, 0.05, -0.5], "stop": [0.5, 0.05, 0.5], "points": [5, 1, 7]}
    result = solve(
        strip,
        open_surface=True,
        frequency=[290e6, 300e6],
        ports=[port],
        observation_phi_deg=[0, 90],
        near_field=plane,
    )
    z = result["network/z11"]
    assert 60 < z[1].real < 90 and -25 < z[1].imag < 35
    np.testing.assert_allclose(result["network/s11"], (z - 73) / (z + 73), atol=1e-9)
    np.testing.assert_allclose(result["pattern/directivity"], 2.15, atol=0.1)
    near_field = result.table("near_field_port")
    assert set(near_field["frequency"]) == {290e6, 300e6} and near_field["e_z"].shape == (70,)
    assert not np.array_equal(near_field["e_z"][:35], near_field["e_z"][35:])
    assert result.table("diagnostics")["power_balance"].max() < 1e-4
    with pytest.raises(ValueError, match="does not intersect the conductor"):
        far = {**port, "position": [1, 0, 0]}
        solve(strip, open_surface=True, frequency=300e6, ports=[far])
