"""Integral equations on surfaces: radar cross sections and currents of conducting bodies, with their error known.

    import wavefield as wf

    result = wf.mom_3d.rcs("almond.stl", unit="mm", frequency=3.5e9, phi_deg=range(0, 181))
    result["rcs/vv_dbsm"]                # monostatic, V transmitted and received
    result["current/v"]                  # [triangles, 3]: the current under the first wave, times the impedance of space
    result.table("solution")             # what is known of the error
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Optional, Union

from wavefield.problem_text import Numbers, quantities
from wavefield.result import Result
from wavefield.runner import Progress, run


def rcs(
    mesh: Union[str, "os.PathLike[str]"],
    *,
    unit: str,
    frequency: Numbers,
    phi_deg: Numbers,
    theta_deg: Numbers = 90.0,
    seen_phi_deg: Optional[Numbers] = None,
    seen_theta_deg: Numbers = 90.0,
    equation: str = "auto",
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
    is the combined field on closed surfaces and the electric field on open ones.

    The matrix is factored, or, with ``fft``, never made: products are computed through a grid, and GMRES stops at a residual of
    ``tolerance``. That is for tens of thousands of edges and more.
    """
    if seen_phi_deg is None:
        observation = 'observation = { kind = "monostatic" }'
    else:
        theta, phi = quantities(seen_theta_deg, "deg"), quantities(seen_phi_deg, "deg")
        observation = f'observation = {{ kind = "bistatic", theta = {theta}, phi = {phi} }}'
    file = json.dumps(str(Path(mesh).resolve()))
    solver = f'{{ kind = "fft", tolerance = {float(tolerance)!r} }}' if fft else '{ kind = "lu" }'
    text = "\n".join(
        [
            "format = 1",
            'solver = "mom-3d"',
            f"title = {json.dumps(title)}",
            f"frequency = {quantities(frequency, 'Hz')}",
            f'target = {{ shape = "mesh", mesh = {{ file = {file}, unit = {json.dumps(unit)} }} }}',
            f"incidence = {{ theta = {quantities(theta_deg, 'deg')}, phi = {quantities(phi_deg, 'deg')} }}",
            observation,
            f"equation = {{ kind = {json.dumps(equation)} }}",
            f"linear_solver = {solver}",
            "",
        ]
    )
    return run(text, threads=threads, progress=progress)
