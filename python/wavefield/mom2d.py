"""2-D method of moments: scattering by infinite cylinders along z, from their cross-sections.

    import wavefield as wf

    circle = {"geometry": {"shape": "circle", "radius": 1.0}, "material": "pec"}
    problem = wf.mom2d.problem([circle], frequency=477e6, incidence_phi_deg=180, observation_phi_deg=range(0, 361))
    result = wf.run(problem)
    result["current/tm"]                 # surface current along the contour, E along z
    result.tables                        # scattering width, diagnostics, error estimates
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

from wavefield import scene
from wavefield.problem_types import Body, Mom2dProblem, Mom2dSettings, Polarization
from wavefield.scene import Numbers

if TYPE_CHECKING:
    from typing_extensions import Unpack


def problem(
    bodies: Sequence[Body],
    *,
    frequency: Numbers,
    incidence_phi_deg: Numbers,
    observation_phi_deg: Optional[Numbers] = None,
    polarization: Polarization = "both",
    title: str = "2-D method of moments",
    **settings: Unpack[Mom2dSettings],
) -> Mom2dProblem:
    """Returns the problem of the surface currents and scattering widths of infinite cylinders under plane waves.

    ``bodies`` are cross-sections of the shapes "circle", "ellipse", "polygon", "spline", "strip", and "mesh". A material is
    "pec", ``{"permittivity": 4 - 0.1j}``, or ``{"surface_impedance": 0.5}``. ``frequency`` is in Hz. Plane waves are incident
    from every ``incidence_phi_deg``; observation is monostatic, or bistatic in every ``observation_phi_deg``.
    ``polarization`` is "tm" (E along z), "te" (H along z), or "both".

    ``settings`` are the ``equation`` ("efie", "mfie", or "cfie"), the ``method`` ("nystrom", "kress", or "pulse"), the
    ``linear_solver`` ("lu", "gmres", or "mlfma"), each as its ``kind``: ``{"kind": "cfie", "alpha": 0.5}``; and the
    ``error_estimate``, a second solution on "coarser" or "finer" panels, or "none".
    """
    return {
        "solver": "mom2d",
        "title": title,
        "frequency": scene.numbers(frequency),
        "bodies": bodies,
        "excitation": scene.plane_waves(incidence_phi_deg, polarization=polarization),
        "observation": scene.scattering(observation_phi_deg),
        "mom2d": settings,
    }
