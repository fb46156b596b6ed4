"""The package as a user has it: results, exact solutions, errors, interrupts, the command."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import plane_figures
import wavefield as wf


def test_a_run_returns_arrays_tables_and_a_report(tmp_path):
    result = wf.run(wf.examples()["exact/sphere"])
    assert result["rcs/vv"].dtype == np.complex128 and result["rcs/vv"].shape == (721,)
    assert result["pattern/vv_dbsm"].ndim == 2
    assert result["mesh/triangles"].dtype == np.uint32
    table = result.table("rcs")
    np.testing.assert_allclose(table["vv_dbsm"], 20 * np.log10(np.abs(table["vv"])), atol=1e-9)
    assert result.accuracy < 1e-12 and "Conducting sphere" in repr(result)
    page = result.report()
    assert page.startswith("<!doctype html>") and "wf-view" in page
    folder = result.save(tmp_path / "out")
    again = wf.load(folder)
    np.testing.assert_array_equal(again["rcs/hh"], result["rcs/hh"])
    assert set(again) == set(result)
    loaded = np.load(folder / "arrays.npz")
    np.testing.assert_array_equal(loaded["rcs/vv"], result["rcs/vv"])


def test_a_problem_file_is_read_from_disk(tmp_path):
    path = tmp_path / "problem.toml"
    path.write_text(wf.examples()["exact/cylinder"], encoding="utf-8")
    assert "current/tm" in wf.run(path)
    with pytest.raises(FileNotFoundError, match="examples"):
        wf.run(tmp_path / "other.toml")


def test_mistakes_in_a_problem_are_shown_together():
    text = wf.examples()["exact/sphere"].replace("radius", "radios").replace('"1 GHz"', '"1 mm"')
    with pytest.raises(wf.ProblemError) as caught:
        wf.run(text)
    message = str(caught.value)
    assert "did you mean `radius`" in message and "measures length" in message


def test_results_are_the_same_on_any_number_of_threads():
    text = wf.examples()["exact/sphere-coated"]
    first = wf.run(text, threads=1)
    second = wf.run(text, threads=3)
    np.testing.assert_array_equal(first["rcs/vv"], second["rcs/vv"])


def test_sphere_agrees_with_the_run_and_broadcasts():
    result = wf.run(wf.examples()["exact/sphere"])
    table = result.table("rcs")
    scattering = wf.exact.sphere(0.3, 1e9, observation_phi_deg=table["phi"])
    np.testing.assert_allclose(scattering.vv, table["vv"], rtol=1e-12, atol=1e-13)
    grid = wf.exact.sphere(0.3, 1e9, observation_theta_deg=[[30.0], [60.0]], observation_phi_deg=[0, 45, 90])
    assert grid.hh.shape == (2, 3)


def test_a_coated_sphere_is_that_of_a_problem():
    layers = [wf.CoatingLayer(0.02, 3 - 0.1j), wf.CoatingLayer(0.01, 2, 1.5 - 0.2j)]
    phi = np.arange(0, 181, 45)
    scattering = wf.exact.sphere(0.3, 1e9, observation_phi_deg=phi, permittivity=4, coating=layers)
    result = wf.run(
        {
            "solver": "exact",
            "frequency": "1 GHz",
            "bodies": [
                {
                    "geometry": {"shape": "sphere", "radius": "0.3 m"},
                    "material": {"permittivity": 4},
                    "coatings": [
                        {
                            "layers": [
                                {"thickness": "20 mm", "material": {"permittivity": 3 - 0.1j}},
                                {"thickness": "10 mm", "material": {"permittivity": 2, "permeability": 1.5 - 0.2j}},
                            ]
                        }
                    ],
                }
            ],
            "excitation": {"kind": "plane-wave", "phi": "0 deg"},
            "observation": {"kind": "bistatic", "phi": [f"{angle} deg" for angle in phi]},
        }
    )
    np.testing.assert_allclose(scattering.vv, result["rcs/vv"], rtol=1e-12)
    bare = wf.exact.sphere(0.3, 1e9, observation_phi_deg=phi, permittivity=4)
    assert np.all(np.abs(scattering.vv - bare.vv) > 1e-3)


def test_optical_limit_of_a_large_sphere():
    # σ → πa² within 1/ka.
    scattering = wf.exact.sphere(1.0, 30e9, observation_phi_deg=0.0)
    assert abs(scattering.vv_dbsm - 10 * np.log10(np.pi)) < 0.02


def test_any_stride_and_dtype_is_taken():
    angles = np.arange(0, 360, dtype=np.int16)
    plain = wf.exact.sphere(0.3, 1e9, observation_phi_deg=angles.astype(float)[::3])
    for odd in (
        angles[::3],
        list(angles[::3]),
        np.asfortranarray(np.tile(angles.astype(np.float32), (3, 1)))[1, ::3],
        _unaligned(angles.astype(float)[::3]),
        angles.astype(">f8")[::3],
    ):
        np.testing.assert_array_equal(wf.exact.sphere(0.3, 1e9, observation_phi_deg=odd).vv, plain.vv)


def _unaligned(values):
    raw = np.zeros(values.size * 8 + 1, dtype=np.uint8)
    raw[1:] = np.frombuffer(values.tobytes(), dtype=np.uint8)
    array = raw[1:].view(np.float64)
    assert not array.flags.aligned
    return array


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: wf.exact.sphere(-1, 1e9, observation_phi_deg=0), ValueError, "positive"),
        (lambda: wf.exact.sphere(1, 1e9, observation_phi_deg=[0, np.nan]), ValueError, "not finite"),
        (lambda: wf.exact.sphere(1, 1e9, observation_phi_deg="north"), TypeError, "real numbers"),
        (lambda: wf.exact.sphere(1, 1e9, observation_phi_deg=[1, 2], observation_theta_deg=[1, 2, 3]), ValueError, "broadcast"),
        (lambda: wf.exact.sphere(1, 1e9, observation_phi_deg=0, permittivity=2 + 1j), ValueError, "negative imaginary"),
        (lambda: wf.exact.cylinder(1, 1e9, observation_phi_deg=0, polarization="x"), ValueError, "tm"),
        (lambda: wf.run(wf.examples()["exact/sphere"], device="gpux"), ValueError, "gpux"),
        (lambda: wf.exact.sphere(1, 1e9, observation_phi_deg=0, permeability=5), ValueError, "permittivity"),
        (lambda: wf.exact.sphere(1e10, 1e12, observation_phi_deg=0), ValueError, "the limit is"),
        (lambda: wf.exact.sphere(1, 1e9, observation_phi_deg=0, incidence_theta_deg=np.nan), ValueError, "incidence_theta_deg"),
        (lambda: wf.exact.sphere(1, 1e9, observation_phi_deg=0, coating=[(1, 2)]), ValueError, "thick"),
        (lambda: wf.exact.sphere(1, 1e9, observation_phi_deg=0, coating=[(-0.1, 2)]), ValueError, "thickness"),
        (lambda: wf.exact.piston(0.1, 1e3, r=0, z=1, fluid=wf.Fluid(1.2, 0.0)), ValueError, "speed of sound"),
        (lambda: wf.exact.plate((1, 1), (0, 1), 1e3, x=0, y=0, z=1), ValueError, "mode"),
        (lambda: wf.run(wf.examples()["exact/sphere"])["nothing"], KeyError, "rcs/vv"),
        (lambda: wf.load("no-such-folder"), ValueError, "no-such-folder"),
    ],
)
def test_errors_say_what_is_wrong(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_empty_arrays_give_empty_results():
    assert wf.exact.sphere(0.3, 1e9, observation_phi_deg=[]).vv.shape == (0,)


def test_dielectric_cylinder_without_contrast_scatters_nothing():
    field = wf.exact.cylinder(0.3, 1e9, observation_phi_deg=[0, 90], permittivity=1.0)
    assert np.abs(field.amplitude).max() < 1e-14


def test_half_plane_vanishes_on_the_screen():
    field = wf.exact.half_plane(10.0, rho=np.linspace(0.1, 5, 20), observation_phi_deg=0.0, incidence_phi_deg=60.0)
    assert np.abs(field).max() < 1e-12


def test_piston_on_axis():
    k, a, z = 2 * np.pi * 4000 / 343, 0.1, np.linspace(0, 1, 11)
    pressure = np.abs(wf.exact.piston(a, 4000, r=0.0, z=z))
    expected = 2 * 1.204 * 343 * np.abs(np.sin(k * (np.hypot(z, a) - z) / 2))
    np.testing.assert_allclose(pressure, expected, atol=1e-9)


def test_plate_pressure_is_antisymmetric_in_an_even_mode():
    left = wf.exact.plate((0.4, 0.4), (2, 1), 1000, x=0.1, y=0.2, z=0.05)
    right = wf.exact.plate((0.4, 0.4), (2, 1), 1000, x=0.3, y=0.2, z=0.05)
    assert abs(left + right) < 1e-10 * abs(left)


def test_plots_show_every_figure():
    pytest.importorskip("matplotlib").use("Agg")
    result = wf.run(wf.examples()["exact/cylinder"])
    figure = result.plot()
    assert len(figure.axes) == len(result.record["figures"]) >= 4


def test_maps_and_scatters_are_plotted_with_their_color_bars(tmp_path):
    pytest.importorskip("matplotlib").use("Agg")
    result = wf.load(plane_figures.save(tmp_path / "result"))
    page = result.plot()
    page.canvas.draw()
    assert len(page.axes) == len(result.record["figures"]) + 2
    # A color bar comes after the axes it belongs to.
    beam, phases = page.axes[0], page.axes[2]
    assert len(beam.lines) == 2 and beam.get_aspect() == phases.get_aspect() == 1.0


LONG = textwrap.dedent(
    """
    format = 1
    solver = "exact"
    frequency = "10 GHz"
    bodies = [{ geometry = { shape = "sphere", radius = "20 m" }, material = "pec" }]
    excitation = { kind = "plane-wave", phi = "0 deg" }
    observation = { kind = "bistatic", phi = { start = "0 deg", stop = "360 deg", count = 1000000 } }
    """
)


def test_progress_is_handed_to_a_function():
    seen = []
    wf.run(wf.examples()["exact/sphere"], progress=lambda *event: seen.append(event))
    assert seen and seen[-1][0] == "aspects" and seen[-1][1] == seen[-1][2] == 721


def test_progress_comes_while_the_run_goes_on():
    seen = []

    def watch(stage, done, total, residual):
        seen.append((done, total))
        if len(seen) >= 3:
            raise RuntimeError("seen enough")

    with pytest.raises(RuntimeError, match="seen enough"):
        wf.run(LONG, progress=watch)
    assert all(0 < done < total for done, total in seen)


def test_an_error_in_the_progress_function_stops_the_run():
    def refuse(*_):
        raise RuntimeError("enough")

    start = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        wf.run(LONG, progress=refuse)
    assert time.monotonic() - start < 20


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_interrupt_stops_a_run_from_python():
    code = f"import wavefield as wf\nprint('go', flush=True)\nwf.run({LONG!r}, progress=False)\n"
    _interrupted([sys.executable, "-c", code], ready=b"go", expected=(-signal.SIGINT, 130, 1), said="KeyboardInterrupt")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_interrupt_stops_the_command_with_130(tmp_path):
    (tmp_path / "problem.toml").write_text(LONG, encoding="utf-8")
    command = [sys.executable, "-m", "wavefield.command", "run", str(tmp_path / "problem.toml"), "--out", str(tmp_path / "out")]
    # The folder is made just before the work begins.
    _interrupted(command, ready=tmp_path / "out", expected=(130,))
    assert not (tmp_path / "out" / "result.json").exists()


def _interrupted(command, ready, expected, said=""):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if isinstance(ready, bytes):
        assert process.stdout.readline().strip() == ready
    else:
        deadline = time.monotonic() + 60
        while not ready.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
    time.sleep(2.0)
    assert process.poll() is None, "the run ended before it could be interrupted"
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=30)[1].decode()
    assert process.returncode in expected, errors
    assert said in errors
    assert time.monotonic() - start < 10


def test_the_wheel_brings_the_command():
    listed = subprocess.run(["wavefield", "new", "--list"], capture_output=True, text=True, check=True)
    assert "exact/sphere" in listed.stdout.splitlines()
    doctor = subprocess.run(["wavefield", "doctor", "--json"], capture_output=True, text=True, check=True)
    assert json.loads(doctor.stdout)["cpu"]["logical_cores"] >= 1
