"""Results: pickling, mapped arrays, labeled arrays, networks, tables, and notebooks."""

import copy
import json
import pickle
import zipfile

import numpy as np
import pytest

import wavefield as wf

SPHERE = {"geometry": {"shape": "sphere", "radius": 0.05}, "material": "pec"}


@pytest.fixture(scope="module")
def sphere():
    """Two frequencies, one direction of incidence, three polar angles, five azimuths."""
    problem = wf.exact.problem(
        [SPHERE],
        frequency=[1e9, 2e9],
        incidence_phi_deg=0,
        observation_theta_deg=[30, 60, 90],
        observation_phi_deg=[0, 45, 90, 135, 180],
        title="A <sphere> & more",
    )
    return wf.run(problem, progress=False)


@pytest.fixture(scope="module")
def sweep():
    """Monostatic scattering over angles, from which an image is formed."""
    problem = wf.sbr.problem(
        [{"geometry": {"shape": "plate", "width": 0.2, "height": 0.1}, "material": "pec"}],
        frequency=np.linspace(9e9, 11e9, 16),
        incidence_theta_deg=np.linspace(0, 6, 12),
        incidence_phi_deg=0,
        products={"range_profile": True, "surface_map": True},
    )
    return wf.run(problem, progress=False)


@pytest.fixture(scope="module")
def two_ports(tmp_path_factory):
    """Two strips of 0.47 m, side by side, with a port each."""
    lines, count = [], 0
    for x in (0.0, 0.2):
        places = [(x + side, 0.0, 0.47 * (i / 12 - 0.5)) for i in range(13) for side in (-0.01, 0.01)]
        lines += [f"v {a} {b} {c}" for a, b, c in places]
        for i in range(12):
            a = count + 2 * i + 1
            lines += [f"f {a} {a + 1} {a + 3}", f"f {a} {a + 3} {a + 2}"]
        count += len(places)
    mesh = tmp_path_factory.mktemp("strips") / "strips.obj"
    mesh.write_text("\n".join(lines) + "\n")
    port = {"kind": "delta-gap", "direction": [0, 0, 1], "radius": 0.01, "reference_impedance": 75.0}
    problem = wf.mom3d.problem(
        [wf.mesh_body(mesh, unit="m", open_surface=True)],
        frequency=[290e6, 300e6, 310e6],
        ports=[{**port, "position": [0, 0, 0]}, {**port, "position": [0.2, 0, 0]}],
    )
    return wf.run(problem, progress=False)


def same(a, b):
    return list(a) == list(b) and all(
        np.array_equal(a[name], b[name], equal_nan=True) and a[name].dtype == b[name].dtype for name in a
    )


def test_a_result_can_be_pickled_and_copied(sphere, tmp_path):
    for again in (pickle.loads(pickle.dumps(sphere)), copy.deepcopy(sphere)):
        assert same(sphere, again) and again.record == sphere.record
        assert again.report() == sphere.report()
    compared = wf.compare({"a": sphere, "b": sphere})
    again = pickle.loads(pickle.dumps(compared))
    assert same(compared, again) and again.agreement == compared.agreement


def test_arrays_are_read_only_and_not_copied(sphere):
    assert sphere["rcs/vv"] is sphere["rcs/vv"]
    with pytest.raises(ValueError, match="read-only"):
        sphere["rcs/vv"][0] = 0
    with pytest.raises(KeyError, match="choose from: rcs/frequency"):
        sphere["rcs/nothing"]


def test_a_folder_is_mapped(sphere, tmp_path):
    loaded = wf.load(sphere.save(tmp_path / "result"))
    assert same(sphere, loaded)
    for name, array in loaded.items():
        # Aligned for vector instructions, and not in the heap.
        assert array.ctypes.data % 64 == 0 and not array.flags.owndata, name
    assert same(pickle.loads(pickle.dumps(loaded)), sphere)
    # A result that replaces the folder leaves the arrays in use as they are.
    wf.run({"solver": "exact", "frequency": 3e9, "bodies": [SPHERE], "excitation": {"kind": "plane-wave", "phi": "0 deg"}, "observation": {"kind": "monostatic"}}).save(tmp_path / "result")
    assert same(sphere, loaded)
    assert wf.load(tmp_path / "result")["rcs/vv"].size == 1


