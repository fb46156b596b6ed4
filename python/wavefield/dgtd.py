"""Discontinuous Galerkin time domain (DGTD) on tetrahedra.

    import wavefield as wf

    sphere = {"geometry": {"shape": "sphere", "radius": "300 mm"}, "material": {"permittivity": 4.0}, "mesh_size": "70 mm"}
    result = wf.dgtd.run(bodies=[sphere], domain={"mesh_size": "110 mm"}, frequency=900e6,
                         incidence_phi_deg=0, incidence_theta_deg=0, polarization="v",
                         observation_phi_deg=0, observation_theta_deg=range(0, 181))
    result["rcs/vv_dbsm"]                # bistatic radar cross section
    result["energy/1_energy"]            # energy in the mesh over time, dB
"""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Sequence, Union

from wavefield import problem
from wavefield.problem import Numbers, Table
from wavefield.result import Result
from wavefield.runner import Progress
from wavefield.runner import run as _run


def run(
    *,
    frequency: Numbers,
    bodies: Sequence[Mapping[str, Any]] = (),
    domain: Optional[Mapping[str, Any]] = None,
    mesh: Union[str, "os.PathLike[str]", None] = None,
    unit: Optional[str] = None,
    volumes: Optional[Mapping[str, Any]] = None,
    surfaces: Optional[Mapping[str, str]] = None,
    incidence_phi_deg: Optional[Numbers] = None,
    incidence_theta_deg: Numbers = 90.0,
    polarization: str = "both",
    dipoles: Sequence[Mapping[str, Any]] = (),
    ports: Sequence[Mapping[str, Any]] = (),
    observation_phi_deg: Optional[Numbers] = None,
    observation_theta_deg: Numbers = 90.0,
    order: int = 3,
    precision: str = "single",
    title: str = "DGTD",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
    **settings: Any,
) -> Result:
    """Advances the fields in time until they have decayed, and transforms them to every ``frequency`` (Hz).

    ``bodies`` stand in a ``domain`` that Gmsh meshes; both have the keys of a problem file: ``geometry``, ``material``,
    ``mesh_size``; ``mesh_size``, ``huygens_margin``, ``pml_gap``, ``pml_thickness``. A ``mesh`` file of tetrahedra with its
    ``unit`` replaces both; its named ``volumes`` and ``surfaces`` have materials and boundary conditions:
    ``{"glass": {"permittivity": 4.0}, "shell": "pml"}``, ``{"body": "pec", "box": "huygens"}``.

    The excitation is one of three: plane waves of a ``polarization`` ("v", "h", or "both"), incident from every
    ``incidence_theta_deg`` with every ``incidence_phi_deg``; ``dipoles`` (``position`` with units, ``moment`` in A·m); or
    lumped ``ports`` (``surface``, ``direction``, ``reference_impedance``). Scattering is observed monostatically, or in
    every ``observation_theta_deg`` with every ``observation_phi_deg``; radiation only there.

    ``order`` is the polynomial order of the basis functions, 1 to 8. ``settings`` are further keys of the table ``[dgtd]``
    of a problem file, such as ``cfl`` or ``stop``.
    """
    excitations: Sequence[Optional[Table]] = [
        None
        if incidence_phi_deg is None
        else problem.plane_wave(incidence_phi_deg, incidence_theta_deg, polarization),
        {"kind": "dipoles", "dipoles": dipoles} if dipoles else None,
        {"kind": "ports", "ports": [{"kind": "lumped", **port} for port in ports]} if ports else None,
    ]
    given = [excitation for excitation in excitations if excitation is not None]
    if len(given) != 1:
        raise ValueError("the excitation is one of `incidence_phi_deg`, `dipoles`, and `ports`")
    if incidence_phi_deg is None:
        observation = problem.far_field(observation_phi_deg, observation_theta_deg)
    else:
        observation = problem.scattering(observation_phi_deg, observation_theta_deg)
    file = None if mesh is None else problem.table(file=problem.path(mesh), unit=unit)
    dgtd = problem.table(
        domain=domain, mesh=file, volumes=volumes, surfaces=surfaces, order=order, precision=precision, **settings
    )
    return _run(
        problem.problem(
            "dgtd",
            title=title,
            frequency=frequency,
            bodies=bodies or None,
            excitation=given[0],
            observation=observation,
            dgtd=dgtd,
        ),
        threads=threads,
        progress=progress,
    )
