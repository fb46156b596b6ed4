"""3-D method of moments: radar cross sections, surface currents, and antennas of conductors.

    import wavefield as wf

    almond = wf.mesh_body("almond.stl", unit="mm")
    result = wf.run(wf.mom3d.problem([almond], frequency=3.5e9, incidence_phi_deg=range(0, 181)))
    result["rcs/vv_dbsm"]                # monostatic, V transmitted and received
    result["current/v"]                  # [triangles, 3]: current under the first wave, times the impedance of vacuum

    port = {"kind": "delta-gap", "position": [0, 0, 0], "direction": [0, 0, 1], "radius": 0.01}
    dipole = wf.mesh_body("dipole.stl", unit="mm")
    result = wf.run(wf.mom3d.problem([dipole], frequency=[280e6, 300e6, 320e6], ports=[port]))
    result["network/z11"]                # input impedance, Ω
    result["network/s11"]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

from wavefield import scene
from wavefield.problem_types import Body, Excitation, Mom3dProblem, Mom3dSettings, NearField, Port
from wavefield.scene import Numbers

if TYPE_CHECKING:
    from typing_extensions import Unpack


def problem(
    bodies: Sequence[Body],
    *,
    frequency: Numbers,
    incidence_phi_deg: Optional[Numbers] = None,
    incidence_theta_deg: Numbers = 90.0,
    ports: Sequence[Port] = (),
    observation_phi_deg: Optional[Numbers] = None,
    observation_theta_deg: Numbers = 90.0,
    near_field: Optional[NearField] = None,
    title: str = "3-D method of moments",
    **settings: Unpack[Mom3dSettings],
) -> Mom3dProblem:
    """Returns the problem of the scattering by a conductor, or of an antenna with ports.

    ``frequency`` is in Hz. The excitation is one of two:

    - Plane waves are incident from every ``incidence_theta_deg`` with every ``incidence_phi_deg``. Observation is monostatic,
      or bistatic in every ``observation_theta_deg`` with every ``observation_phi_deg``.
    - ``ports`` are delta-gap sources; the results are scattering parameters and impedances, and the pattern in every
      ``observation_theta_deg`` with every ``observation_phi_deg``.

    ``near_field`` requests the total field at points, for the first plane wave (tables "near_field_v" and "near_field_h") or
    with 1 V behind the reference impedance of the first port and the other ports matched ("near_field_port").

    The mesh needs edges of about λ/10. ``settings`` are the ``equation`` (``{"kind": "auto"}``, "efie", or "cfie": closed
    surfaces only), the ``linear_solver`` (``{"kind": "lu"}``, or "aim": block GMRES with matrix–vector products by the
    adaptive integral method, for tens of thousands of edges and more), and ``symmetry`` operations, which map the mesh onto
    itself and divide the size of the matrices that are factored.
    """
    if (incidence_phi_deg is None) == (not ports):
        raise ValueError("the excitation is one of `incidence_phi_deg` and `ports`")
    excitation: Excitation = {"kind": "ports", "ports": ports}
    if incidence_phi_deg is not None:
        excitation = scene.plane_waves(incidence_phi_deg, incidence_theta_deg)
    observation = scene.observation(incidence_phi_deg is not None, observation_phi_deg, observation_theta_deg)
    built: Mom3dProblem = {
        "solver": "mom3d",
        "title": title,
        "frequency": scene.numbers(frequency),
        "bodies": bodies,
        "excitation": excitation,
        "mom3d": settings,
    }
    if observation is not None:
        built["observation"] = observation
    if near_field is not None:
        built["near_field"] = near_field
    return built