def test_an_archive_of_numpy_is_read(sphere, tmp_path):
    folder = sphere.save(tmp_path / "result")
    # NumPy pads the header of an array, but not its place in the archive: some of the arrays are not aligned.
    np.savez(folder / "arrays.npz", x=np.arange(3.0), **{name: np.asarray(array) for name, array in sphere.items()})
    loaded = wf.load(folder)
    assert all(np.array_equal(loaded[name], sphere[name], equal_nan=True) for name in sphere)
    assert all(array.flags.aligned for array in loaded.values())
    assert same(wf.load(loaded.save(tmp_path / "again")), loaded)


def test_arrays_that_are_not_aligned_are_refused(sphere, tmp_path):
    values = np.frombuffer(bytes(17), np.uint8)[1:].view(np.float64)
    assert not values.flags.aligned
    with pytest.raises(ValueError, match="`rcs/vv_dbsm` are not aligned in memory"):
        wf.Result(json.dumps(sphere.record), {**sphere, "rcs/vv_dbsm": values}).save(tmp_path / "result")


def test_a_damaged_archive_is_refused(sphere, tmp_path):
    folder = sphere.save(tmp_path / "result")
    (folder / "arrays.npz").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="arrays.npz is not an archive"):
        wf.load(folder)
    with zipfile.ZipFile(folder / "arrays.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", b"\x00" * 1000)
    with pytest.raises(ValueError, match="compressed"):
        wf.load(folder)


def test_labeled_arrays_have_dimensions_coordinates_and_units(sphere):
    xarray = pytest.importorskip("xarray")
    rcs = sphere.to_xarray("rcs")
    assert dict(rcs.sizes) == {"frequency": 2, "theta": 3, "phi": 5}
    assert rcs.vv.dims == ("frequency", "theta", "phi") and rcs.vv.dtype == np.complex128
    assert rcs.frequency.attrs["units"] == "Hz" and rcs.phi.attrs["units"] == "deg"
    assert rcs.vv_dbsm.attrs["units"] == "dBsm" and float(rcs.phi_i) == 0.0
    table = sphere.table("rcs")
    for row in range(30):
        at = {name: table[name][row] for name in ("frequency", "theta", "phi")}
        assert rcs.vv.sel(at).item() == table["vv"][row]
    tree = sphere.to_xarray()
    assert isinstance(tree, xarray.DataTree)
    np.testing.assert_array_equal(tree["rcs/hh"].values.ravel(), rcs.hh.values.ravel())
    assert tree.attrs["title"] == "A <sphere> & more"
    with pytest.raises(KeyError, match="choose from: rcs"):
        sphere.to_xarray("nothing")


def test_monostatic_angles_are_one_dimension(sweep):
    pytest.importorskip("xarray")
    rcs = sweep.to_xarray("rcs")
    assert dict(rcs.sizes) == {"frequency": 16, "theta": 12, "phi": 1}
    assert rcs.theta_i.dims == ("theta",)
    profile = sweep.to_xarray("profile")
    assert profile.amplitude.dims == ("aspect", "down_range") and profile.down_range.attrs["units"] == "m"
    np.testing.assert_allclose(profile.theta.values, rcs.theta.values, atol=1e-8)
    np.testing.assert_array_equal(profile.amplitude.values, sweep["profile/amplitude"])


def test_one_file_holds_all_groups(sweep, tmp_path):
    xarray = pytest.importorskip("xarray")
    file = sweep.to_netcdf(tmp_path / "result.nc")
    with xarray.open_dataset(file, group="rcs", engine="h5netcdf") as rcs:
        xarray.testing.assert_identical(rcs.load(), sweep.to_xarray("rcs"))
    with xarray.open_datatree(file, engine="h5netcdf") as tree:
        assert set(tree.groups) >= {"/", "/rcs", "/profile", "/surface"}
        assert tree.attrs["problem_sha256"] == sweep.record["problem_sha256"]
        np.testing.assert_array_equal(tree["profile/amplitude"].values, sweep["profile/amplitude"])


