"""3-D method of moments: radar cross sections and currents of conducting bodies, with their error known.

    import wavefield as wf

    result = wf.mom3d.rcs("almond.stl", unit="mm", frequency=3.5e9, phi_deg=range(0, 181))
    result["rcs/vv_dbsm"]                # monostatic, V transmitted and received
    result["current/v"]                  # [triangles, 3]: the current under the first wave, times the impedance of space
    result.table("solution")             # what is known of the error

    port = wf.mom3d.Port(at=(0, 0, 0), direction=(0, 0, 1), radius=0.01)
    result = wf.mom3d.antenna("dipole.stl", unit="mm", frequency=[280e6, 300e6, 320e6], ports=[port])
    result["network/z11"]                # impedance, ohms
    result["network/s11"]
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Optional, Sequence, Union

from wavefield.problem_text import Numbers, quantities
from wavefield.result import Result
from wavefield.runner import Progress, run


@dataclass(frozen=True)
class Port:
    """A gap of no width, driven by a voltage: in the plane across ``direction``, as far as ``radius`` from ``at`` (m)."""

    at: Sequence[float]
    direction: Sequence[float]
    radius: float
    resistance: float = 50.0

    def _text(self) -> str:
        at = ", ".join(f'"{float(x)!r} m"' for x in self.at)
        direction = ", ".join(repr(float(x)) for x in self.direction)
        return (
            f"{{ at = [{at}], direction = [{direction}], "
            f'radius = "{float(self.radius)!r} m", resistance = {float(self.resistance)!r} }}'
        )


@dataclass(frozen=True)
class NearField:
    """Points of a box, a plane or a line: ``points`` along x, y and z between two corners (m)."""

    start: Sequence[float]
    stop: Sequence[float]
    points: Sequence[int]

    def _text(self) -> str:
        start, stop = (
            ", ".join(f'"{float(x)!r} m"' for x in corner) for corner in (self.start, self.stop)
        )
        counts = ", ".join(str(int(count)) for count in self.points)
        return f"near_field = {{ from = [{start}], to = [{stop}], points = [{counts}] }}"


@dataclass(frozen=True)
class Mirror:
    """A plane through the origin, across ``normal``, in which a body is its own image."""

    normal: Sequence[float]

    def _text(self) -> str:
        normal = ", ".join(repr(float(x)) for x in self.normal)
        return f'{{ kind = "mirror", normal = [{normal}] }}'


@dataclass(frozen=True)
class Rotation:
    """An axis through the origin about which a body is turned onto itself, ``fold`` times in a full turn."""

    axis: Sequence[float]
    fold: int

    def _text(self) -> str:
        axis = ", ".join(repr(float(x)) for x in self.axis)
        return f'{{ kind = "rotation", axis = [{axis}], fold = {int(self.fold)} }}'


Symmetry = Sequence[Union[Mirror, Rotation]]


def rcs(
    mesh: Union[str, "os.PathLike[str]"],
    *,
    unit: str,
    frequency: Numbers,
    phi_deg: Numbers,
    theta_deg: Numbers = 90.0,
    seen_phi_deg: Optional[Numbers] = None,
    seen_theta_deg: Numbers = 90.0,
    near_field: Optional[NearField] = None,
    equation: str = "auto",
    symmetry: Symmetry = (),
    fft: bool = False,
    tolerance: float = 1e-4,
    title: str = "Radar cross section",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
) -> Result:
    """Scattering by the conducting surface in a mesh file (STL, OBJ, Gmsh, INP), whose coordinates are in ``unit``.

    ``frequency`` is in Hz; waves come from every ``theta_deg`` with every ``phi_deg`` and are looked at from where
    they come from, or from every ``seen_theta_deg`` with every ``seen_phi_deg`` where these are given. The mesh is taken as
    it is: edges should be about a tenth of a wavelength. ``equation`` is "efie", "cfie" (closed surfaces only) or "auto", which
    is the combined field on closed surfaces and the electric field on open ones. ``near_field`` asks for the whole field at
    points, under the first wave: tables "near_field_v" and "near_field_h".

    The matrix is factored, or, with ``fft``, never made: products are computed through a grid, and GMRES stops at a residual of
    ``tolerance``. That is for tens of thousands of edges and more. A mesh that is its own image under the motions of ``symmetry`` has as
    many times smaller matrices to be factored.
    """
    if seen_phi_deg is None:
        observation = 'observation = { kind = "monostatic" }'
    else:
        theta, phi = quantities(seen_theta_deg, "deg"), quantities(seen_phi_deg, "deg")
        observation = f'observation = {{ kind = "bistatic", theta = {theta}, phi = {phi} }}'
    return _run(
        mesh,
        unit,
        [
            f"title = {json.dumps(title)}",
            f"frequency = {quantities(frequency, 'Hz')}",
            f"incidence = {{ theta = {quantities(theta_deg, 'deg')}, phi = {quantities(phi_deg, 'deg')} }}",
            observation,
            f"equation = {{ kind = {json.dumps(equation)} }}",
            _symmetry(symmetry),
            _solver(fft, tolerance),
        ],
        near_field,
        threads,
        progress,
    )


def antenna(
    mesh: Union[str, "os.PathLike[str]"],
    *,
    unit: str,
    frequency: Numbers,
    ports: Sequence[Port],
    phi_deg: Optional[Numbers] = None,
    theta_deg: Numbers = 90.0,
    near_field: Optional[NearField] = None,
    symmetry: Symmetry = (),
    fft: bool = False,
    tolerance: float = 1e-4,
    title: str = "Antenna",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
) -> Result:
    """A conducting antenna in a mesh file, driven at ports: scattering parameters, impedances and pattern.

    The pattern is looked at in every ``theta_deg`` with every ``phi_deg``, and ``near_field`` at points (table
    "near_field_port"), with 1 V behind the resistance of the first port and the others loaded with theirs.
    """
    directions = []
    if phi_deg is not None:
        theta, phi = quantities(theta_deg, "deg"), quantities(phi_deg, "deg")
        directions = [f"directions = {{ theta = {theta}, phi = {phi} }}"]
    return _run(
        mesh,
        unit,
        [
            f"title = {json.dumps(title)}",
            f"frequency = {quantities(frequency, 'Hz')}",
            f"ports = [{', '.join(port._text() for port in ports)}]",
            *directions,
            _symmetry(symmetry),
            _solver(fft, tolerance),
        ],
        near_field,
        threads,
        progress,
    )


def _symmetry(symmetry: Symmetry) -> str:
    return f"symmetry = [{', '.join(motion._text() for motion in symmetry)}]"


def _solver(fft: bool, tolerance: float) -> str:
    chosen = f'kind = "fft", tolerance = {float(tolerance)!r}' if fft else 'kind = "lu"'
    return f"linear_solver = {{ {chosen} }}"


def _run(
    mesh: Union[str, "os.PathLike[str]"],
    unit: str,
    lines: Sequence[str],
    near_field: Optional[NearField],
    threads: Optional[int],
    progress: Union[bool, Progress, None],
) -> Result:
    file = json.dumps(str(Path(mesh).resolve()))
    text = [
        "format = 1",
        'solver = "mom3d"',
        *lines,
        f'target = {{ shape = "mesh", mesh = {{ file = {file}, unit = {json.dumps(unit)} }} }}',
    ]
    if near_field is not None:
        text.append(near_field._text())
    return run("\n".join([*text, ""]), threads=threads, progress=progress)
