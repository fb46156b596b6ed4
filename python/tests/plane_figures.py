"""A result with a map and a scatter: a beam over its coverage, and the phases of a reflectarray."""

import json

import numpy as np

import wavefield as wf


def save(folder):
    """Write the result of an example with the two figures added, and return its folder."""
    wf.run(wf.examples()["exact/sphere"]).save(folder)
    with np.load(folder / "arrays.npz") as stored:
        arrays = dict(stored)
    u = np.linspace(-0.12, 0.12, 121)
    beam = np.sinc((u[None, :] - 0.02) * 22) * np.sinc((u[:, None] + 0.01) * 15)
    with np.errstate(divide="ignore"):
        arrays["beam/directivity"] = 31 + 20 * np.log10(np.abs(beam))
    arrays["beam/directivity"][np.hypot(*np.meshgrid(u, u)) > 0.125] = np.nan
    turn = np.linspace(0, 2 * np.pi, 181)
    arrays["coverage/x"] = 0.02 + (0.032 + 0.004 * np.cos(3 * turn)) * np.cos(turn)
    arrays["coverage/y"] = -0.01 + 0.045 * np.sin(turn)
    arrays["coast/x"] = np.concatenate([u, [np.nan], 0.05 + 0.02 * np.cos(turn)])
    arrays["coast/y"] = np.concatenate([0.06 + 0.01 * np.sin(90 * u), [np.nan], -0.07 + 0.012 * np.sin(turn)])
    x, y = (axis.ravel() * 0.012 for axis in np.meshgrid(np.arange(71) - 35.0, np.arange(71) - 35.0))
    arrays["elements/x"], arrays["elements/y"] = x, y
    path = np.sqrt((x + 0.3) ** 2 + y**2 + 0.9**2) - 0.25 * x
    arrays["elements/phase"] = (np.degrees(2 * np.pi * path / 0.025) + 180) % 360 - 180
    np.savez(folder / "arrays.npz", **arrays)
    record = json.loads((folder / "result.json").read_text())
    record["figures"] = FIGURES + record["figures"]
    (folder / "result.json").write_text(json.dumps(record))
    return folder


def _series(name, arrays):
    return {"name": name, "x": f"{arrays}/x", "y": f"{arrays}/y"}


FIGURES = [
    {
        "title": "Directivity", "caption": "Directivity over the Earth as the satellite sees it.",
        "kind": {
            "map": {
                "array": "beam/directivity", "x": [-0.12, 0.12], "y": [-0.12, 0.12], "equal_aspect": True,
                "colors": {"label": "directivity", "unit": "dBi"}, "contours": [28, 21, 11],
            }
        },
        "x_label": "u", "x_unit": "", "y_label": "v", "y_unit": "",
        "series": [_series("coverage", "coverage"), _series("coastline", "coast")],
    },
    {
        "title": "Phases of the elements", "caption": "Reflection phase of 71 × 71 elements, seen from the feed.",
        "kind": {
            "scatter": {
                "x": "elements/x", "y": "elements/y", "values": "elements/phase",
                "colors": {"label": "phase", "unit": "deg", "map": "cyclic"},
            }
        },
        "x_label": "x", "x_unit": "m", "y_label": "y", "y_unit": "m", "series": [],
    },
]