def small_results():
    """Yields small results of solvers that label arrays."""
    circle = {"geometry": {"shape": "circle", "radius": 0.2}, "material": "pec"}
    source = {"kind": "monopole", "center": [0.0, 0.0], "volume_velocity": 1e-5}
    heights = {"hologram_z": 0.05, "reconstruction_z": 0.01}
    for problem in [
        wf.mom2d.problem([circle], frequency=3e8, incidence_phi_deg=0, error_estimate="none"),
        wf.mom3d.problem([{**SPHERE, "mesh_size": 0.04}], frequency=1e9, incidence_phi_deg=0),
        wf.holography.problem([source], frequency=[600, 1000], array=(8, 16, 0.025), **heights),
    ]:
        yield wf.run(problem, progress=False)


def test_every_labeled_array_has_the_shape_of_its_dimensions(sphere, sweep, two_ports):
    pytest.importorskip("xarray")
    labeled = set()
    for result in [sphere, sweep, two_ports, *small_results()]:
        for variable in result.record.get("variables", []):
            array = result[variable["array"]]
            labeled.add(variable["array"])
            assert array.ndim == len(variable["dimensions"]), variable
            for dimension, length in zip(variable["dimensions"], array.shape):
                assert "/" not in dimension or len(result[dimension]) == length, variable
        tree = result.to_xarray()
        assert all(table in tree for table in result.tables)
    assert labeled >= {"field/intensity", "profile/amplitude", "surface/dbsm", "current/v", "network/parameters"}


def test_tables_are_frames(sphere):
    pandas = pytest.importorskip("pandas")
    frame = sphere.to_pandas("rcs")
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 30
    np.testing.assert_array_equal(frame["vv"], sphere["rcs/vv"])
    assert frame.attrs["units"]["vv_dbsm"] == "dBsm"
    assert list(sphere.to_pandas()) == list(frame)


def test_ports_are_the_network_of_the_touchstone_file(two_ports, tmp_path):
    skrf = pytest.importorskip("skrf")
    network = two_ports.to_skrf()
    assert network.s.shape == (3, 2, 2) and np.all(network.z0 == 75.0)
    folder = two_ports.save(tmp_path / "result")
    (file,) = folder.glob("*.s2p")
    read = skrf.Network(str(file))
    np.testing.assert_array_equal(read.s, network.s)
    np.testing.assert_array_equal(read.f, network.f)
    np.testing.assert_array_equal(network.s[:, 1, 0], two_ports["network/s21"])
    np.testing.assert_allclose(network.z[:, 0, 0], two_ports["network/z11"], rtol=1e-9)
    parameters = two_ports.to_xarray("network").parameters
    assert parameters.dims == ("frequency", "receiving_port", "driven_port")


def test_a_result_without_ports_is_no_network(sphere):
    pytest.importorskip("skrf")
    with pytest.raises(ValueError, match="no S-parameters"):
        sphere.to_skrf()


def test_a_surface_has_its_quantities(sweep):
    from wavefield.labeled import surface

    points, triangles, quantities = surface(sweep)
    assert points.shape[1] == triangles.shape[1] == 3 and triangles.max() < len(points)
    assert {"surface/dbsm", "surface/amplitude.real", "surface/amplitude.imag"} <= set(quantities)
    assert all(len(values) == len(triangles) for values in quantities.values())


def test_a_notebook_shows_figures_and_failures(sphere):
    shown = sphere._repr_html_()
    assert "A &lt;sphere&gt; &amp; more" in shown and "<sphere>" not in shown
    assert "<svg" in shown and len(shown) < 200_000
    figures = sphere.figures
    assert len(figures) == len(figures.titles) >= 1
    first = figures[0]
    assert figures[first.title].svg == first.svg == figures[-len(figures)].svg
    assert first._repr_svg_().startswith("<svg") or first._repr_svg_().startswith("<?xml")
    assert first.plot().axes
    with pytest.raises(KeyError, match="unknown figure"):
        figures["nothing"]
    with pytest.raises(IndexError):
        figures[len(figures)]
