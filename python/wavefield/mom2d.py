"""2-D method of moments: scattering by long bodies along z, from their cross-sections.

    import wavefield as wf

    circle = {"shape": "circle", "radius": "1 m", "material": "pec"}
    result = wf.mom2d.solve([circle], frequency=477e6, phi_deg=180, seen_phi_deg=range(0, 361))
    result["width/tm_dbm"]               # scattering width, E along z
    result["current/tm"]                 # surface current along the contour
    result.table("certificate")          # what is known of the error
"""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional, Sequence, Union

from wavefield.problem_text import Numbers, quantities, written
from wavefield.result import Result
from wavefield.runner import Progress, run


def solve(
    bodies: Sequence[Mapping[str, Any]],
    *,
    frequency: Numbers,
    phi_deg: Numbers,
    seen_phi_deg: Optional[Numbers] = None,
    polarisation: str = "both",
    equation: Optional[Mapping[str, Any]] = None,
    method: Optional[Mapping[str, Any]] = None,
    linear_solver: Optional[Mapping[str, Any]] = None,
    certificate: str = "coarser",
    title: str = "Integral equation in two dimensions",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
) -> Result:
    """Solve for the current on long bodies under plane waves, and find out its error.

    ``bodies`` have the keys of the problem file: ``{"shape": "circle", "radius": "1 m", "material": "pec"}``, or
    "ellipse" (``semi_axes``), "polygon", "spline" and "strip" (``points``); lengths with their unit. A material is
    "pec", ``{"permittivity": [4.0, -0.1]}`` or ``{"impedance": 0.5}``. ``frequency`` is in Hz; waves come from every
    ``phi_deg`` and are looked at from where they come from, or from every ``seen_phi_deg`` where these are given.
    ``polarisation`` is "tm" (E along z), "te" or "both".

    ``equation`` is ``{"kind": "efie"}``, "mfie" or "cfie" (with ``alpha``), ``method`` ``{"kind": "nystrom", "order": 8,
    "points_per_wavelength": 16}``, "kress" or "pulse", ``linear_solver`` ``{"kind": "lu"}``, "gmres" or "fast".
    ``certificate`` asks for a second solution on "coarser" or "finer" panels, or "none".
    """
    if seen_phi_deg is None:
        observation = 'observation = { kind = "monostatic" }'
    else:
        observation = f'observation = {{ kind = "bistatic", phi = {quantities(seen_phi_deg, "deg")} }}'
    chosen = {"equation": equation, "method": method, "linear_solver": linear_solver}
    text = "\n".join(
        [
            "format = 1",
            'solver = "mom2d"',
            f"title = {json.dumps(title)}",
            f"frequency = {quantities(frequency, 'Hz')}",
            f"polarisation = {json.dumps(polarisation)}",
            f"bodies = {written(bodies)}",
            f"incidence = {{ phi = {quantities(phi_deg, 'deg')} }}",
            observation,
            f"certificate = {json.dumps(certificate)}",
            *(f"{key} = {written(value)}" for key, value in chosen.items() if value is not None),
            "",
        ]
    )
    return run(text, threads=threads, progress=progress)
