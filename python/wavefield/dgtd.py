"""Discontinuous Galerkin time domain (DGTD) on tetrahedra.

    import wavefield as wf

    sphere = {"geometry": {"shape": "sphere", "radius": 0.3}, "material": {"permittivity": 4.0}, "mesh_size": 0.07}
    problem = wf.dgtd.problem([sphere], domain={"mesh_size": 0.11}, frequency=900e6,
                              incidence_phi_deg=0, incidence_theta_deg=0, polarization="v",
                              observation_phi_deg=0, observation_theta_deg=range(0, 181))
    result = wf.run(problem)
    result["rcs/vv_dbsm"]                # bistatic radar cross section
    result["energy/1_energy"]            # energy in the mesh over time, dB
"""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Sequence

from wavefield import scene
from wavefield.problem_types import (
    Body,
    DgtdProblem,
    DgtdSettings,
    Dipole,
    Excitation,
    Polarization,
    Port,
)
from wavefield.scene import Numbers

if TYPE_CHECKING:
    from typing_extensions import Unpack


def problem(
    bodies: Sequence[Body] = (),
    *,
    frequency: Numbers,
    incidence_phi_deg: Optional[Numbers] = None,
    incidence_theta_deg: Numbers = 90.0,
    polarization: Polarization = "both",
    dipoles: Sequence[Dipole] = (),
    ports: Sequence[Port] = (),
    observation_phi_deg: Optional[Numbers] = None,
    observation_theta_deg: Numbers = 90.0,
    title: str = "DGTD",
    **settings: Unpack[DgtdSettings],
) -> DgtdProblem:
    """Returns the problem of fields that advance in time until they have decayed, and their spectra at every ``frequency`` (Hz).

    The excitation is one of three: plane waves of a ``polarization`` ("v", "h", or "both"), incident from every
    ``incidence_theta_deg`` with every ``incidence_phi_deg``; ``dipoles`` (``position`` in m, ``moment`` in A·m); or
    lumped ``ports`` (``surface``, ``direction``, ``reference_impedance``). Scattering is observed monostatically, or in
    every ``observation_theta_deg`` with every ``observation_phi_deg``; radiation only there.

    ``settings`` are the keys of the table ``[dgtd]`` of a problem file. ``bodies`` stand in a ``domain`` that Gmsh meshes
    (``mesh_size``, ``huygens_margin``, ``pml_gap``, ``pml_thickness``); a ``mesh`` (``file``, ``unit``) of tetrahedra replaces
    both, with ``volumes`` and ``surfaces``: ``{"glass": {"permittivity": 4.0}, "shell": "pml"}``,
    ``{"body": "pec", "box": "huygens"}``. ``order`` is the polynomial order of the basis functions, 1 to 8.
    """
    excitations: List[Excitation] = []
    if incidence_phi_deg is not None:
        excitations.append(scene.plane_waves(incidence_phi_deg, incidence_theta_deg, polarization))
    if dipoles:
        excitations.append({"kind": "dipoles", "dipoles": dipoles})
    if ports:
        excitations.append({"kind": "ports", "ports": ports})
    if len(excitations) != 1:
        raise ValueError("the excitation is one of `incidence_phi_deg`, `dipoles`, and `ports`")
    observation = scene.observation(incidence_phi_deg is not None, observation_phi_deg, observation_theta_deg)
    built: DgtdProblem = {
        "solver": "dgtd",
        "title": title,
        "frequency": scene.numbers(frequency),
        "excitation": excitations[0],
        "dgtd": settings,
    }
    if bodies:
        built["bodies"] = bodies
    if observation is not None:
        built["observation"] = observation
    return built
