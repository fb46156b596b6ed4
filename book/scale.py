"""Measures how cost grows with size: each solver at three sizes, time and memory of the whole command.

    python book/scale.py

Needs the `wavefield` command on the path, or named by $WAVEFIELD, as a release build on a quiet machine. Writes the table of
the page on scale.
"""

import json
import math
import os
import subprocess
import tempfile
from pathlib import Path

PAGES = Path(__file__).resolve().parent / "src"
COMMAND = os.environ.get("WAVEFIELD", "wavefield")

DGTD = """
format = 1
solver = "dgtd"
frequency = "1 GHz"
[[bodies]]
name = "sphere"
geometry = {{ shape = "sphere", radius = "150 mm" }}
material = "pec"
[excitation]
kind = "plane-wave"
theta = "0 deg"
phi = "0 deg"
[observation]
kind = "bistatic"
theta = "180 deg"
phi = "0 deg"
[dgtd]
order = 3
stop = {{ max_time = "5 ns" }}
[dgtd.domain]
mesh_size = "{edge} mm"
huygens_margin = "60 mm"
pml_gap = "60 mm"
pml_thickness = "160 mm"
"""

SBR = """
format = 1
solver = "sbr"
frequency = "{frequency} GHz"
[[bodies]]
geometry = {{ shape = "trihedral", side = "1 m" }}
material = "pec"
[excitation]
kind = "plane-wave"
theta = "55 deg"
phi = {{ start = "30 deg", stop = "60 deg", step = "5 deg" }}
[observation]
kind = "monostatic"
"""

MOM2D = """
format = 1
solver = "mom2d"
frequency = "{frequency} MHz"
[[bodies]]
geometry = {{ shape = "ellipse", semi_axes = ["10 m", "5 m"] }}
material = "pec"
[excitation]
kind = "plane-wave"
phi = "180 deg"
polarization = "tm"
[observation]
kind = "bistatic"
phi = {{ start = "0 deg", stop = "360 deg", step = "1 deg" }}
[mom2d]
error_estimate = "none"
"""

REFLECTARRAY = """
format = 1
solver = "reflectarray"
frequency = "14.25 GHz"
[feed]
position = ["0 m", "-0.276 m", "1 m"]
q = 12
[lattice]
columns = {side}
rows = {side}
spacing = "0.5 lambda"
[coverage]
ellipse = {{ center = [0.0, 0.1], semi_axes = [0.1, 0.06] }}
"""

HOLOGRAPHY = """
format = 1
solver = "holography"
frequency = ["500 Hz", "1 kHz", "2 kHz"]
hologram_z = "5 cm"
reconstruction_z = "1 cm"
[array]
columns = {side}
rows = {side}
pitch = "2 cm"
[measurement]
kind = "simulated"
seed = 1
sources = [{{ kind = "monopole", center = ["-10 cm", "5 cm"], volume_velocity = 2e-5 }}]
"""

# Solver, what is counted, problem, sizes: the setting of each and how much there is, where the result does not tell.
LADDERS = [
    ("dgtd", "tetrahedra of order 3, 5 ns", DGTD, "edge", [80, 56, 40]),
    ("sbr", "wavelengths along a trihedral corner", SBR, "frequency", [12, 24, 48]),
    ("mom2d", "wavelengths around an ellipse", MOM2D, "frequency", [600, 1200, 2400]),
    ("reflectarray", "elements", REFLECTARRAY, "side", [20, 40, 80]),
    ("holography", "microphones", HOLOGRAPHY, "side", [16, 32, 64]),
]


def size(solver, value, record):
    """How large a problem is, in what its row counts."""
    if solver == "dgtd":
        return int(record["summary"].split()[0])
    if solver == "sbr":
        return value / 0.299792458
    if solver == "mom2d":
        around = math.pi * (3 * 15 - math.sqrt((3 * 10 + 5) * (10 + 3 * 5)))
        return around * value / 299.792458
    return value**2


def measure(text):
    """Seconds and peak memory of the command, and the record of its result, whatever its checks say of a short run."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "problem.toml").write_text(text, encoding="utf-8")
        script = (
            "import resource, subprocess, sys, time; start = time.monotonic(); "
            "subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL); "
            "print(time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        )
        told = subprocess.run(
            ["python3", "-c", script, COMMAND, "--quiet", "run"], cwd=folder, check=True, capture_output=True, text=True
        )
        seconds, kilobytes = map(float, told.stdout.split())
        return seconds, kilobytes / 1024, json.loads((Path(folder) / "result/result.json").read_text(encoding="utf-8"))


def main():
    rows = ["| solver | counted | size | seconds | memory, MiB | memory planned, MiB | time grows as size to the |", "|---|---|---|---|---|---|---|"]
    for solver, counted, text, key, values in LADDERS:
        before = None
        for value in values:
            seconds, peak, record = measure(text.format(**{key: value}))
            found = size(solver, value, record)
            growth = "" if before is None else f"{math.log(seconds / before[1]) / math.log(found / before[0]):.1f}"
            rows.append(f"| {solver} | {counted} | {found:.0f} | {seconds:.3g} | {peak:.0f} | {record['memory'] / 2**20:.0f} | {growth} |")
            print(rows[-1], flush=True)
            before = (found, seconds)
    (PAGES / "scale_table.md").write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
