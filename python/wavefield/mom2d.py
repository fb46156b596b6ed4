"""2-D method of moments: scattering by infinite cylinders along z, from their cross-sections.

    import wavefield as wf

    circle = {"geometry": {"shape": "circle", "radius": "1 m"}, "material": "pec"}
    result = wf.mom2d.solve([circle], frequency=477e6, incidence_phi_deg=180, observation_phi_deg=range(0, 361))
    result["current/tm"]                 # surface current along the contour, E along z
    result.tables                        # scattering width, diagnostics, error estimates
"""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

from wavefield import problem
from wavefield.problem import Kind, Numbers
from wavefield.result import Result
from wavefield.runner import Progress, run


def solve(
    bodies: Sequence[Mapping[str, Any]],
    *,
    frequency: Numbers,
    incidence_phi_deg: Numbers,
    observation_phi_deg: Optional[Numbers] = None,
    polarization: str = "both",
    equation: Optional[Kind] = None,
    method: Optional[Kind] = None,
    linear_solver: Optional[Kind] = None,
    error_estimate: str = "coarser",
    title: str = "2-D method of moments",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
) -> Result:
    """Computes the surface currents and scattering widths of infinite cylinders under plane waves, with an error estimate.

    ``bodies`` have the keys of a problem file: ``{"geometry": {"shape": "circle", "radius": "1 m"}, "material": "pec"}``, or
    the shapes "ellipse" (``semi_axes``), "polygon", "spline", and "strip" (``points``), "mesh" (``file``, ``unit``); lengths
    have units. A material is "pec", ``{"permittivity": 4 - 0.1j}``, or ``{"surface_impedance": 0.5}``. ``frequency`` is in
    Hz. Plane waves are incident from every ``incidence_phi_deg``; observation is monostatic, or bistatic in every
    ``observation_phi_deg``. ``polarization`` is "tm" (E along z), "te" (H along z), or "both".

    ``equation`` is "efie", "mfie", or "cfie", ``method`` "nystrom", "kress", or "pulse", ``linear_solver`` "lu", "gmres", or
    "mlfma"; a dictionary adds settings: ``{"kind": "nystrom", "order": 8, "points_per_wavelength": 16}``,
    ``{"kind": "cfie", "alpha": 0.5}``. ``error_estimate`` requests a second solution on "coarser" or "finer" panels, or
    "none".
    """
    settings = problem.table(
        equation=problem.kind(equation),
        method=problem.kind(method),
        linear_solver=problem.kind(linear_solver),
        error_estimate=error_estimate,
    )
    return run(
        problem.problem(
            "mom2d",
            title=title,
            frequency=frequency,
            bodies=bodies,
            excitation=problem.plane_wave(incidence_phi_deg, polarization=polarization),
            observation=problem.scattering(observation_phi_deg),
            mom2d=settings,
        ),
        threads=threads,
        progress=progress,
    )
