"""Shooting and bouncing rays: radar cross sections of electrically large conducting bodies.

    import wavefield as wf

    result = wf.sbr.rcs("aircraft.stl", unit="mm", frequency=10e9, phi_deg=range(0, 181))
    result["rcs/vv_dbsm"]                # monostatic, V transmitted and received
    result["rcs/vv"]                     # √σ·e^{j phase}, the phase of the origin of coordinates
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Iterable, Optional, Sequence, Union

from wavefield.result import Result
from wavefield.runner import Progress, run

#: One number or several.
Numbers = Union[float, Iterable[float]]


def rcs(
    mesh: Union[str, "os.PathLike[str]"],
    *,
    unit: str,
    frequency: Numbers,
    phi_deg: Numbers,
    theta_deg: Numbers = 90.0,
    seen_phi_deg: Optional[Numbers] = None,
    seen_theta_deg: Numbers = 90.0,
    step: float = 0.25,
    halvings: int = 4,
    bounces: int = 8,
    edges: bool = False,
    title: str = "Radar cross section",
    threads: Optional[int] = None,
    progress: Union[bool, Progress, None] = None,
) -> Result:
    """Scattering by the surface in a mesh file (STL, OBJ, Gmsh, INP), whose coordinates are in ``unit``.

    ``frequency`` is in Hz; waves come from every ``theta_deg`` with every ``phi_deg`` and are looked at from where
    they come from, or from every ``seen_theta_deg`` with every ``seen_phi_deg`` where these are given. ``step`` is the
    side of a ray's cell in wavelengths of the highest frequency, ``halvings`` how often it may be divided at
    silhouettes and edges, ``bounces`` the most reflections. With ``edges`` sharp edges and rims diffract.
    """
    if seen_phi_deg is None:
        observation = 'observation = { kind = "monostatic" }'
    else:
        theta, phi = _list(seen_theta_deg, "deg"), _list(seen_phi_deg, "deg")
        observation = f'observation = {{ kind = "bistatic", theta = {theta}, phi = {phi} }}'
    file = json.dumps(str(Path(mesh).resolve()))
    text = "\n".join(
        [
            "format = 1",
            'solver = "sbr"',
            f"title = {json.dumps(title)}",
            f"frequency = {_list(frequency, 'Hz')}",
            f'target = {{ shape = "mesh", mesh = {{ file = {file}, unit = {json.dumps(unit)} }} }}',
            f"incidence = {{ theta = {_list(theta_deg, 'deg')}, phi = {_list(phi_deg, 'deg')} }}",
            observation,
            f"rays = {{ step = {float(step)!r}, halvings = {int(halvings)}, bounces = {int(bounces)} }}",
            f"edges = {'true' if edges else 'false'}",
            "",
        ]
    )
    return run(text, threads=threads, progress=progress)


def _list(values: Numbers, unit: str) -> str:
    """Numbers with their unit, as a problem file has them."""
    numbers: Sequence[float] = [values] if isinstance(values, (int, float)) else [float(value) for value in values]
    return "[" + ", ".join(f'"{float(number)!r} {unit}"' for number in numbers) + "]"
