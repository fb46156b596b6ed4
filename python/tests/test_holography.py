"""Acoustic holography from Python."""

import numpy as np
import pytest

import wavefield as wf

SOURCES = [
    {"kind": "monopole", "center": ["-4 cm", "3 cm"], "volume_velocity": 5e-5},
    {"kind": "monopole", "center": ["9 cm", "-2 cm"], "volume_velocity": 3e-5},
]
GRID = (16, 24, 0.02)
BIN = 1.5e6 / 32768


def monopole(x, y, z, frequency):
    """Pressure of a monopole of 5e-5 m³/s at the origin."""
    omega = 2 * np.pi * frequency
    density, speed = wf.holography.AIR
    r = np.sqrt(x**2 + y**2 + z**2)
    return 1j * omega * density * 5e-5 * np.exp(-1j * omega / speed * r) / (4 * np.pi * r)


def positions():
    rows, columns, pitch = GRID
    x = (np.arange(columns) - (columns - 1) / 2) * pitch
    y = -(np.arange(rows) - (rows - 1) / 2) * pitch
    return np.meshgrid(x, y)


def error(found, exact):
    return np.sqrt(np.sum(np.abs(found - exact) ** 2) / np.sum(np.abs(exact) ** 2))


def solve(*sources, **asked):
    return wf.run(wf.holography.problem(*sources, **asked), progress=False)


def test_simulated_sources_are_reconstructed_and_the_error_is_stated():
    result = solve(SOURCES, frequency=[600, 1000], hologram_z=0.05, reconstruction_z=0.02, array=GRID)
    assert result["field/pressure"].shape == (2, 16, 24)
    assert result["field/intensity"].shape == (2, 16, 24, 3)
    assert np.all(result["frequencies/hologram_error"] < 0.02)
    for number in range(2):
        stated = result["frequencies/error"][number]
        assert stated < 0.2
        found = error(result["field/pressure"][number], result["exact/pressure"][number])
        assert found == pytest.approx(stated, rel=1e-9)


def test_a_hologram_is_back_propagated_to_its_source():
    x, y = positions()
    pressure = monopole(x, y, 0.05, 1000.0)
    random = np.random.default_rng(1)
    noise = 0.01 * np.sqrt(np.mean(np.abs(pressure) ** 2) / 2)
    hologram = pressure + noise * (random.standard_normal(x.shape) + 1j * random.standard_normal(x.shape))
    found = wf.holography.reconstruct(hologram, frequency=1000.0, distance=0.04)
    assert error(found.pressure, monopole(x, y, 0.01, 1000.0)) < 0.2
    assert found.noise == pytest.approx(noise * np.sqrt(2), rel=0.25)
    fixed = wf.holography.reconstruct(hologram[:, ::-1][:, ::-1], frequency=1000.0, distance=0.04, regularization=found.regularization)
    np.testing.assert_array_equal(fixed.pressure, found.pressure)


def test_a_stream_gives_what_its_holograms_give():
    x, y = positions()
    frequencies = [6 * 8 * BIN / 2, 11 * 8 * BIN / 2]
    bits = wf.holography.simulate_pdm(
        {frequency: monopole(x, y, 0.05, frequency) for frequency in frequencies}, clocks=14 * 1024
    )
    assert bits.shape == (14 * 1024, 16 * 24 // 32) and bits.dtype == np.uint32
    stream = wf.holography.StreamingHolography(frequencies, distance=0.04, array=GRID, frame=256, hop=32, order=10)
    np.testing.assert_allclose(stream.frequencies, frequencies)
    # In pieces that are not hops.
    pieces = [stream.push(piece) for piece in np.array_split(bits, 9)]
    fields = np.concatenate(pieces)
    assert fields.dtype == np.complex64 and fields.shape == (14 - 8, 2, 16, 24)
    for number, frequency in enumerate(frequencies):
        hologram = stream.hologram(number)
        assert error(np.abs(hologram), np.abs(monopole(x, y, 0.05, frequency))) < 0.02
        whole = wf.holography.reconstruct(hologram, frequency=frequency, distance=0.04, regularization=1e-3, order=10)
        assert error(fields[-1, number], whole.pressure) < 1e-4
    stream.restart()
    again = stream.push(bits.tobytes())
    np.testing.assert_array_equal(again, fields)


def test_a_recording_is_solved_from_its_file(tmp_path):
    x, y = positions()
    frequency = 22 * BIN
    bits = wf.holography.simulate_pdm({frequency: monopole(x, y, 0.05, frequency)}, clocks=33000)
    path = tmp_path / "room.bits"
    path.write_bytes(bits.astype("<u4").tobytes())
    result = solve(recording=path, frequency=frequency, hologram_z=0.05, reconstruction_z=0.02, array=GRID)
    level = np.abs(result["field/pressure"][0])
    row, column = np.unravel_index(np.argmax(level), level.shape)
    assert abs(x[row, column]) <= 0.011 and abs(y[row, column]) <= 0.011


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="either `sources` or a `recording`"):
        solve(frequency=1000, hologram_z=0.05, reconstruction_z=0.01)
    with pytest.raises((ValueError, wf.ProblemError), match="reconstruction_z"):
        solve(SOURCES, frequency=1000, hologram_z=0.05, reconstruction_z=0.06)
    with pytest.raises(ValueError, match="rows and columns"):
        wf.holography.reconstruct(np.ones(8), frequency=1000.0, distance=0.04)
    with pytest.raises(ValueError, match="linear-prediction"):
        wf.holography.StreamingHolography([1000], distance=0.04, border="mirror")
    with pytest.raises(ValueError, match="multiples of 8"):
        wf.holography.simulate_pdm({1000.0: np.ones((12, 16))}, clocks=64)
    with pytest.raises(TypeError, match="uint32"):
        wf.holography.StreamingHolography([1000], distance=0.04).push(np.zeros(8))
