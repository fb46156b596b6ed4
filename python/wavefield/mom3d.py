"""3-D method of moments: radar cross sections, surface currents, and antennas of conductors.

    import wavefield as wf

    result = wf.mom3d.rcs("almond.stl", unit="mm", frequency=3.5e9, incidence_phi_deg=range(0, 181))
    result["rcs/vv_dbsm"]                # monostatic, V transmitted and received
    result["current/v"]                  # [triangles, 3]: current under the first wave, times the impedance of vacuum

    port = wf.mom3d.Port(position=(0, 0, 0), direction=(0, 0, 1), radius=0.01)
    result = wf.mom3d.antenna("dipole.stl", unit="mm", frequency=[280e6, 300e6, 320e6], ports=[port])
    result["network/z11"]                # input impedance, Ω
    result["network/s11"]
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Optional, Sequence, Union

from wavefield import problem
from wavefield.problem import Kind, Numbers, Table
from wavefield.result import Result
from wavefield.runner import Progress, run


@dataclass(frozen=True)
class Port:
    """A delta-gap source in the plane through ``position`` (m) normal to ``direction``, within ``radius`` (m)."""

    position: Sequence[float]
    #: Direction in which the port current flows.
    direction: Sequence[float]
    radius: float
    #: Reference impedance of S-parameters, Ω.
    reference_impedance: float = 50.0

    def _table(self) -> Table:
        return {
            "kind": "delta-gap",
            "position": problem.sweep(self.position, "m"),
            "direction": _numbers(self.direction),
            "radius": problem.quantity(self.radius, "m"),
            "reference_impedance": self.reference_impedance,
        }


@dataclass(frozen=True)
class NearField:
    """Points of a box, a plane, or a line: ``points`` along x, y, and z between two corners (m)."""

    start: Sequence[float]
    stop: Sequence[float]
    points: Sequence[int]

    def _table(self) -> Table:
        start, stop = (problem.sweep(corner, "m") for corner in (self.start, self.stop))
        return {"start": start, "stop": stop, "points": self.points}


@dataclass(frozen=True)
class Mirror:
    """A mirror plane through the origin, by its ``normal``."""

    normal: Sequence[float]

    def _table(self) -> Table:
        return {"kind": "mirror", "normal": _numbers(self.normal)}


@dataclass(frozen=True)
class Rotation:
    """A rotation about an ``axis`` through the origin, by a ``fold``-th of a full turn."""

    axis: Sequence[float]
    fold: int

    def _table(self) -> Table:
        return {"kind": "rotation", "axis": _numbers(self.axis), "fold": self.fold}


Symmetry = Sequence[Union[Mirror, Rotation]]


def rcs(
    mesh: Union[str, "os.PathLike[str]"],
    *,
    unit: str,
    frequency: Numbers,
    incidence_phi_deg: Numbers,
    incidence_theta_deg: Numbers = 90.0,
    observation_phi_deg: Optional[Numbers] = None,
    observation_theta_deg: Numbers = 90.0,
    near_field: Optional[NearField] = None,
    open_surface: bool = False,
    max_edge_length: Optional[float] = None,
    equation: Kind = "auto",
    symmetry: Symmetry = (),
    linear_solver: Kind = "lu",
    tolerance: Optional[float] = None,
    title: str = "Radar cross section",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
) -> Result:
    """Computes the scattering by the conducting surface in a mesh file (STL, OBJ, Gmsh, INP) with coordinates in ``unit``.
    A mesh with open edges is an error unless ``open_surface`` confirms an infinitely thin sheet.

    ``frequency`` is in Hz. Plane waves are incident from every ``incidence_theta_deg`` with every ``incidence_phi_deg``.
    Observation is monostatic, or bistatic in every ``observation_theta_deg`` with every ``observation_phi_deg``.
    ``near_field`` requests the total field at points for the first plane wave: tables "near_field_v" and "near_field_h".

    The mesh needs edges of about λ/10; with ``max_edge_length`` (m) Gmsh remeshes the surface. ``equation`` is "efie",
    "cfie" (closed surfaces only), or "auto": the CFIE on closed surfaces and the EFIE on open ones.

    ``linear_solver`` is "lu", which factors the dense matrix, or "aim": block GMRES with matrix–vector products by the
    adaptive integral method, down to a residual of ``tolerance`` (default 1e-4), for tens of thousands of edges and more.
    Dictionaries add settings, such as ``{"kind": "aim", "restart": 200}``. ``symmetry`` operations, which map the mesh onto
    itself, divide the size of the matrices that are factored.
    """
    return run(
        problem.problem(
            "mom3d",
            title=title,
            frequency=frequency,
            bodies=[problem.mesh_body(mesh, unit, open_surface=open_surface, max_edge_length=max_edge_length)],
            excitation=problem.plane_wave(incidence_phi_deg, incidence_theta_deg),
            observation=problem.scattering(observation_phi_deg, observation_theta_deg),
            near_field=near_field and near_field._table(),
            mom3d=_settings(symmetry, linear_solver, tolerance, equation),
        ),
        threads=threads,
        progress=progress,
    )


def antenna(
    mesh: Union[str, "os.PathLike[str]"],
    *,
    unit: str,
    frequency: Numbers,
    ports: Sequence[Port],
    observation_phi_deg: Optional[Numbers] = None,
    observation_theta_deg: Numbers = 90.0,
    near_field: Optional[NearField] = None,
    open_surface: bool = False,
    max_edge_length: Optional[float] = None,
    symmetry: Symmetry = (),
    linear_solver: Kind = "lu",
    tolerance: Optional[float] = None,
    title: str = "Antenna",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
) -> Result:
    """Computes scattering parameters, impedances, and the pattern of a conducting antenna in a mesh file, excited at ports.

    The pattern is observed in every ``observation_theta_deg`` with every ``observation_phi_deg``, and ``near_field`` at
    points (table "near_field_port"), with 1 V behind the reference impedance of the first port and the other ports matched.
    Mesh, symmetry, and linear solver are those of :func:`rcs`.
    """
    return run(
        problem.problem(
            "mom3d",
            title=title,
            frequency=frequency,
            bodies=[problem.mesh_body(mesh, unit, open_surface=open_surface, max_edge_length=max_edge_length)],
            excitation={"kind": "ports", "ports": [port._table() for port in ports]},
            observation=problem.far_field(observation_phi_deg, observation_theta_deg),
            near_field=near_field and near_field._table(),
            mom3d=_settings(symmetry, linear_solver, tolerance),
        ),
        threads=threads,
        progress=progress,
    )


def _settings(
    symmetry: Symmetry, linear_solver: Kind, tolerance: Optional[float], equation: Optional[Kind] = None
) -> Table:
    return problem.table(
        equation=problem.kind(equation),
        symmetry=[operation._table() for operation in symmetry],
        linear_solver=problem.kind(linear_solver, tolerance=tolerance),
    )


def _numbers(values: Sequence[float]) -> "list[float]":
    return [float(value) for value in values]
